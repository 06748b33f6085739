"""Read the event log of a game as `judge log show --json` prints it.

One event per line, secret ones without payload. A payload must match the hash of its event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from judge import event_log
from judge.archive import json_games, json_input
from judge.archive.log_conversion import LOG_FORMAT as NAME
from judge.archive.log_conversion import record_from_log
from judge.archive.reading import Format, Reading
from judge.archive.records import Record, Source
from judge.game.events import CODEC
from judge.game.players.creation import GameCreated

KEYS = frozenset({"game", "version", "recorded_utc", "type", "schema", "payload", "hash"})
SECRET = {name for name, event in CODEC.types.items() if "nonce" in event.__slots__}
# Errors from a well-formed event that was forged together with its hash.
IMPOSSIBLE = (ValueError, LookupError, TypeError, AssertionError)


@dataclass(slots=True)
class _Log:
    """The events of one game, from *first_line* on; *head* is the hash of the last."""

    game: str = ""
    first_line: int = 1
    last_line: int = 0
    head: str = event_log.GENESIS
    events: list[event_log.Recorded] = field(default_factory=list)


def recognizes(head: str) -> bool:
    """Return whether *head* starts an exported event log."""
    return json_games.keys_of(head) >= KEYS


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    log = _Log()
    for found in json_games.find_games(reading.doubts, lines):
        try:
            row = _row(found.value)
        except json_input.MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))
            continue
        if row.game != log.game:
            yield from _record(reading, log)
            log = _Log(row.game, found.first_line)
        _add(reading, log, row, found)
    yield from _record(reading, log)


def _row(event: Mapping[str, object]) -> event_log.Row:
    """Read one event in its stored form; a secret event has an empty payload."""
    payload = event.get("payload")
    return event_log.Row(
        game=json_input.require_text(event.get("game"), "game"),
        version=json_input.require_whole_number(event.get("version"), "version"),
        type=json_input.require_text(event.get("type"), "type"),
        schema=json_input.require_whole_number(event.get("schema"), "schema"),
        recorded_utc=json_input.require_text(event.get("recorded_utc"), "recorded_utc"),
        payload="" if payload is None else _payload(payload),
        hash=json_input.require_text(event.get("hash"), "hash"),
    )


def _payload(payload: object) -> str:
    try:
        return event_log.canonical_json(payload)
    except (ValueError, RecursionError) as error:
        raise json_input.MalformedError("payload", str(error)) from None


def _add(reading: Reading, log: _Log, row: event_log.Row, found: json_games.JsonGame) -> None:
    previous, log.head, log.last_line = log.head, row.hash, found.last_line
    if not row.payload and row.type in SECRET:
        return
    try:
        if event_log.chain_hash(previous, event_log.canonical_row(row)) != row.hash:
            raise json_input.MalformedError(
                f"event {row.version}", "was changed after it was written: its hash does not match"
            )
        log.events.append(event_log.unseal(CODEC, row))
    except ValueError as error:
        reading.doubts.note(found.first_line, "", str(error))


def _record(reading: Reading, log: _Log) -> Iterator[Record]:
    if not log.events:
        return
    first = log.events[0].event
    try:
        own = reading.on_board_named(first.variant) if isinstance(first, GameCreated) else reading
    except json_input.MalformedError as error:
        reading.doubts.leave_out(log.first_line, log.game, str(error))
        return
    source = Source(NAME, reading.name, reading.sha256, log.first_line, log.last_line)
    try:
        record = record_from_log(own.board, log.events)
    except IMPOSSIBLE as error:
        why = f"not the log of a game: {error}"
        reading.doubts.leave_out(log.first_line, f"the end of {log.game}", why)
        beginning = _readable_beginning(own, log.events)
        if beginning is None:
            return
        record = beginning
    yield replace(record, source=source, doubts=reading.doubts.taken())


def _readable_beginning(reading: Reading, events: Sequence[event_log.Recorded]) -> Record | None:
    """Return the record of as many of the first *events* as make a game."""
    record, least, most = None, 1, len(events) - 1
    while least <= most:
        middle = (least + most) // 2
        try:
            record = record_from_log(reading.board, events[:middle])
            least = middle + 1
        except IMPOSSIBLE:
            most = middle - 1
    return record


FORMAT = Format(
    name=NAME,
    title="our own log",
    rulebook="datc",
    recognizes=recognizes,
    reads=read,
    keys=KEYS,
)
