"""Our own format: records as JSON (`docs/formats/record.v1.schema.json`), written and read back.

The JSON is a superset of what the `diplomacy` package saves: `id`, `map` and `rules`, and a
phase's `name`, `state`, `orders`, `results` and `messages`, mean the same here. Full orders and
results are in `written`, the only place they are read from. Unknown values are left out. Renaming,
retyping or dropping a key requires a new version of the schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import TypeAlias, TypeVar

from judge.archive import json_games, json_input, records
from judge.archive.formats import diplomacy_writer
from judge.archive.position_json import CACHED_MAX, read_position, read_unit, write_position
from judge.archive.reading import Format, Reading
from judge.notation.order_text import UnreadableOrderError, read_owned_order, write_owned_order
from judge.rules.board import Map
from judge.rules.rulebook import DATC
from judge.rules.types import Order, Phase, Position

RECORD_KEYS = (
    *("source", "rulebook", "numbers", "gamemaster", "zine", "issue", "seats", "charts"),
    *("ending", "settings", "doubts"),
)
PHASE_KEYS = (
    "results_told",
    "deadline",
    "reported",
    "first_line",
    "last_line",
    "notes",
)

Json: TypeAlias = dict[str, object]


def record_to_json(record: records.Record, board: Map) -> Json:
    """Return *record* as a JSON object, which `record_from_json` reads back."""
    messages = _messages_json(record)
    full = [diplomacy_writer.packed(each) for each in record.phases]
    phases = [
        {
            **_phase_json(board, record, each, before),
            "messages": messages.pop(each.recorded.phase, []),
        }
        for before, each in zip((None, *full), full, strict=False)
    ]
    return {
        "format": records.RECORD_FORMAT,
        "version": records.RECORD_VERSION,
        "id": record.name,
        "map": record.variant,
        "rules": diplomacy_writer.rules_of(record),
        **_without_unknown(record, RECORD_KEYS),
        "phases": phases,
        "messages": [each for several in messages.values() for each in several],
    }


def _phase_json(
    board: Map,
    record: records.Record,
    phase: diplomacy_writer.Packed,
    before: diplomacy_writer.Packed | None,
) -> Json:
    recorded, position = phase.recorded, phase.recorded.position
    return {
        "name": recorded.phase.code,
        **({"state": _state_json(board, record, position)} if position else {}),
        "orders": diplomacy_writer.save_orders(board, phase),
        "results": diplomacy_writer.save_results(phase, before),
        "written": [_order_json(each) for each in recorded.orders],
        "removed": [{"power": power, "unit": str(unit)} for power, unit in recorded.removed],
        "edition": recorded.edition,
        **_without_unknown(recorded, PHASE_KEYS),
    }


def _state_json(board: Map, record: records.Record, position: Position) -> Json:
    return {
        **diplomacy_writer.save_state(board, record, position),
        "dislodged": write_position(position)["dislodged"],
        "contested": sorted(position.contested),
        "due": dict(position.builds),
    }


def _order_json(written: records.WrittenOrder) -> Json:
    order = write_owned_order(written.order) if written.order else None
    order_json: Json = {"power": written.power}
    if order:
        order_json["order"] = order
    if written.text != order:
        order_json["text"] = written.text
    if written.results is not None:
        order_json["results"] = list(written.results)
    if written.line is not None:
        order_json["line"] = written.line
    return order_json


def _messages_json(record: records.Record) -> dict[Phase | None, list[Json]]:
    messages: dict[Phase | None, list[Json]] = {}
    times = diplomacy_writer.times_of(record.press)
    for number, (press, sent) in enumerate(zip(record.press, times, strict=True), 1):
        code = press.phase.code if press.phase else ""
        message = {
            **diplomacy_writer.save_message(press, sent, code),
            "number": number,
            "readers": list(press.readers),
            **_without_unknown(press, ("sent", "line")),
        }
        messages.setdefault(press.phase, []).append(message)
    return messages


def _without_unknown(part: object, names: Iterable[str]) -> Json:
    values = {name: getattr(part, name) for name in names}
    empty: tuple[object, ...] = (None, False, (), {}, "")
    return {name: _plain_json(value) for name, value in values.items() if value not in empty}


def _plain_json(value: object) -> object:  # noqa: PLR0911 - one return a kind of value
    match value:
        case Phase():
            return value.code
        case datetime():
            return value.isoformat()
        case Enum():
            return value.value
        case tuple():
            return [_plain_json(each) for each in value]
        case Mapping():
            return dict(value)
        case (
            records.Source()
            | records.Seat()
            | records.Ending()
            | records.YearChart()
            | records.Doubt()
        ):
            return _without_unknown(value, value.__slots__)
        case _:
            return value


JsonPart = Mapping[str, object]
Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=Enum)


def record_from_json(reading: Reading, source: JsonPart, line: int) -> records.Record:
    """Read the record on *line*; in a lenient reading, malformed phases have no position.

    Raises `MalformedError`.
    """
    if (
        source.get("format") != records.RECORD_FORMAT
        or source.get("version") != records.RECORD_VERSION
    ):
        raise json_input.MalformedError(
            "version", f"must be {records.RECORD_VERSION}, not {source.get('version')!r}"
        )
    variant = json_input.require_text(source.get("map"), "map")
    reading = reading.on_board_named(variant)
    ending = source.get("ending")
    return records.Record(
        name=json_input.require_text(source.get("id"), "id"),
        source=_source(json_input.require_object(source.get("source"), "source")),
        variant=variant,
        rulebook=_optional(source, "rulebook", json_input.require_text),
        numbers=_texts_by_name(source, "numbers"),
        gamemaster=_optional(source, "gamemaster", json_input.require_text),
        zine=_optional(source, "zine", json_input.require_text),
        issue=_optional(source, "issue", json_input.require_text),
        seats=tuple(map(_seat, json_input.require_objects(source.get("seats"), "seats"))),
        phases=tuple(_readable_phases(reading, source, line)),
        press=tuple(press for _, press in sorted(_press(source), key=lambda each: each[0])),
        charts=tuple(map(_chart, json_input.require_objects(source.get("charts"), "charts"))),
        ending=None if ending is None else _ending(json_input.require_object(ending, "ending")),
        settings=_texts_by_name(source, "settings"),
        doubts=tuple(map(_doubt, json_input.require_objects(source.get("doubts"), "doubts"))),
    )


def _source(source: JsonPart) -> records.Source:
    return records.Source(
        format=json_input.require_text(source.get("format"), "format"),
        name=json_input.require_text(source.get("name", ""), "name"),
        sha256=json_input.require_text(source.get("sha256", ""), "sha256"),
        first_line=json_input.require_whole_number(source.get("first_line", 1), "first_line"),
        last_line=_optional(source, "last_line", json_input.require_whole_number),
    )


def _seat(source: JsonPart) -> records.Seat:
    return records.Seat(
        power=json_input.require_text(source.get("power"), "power"),
        player=_optional(source, "player", json_input.require_text),
        hold=_read_choice(records.SeatKind, source.get("hold"), "hold"),
        since=_optional(source, "since", _read_phase),
        until=_optional(source, "until", _read_phase),
        address=_optional(source, "address", json_input.require_text),
    )


def _chart(source: JsonPart) -> records.YearChart:
    counts = json_input.require_object(source.get("counts"), "counts")
    return records.YearChart(
        year=json_input.require_whole_number(source.get("year"), "year"),
        counts={
            power: json_input.require_whole_number(count, "counts")
            for power, count in counts.items()
        },
        owners=_texts_by_name(source, "owners"),
    )


def _ending(source: JsonPart) -> records.Ending:
    return records.Ending(
        kind=_read_choice(records.EndKind, source.get("kind"), "kind"),
        powers=tuple(json_input.require_texts(source.get("powers"), "powers")),
        phase=_optional(source, "phase", _read_phase),
        reason=json_input.require_text(source.get("reason", ""), "reason"),
    )


def _doubt(source: JsonPart) -> records.Doubt:
    return records.Doubt(
        line=_optional(source, "line", json_input.require_whole_number),
        text=json_input.require_text(source.get("text", ""), "text"),
        why=json_input.require_text(source.get("why", ""), "why"),
    )


def _readable_phases(
    reading: Reading, source: JsonPart, line: int
) -> Iterator[records.RecordedPhase]:
    for each in json_input.require_objects(source.get("phases"), "phases"):
        try:
            yield _phase(reading.board, each)
        except json_input.MalformedError as error:
            gap = reading.doubts.gap(line, json_input.phase_in(each), error)
            if gap is None:
                return
            yield gap


def _phase(board: Map, source: JsonPart) -> records.RecordedPhase:
    phase, state = _read_phase(source.get("name"), "name"), source.get("state")
    removed = json_input.require_objects(source.get("removed"), "removed")
    powers = [json_input.require_text(each.get("power"), "power") for each in removed]
    units = [json_input.require_text(each.get("unit"), "unit") for each in removed]
    return records.RecordedPhase(
        phase=phase,
        position=None
        if state is None
        else _position(board, phase, json_input.require_object(state, "state")),
        orders=tuple(map(_written, json_input.require_objects(source.get("written"), "written"))),
        removed=tuple(
            (power, read_unit(board, power, unit))
            for power, unit in zip(powers, units, strict=True)
        ),
        results_told=source.get("results_told") is True,
        deadline=_optional(source, "deadline", _read_time),
        reported=_optional(source, "reported", _read_time),
        edition=json_input.require_whole_number(source.get("edition", 1), "edition"),
        first_line=_optional(source, "first_line", json_input.require_whole_number),
        last_line=_optional(source, "last_line", json_input.require_whole_number),
        notes=tuple(json_input.require_texts(source.get("notes"), "notes")),
    )


def _position(board: Map, phase: Phase, state: JsonPart) -> Position:
    """Read the position in *state*; its `builds` are redundant."""
    return read_position(board, {**state, "phase": phase.code, "builds": state.get("due")}, DATC)


def _written(source: JsonPart) -> records.WrittenOrder:
    order, results = _optional(source, "order", json_input.require_text), source.get("results")
    words = None if results is None else tuple(json_input.require_texts(results, "results"))
    for word in words or ():
        if word not in records.RESULTS:
            raise json_input.MalformedError(word, "not a result of an order")
    try:
        understood = _understood(order) if order else None
    except UnreadableOrderError as unreadable:
        raise json_input.MalformedError(order, "not an order, such as A BUD - SER") from unreadable
    return records.WrittenOrder(
        power=json_input.require_text(source.get("power"), "power"),
        text=json_input.require_text(source.get("text", order), "text"),
        order=understood,
        results=words,
        line=_optional(source, "line", json_input.require_whole_number),
    )


@lru_cache(CACHED_MAX)
def _understood(order: str) -> Order:
    return read_owned_order(order)


def _press(source: JsonPart) -> Iterator[tuple[int, records.RecordedPress]]:
    for holder in (source, *json_input.require_objects(source.get("phases"), "phases")):
        for message in json_input.require_objects(holder.get("messages"), "messages"):
            code = json_input.require_text(message.get("phase", ""), "phase")
            yield (
                json_input.require_whole_number(message.get("number"), "number"),
                records.RecordedPress(
                    phase=_read_phase(code, "phase") if code else None,
                    sender=json_input.require_text(message.get("sender"), "sender") or None,
                    readers=tuple(json_input.require_texts(message.get("readers"), "readers")),
                    text=json_input.require_text(message.get("message"), "message"),
                    sent=_optional(message, "sent", _read_time),
                    line=_optional(message, "line", json_input.require_whole_number),
                ),
            )


def _optional(source: JsonPart, key: str, read: Callable[[object, str], Value]) -> Value | None:
    value = source.get(key)
    return None if value is None else read(value, key)


def _texts_by_name(source: JsonPart, key: str) -> Mapping[str, str]:
    return {
        name: json_input.require_text(value, name)
        for name, value in json_input.require_object(source.get(key), key).items()
    }


def _read_choice(choices: type[Choice], value: object, name: str) -> Choice:
    try:
        return choices(value)
    except ValueError:
        known = ", ".join(str(each.value) for each in choices)
        raise json_input.MalformedError(name, f"must be one of {known}") from None


def _read_phase(value: object, name: str) -> Phase:
    try:
        return Phase.parse(json_input.require_text(value, name))
    except json_input.MalformedError:
        raise
    except ValueError:
        raise json_input.MalformedError(value, "not a phase, such as S1901M") from None


def _read_time(value: object, name: str) -> datetime:
    try:
        return datetime.fromisoformat(json_input.require_text(value, name))
    except json_input.MalformedError:
        raise
    except ValueError:
        raise json_input.MalformedError(
            name, "must be a time, such as 2026-11-27T02:00:00+00:00"
        ) from None


KEYS = frozenset({"format", "version", "id", "map"})


def recognizes(head: str) -> bool:
    """Return whether *head* starts a record."""
    return json_games.keys_of(head) >= KEYS and f'"{records.RECORD_FORMAT}"' in head


def read(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield the records in *lines*."""
    for found in json_games.find_games(reading.doubts, lines, reading.first_line):
        try:
            record = record_from_json(reading, found.value, found.first_line)
        except json_input.MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))
            continue
        yield replace(record, doubts=(*record.doubts, *reading.doubts.taken()))


FORMAT = Format(
    name="record",
    title="our records",
    rulebook="datc",
    recognizes=recognizes,
    reads=read,
    begins_with=json_games.BEGINS_A_GAME,
    keys=KEYS,
)


def write_record(record: records.Record, board: Map) -> Iterator[str]:
    """Yield *record* as one line."""
    yield f"{json.dumps(record_to_json(record, board))}\n"
