"""Read games as saved by the `diplomacy` package, searchbot and Cicero.

    {"id": "...", "map": "standard", "rules": [], "phases": [{"name": "S1901M",
     "state": {"units": {"AUSTRIA": ["A BUD"]}, "centers": ..., "retreats": ..., "builds": ...},
     "orders": {"AUSTRIA": ["A BUD - SER"]}, "results": {"A BUD": ["bounce"]}, "messages": [...]}]}

The last phase may be called `COMPLETED` and shows how the game ended. The results of a phase name
units removed without an order. A destroyed unit is only marked dislodged in its own phase; the
next phase does not list it among the retreats, but may list it as disbanded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial

from judge import errors
from judge.archive import json_games, json_input, records
from judge.archive.position_json import CACHED_MAX, read_by_power, read_unit, read_written_orders
from judge.archive.positions import PrintedPosition
from judge.archive.reading import Doubts, Format, Reading
from judge.archive.records import RECORD_FORMAT as RECORD
from judge.rules import types
from judge.rules.board import Map
from judge.rules.legality import impossibility
from judge.rules.phase_sequence import next_position, orders_due, winner
from judge.rules.rulebook import Rulebook, rulebook_named

FORMING = "FORMING"  # in place of a phase code
VICTORY = "Victory by: "  # followed by FRA, GER
EVERYONE = "GLOBAL"
NAMES_OF_EVERYONE = frozenset({EVERYONE, "ALL"})
SHAPE = frozenset({"id", "map", "phases"})  # keys that are not settings
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
YEARS = range(1990, 2100)  # Times outside of them use another epoch.


@dataclass(frozen=True, slots=True)
class Dialect:
    """A program that writes this format; *tick* is the unit of its `time_sent`."""

    name: str
    title: str
    rulebook: str
    tick: timedelta
    is_searchbot: bool


@dataclass(frozen=True, slots=True)
class _Game:
    reading: Reading
    dialect: Dialect
    rulebook: Rulebook
    line: int


MAP_NAMES: Mapping[str, str] = {  # what the package calls boards that we call otherwise
    "ancmed": "ancient-med",
    "known_world_901": "western-world",
    "standard_fleet_rome": "fleet-rome",
    "standard_france_austria": "fva",
    "standard_germany_italy": "gvi",
}


def read_saved_games(
    reading: Reading, lines: Iterable[str], dialect: Dialect
) -> Iterator[records.Record]:
    """Yield the games of *dialect*; a malformed game becomes a doubt."""
    rulebook = rulebook_named(dialect.rulebook)
    for found in json_games.find_games(reading.doubts, lines, reading.first_line):
        try:
            named = json_input.require_text(found.value.get("map", reading.board.name), "map")
            own = reading.on_board_named(MAP_NAMES.get(named, named))
            yield _record(_Game(own, dialect, rulebook, found.first_line), found)
        except json_input.MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))


def _record(game: _Game, found: json_games.JsonGame) -> records.Record:
    source, reading = found.value, game.reading
    played = json_input.require_objects(source.get("phases"), "phases")
    if not played:
        raise json_input.MalformedError("phases", "missing")
    phases = json_games.read_phases(
        reading.doubts, game.line, played, partial(_recorded_phase, game), json_input.phase_in
    )
    return records.Record(
        name=str(source.get("id") or reading.title),
        source=records.Source(
            game.dialect.name,
            reading.name,
            reading.sha256,
            found.first_line,
            found.last_line,
        ),
        variant=reading.board.name,
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


def _recorded_phase(
    game: _Game, source: Mapping[str, object], before: records.RecordedPhase | None
) -> records.RecordedPhase | None:
    board, doubts = game.reading.board, game.reading.doubts
    phase = _phase_of(game, source, before)
    if phase is None:
        return None
    state = json_input.require_object(source.get("state"), "state")
    for why in _oddities(game, source, state, phase, before):
        doubts.note(game.line, phase.code, why)
    position = _position(game, state, phase, before)
    results = read_results(source)
    saved = SavedPhase(board, doubts, game.line, source, position, results)
    orders = tuple(saved.orders())
    return records.RecordedPhase(
        phase=phase,
        position=position,
        orders=orders,
        removed=tuple(saved.removed(orders)),
        results_told=bool(orders and results),
    )


def _oddities(
    game: _Game,
    source: Mapping[str, object],
    state: Mapping[str, object],
    phase: types.Phase,
    before: records.RecordedPhase | None,
) -> Iterator[str]:
    """Yield what is wrong with *phase* or its place after *before*."""
    if phase < game.reading.board.start.phase:
        yield "is before the game begins"
    if before and phase <= before.phase:
        yield f"comes after {before.phase}"
    if state.get("units") is None:
        yield "has no units"
    if source.get("orders") is None and source.get("name") != json_games.COMPLETED:
        yield "has no orders"


def _phase_of(
    game: _Game, source: Mapping[str, object], before: records.RecordedPhase | None
) -> types.Phase | None:
    """Return the phase of *source*, None if nothing was played in it."""
    code = json_input.require_text(source.get("name"), "name of a phase")
    if code == FORMING:
        return None
    if code == json_games.COMPLETED:
        if before is None or not before.orders:
            return None
        end = _position(
            game, json_input.require_object(source.get("state"), "state"), before.phase, None
        )
        return next_position(game.reading.board, before.phase, end.units, end.owners).phase
    try:
        return types.Phase.parse(code)
    except ValueError:
        raise json_input.MalformedError(code, "not a phase, such as S1901M") from None


def _position(
    game: _Game,
    state: Mapping[str, object],
    phase: types.Phase,
    before: records.RecordedPhase | None,
) -> types.Position:
    board, line, code = game.reading.board, game.line, phase.code
    placing = PrintedPosition(board, game.reading.doubts)
    for power, units in _by_power(game, state, "units"):
        for text in json_input.require_texts(units, f"units of {power}"):
            unit = read_unit(board, power, text.removeprefix("*"))
            dislodged = text.startswith("*") and phase.kind is types.PhaseKind.RETREATS
            placing.place(unit, line, f"{code}: {power} {text}", dislodged=dislodged)
    for power, centers in _by_power(game, state, "centers"):
        for center in json_input.require_texts(centers, f"centers of {power}"):
            if center not in board.places:
                raise json_input.MalformedError(center, f"not a province of the {board.name} map")
            placing.set_owner(center, power, line, f"{code}: {power} {center}")
    for power, several in _by_power(game, state, "retreats"):
        for text, places in json_input.require_object(several, f"retreats of {power}").items():
            locations = tuple(json_input.require_texts(places, f"retreats of {text}"))
            placing.retreats[read_unit(board, power, text)] = locations
    position = placing.position(phase, before, game.rulebook)
    return replace(position, builds=dict(_builds(game, state, position)))


def _by_power(
    game: _Game, source: Mapping[str, object], key: str
) -> Iterator[tuple[types.Power, object]]:
    for power, value in json_input.require_object(source.get(key), key).items():
        if power in game.reading.board.nations:
            yield power, value
        elif value:
            raise json_input.MalformedError(
                power, f"not a power of the {game.reading.board.name} map"
            )


def _builds(
    game: _Game, state: Mapping[str, object], position: types.Position
) -> Iterator[tuple[types.Power, int]]:
    """Yield the builds or removals of powers where they are not centers minus units."""
    if (
        position.phase.kind is not types.PhaseKind.ADJUSTMENTS
        or state.get("name") == json_games.COMPLETED
    ):
        return
    for power, listed in _by_power(game, state, "builds"):
        count = json_input.require_whole_number(
            json_input.require_object(listed, f"builds of {power}").get("count", 0), "count"
        )
        due = orders_due(game.reading.board, position, power)
        if count != (due if position.due(power) > 0 else -due):
            yield power, count


def _press(game: _Game, played: Iterable[Mapping[str, object]]) -> Iterator[records.RecordedPress]:
    for source in played:
        for message in json_input.require_objects(source.get("messages"), "messages"):
            recipient = json_input.require_text(message.get("recipient"), "recipient")
            yield records.RecordedPress(
                phase=_sent_in(message.get("phase", source.get("name"))),
                sender=json_input.require_text(message.get("sender"), "sender") or None,
                readers=() if recipient in NAMES_OF_EVERYONE else (recipient,),
                text=json_input.require_text(message.get("message"), "message"),
                sent=_sent_at(game.dialect, message.get("time_sent")),
            )


def _sent_in(code: object) -> types.Phase | None:
    try:
        return types.Phase.parse(json_input.require_text(code, "phase"))
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
    game: _Game, last: Mapping[str, object], phases: Sequence[records.RecordedPhase]
) -> records.Ending | None:
    note = json_input.require_object(last.get("state"), "state").get("note")
    board, position = game.reading.board, phases[-1].position if phases else None
    played = [each.phase for each in phases if each.orders] or [each.phase for each in phases]
    powers: tuple[types.Power, ...] = ()
    if isinstance(note, str) and note.startswith(VICTORY):
        starts = note.removeprefix(VICTORY).split(", ")
        powers = tuple(power for power in board.powers if power[:3] in starts)
    elif (
        last.get("name") == json_games.COMPLETED and position and (won := winner(board, position))
    ):
        powers, note = (won,), ""
    if not powers:
        return None
    kind = records.EndKind.SOLO if len(powers) == 1 else records.EndKind.DRAW
    return records.Ending(kind, powers, played[-1] if played else None, str(note))


CARRIED_OUT, UNSETTLED, DISBANDED = "", "maybe", "disband"  # not failures
DISLODGED, DESTROYED, VOID, NO_CONVOY = "dislodged", "destroyed", "void", "no convoy"


def read_results(source: Mapping[str, object]) -> Mapping[str, Sequence[str]]:
    """Return the result codes by unit. Raises `MalformedError`."""
    by_unit = json_input.require_object(source.get("results"), "results")
    return {
        unit: json_input.require_texts(codes, f"results of {unit}")
        for unit, codes in by_unit.items()
    }


@dataclass(frozen=True, slots=True)
class SavedPhase:
    """A phase of the game that starts on *line*, as saved in *source*; *position* is its start.

    Malformed parts raise `MalformedError`.
    """

    board: Map
    doubts: Doubts
    line: int
    source: Mapping[str, object]
    position: types.Position
    results: Mapping[str, Sequence[str]]

    def orders(self) -> Iterator[records.WrittenOrder]:
        """Yield the orders, with results if the phase has any."""
        retreats = self.position.phase.kind is types.PhaseKind.RETREATS
        waiting = (each.unit for each in self.position.dislodged)
        there = {each.province: each for each in (waiting if retreats else self.position.units)}
        read = [
            (power, text, self._order(power, text))
            for power, texts in read_by_power(self.board, self.source, "orders")
            for text in json_input.require_texts(texts, f"orders of {power}")
        ]
        moves = {
            order.unit.province: order.target
            for _, _, order in read
            if isinstance(order, types.Move)
        }
        for power, text, order in read:
            codes = self.results.get(_unit_in(text))
            if VOID not in (codes or ()) and not _has_unit(there, power, order):
                self._doubt(power, text, "no such unit is there")
            words = None if codes is None else tuple(self._words(power, text, order, codes))
            if words and VOID in words and isinstance(order, types.SupportMove):
                words = self._support_results(power, order, words, moves, there)
            yield records.WrittenOrder(power, text, order, words)

    def removed(
        self, orders: Iterable[records.WrittenOrder]
    ) -> Iterator[tuple[types.Power, types.Unit]]:
        """Yield the units that left the board without one of *orders*."""
        ordered = {_unit_in(each.text) for each in orders}
        gone, candidates = DISBANDED, [each.unit for each in self.position.dislodged]
        if self.position.phase.kind is types.PhaseKind.ADJUSTMENTS:
            gone, candidates = CARRIED_OUT, [*self.position.units]
        for unit in candidates:
            if gone in self.results.get(str(unit), ()) and str(unit) not in ordered:
                yield unit.power, unit

    def _support_results(
        self,
        power: types.Power,
        order: types.SupportMove,
        words: tuple[str, ...],
        moves: Mapping[types.Province, types.Location],
        there: Mapping[types.Province, types.Unit],
    ) -> tuple[str, ...] | None:
        """Return the results of a void support in the words of others, None if unknown.

        The package also calls a support void that counts, but may not dislodge a unit of its own
        power, and one for an army without a convoy, whether or not it was cut.
        """
        supported = there.get(order.supported.province)
        if (
            not supported
            or moves.get(supported.province) != order.target
            or impossibility(self.board, self.position, power, order)
        ):
            return words
        if NO_CONVOY in self.results.get(supported.name, ()):
            return None
        held = there.get(types.province_of(order.target))
        return tuple(each for each in words if each != VOID or not held or held.power != power)

    def _order(self, power: types.Power, text: str) -> types.Order | None:
        try:
            (order,) = read_written_orders(self.board, (text,))
        except json_input.MalformedError:
            self._doubt(power, text, "not an order, such as A BUD - SER")
            return None
        return order

    def _words(
        self, power: types.Power, text: str, order: types.Order | None, codes: Sequence[str]
    ) -> Iterator[str]:
        for code in codes:
            word = code.rpartition(":")[2]  # A number may precede the code.
            if word in records.RESULTS:
                yield word
            elif word == DISBANDED and isinstance(order, types.Retreat):
                yield DESTROYED
            elif word not in {CARRIED_OUT, UNSETTLED, DISBANDED}:
                self._doubt(power, text, f"unknown result {errors.abridged(code)}")

    def _doubt(self, power: types.Power, text: str, why: str) -> None:
        self.doubts.note(self.line, f"{self.position.phase}: {power} {text}", why)


def _has_unit(
    there: Mapping[types.Province, types.Unit], power: types.Power, order: types.Order | None
) -> bool:
    name = records.ordered_unit(order)
    if name is None or isinstance(order, types.Build):
        return True
    unit = there.get(name.province)
    return unit is not None and (unit.power, unit.kind, unit.location) == (
        power,
        name.kind,
        name.location,
    )


@lru_cache(CACHED_MAX)
def _unit_in(text: str) -> str:
    """Return the unit at the start of an order's *text*, such as `A BUD`."""
    return " ".join(text.upper().split()[:2])


KEYS = frozenset({"phases", "state", "units"})
SEARCHBOT_KEYS = frozenset({"is_full_press", "scoring_system"})


def _format(dialect: Dialect) -> Format:
    def recognizes(head: str) -> bool:
        keys = json_games.keys_of(head)
        if not keys >= KEYS or f'"{RECORD}"' in head:
            return False
        return dialect.is_searchbot is bool(keys & SEARCHBOT_KEYS)

    return Format(
        name=dialect.name,
        title=dialect.title,
        rulebook=dialect.rulebook,
        recognizes=recognizes,
        reads=partial(read_saved_games, dialect=dialect),
        begins_with=json_games.BEGINS_A_GAME,
        keys=KEYS | SEARCHBOT_KEYS if dialect.is_searchbot else KEYS,
    )


DIPLOMACY = _format(
    Dialect(
        name="diplomacy",
        title="saved games of the diplomacy package",
        rulebook="diplomacy",
        tick=timedelta(microseconds=1),
        is_searchbot=False,
    )
)
SEARCHBOT = _format(
    Dialect(
        name="searchbot",
        title="games of searchbot and Cicero",
        rulebook="webdiplomacy_2023",  # Its adjudicator was tested on games recorded there.
        tick=timedelta(milliseconds=10),
        is_searchbot=True,
    )
)
