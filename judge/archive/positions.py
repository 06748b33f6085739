"""Build the positions of recorded games: as printed, or inferred from orders and results.

Bounces and dislodgements are taken from the reports, not adjudicated; contradictions become
doubts. Few sources list retreats or attackers; for printed positions these are computed from the
previous phase's orders under the rules of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import assert_never

from judge.archive.inferred_battles import infer_battles
from judge.archive.position_json import UNKNOWN_PROVINCE
from judge.archive.reading import Doubts
from judge.archive.records import RecordedPhase, WrittenOrder, ordered_unit
from judge.rules import types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcomes import Adjudication, Destroyed
from judge.rules.phase_context import map_index_of
from judge.rules.phase_sequence import next_position, sort_units
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import Rulebook


@dataclass(slots=True)
class PrintedPosition:
    """A printed position; pieces that do not fit become doubts."""

    board: Map
    doubts: Doubts
    on_board: dict[types.Province, types.Unit] = field(default_factory=dict)
    dislodged: dict[types.Province, types.Unit] = field(default_factory=dict)
    owners: dict[types.Province, types.Power] = field(default_factory=dict)
    # Only where the source lists them.
    retreats: dict[types.Unit, tuple[types.Location, ...]] = field(default_factory=dict)

    def place(self, unit: types.Unit, line: int, text: str, *, dislodged: bool = False) -> None:
        """Place *unit* on the board, or among the dislodged."""
        if unit.location not in borders_for(self.board, unit.kind):
            self.doubts.note(line, text, "this unit cannot be there")
            return
        there = self.dislodged if dislodged else self.on_board
        if there.setdefault(unit.province, unit) is not unit:
            self.doubts.note(line, text, f"a second unit in {unit.province}")

    def set_owner(self, center: types.Province, power: types.Power, line: int, text: str) -> None:
        """Set *power* as the owner of *center*."""
        if not self.board.places[center].center:
            self.doubts.note(line, text, "not a supply center")
        elif self.owners.setdefault(center, power) != power:
            self.doubts.note(line, text, f"{center} has two owners")

    def unit_in(self, province: types.Province) -> types.Unit | None:
        """Return the unit in *province* that can be ordered, preferably a dislodged one."""
        return self.dislodged.get(province) or self.on_board.get(province)

    def position(
        self, phase: types.Phase, before: RecordedPhase | None, rulebook: Rulebook
    ) -> types.Position:
        """Return the position of *phase*; the phase *before* explains its dislodged units."""
        units = sort_units(self.on_board.values())
        if not self.dislodged:
            return _new_position(phase, units, self.owners)
        known: dict[types.Unit, types.DislodgedUnit] = {}
        origins: Mapping[types.Province, types.Province] = {}
        contested: frozenset[types.Province] = frozenset()
        if before and before.position and self.board.calendar.following(before.phase) == phase:
            battles = infer_battles(
                self.board.open_in(before.phase),
                before.position,
                before.orders,
                self.on_board,
                self.dislodged,
            )
            if battles:
                origins, contested = battles.attacked_from, battles.contested
            else:
                judged = adjudicate(
                    self.board, before.position, before.orders_by_power(), rulebook
                )
                known = {each.unit: each for each in judged.after.dislodged}
                if not known.keys() >= {*self.dislodged.values()}:
                    known |= {each.unit: each for each in _destroyed(before.position, judged)}
                contested = judged.contested.difference(self.on_board)
        waiting = tuple(
            (known.get(unit) if unit not in self.retreats else None)
            or self._as_dislodged(
                phase, unit, origins.get(unit.province, UNKNOWN_PROVINCE), contested, rulebook
            )
            for unit in sort_units(self.dislodged.values())
        )
        return _new_position(phase, units, self.owners, waiting, contested)

    def _as_dislodged(
        self,
        phase: types.Phase,
        unit: types.Unit,
        attacked_from: types.Province,
        contested: frozenset[types.Province],
        rulebook: Rulebook,
    ) -> types.DislodgedUnit:
        """Return *unit* as dislodged by a unit that came from *attacked_from*, if that is known.

        Of a printed list of retreats, those to contested provinces are left out: after a convoyed
        attack, the `diplomacy` package also lists some that it then refuses.
        """
        closed = self.on_board.keys() | contested
        listed = self.retreats.get(unit)
        if listed is None:
            places = open_retreats(
                self.board.open_in(phase),
                unit,
                attacked_from=attacked_from,
                attacker_convoyed=False,
                closed=closed,
                rulebook=rulebook,
            )
        else:
            places = tuple(each for each in listed if types.province_of(each) not in closed)
        return types.DislodgedUnit(unit, attacked_from, attacker_convoyed=False, retreats=places)


def _new_position(
    phase: types.Phase,
    units: tuple[types.Unit, ...],
    owners: Mapping[types.Province, types.Power],
    dislodged: tuple[types.DislodgedUnit, ...] = (),
    contested: frozenset[types.Province] = frozenset(),
) -> types.Position:
    unit_at = types.units_by_province(units)
    return types.new_position(phase, units, owners, dislodged, contested, {}, unit_at)


def _destroyed(position: types.Position, judged: Adjudication) -> Iterator[types.DislodgedUnit]:
    """Yield the units dislodged without a retreat, which some sources keep for a phase."""
    for outcome in (*judged.outcomes, *judged.unordered):
        name = ordered_unit(outcome.order)
        if isinstance(outcome.fate, Destroyed) and name:
            unit = position.units[position.unit_at[name.province]]
            yield types.DislodgedUnit(unit, outcome.fate.by, attacker_convoyed=False, retreats=())


def mark_destroyed(before: RecordedPhase, position: types.Position) -> RecordedPhase:
    """Return *before* with its dislodged units destroyed if they cannot retreat in *position*."""
    waiting = {each.unit.province for each in position.dislodged if each.retreats}
    orders = tuple(
        replace(each, results=tuple(map(_as_destroyed, each.results)))
        if each.results and (unit := ordered_unit(each.order)) and unit.province not in waiting
        else each
        for each in before.orders
    )
    return replace(before, orders=orders)


def _as_destroyed(word: str) -> str:
    return "destroyed" if word == "dislodged" else word


def borders_for(
    board: Map, kind: types.UnitKind
) -> Mapping[types.Location, frozenset[types.Location]]:
    """Return the neighbors of each location for units of *kind*."""
    return board.army if kind is types.UnitKind.ARMY else board.fleet


@dataclass(frozen=True, slots=True)
class ReportedDislodgement:
    """A unit reported as dislodged, with its retreats, none if it was destroyed.

    *retreats* is None if the source lists none; they are then computed.
    """

    power: types.Power
    province: types.Province
    retreats: tuple[types.Location, ...] | None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseReport:
    """A source's report on one *phase*.

    A *complete* report has a line for every unit. The results of an order are empty if it
    succeeded, None if unknown. *defaulted* are removals that the judge chose for lack of orders.
    *owners* and *counts* (centers, units) are the chart at the end of the year, None and empty
    without one. *following* is the phase announced by the source.
    """

    phase: types.Phase
    orders: tuple[WrittenOrder, ...] = ()
    dislodged: tuple[ReportedDislodgement, ...] = ()
    defaulted: tuple[WrittenOrder, ...] = ()
    owners: Mapping[types.Province, types.Power] | None = None
    counts: Mapping[types.Power, tuple[int, int]] = field(default_factory=dict)
    following: types.Phase | None = None
    complete: bool = True
    deadline: datetime | None = None
    reported: datetime | None = None
    first_line: int | None = None
    last_line: int | None = None
    chart_line: int | None = None
    notes: tuple[str, ...] = ()


class PositionTracker:
    """Tracks the board of one game.

    *ahead* is the position of the next phase, None if unknown.
    """

    def __init__(self, board: Map, doubts: Doubts) -> None:
        self.board = board
        self.ahead: types.Position | None = board.start
        self._doubts = doubts
        self._owners_known = True
        # Starting position, whether its owners are known, and edition.
        self._starts: dict[types.Phase, tuple[types.Position | None, bool, int]] = {}
        self._last: types.Phase | None = None

    def put(self, position: types.Position, line: int | None) -> None:
        """Set the position printed by the source, including its owners."""
        if self._last and self.ahead and self.ahead.phase == position.phase:
            for unit in sorted({*self.ahead.units} ^ {*position.units}, key=str):
                self._doubt(line, f"{unit.power} {unit}", "differs from the earlier position")
        self.ahead, self._owners_known = position, True

    def play(self, report: PhaseReport) -> RecordedPhase:
        """Record *report* and advance to the next phase."""
        before, after = self._position_before(report), None
        edition = self._starts[report.phase][2] + 1 if report.phase in self._starts else 1
        self._starts[report.phase] = before, self._owners_known, edition
        self._last, self.ahead = report.phase, None
        if before and _has_results(report):
            after = apply_results(self.board, self._doubts, report, before)
            self.ahead = self._position_after(report, before, after)
        return RecordedPhase(
            phase=report.phase,
            position=before,
            orders=report.orders,
            removed=tuple((unit.power, unit) for unit in after.removed) if after else (),
            results_told=any(each.results is not None for each in report.orders),
            deadline=report.deadline,
            reported=report.reported,
            edition=edition,
            first_line=report.first_line,
            last_line=report.last_line,
            notes=report.notes,
        )

    def still_open(self) -> Iterator[RecordedPhase]:
        """Yield the next phase, without orders, if its position is known."""
        if self._last and self.ahead:
            yield RecordedPhase(self.ahead.phase, self.ahead)

    def _doubt(self, line: int | None, text: object, why: str) -> None:
        self._doubts.note(line, str(text), why)

    def _position_before(self, report: PhaseReport) -> types.Position | None:
        """Return the position before *report*; the lines of a movement report correct it."""
        position = self._expected(report)
        if report.phase.kind is types.PhaseKind.MOVEMENT:
            return self._position_by_lines(report, position)
        return position

    def _expected(self, report: PhaseReport) -> types.Position | None:
        phase, ahead, last = report.phase, self.ahead, self._last
        if ahead and ahead.phase == phase:
            return ahead
        if phase in self._starts:
            position, self._owners_known, _ = self._starts[phase]
            return position
        if ahead and last and last < phase < ahead.phase:
            return replace(ahead, phase=phase)  # No orders were due.
        known, self._owners_known = self._owners_known, False
        if last and phase < last:
            self._doubt(report.first_line, phase, f"comes after {last}")
        elif last and ahead and known:
            self._doubt(report.first_line, phase, f"{ahead.phase} is missing before it")
        return None

    def _position_by_lines(
        self, report: PhaseReport, expected: types.Position | None
    ) -> types.Position:
        stood = {unit.province: unit for unit in expected.units} if expected else {}
        found: dict[types.Province, types.Unit] = {}
        for written in report.orders:
            unit = self._ordered_unit(written, stood)
            if unit and unit.province in found:
                self._doubt(written.line, written.text, "a second line for this province")
            elif unit:
                found[unit.province] = unit
                if expected and stood.get(unit.province) != unit:
                    self._doubt(written.line, written.text, f"no {unit} was there before")
        complete = report.complete and all(each.order for each in report.orders)
        for at, unit in stood.items():
            if complete and at not in found:
                self._doubt(report.first_line, f"{unit.power} {unit}", "has no line")
            found.setdefault(at, unit)
        units = sort_units(found.values())
        return types.Position(report.phase, units, expected.owners if expected else {})

    def _ordered_unit(
        self, written: WrittenOrder, stood: Mapping[types.Province, types.Unit]
    ) -> types.Unit | None:
        name = ordered_unit(written.order)
        if name is None:
            return None
        there = stood.get(name.province)
        kind = name.kind or (there.kind if there else None)
        if kind is None:
            self._doubt(written.line, written.text, "army or fleet is missing")
            return None
        location = name.province if kind is types.UnitKind.ARMY else name.location
        if location in map_index_of(self.board).nodes_of(kind):
            return types.Unit(written.power, kind, location)
        if there and there.kind is kind and location == there.province:
            return replace(there, power=written.power)  # The coast is implied.
        self._doubt(written.line, written.text, f"{kind.value} {location} is not possible")
        return None

    def _position_after(
        self, report: PhaseReport, before: types.Position, after: ReportedOutcome
    ) -> types.Position:
        dislodged = tuple(after.dislodged)
        units, owners = after.units.values(), before.owners
        position = next_position(self.board, report.phase, units, owners, dislodged)
        if report.owners is not None:
            counted = self.board.calendar.counts_between(report.phase, position.phase)
            if self._owners_known and counted and not dislodged:
                self._compare_owners(report, position.owners)
            position = replace(position, owners=report.owners)
            self._owners_known = True
        elif not self._owners_known:
            position = replace(position, owners={})
        for power, listed in report.counts.items():
            own = len(position.centers_of(power)) if self._owners_known else listed[0]
            folded = own, len(position.units_of(power))
            if folded != listed:
                text = f"{power}: {listed[0]} centers, {listed[1]} units"
                self._doubt(report.chart_line, text, f"by the earlier reports {folded}")
        return replace(position, phase=report.following) if report.following else position

    def _compare_owners(
        self, report: PhaseReport, folded: Mapping[types.Province, types.Power]
    ) -> None:
        listed = report.owners or {}
        for center in sorted(folded.keys() | listed.keys()):
            if folded.get(center) != listed.get(center):
                text = f"{center} of {listed.get(center, 'nobody')}"
                why = f"by the earlier reports owned by {folded.get(center, 'nobody')}"
                self._doubt(report.chart_line, text, why)


def _has_results(report: PhaseReport) -> bool:
    """Return whether all results are known that move units; adjustments need none."""
    return report.phase.kind is types.PhaseKind.ADJUSTMENTS or all(
        each.results is not None or isinstance(each.order, types.Convoy) for each in report.orders
    )


LOST = frozenset({"dislodged", "destroyed"})


@dataclass(frozen=True, slots=True)
class _Attack:
    origin: types.Province
    convoyed: bool


@dataclass(slots=True)
class ReportedOutcome:
    """The board after *report*."""

    board: Map
    doubts: Doubts
    report: PhaseReport
    units: dict[types.Province, types.Unit]
    dislodged: list[types.DislodgedUnit] = field(default_factory=list)
    removed: list[types.Unit] = field(default_factory=list)

    def doubt(self, written: WrittenOrder, why: str) -> None:
        """Note a doubt about *written*."""
        self.doubts.note(written.line, written.text, why)

    def settle(self, unit: types.Unit, written: WrittenOrder) -> None:
        """Place *unit* after its order *written*, unless the province is occupied."""
        other = self.units.setdefault(unit.province, unit)
        if other is not unit:
            self.doubt(written, f"{other.power} {other} is already there")


def apply_results(
    board: Map, doubts: Doubts, report: PhaseReport, before: types.Position
) -> ReportedOutcome:
    """Apply *report* to the position *before*."""
    after = ReportedOutcome(board, doubts, report, {unit.province: unit for unit in before.units})
    match report.phase.kind:
        case types.PhaseKind.MOVEMENT:
            _move(after)
        case types.PhaseKind.RETREATS:
            _retreat(after, before)
        case types.PhaseKind.ADJUSTMENTS:
            _adjust(after)
        case kind:
            assert_never(kind)
    return after


def _move(after: ReportedOutcome) -> None:
    given = {
        name.province: each for each in after.report.orders if (name := ordered_unit(each.order))
    }
    going = [unit for at, unit in after.units.items() if _moves(given.get(at))]
    for unit in going:
        del after.units[unit.province]
    driven = _remove_dislodged(after, given)
    attacks: dict[types.Province, _Attack] = {}
    for unit in going:
        written = given[unit.province]
        assert isinstance(written.order, types.Move)
        landed = _moved_unit(after, unit, written.order.target, written)
        after.settle(landed, written)
        by_land = landed.province in map_index_of(after.board).node_of(unit).reachable
        attacks[landed.province] = _Attack(unit.province, written.order.via_convoy or not by_land)
    listed = {each.province: each for each in after.report.dislodged}
    closed = {*after.units, *(_destination(each) for each in given.values() if _bounced(each))}
    for at, unit in driven.items():
        attack = attacks.get(at, _Attack(UNKNOWN_PROVINCE, convoyed=False))
        destroyed = "destroyed" in _results(given.get(at))
        listed_retreats = () if destroyed else listed[at].retreats if at in listed else None
        retreats = (
            _retreats(after, unit, attack, closed) if listed_retreats is None else listed_retreats
        )
        if retreats:
            dislodged = types.DislodgedUnit(unit, attack.origin, attack.convoyed, retreats)
            after.dislodged.append(dislodged)
        else:
            after.removed.append(unit)


def _remove_dislodged(
    after: ReportedOutcome, given: dict[types.Province, WrittenOrder]
) -> dict[types.Province, types.Unit]:
    report, doubts = after.report, after.doubts
    marked = {at for at, each in given.items() if LOST.intersection(_results(each))}
    listed: dict[types.Province, ReportedDislodgement] = {
        each.province: each for each in report.dislodged
    }
    for at, each in listed.items():
        unit = after.units.get(at)
        if unit is None or unit.power != each.power:
            doubts.note(each.line, f"{each.power} {at}", "listed as dislodged, but has no unit")
        elif report.complete and at not in marked:
            doubts.note(
                each.line,
                f"{each.power} {at}",
                "listed as dislodged, but not marked so in its order",
            )
    for at in sorted(marked - listed.keys()):
        if listed and "dislodged" in _results(given[at]):
            after.doubt(given[at], "marked as dislodged, but not listed")
    return {at: after.units.pop(at) for at in [*after.units] if at in marked or at in listed}


def _retreats(
    after: ReportedOutcome, unit: types.Unit, attack: _Attack, closed: set[types.Province]
) -> tuple[types.Location, ...]:
    return open_retreats(
        after.board.open_in(after.report.phase),
        unit,
        attacked_from=attack.origin,
        attacker_convoyed=attack.convoyed,
        closed=closed,
    )


def _retreat(after: ReportedOutcome, before: types.Position) -> None:
    waiting = {each.unit.province: each.unit for each in before.dislodged}
    ordered: set[types.Province] = set()
    for written in after.report.orders:
        name = ordered_unit(written.order)
        if name is None:
            continue
        unit = waiting.get(name.province)
        if unit is None or unit.power != written.power or name.kind not in {unit.kind, None}:
            after.doubt(written, "no such unit is dislodged")
            continue
        ordered.add(unit.province)
        if isinstance(written.order, types.Retreat | types.Move) and not written.results:
            after.settle(_moved_unit(after, unit, written.order.target, written), written)
    after.removed += [unit for at, unit in waiting.items() if at not in ordered]


def _adjust(after: ReportedOutcome) -> None:
    for written in after.report.orders:
        if written.results:
            continue
        match written.order:
            case types.Build(unit=name) if name.kind:
                built = types.Unit(written.power, name.kind, name.location)
                if built.location in map_index_of(after.board).nodes_of(built.kind):
                    after.settle(built, written)
                else:
                    after.doubt(written, f"{built} is not possible")
            case types.Disband(unit=name):
                _remove(after, written, name)
            case _:
                pass
    for written in after.report.defaulted:
        gone = ordered_unit(written.order)
        if gone and (unit := _remove(after, written, gone)):
            after.removed.append(unit)


def _remove(
    after: ReportedOutcome, written: WrittenOrder, name: types.UnitName
) -> types.Unit | None:
    unit = after.units.get(name.province)
    if unit and unit.power == written.power and name.kind in {unit.kind, None}:
        return after.units.pop(unit.province)
    after.doubt(written, "no such unit is there")
    return None


def _moved_unit(
    after: ReportedOutcome, unit: types.Unit, target: types.Location, written: WrittenOrder
) -> types.Unit:
    province = types.province_of(target)
    if unit.kind is types.UnitKind.ARMY:
        return replace(unit, location=province)
    options = map_index_of(after.board).node_of(unit).reachable.get(province, ())
    if target in options:
        return replace(unit, location=target)
    if len(options) == 1:
        return replace(unit, location=options[0])
    after.doubt(written, f"{unit} cannot reach {target}")
    return replace(unit, location=after.board.default_coasts.get(province, province))


def _results(written: WrittenOrder | None) -> tuple[str, ...]:
    return (written.results or ()) if written else ()


def _moves(written: WrittenOrder | None) -> bool:
    return written is not None and isinstance(written.order, types.Move) and not written.results


def _bounced(written: WrittenOrder) -> bool:
    return isinstance(written.order, types.Move) and "bounce" in _results(written)


def _destination(written: WrittenOrder) -> types.Province:
    return (
        types.province_of(written.order.target)
        if isinstance(written.order, types.Move)
        else UNKNOWN_PROVINCE
    )
