"""Games in the shape that the `diplomacy` package saves, which other programs write as well.

    {"id": "...", "map": "standard", "rules": [], "phases": [{"name": "S1901M",
     "state": {"units": {"AUSTRIA": ["A BUD"]}, "centers": ..., "retreats": ..., "builds": ...},
     "orders": {"AUSTRIA": ["A BUD - SER"]}, "results": {"A BUD": ["bounce"]}, "messages": [...]}]}

The last phase may be called `COMPLETED`, and shows how the game ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from judge.archive.json_games import JsonGame, json_games
from judge.archive.placing import Placing
from judge.archive.positions import read_unit
from judge.archive.reading import Reading
from judge.archive.record import Ending, EndKind, Record, RecordedPhase, RecordedPress, Source
from judge.archive.saved_orders import SavedPhase, read_results
from judge.archive.values import (
    MalformedError,
    a_count,
    a_text,
    an_object,
    some_objects,
    some_texts,
)
from judge.rules.phase_sequence import next_position, orders_due, winner
from judge.rules.rulebook import Rulebook, rulebook_named
from judge.rules.types import Phase, PhaseKind, Position, Power

COMPLETED, FORMING = "COMPLETED", "FORMING"  # in place of a phase
VICTORY = "Victory by: "  # and then FRA, GER
EVERYBODY = "GLOBAL"
NAMES_OF_EVERYBODY = frozenset({EVERYBODY, "ALL"})
SHAPE = frozenset({"id", "map", "phases"})  # the keys of a game that are no settings
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
YEARS = range(1990, 2100)  # Who sent a message in another year counted from some other day.


@dataclass(frozen=True, slots=True)
class Dialect:
    """Who writes the shape: the *format* by name, its law, and how fine `time_sent` counts."""

    format: str
    rulebook: str
    tick: timedelta


@dataclass(frozen=True, slots=True)
class _Game:
    reading: Reading
    dialect: Dialect
    law: Rulebook
    line: int


def read_saved_games(reading: Reading, lines: Iterable[str], dialect: Dialect) -> Iterator[Record]:
    """Read games of *dialect*; one that has not the shape is a doubt, and left out."""
    law = rulebook_named(dialect.rulebook)
    for found in json_games(reading.doubts, lines, reading.first_line):
        try:
            yield _record(_Game(reading, dialect, law, found.first_line), found)
        except MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))


def _record(game: _Game, found: JsonGame) -> Record:
    source, reading = found.value, game.reading
    variant = a_text(source.get("map", reading.board.name), "map")
    if variant != reading.board.name:
        raise MalformedError(variant, f"is not the {reading.board.name} map")
    played = some_objects(source.get("phases"), "phases")
    if not played:
        raise MalformedError("phases", "are missing")
    phases = _phases(game, played)
    return Record(
        name=str(source.get("id") or reading.title),
        source=Source(
            game.dialect.format,
            reading.name,
            reading.sha256,
            found.first_line,
            found.last_line,
        ),
        variant=variant,
        rulebook=game.dialect.rulebook,
        phases=tuple(phases),
        press=tuple(_press(game, played)),
        ending=_ending(game, played[-1], phases),
        settings=dict(_settings(source)),
        doubts=reading.doubts.taken(),
    )


def _settings(source: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key, value in source.items():
        match value:
            case _ if key in SHAPE:
                pass
            case str():
                yield key, value
            case bool() | int() | float():
                yield key, json.dumps(value)
            case list() if value and all(isinstance(each, str) for each in value):
                yield key, " ".join(value)
            case _:
                pass


def _phases(game: _Game, played: Sequence[Mapping[str, object]]) -> list[RecordedPhase]:
    board, doubts = game.reading.board, game.reading.doubts
    phases: list[RecordedPhase] = []
    for source in played:
        before = phases[-1] if phases else None
        phase = _named(game, source, before)
        if phase is None:
            continue
        state = an_object(source.get("state"), "state")
        for why in _odd(game, source, state, phase, before):
            doubts.note(game.line, phase.code, why)
        position = _position(game, state, phase, before)
        results = read_results(source)
        saved = SavedPhase(board, doubts, game.line, source, position, results)
        if before and source.get("name") != COMPLETED:
            phases[-1] = saved.with_destroyed(before)
        orders = tuple(saved.orders())
        phases.append(
            RecordedPhase(
                phase=phase,
                position=position,
                orders=orders,
                removed=tuple(saved.removed(orders)),
                results_told=bool(orders and results),
            )
        )
    return phases


def _odd(
    game: _Game,
    source: Mapping[str, object],
    state: Mapping[str, object],
    phase: Phase,
    before: RecordedPhase | None,
) -> Iterator[str]:
    """Yield what should not be so in *phase*, nor in its place after the one *before*."""
    if phase < game.reading.board.start.phase:
        yield "is before the game begins"
    if before and phase <= before.phase:
        yield f"comes after {before.phase}"
    if state.get("units") is None:
        yield "has no units"
    if source.get("orders") is None and source.get("name") != COMPLETED:
        yield "has no orders"


def _named(
    game: _Game, source: Mapping[str, object], before: RecordedPhase | None
) -> Phase | None:
    """Return the phase that *source* tells of, None if nothing is or was to be played in it."""
    code = a_text(source.get("name"), "name of a phase")
    if code == FORMING:
        return None
    if code == COMPLETED:
        return _after(game, source, before) if before and before.orders else None
    try:
        return Phase.parse(code)
    except ValueError:
        raise MalformedError(code, "no phase, such as S1901M") from None


def _after(game: _Game, source: Mapping[str, object], before: RecordedPhase) -> Phase:
    """Return the phase that would come next in a game that *before* has ended."""
    state = an_object(source.get("state"), "state")
    end = _position(game, state, before.phase, None)
    return next_position(game.reading.board, before.phase, end.units, end.owners).phase


def _position(
    game: _Game, state: Mapping[str, object], phase: Phase, before: RecordedPhase | None
) -> Position:
    board, line, code = game.reading.board, game.line, phase.code
    placing = Placing(board, game.reading.doubts)
    for power, units in _by_power(game, state, "units"):
        for text in some_texts(units, f"units of {power}"):
            unit = read_unit(board, power, text.removeprefix("*"))
            dislodged = text.startswith("*") and phase.kind is PhaseKind.RETREATS
            placing.place(unit, line, f"{code}: {power} {text}", dislodged=dislodged)
    for power, centers in _by_power(game, state, "centers"):
        for center in some_texts(centers, f"centers of {power}"):
            if center not in board.places:
                raise MalformedError(center, f"no province of the {board.name} map")
            placing.own(center, power, line, f"{code}: {power} {center}")
    told = "retreats" in state
    for power, several in _by_power(game, state, "retreats"):
        for text, places in an_object(several, f"retreats of {power}").items():
            locations = tuple(some_texts(places, f"retreats of {text}"))
            placing.retreats[read_unit(board, power, text)] = locations
    position = placing.position(phase, None if told else before, game.law)
    return replace(position, builds=dict(_builds(game, state, position)))


def _by_power(
    game: _Game, source: Mapping[str, object], key: str
) -> Iterator[tuple[Power, object]]:
    for power, value in an_object(source.get(key), key).items():
        if power in game.reading.board.nations:
            yield power, value
        elif value:
            raise MalformedError(power, f"no power of the {game.reading.board.name} map")


def _builds(
    game: _Game, state: Mapping[str, object], position: Position
) -> Iterator[tuple[Power, int]]:
    """Yield what each power may build or must remove, where that is not its centers less units."""
    if position.phase.kind is not PhaseKind.ADJUSTMENTS or state.get("name") == COMPLETED:
        return
    for power, told in _by_power(game, state, "builds"):
        count = a_count(an_object(told, f"builds of {power}").get("count", 0), "count")
        due = orders_due(game.reading.board, position, power)
        if count != (due if position.due(power) > 0 else -due):
            yield power, count


def _press(game: _Game, played: Iterable[Mapping[str, object]]) -> Iterator[RecordedPress]:
    for source in played:
        for message in some_objects(source.get("messages"), "messages"):
            recipient = a_text(message.get("recipient"), "recipient")
            yield RecordedPress(
                phase=_sent_in(message.get("phase", source.get("name"))),
                sender=a_text(message.get("sender"), "sender") or None,
                readers=() if recipient in NAMES_OF_EVERYBODY else (recipient,),
                text=a_text(message.get("message"), "message"),
                sent=_sent_at(game.dialect, message.get("time_sent")),
            )


def _sent_in(code: object) -> Phase | None:
    try:
        return Phase.parse(a_text(code, "phase"))
    except ValueError:
        return None


def _sent_at(dialect: Dialect, ticks: object) -> datetime | None:
    if not isinstance(ticks, int):
        return None
    try:
        sent = EPOCH + ticks * dialect.tick
    except OverflowError:
        return None
    return sent if sent.year in YEARS else None


def _ending(
    game: _Game, last: Mapping[str, object], phases: Sequence[RecordedPhase]
) -> Ending | None:
    """Return how the game ended, by the note of its *last* phase or by the centers."""
    note = an_object(last.get("state"), "state").get("note")
    board, position = game.reading.board, phases[-1].position if phases else None
    played = [each.phase for each in phases if each.orders] or [each.phase for each in phases]
    powers: tuple[Power, ...] = ()
    if isinstance(note, str) and note.startswith(VICTORY):
        starts = note.removeprefix(VICTORY).split(", ")
        powers = tuple(power for power in board.powers if power[:3] in starts)
    elif last.get("name") == COMPLETED and position and (won := winner(board, position)):
        powers, note = (won,), ""
    if not powers:
        return None
    kind = EndKind.SOLO if len(powers) == 1 else EndKind.DRAW
    return Ending(kind, powers, played[-1] if played else None, str(note))
