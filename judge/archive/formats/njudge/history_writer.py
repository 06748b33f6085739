"""Write records as a history of nJudge: results emails, press and a summary.

Phases without a position, superseded editions and unreadable orders are left out. What the record
does not say, the results and the position after a phase, is adjudicated under its rules.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from typing import TypeAlias, assert_never

from judge.archive import records
from judge.archive.formats.njudge.sentence_patterns import BETWEEN
from judge.archive.order_results import FATES, recorded_results
from judge.notation.order_text import KIND_NAMES, write_long
from judge.rules import types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map, Terrain
from judge.rules.convoys import must_go_by_sea, shortest_route
from judge.rules.outcomes import Adjudication
from judge.rules.phase_context import map_index_of
from judge.rules.phase_sequence import open_homes, sort_units
from judge.rules.rulebook import DATC, Rulebook, UnknownRulebookError, rulebook_named

UNKNOWN_ADDRESS = "someone@somewhere"  # nJudge's text for a player in a gunboat game
NO_BREAKS = {ord(letter): " " for letter in "\0\r\n"}  # control characters that would end the line
SETTINGS = {  # named and ordered as in listings
    name.lower(): name
    for name in (
        *("Access", "Variant", "Flags", "xFlags", "x2Flags", "Press"),
        *("Power Assignments", "Winning Centers"),
    )
}


def write_record(record: records.Record, board: Map) -> Iterator[str]:
    """Yield *record* as emails."""
    editions = {each.phase: each for each in record.phases if each.position}
    last = sorted(editions.values(), key=lambda each: each.phase)
    phases = [each for each in map(_without_destroyed, last) if each]
    yield _text(iter((f"History information for game '{game_name(record)}':", "")))
    writer = ResultsWriter(record, board)
    follows = False
    for number, (recorded, later) in enumerate(pairwise((*phases, None)), 1):
        assert recorded, "only the last item is None"
        if not follows:
            yield _text(writer.start_position(recorded, number))
        known = later is not None and records.is_followed_by(recorded.phase, later.phase)
        following = later if known else None
        follows = following is not None and _is_played(recorded, following)
        if follows or recorded.orders or recorded.removed:
            yield _text(writer.results(recorded, following, number))
            follows = following is not None
    for message in record.press:
        yield _text(_message(record, board, message))
    yield "---- History terminated due to end of information.\n\n"
    yield _text(_summary(record, board, phases))


def _without_destroyed(recorded: records.RecordedPhase) -> records.RecordedPhase | None:
    """Return *recorded* without units that have no retreat, None if no other must retreat.

    nJudge removes them at once; webDiplomacy and others keep them through the retreat phase.
    """
    position = recorded.position
    assert position, "phases without a position are left out"
    gone = {each.unit.province for each in position.dislodged if not each.retreats}
    if not gone:
        return recorded
    waiting = tuple(each for each in position.dislodged if each.retreats)
    orders = tuple(
        each
        for each in recorded.orders
        if not (unit := records.ordered_unit(each.order)) or unit.province not in gone
    )
    removed = tuple(each for each in recorded.removed if each[1].province not in gone)
    position = replace(position, dislodged=waiting)
    return (
        replace(recorded, position=position, orders=orders, removed=removed) if waiting else None
    )


def _is_played(recorded: records.RecordedPhase, following: records.RecordedPhase) -> bool:
    """Return whether *following* can come from *recorded*, which may have no orders.

    If units moved without orders, the orders are unknown.
    """
    if recorded.orders or recorded.phase.kind is types.PhaseKind.ADJUSTMENTS:
        return True
    assert recorded.position, "phases without a position are left out"
    assert following.position, "phases without a position are left out"
    return {*recorded.position.units} == {*following.position.units}


def _text(lines: Iterator[str]) -> str:
    return "".join(f"{line.translate(NO_BREAKS)}\n" for line in lines)


def _summary(
    record: records.Record, board: Map, phases: Sequence[records.RecordedPhase]
) -> Iterator[str]:
    judge, game = judge_code(record), game_name(record)
    if judge:
        variant = record.settings.get("variant", record.variant.capitalize())
        yield f":: Judge: {judge}  Game: {game.capitalize()}  Variant: {variant}"
        yield ""
    through = f" through {phase_code(phases[-1].phase)}" if phases else ""
    yield f"Summary of game '{game}'{through}."
    yield ""
    if record.gamemaster:
        yield f"  Master:        {record.gamemaster}"
    yield from _seats(record, board)
    yield ""
    for key, name in SETTINGS.items():
        if key in record.settings:
            yield f"{name:>9}:  {record.settings[key]}."
    if record.ending and record.ending.powers:
        yield f"The game was {_ending(record.ending, board)}."
    yield ""


def _seats(record: records.Record, board: Map) -> Iterator[str]:
    for power in board.powers:
        label = f"{board.nations[power].name}:"
        for seat in record.seats:
            if seat.power != power or seat.hold is records.SeatKind.CIVIL_DISORDER:
                continue
            if seat.since and not label.startswith("from"):
                yield f"  {label:<14} {UNKNOWN_ADDRESS}"
            label = f"from {phase_code(seat.since)}:" if seat.since else label
            who = "  ".join(part for part in (seat.player, seat.address) if part)
            yield f"  {label:<14} {who or UNKNOWN_ADDRESS}"
            label = "from"


def _ending(ending: records.Ending, board: Map) -> str:
    *others, last = (board.nations[power].name for power in ending.powers)
    names = f"{', '.join(others)} and {last}" if others else last
    match ending.kind:
        case records.EndKind.DRAW:
            return f"declared a draw between {names}"
        case records.EndKind.CONCESSION:
            return f"conceded to {names}"
        case records.EndKind.SOLO | records.EndKind.ABANDONED:
            return f"won by {names}"
        case _:
            assert_never(ending.kind)


def _message(record: records.Record, board: Map, message: records.RecordedPress) -> Iterator[str]:
    judge, game = judge_code(record), game_name(record)
    if message.sent:
        yield f"Date:    {date_text(message.sent)}"
    if judge and message.phase:
        yield f"Subject: {judge}:{game} - {phase_code(message.phase)} Press"
    else:
        yield f"Subject: Diplomacy notice: '{game}'"
    yield ""
    if message.phase and not judge:
        yield f":: Deadline: {phase_code(message.phase)}"
        yield ""
    readers = [_name(board, each) for each in message.readers]
    to = f" to {' and '.join(readers)}" if readers else ""
    sender = f" from {UNKNOWN_ADDRESS} as {_name(board, message.sender)}" if message.sender else ""
    yield f"{'Message' if readers else 'Broadcast message'}{sender}{to} in '{game}':"
    yield ""
    yield from map(_quoted_if_ambiguous, message.text.split("\n"))
    yield "End of message."
    yield ""


def _quoted_if_ambiguous(line: str) -> str:
    """Quote *line* if it looks like the beginning or end of an email."""
    text = " ".join(line.split())
    return f"> {line}" if any(each.match(text) for each in BETWEEN) else line


def _name(board: Map, person: str) -> str:
    nation = board.nations.get(person)
    return nation.name if nation else person


LINE_CHARACTERS = 79
UnitOrder: TypeAlias = (
    types.Hold
    | types.Move
    | types.SupportHold
    | types.SupportMove
    | types.Convoy
    | types.Retreat
    | types.Disband
    | types.Build
)


class ResultsWriter:
    """Writes the results emails of *record*."""

    def __init__(self, record: records.Record, board: Map) -> None:
        self._record = record
        self._board = board
        self._rulebook = _rulebook_of(record)
        self._judge = judge_code(record)
        self._game = game_name(record)
        self._last = max((each.phase for each in record.phases if each.orders), default=None)

    def start_position(self, recorded: records.RecordedPhase, number: int) -> Iterator[str]:
        """Yield the units and owners at the start of *recorded*, phase *number* of the game."""
        position, phase = recorded.position, recorded.phase
        assert position, "phases without a position are left out"
        yield from self._heading(recorded, "Game Starting")
        start = self._board.start
        begins = phase == start.phase and position.owners == start.owners
        if begins:
            yield f"Starting position for {_season_text(phase)}."
        else:
            title = TITLES[phase.kind]
            yield f"Status of the {title} phase for {_season_text(phase)}.  {self._turn(number)}"
        yield ""
        retreats = {each.unit: each.retreats for each in position.dislodged}
        for power in self._board.powers:
            rows = [unit for unit in (*position.units, *retreats) if unit.power == power]
            for unit in rows:
                places = " or ".join(place_text(self._board, at) for at in retreats.get(unit, ()))
                ending = f" can retreat to {places}." if places else "."
                text = unit_text(self._board, unit)
                yield f"{self._name(power) + ':':<8} {_padded(text) if begins else text}{ending}"
            if rows:
                yield ""
        if position.owners:
            yield ""
            yield from self._ownership(position)
        if recorded.deadline:
            yield f"The deadline for the first orders is {date_text(recorded.deadline)}."
        yield ""

    def results(
        self, recorded: records.RecordedPhase, following: records.RecordedPhase | None, number: int
    ) -> Iterator[str]:
        """Yield the results email of *recorded*, phase *number* of the game.

        *following* is the phase that came next, None if it is not known.
        """
        phase, position = recorded.phase, recorded.position
        assert position, "phases without a position are left out"
        played = _PlayedPhase(
            recorded,
            position,
            following.position if following else None,
            lambda: adjudicate(self._board, position, recorded.orders_by_power(), self._rulebook),
        )
        after = played.after
        yield from self._heading(recorded, "Results")
        space = " " if phase.kind is types.PhaseKind.MOVEMENT else "  "
        yield f"{TITLES[phase.kind]} results for {_season_text(phase)}.{space}{self._turn(number)}"
        yield ""
        match phase.kind:
            case types.PhaseKind.MOVEMENT:
                words = played.results_by_province()
                yield from self._moved(played, words)
                yield from self._dislodged(played, words)
            case types.PhaseKind.RETREATS:
                yield from self._retreated(played, played.results_by_province())
            case types.PhaseKind.ADJUSTMENTS:
                yield from self._adjusted(played)
            case _:
                assert_never(phase.kind)
        yield ""
        ends_year = phase.season is types.Season.FALL and after.phase.season is not phase.season
        if ends_year and after.owners:
            yield from self._ownership(after)
            yield from self._counts(after)
        yield from self._end(played, following.deadline if following else None)

    def _heading(self, recorded: records.RecordedPhase, what: str) -> Iterator[str]:
        if recorded.reported:
            at = recorded.reported.astimezone(UTC)
            day = f"{at:%a %b} {at.day:>2} {at:%H:%M:%S %Y}"
            yield f"Date:    {day} ({int(at.timestamp())})"
        code, name = phase_code(recorded.phase), self._game
        if self._judge:
            yield f"Subject: {self._judge}:{name} - {code} {what}"
        else:
            yield f"Subject: Diplomacy results {name} {code}"
        yield from ("", "", "")

    def _turn(self, number: int) -> str:
        return f"({self._game}.{number:03})"

    def _name(self, power: types.Power) -> str:
        return self._board.nations[power].name

    def _moved(self, played: _PlayedPhase, words: ResultsByProvince) -> Iterator[str]:
        position, ordered = played.position, _by_unit(played.recorded)
        power = ""
        for unit in position.units:
            if power and unit.power != power:
                yield ""
            power = unit.power
            order = ordered.get((power, unit.province))
            if isinstance(order, types.Move):
                order = with_route(self._board, ordered.values(), order, self._rulebook)
            text = (
                order_text(self._board, position, power, order)
                if order
                else f"{unit_text(self._board, unit)}, No Order Processed."
            )
            marks = words.get(unit.province, ())
            if isinstance(order, types.Convoy):  # which nJudge never marks void
                marks = tuple(word for word in marks if word != "void")
            yield f"{self._name(power)}: {text}{_annotation(marks)}"

    def _dislodged(self, played: _PlayedPhase, words: ResultsByProvince) -> Iterator[str]:
        dislodged = [
            unit
            for unit in played.position.units
            if FATES.intersection(words.get(unit.province, ()))
        ]
        retreats = {each.unit: each.retreats for each in played.after.dislodged}
        if dislodged:
            yield from ("", "", "The following units were dislodged:", "")
        for unit in dislodged:
            nation = self._board.nations[unit.power].adjective
            kind, at = KIND_NAMES[unit.kind], place_after_in(self._board, unit.location)
            places = " or ".join(place_text(self._board, goal) for goal in retreats.get(unit, ()))
            fate = f"can retreat to {places}" if places else "with no valid retreats was destroyed"
            yield from _wrapped(f"The {nation} {kind} in {at} {fate}.", "")

    def _retreated(self, played: _PlayedPhase, words: ResultsByProvince) -> Iterator[str]:
        position, ordered = played.position, _by_unit(played.recorded)
        for each in position.dislodged:
            unit = each.unit
            order = ordered.get((unit.power, unit.province))
            text = (
                order_text(self._board, position, unit.power, order)
                if order
                else f"{unit_text(self._board, unit)}, No Order Processed (DISBAND)."
            )
            mark = _annotation(_lost_words(words.get(unit.province, ())))
            yield self._row(unit.power, f"{_padded(text).removesuffix('.')}{mark}.")

    def _adjusted(self, played: _PlayedPhase) -> Iterator[str]:
        """Yield the builds and removals that happened, then what was not built or ordered."""
        board, position, after = self._board, played.position, played.after
        built = sort_units(board, {*after.units}.difference(position.units))
        gone = sort_units(board, {*position.units}.difference(after.units))
        ordered = _by_unit(played.recorded)
        for power in board.powers:
            for unit in built:
                if unit.power == power:
                    name = types.UnitName(unit.kind, unit.location)
                    yield self._row(power, order_text(board, position, power, types.Build(name)))
            for unit in gone:
                if (power, unit.province) in ordered and unit.power == power:
                    yield self._row(power, f"Removes the {_unit_in(board, unit)}.")
        for power in board.powers:
            yield from self._not_built(played, power, [each.power for each in built].count(power))
            for unit in gone:
                if unit.power == power and (power, unit.province) not in ordered:
                    yield self._row(power, f"Defaults, removing the {_unit_in(board, unit)}.")

    def _not_built(self, played: _PlayedPhase, power: types.Power, built: int) -> Iterator[str]:
        """Yield the builds that *power* waived, had no home for, or did not order."""
        position, orders = played.position, played.recorded.orders_by_power().get(power, ())
        left = max(0, position.due(power)) - built
        waived = min(left, [*map(type, orders)].count(types.Waive))
        homes = len(open_homes(self._board, position, power)) - built
        unusable = max(0, left - waived - homes)
        yield from [self._row(power, "Build waived.")] * waived
        if unusable:
            yield self._row(power, f"{unusable} unusable {_several('build', unusable)} waived.")
        if unused := left - waived - unusable:
            yield self._row(power, f"{unused} {_several('build', unused)} pending.")

    def _row(self, power: types.Power, text: str) -> str:
        return f"{self._name(power) + ':':<25} {text}"

    def _ownership(self, position: types.Position) -> Iterator[str]:
        board = self._board
        owned = {self._name(power): position.centers_of(power) for power in board.powers}
        owned["Unowned"] = tuple(each for each in board.centers if each not in position.owners)
        yield "Ownership of supply centers:"
        yield ""
        for name, centers in owned.items():
            if centers:
                listed = ", ".join(sorted(place_text(board, each) for each in centers))
                yield from _wrapped(f"{name + ':':<10} {listed}.", " " * 11)
        yield ""

    def _counts(self, position: types.Position) -> Iterator[str]:
        for power in self._board.powers:
            centers, units = len(position.centers_of(power)), len(position.units_of(power))
            if not centers and not units:
                continue
            due = centers - units
            number, verb = abs(due), "Builds" if due >= 0 else "Removes"
            has = f"{_several('Supply center', centers)},"
            stands = f"{_several('Unit', units)}:"
            changes = f"{verb:<7}{number:>3} {_several('unit', number)}."
            name = f"{self._name(power)}:"
            yield f"{name:<8}{centers:>4} {has:<15}{units:>3} {stands:<6}  {changes}"
        yield ""

    def _end(self, played: _PlayedPhase, due: datetime | None) -> Iterator[str]:
        if self._record.ending and played.recorded.phase == self._last:
            yield "The game is over.  Thank you for playing."
        else:
            phase = played.after.phase
            ahead = f"{NEXT_TITLES[phase.kind]} for {_season_text(phase)}"
            yield f"The next phase of '{self._game}' will be {ahead}."
            if due:
                yield f"The deadline for orders will be {date_text(due)}."
        yield ""


ResultsByProvince: TypeAlias = Mapping[types.Province, tuple[str, ...]]


class _PlayedPhase:
    """A *recorded* phase, its *position*, and what happened in it.

    *adjudicate* is called only for what the record does not say.
    """

    def __init__(
        self,
        recorded: records.RecordedPhase,
        position: types.Position,
        after: types.Position | None,
        adjudicate: Callable[[], Adjudication],
    ) -> None:
        self.recorded, self.position = recorded, position
        self._judged = cache(adjudicate)
        self.after = after or self._judged().after

    def results_by_province(self) -> ResultsByProvince:
        """Return the results of each unit with an order or a fate."""
        kind = self.position.phase.kind
        words: dict[types.Province, tuple[str, ...]] = {}
        ordered = [
            (each, name)
            for each in self.recorded.orders
            if (name := records.ordered_unit(each.order))
        ]
        if any(each.results is None for each, _ in ordered):
            judged = self._judged()
            for outcome in (*judged.outcomes, *judged.unordered):
                if named := records.ordered_unit(outcome.order):
                    words[named.province] = _own_words(recorded_results(outcome, kind), kind)
        words |= {
            name.province: _own_words(each.results, kind)
            for each, name in ordered
            if each.results is not None
        }
        dislodged = [each.unit for each in self.after.dislodged]
        for unit in (*dislodged, *(unit for _, unit in self.recorded.removed)):
            listed = words.get(unit.province, ())
            if kind is types.PhaseKind.MOVEMENT and not FATES.intersection(listed):
                words[unit.province] = (*listed, "dislodged")
        return words


def _rulebook_of(record: records.Record) -> Rulebook:
    try:
        return rulebook_named(record.rulebook or "datc")
    except UnknownRulebookError:
        return DATC


def _by_unit(
    recorded: records.RecordedPhase,
) -> dict[tuple[types.Power, types.Province], UnitOrder]:
    """Return the orders by power and province; the last of several for one unit counts."""
    return {
        (each.power, each.order.unit.province): each.order
        for each in recorded.orders
        if each.order and not isinstance(each.order, types.Waive)
    }


def _season_text(phase: types.Phase) -> str:
    return f"{SEASONS[phase.season]} of {phase.year}"


def _several(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _own_words(words: tuple[str, ...], kind: types.PhaseKind) -> tuple[str, ...]:
    """Return *words* as nJudge has them: units destroyed in movement are dislodged."""
    if kind is types.PhaseKind.RETREATS:
        return words
    return tuple("dislodged" if word == "destroyed" else word for word in words)


def _annotation(words: tuple[str, ...]) -> str:
    return f" (*{', '.join(words)}*)" if words else ""


def _lost_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return nJudge's words for a retreat that failed with *words*; the unit is lost."""
    if not words:
        return ()
    return ("bounce" if "bounce" in words else "blocked", "destroyed")


def _padded(text: str) -> str:
    """Pad the kind of unit at the start of *text*."""
    kind, _, rest = text.partition(" ")
    return f"{kind:<5} {rest}"


def _unit_in(board: Map, unit: types.Unit) -> str:
    return f"{KIND_NAMES[unit.kind].lower()} in {place_after_in(board, unit.location)}"


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        LINE_CHARACTERS,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


SEASONS = {types.Season.SPRING: "Spring", types.Season.FALL: "Fall", types.Season.WINTER: "Winter"}
TITLES = {
    types.PhaseKind.MOVEMENT: "Movement",
    types.PhaseKind.RETREATS: "Retreat",
    types.PhaseKind.ADJUSTMENTS: "Adjustment",
}
NEXT_TITLES = {kind: f"{title}s" for kind, title in TITLES.items()} | {
    types.PhaseKind.MOVEMENT: "Movement"
}


def game_name(record: records.Record) -> str:
    """Return the name of the game in characters that nJudge allows.

    A game named after its file loses the suffix of that file.
    """
    file = record.source.name.rpartition("/")[2]
    stem = file.partition(".")[0] or file
    name = stem + record.name.removeprefix(file) if record.name.startswith(file) else record.name
    return re.sub(r"[^A-Za-z0-9_-]+", "", name) or "unnamed"


def judge_code(record: records.Record) -> str:
    """Return the code of the judge, empty if unknown."""
    return record.numbers.get("judge", "").partition(":")[0]


def date_text(date: datetime) -> str:
    """Write *date* as in deadlines."""
    return date.astimezone(UTC).strftime("%a %b %d %Y %H:%M:%S +0000")


def phase_code(phase: types.Phase) -> str:
    """Write *phase* as in subjects, with adjustments under fall: `F1901B`."""
    return f"F{phase.year}B" if phase.kind is types.PhaseKind.ADJUSTMENTS else phase.code


def place_text(board: Map, location: types.Location) -> str:
    """Write *location* as nJudge does: `St Petersburg`, without a full stop."""
    return njudge_spelling(
        write_long(types.Hold(types.UnitName(None, location)), board)
    ).removesuffix(" HOLD.")


def njudge_spelling(text: str) -> str:
    """Spell `St. Petersburg` as `St Petersburg`."""
    return text.replace("St. ", "St ")


def place_after_in(board: Map, location: types.Location) -> str:
    """Write *location* as it follows `in`; seas get an article."""
    sea = board.places[types.province_of(location)].terrain is Terrain.SEA
    return f"{'the ' if sea else ''}{place_text(board, location)}"


def unit_text(board: Map, unit: types.Unit) -> str:
    """Write *unit* as in order lines."""
    return f"{KIND_NAMES[unit.kind]} {place_text(board, unit.location)}"


def order_text(
    board: Map, position: types.Position, power: types.Power, order: types.Order
) -> str:
    """Write *order* of *power*, with all kinds of units and the nations of other powers' units."""
    at = {unit.province: unit for unit in (*position.units, *_dislodged_units(position))}

    def named(name: types.UnitName, owner: types.Power | None) -> types.UnitName:
        unit = at.get(name.province)
        kind = name.kind or (unit.kind if unit else None)
        foreign = unit.power if unit and owner and unit.power != owner else None
        location = unit.location if unit and unit.kind is kind and not owner else name.location
        return types.UnitName(kind, location, foreign)

    match order:
        case types.SupportHold() | types.SupportMove():
            unit = named(order.unit, None)
            order = replace(order, unit=unit, supported=named(order.supported, power))
        case types.Convoy():
            order = replace(order, unit=named(order.unit, None), army=named(order.army, power))
        case types.Hold() | types.Move() | types.Retreat():
            order = replace(order, unit=named(order.unit, None))
        case types.Build() | types.Disband() | types.Waive():
            pass
    return njudge_spelling(write_long(order, board))


def with_route(
    board: Map, orders: Iterable[types.Order], move: types.Move, rulebook: Rulebook
) -> types.Move:
    """Return *move* with a route over the seas of the fleets ordered to convoy it.

    Without such a route, and if *rulebook* lets the army go by land, the move has none.
    """
    start, end = move.unit.province, types.province_of(move.target)
    if move.route or (end in board.army.get(start, ()) and not move.via_convoy):
        return move
    reach, fleets = map_index_of(board), 0
    for order in orders:
        if isinstance(order, types.Convoy) and (order.army.province, order.target) == (start, end):
            fleets |= reach.bit_of_sea.get(order.unit.province, 0)
    route = shortest_route(reach, start, end, fleets)
    if route:
        return replace(move, route=route, via_convoy=True)
    by_land = end in board.army.get(start, ()) and not must_go_by_sea(rulebook)
    return replace(move, via_convoy=move.via_convoy and not by_land)


def _dislodged_units(position: types.Position) -> Iterable[types.Unit]:
    return (each.unit for each in position.dislodged)
