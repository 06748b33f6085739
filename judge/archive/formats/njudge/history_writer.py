"""Write records as a history of nJudge: results emails, press and a summary.

Phases without a position, superseded editions and unreadable orders are left out. Missing results
are adjudicated under the record's rules.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
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
from judge.rules.outcome import Outcome
from judge.rules.phase_context import map_index_of
from judge.rules.phase_sequence import sort_units
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
    phases = sorted(editions.values(), key=lambda each: each.phase)
    yield _text(iter((f"History information for game '{game_name(record)}':", "")))
    writer = ResultsWriter(record, board)
    follows = False
    for recorded, following in pairwise((*phases, None)):
        assert recorded, "only the last item is None"
        if not follows:
            yield _text(writer.start_position(recorded))
        known = _has_known_orders(recorded, following)
        if known:
            yield _text(writer.results(recorded, following))
        follows = (
            known
            and following is not None
            and records.is_followed_by(recorded.phase, following.phase)
        )
    for message in record.press:
        yield _text(_message(record, board, message))
    yield "---- History terminated due to end of information.\n\n"
    yield _text(_summary(record, board, phases))


def _has_known_orders(
    recorded: records.RecordedPhase, following: records.RecordedPhase | None
) -> bool:
    """Return whether the orders are known; a played retreat or adjustment phase may have none."""
    played = following is not None and recorded.phase.kind is not types.PhaseKind.MOVEMENT
    return played or bool(recorded.orders or recorded.removed)


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

    def start_position(self, recorded: records.RecordedPhase) -> Iterator[str]:
        """Yield the units and owners at the start of *recorded*."""
        position, phase = recorded.position, recorded.phase
        assert position, "phases without a position are left out"
        yield from self._heading(recorded, "Game Starting")
        start = self._board.start
        if phase == start.phase and position.owners == start.owners:
            yield f"Starting position for {_season_text(phase)}."
        else:
            title = TITLES[phase.kind]
            yield f"Status of the {title} phase for {_season_text(phase)}.  ({self._game}.001)"
        yield ""
        retreats = {each.unit: each.retreats for each in position.dislodged}
        for unit in (*position.units, *retreats):
            places = " or ".join(place_text(self._board, at) for at in retreats.get(unit, ()))
            ending = f" can retreat to {places}." if places else "."
            yield f"{self._name(unit.power) + ':':<8} {unit_text(self._board, unit)}{ending}"
        yield ""
        yield from self._ownership(position)
        if recorded.deadline:
            yield f"The deadline for the first orders is {date_text(recorded.deadline)}."
        yield ""

    def results(
        self, recorded: records.RecordedPhase, following: records.RecordedPhase | None
    ) -> Iterator[str]:
        """Yield the results email of *recorded*; *following* is the next phase."""
        phase, position = recorded.phase, recorded.position
        assert position, "phases without a position are left out"
        yield from self._heading(recorded, "Results")
        yield f"{TITLES[phase.kind]} results for {_season_text(phase)}. ({self._game}.001)"
        yield ""
        after = following.position if following else None
        words = self._results_by_province(recorded, position, after)
        match phase.kind:
            case types.PhaseKind.MOVEMENT:
                yield from self._moved(recorded, position, words)
                yield from self._dislodged(position, after, words)
            case types.PhaseKind.RETREATS:
                yield from self._retreated(recorded, position, words)
            case types.PhaseKind.ADJUSTMENTS:
                yield from self._adjusted(recorded, position, after)
        yield ""
        if (
            after
            and phase.season is types.Season.FALL
            and after.phase.season is not types.Season.FALL
        ):
            yield from self._ownership(after)
            yield from self._counts(after)
        yield from self._end(recorded, following)

    def _heading(self, recorded: records.RecordedPhase, what: str) -> Iterator[str]:
        if recorded.reported:
            seconds = int(recorded.reported.timestamp())
            yield f"Date:    {recorded.reported:%a %b %d %H:%M:%S %Y} ({seconds})"
        code, name = phase_code(recorded.phase), self._game
        if self._judge:
            yield f"Subject: {self._judge}:{name} - {code} {what}"
        else:
            yield f"Subject: Diplomacy results {name} {code}"
        yield ""

    def _name(self, power: types.Power) -> str:
        return self._board.nations[power].name

    def _results_by_province(
        self,
        recorded: records.RecordedPhase,
        position: types.Position,
        after: types.Position | None,
    ) -> dict[types.Province, tuple[str, ...]]:
        words: dict[types.Province, tuple[str, ...]] = {}
        ordered = [
            (each, name) for each in recorded.orders if (name := records.ordered_unit(each.order))
        ]
        if any(each.results is None for each, _ in ordered):
            judged = adjudicate(self._board, position, recorded.orders_by_power(), self._rulebook)
            for outcome in (*judged.outcomes, *judged.unordered):
                if named := records.ordered_unit(outcome.order):
                    words[named.province] = _results(outcome, position.phase.kind)
        words |= {
            name.province: each.results for each, name in ordered if each.results is not None
        }
        dislodged = [each.unit for each in after.dislodged] if after else []
        for unit in (*dislodged, *(unit for _, unit in recorded.removed)):
            listed = words.get(unit.province, ())
            if position.phase.kind is types.PhaseKind.MOVEMENT and not FATES.intersection(listed):
                words[unit.province] = (*listed, "dislodged")
        return words

    def _moved(
        self,
        recorded: records.RecordedPhase,
        position: types.Position,
        words: dict[types.Province, tuple[str, ...]],
    ) -> Iterator[str]:
        ordered = _by_unit(recorded)
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
            yield f"{self._name(power)}: {text}{_annotation(words.get(unit.province, ()))}"

    def _dislodged(
        self,
        position: types.Position,
        after: types.Position | None,
        words: dict[types.Province, tuple[str, ...]],
    ) -> Iterator[str]:
        dislodged = [
            unit for unit in position.units if FATES.intersection(words.get(unit.province, ()))
        ]
        retreats = {each.unit: each.retreats for each in after.dislodged} if after else {}
        if dislodged:
            yield from ("", "", "The following units were dislodged:", "")
        for unit in dislodged:
            nation = self._board.nations[unit.power].adjective
            kind, at = KIND_NAMES[unit.kind], place_after_in(self._board, unit.location)
            places = " or ".join(place_text(self._board, goal) for goal in retreats.get(unit, ()))
            fate = f"can retreat to {places}" if places else "with no valid retreats was destroyed"
            yield from _wrapped(f"The {nation} {kind} in {at} {fate}.", "")

    def _retreated(
        self,
        recorded: records.RecordedPhase,
        position: types.Position,
        words: dict[types.Province, tuple[str, ...]],
    ) -> Iterator[str]:
        ordered = _by_unit(recorded)
        for each in position.dislodged:
            unit = each.unit
            order = ordered.get((unit.power, unit.province))
            text = (
                order_text(self._board, position, unit.power, order)
                if order
                else f"{unit_text(self._board, unit)}, No Order Processed (DISBAND)."
            )
            kind, _, rest = text.partition(" ")
            shown = f"{kind:<5} {rest}{_annotation(words.get(unit.province, ()))}"
            yield f"{self._name(unit.power) + ':':<25} {shown}"

    def _adjusted(
        self,
        recorded: records.RecordedPhase,
        position: types.Position,
        after: types.Position | None,
    ) -> Iterator[str]:
        gone = {unit for _, unit in recorded.removed}
        gone |= set(position.units) - set(after.units) if after else set()
        for each in recorded.orders:
            if each.order:
                text = order_text(self._board, position, each.power, each.order)
                yield f"{self._name(each.power) + ':':<25} {text}"
        ordered = {at for _, at in _by_unit(recorded)}
        for unit in sort_units(self._board, gone):
            if unit.province not in ordered:
                kind, at = (
                    KIND_NAMES[unit.kind].lower(),
                    place_after_in(self._board, unit.location),
                )
                yield f"{self._name(unit.power) + ':':<25} Defaults, removing the {kind} in {at}."

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

    def _end(
        self, recorded: records.RecordedPhase, following: records.RecordedPhase | None
    ) -> Iterator[str]:
        if self._record.ending and recorded.phase == self._last:
            yield "The game is over.  Thank you for playing."
        else:
            phase = following.phase if following else recorded.phase.following()
            ahead = f"{NEXT_TITLES[phase.kind]} for {_season_text(phase)}"
            yield f"The next phase of '{self._game}' will be {ahead}."
            if following and following.deadline:
                yield f"The deadline for orders will be {date_text(following.deadline)}."
        yield ""


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


def _results(outcome: Outcome, kind: types.PhaseKind) -> tuple[str, ...]:
    """Return the results of *outcome* in nJudge's words; it calls destroyed units dislodged."""
    words = recorded_results(outcome, kind)
    if kind is types.PhaseKind.RETREATS:
        return words
    return tuple("dislodged" if word == "destroyed" else word for word in words)


def _annotation(words: tuple[str, ...]) -> str:
    return f" (*{', '.join(words)}*)" if words else ""


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
    """Return the name of the game in characters that nJudge allows."""
    return re.sub(r"[^A-Za-z0-9_-]+", "", record.name) or "unnamed"


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
