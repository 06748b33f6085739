"""Write the emails of nJudge on one phase: its results, or the position at its start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import TypeAlias, assert_never

from judge.archive import records
from judge.archive.formats.njudge import wording
from judge.archive.order_results import FATES, recorded_results
from judge.notation.order_text import KIND_NAMES
from judge.rules import types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.convoys import must_go_by_sea, shortest_route
from judge.rules.outcomes import Adjudication
from judge.rules.phase_context import map_index_of
from judge.rules.phase_sequence import open_build_sites, sort_units
from judge.rules.rulebook import DATC, Rulebook, UnknownRulebookError, rulebook_named

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
    """Writes the results emails of *record*, those of the phase *last* at the end."""

    def __init__(self, record: records.Record, board: Map, last: types.Phase | None) -> None:
        self._record = record
        self._board = board
        self._rulebook = _rulebook_of(record)
        self._judge = wording.judge_code(record)
        self._game = wording.game_name(record)
        self._last = last

    def start_position(self, recorded: records.RecordedPhase, number: int) -> Iterator[str]:
        """Yield the units and owners at the start of *recorded*, phase *number* of the game."""
        position, phase = recorded.position, recorded.phase
        assert position, "phases without a position are left out"
        yield from self._heading(recorded, "Game Starting")
        start = self._board.start
        begins = phase == start.phase and position.owners == start.owners
        if begins:
            yield f"Starting position for {wording.season_text(phase)}."
        else:
            season, turn = wording.season_text(phase), self._turn(number)
            yield f"Status of the {wording.TITLES[phase.kind]} phase for {season}.  {turn}"
        yield ""
        retreats = {each.unit: each.retreats for each in position.dislodged}
        for power in self._board.powers:
            rows = [unit for unit in (*position.units, *retreats) if unit.power == power]
            for unit in rows:
                places = " or ".join(
                    wording.place_text(self._board, at) for at in retreats.get(unit, ())
                )
                ending = f" can retreat to {places}." if places else "."
                text = wording.unit_text(self._board, unit)
                text = wording.padded(text) if begins else text
                yield f"{self._name(power) + ':':<8} {text}{ending}"
            if rows:
                yield ""
        if position.owners:
            yield ""
            yield from self._ownership(position)
        if recorded.deadline:
            yield f"The deadline for the first orders is {wording.date_text(recorded.deadline)}."
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
        season, turn = wording.season_text(phase), self._turn(number)
        yield f"{wording.TITLES[phase.kind]} results for {season}.{space}{turn}"
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
        if self._board.calendar.counts_between(phase, after.phase) and after.owners:
            yield from self._ownership(after)
            yield from self._counts(after)
        yield from self._end(played, following.deadline if following else None)

    def _heading(self, recorded: records.RecordedPhase, what: str) -> Iterator[str]:
        if recorded.reported:
            at = recorded.reported.astimezone(UTC)
            day = f"{at:%a %b} {at.day:>2} {at:%H:%M:%S %Y}"
            yield f"Date:    {day} ({int(at.timestamp())})"
        code, name = wording.phase_code(recorded.phase), self._game
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
                order = _with_route(self._board, ordered.values(), order, self._rulebook)
            text = (
                wording.order_text(self._board, position, power, order)
                if order
                else f"{wording.unit_text(self._board, unit)}, No Order Processed."
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
            kind, at = KIND_NAMES[unit.kind], wording.place_after_in(self._board, unit.location)
            places = " or ".join(
                wording.place_text(self._board, goal) for goal in retreats.get(unit, ())
            )
            fate = f"can retreat to {places}" if places else "with no valid retreats was destroyed"
            yield from wording.wrapped(f"The {nation} {kind} in {at} {fate}.", "")

    def _retreated(self, played: _PlayedPhase, words: ResultsByProvince) -> Iterator[str]:
        position, ordered = played.position, _by_unit(played.recorded)
        for each in position.dislodged:
            unit = each.unit
            order = ordered.get((unit.power, unit.province))
            text = (
                wording.order_text(self._board, position, unit.power, order)
                if order
                else f"{wording.unit_text(self._board, unit)}, No Order Processed (DISBAND)."
            )
            mark = _annotation(_lost_words(words.get(unit.province, ())))
            yield self._row(unit.power, f"{wording.padded(text).removesuffix('.')}{mark}.")

    def _adjusted(self, played: _PlayedPhase) -> Iterator[str]:
        """Yield the builds and removals that happened, then what was not built or ordered."""
        board, position, after = self._board, played.position, played.after
        built = sort_units({*after.units}.difference(position.units))
        gone = sort_units({*position.units}.difference(after.units))
        ordered = _by_unit(played.recorded)
        for power in board.powers:
            for unit in built:
                if unit.power == power:
                    name = unit.named()
                    yield self._row(
                        power, wording.order_text(board, position, power, types.Build(name))
                    )
            for unit in gone:
                if (power, unit.province) in ordered and unit.power == power:
                    yield self._row(power, f"Removes the {wording.unit_in(board, unit)}.")
        for power in board.powers:
            yield from self._not_built(played, power, [each.power for each in built].count(power))
            for unit in gone:
                if unit.power == power and (power, unit.province) not in ordered:
                    yield self._row(
                        power, f"Defaults, removing the {wording.unit_in(board, unit)}."
                    )

    def _not_built(self, played: _PlayedPhase, power: types.Power, built: int) -> Iterator[str]:
        """Yield the builds that *power* waived, had no home for, or did not order."""
        position, orders = played.position, played.recorded.orders_by_power().get(power, ())
        left = max(0, position.due(power)) - built
        waived = min(left, [*map(type, orders)].count(types.Waive))
        homes = len(open_build_sites(self._board, position, power)) - built
        unusable = max(0, left - waived - homes)
        yield from [self._row(power, "Build waived.")] * waived
        if unusable:
            yield self._row(
                power, f"{unusable} unusable {wording.several('build', unusable)} waived."
            )
        if unused := left - waived - unusable:
            yield self._row(power, f"{unused} {wording.several('build', unused)} pending.")

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
                listed = ", ".join(sorted(wording.place_text(board, each) for each in centers))
                yield from wording.wrapped(f"{name + ':':<10} {listed}.", " " * 11)
        yield ""

    def _counts(self, position: types.Position) -> Iterator[str]:
        for power in self._board.powers:
            centers, units = len(position.centers_of(power)), len(position.units_of(power))
            if not centers and not units:
                continue
            due = centers - units
            number, verb = abs(due), "Builds" if due >= 0 else "Removes"
            has = f"{wording.several('Supply center', centers)},"
            stands = f"{wording.several('Unit', units)}:"
            changes = f"{verb:<7}{number:>3} {wording.several('unit', number)}."
            name = f"{self._name(power)}:"
            yield f"{name:<8}{centers:>4} {has:<15}{units:>3} {stands:<6}  {changes}"
        yield ""

    def _end(self, played: _PlayedPhase, due: datetime | None) -> Iterator[str]:
        if self._record.ending and played.recorded.phase == self._last:
            yield "The game is over.  Thank you for playing."
        else:
            phase = played.after.phase
            ahead = f"{wording.NEXT_TITLES[phase.kind]} for {wording.season_text(phase)}"
            yield f"The next phase of '{self._game}' will be {ahead}."
            if due:
                yield f"The deadline for orders will be {wording.date_text(due)}."
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


def _with_route(
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
