"""What the orders of a recorded phase came to on the board, by the results that its source tells.

Nothing is adjudicated here: who bounced and who was dislodged is taken from the report, and what
contradicts itself in it is a doubt.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from judge.archive.positions import UNKNOWN
from judge.archive.reading import Doubts
from judge.archive.record import WrittenOrder
from judge.archive.report import Driven, Report, unit_of
from judge.rules.board import Map
from judge.rules.phase_context import map_index_of
from judge.rules.retreats import open_retreats
from judge.rules.types import (
    Build,
    Disband,
    DislodgedUnit,
    Location,
    Move,
    PhaseKind,
    Position,
    Province,
    Retreat,
    Unit,
    UnitKind,
    UnitName,
    province_of,
)

GONE = frozenset({"dislodged", "destroyed"})


@dataclass(frozen=True, slots=True)
class _Attack:
    origin: Province
    convoyed: bool


@dataclass(slots=True)
class Aftermath:
    """What *report* leaves on the board: units by province, who must retreat, who has left."""

    board: Map
    doubts: Doubts
    report: Report
    units: dict[Province, Unit]
    dislodged: list[DislodgedUnit] = field(default_factory=list)
    removed: list[Unit] = field(default_factory=list)

    def doubt(self, written: WrittenOrder, why: str) -> None:
        """Note that *written* cannot be so."""
        self.doubts.note(written.line, written.text, why)

    def settle(self, unit: Unit, written: WrittenOrder) -> None:
        """Put *unit* where *written* leaves it, unless another stands there."""
        other = self.units.setdefault(unit.province, unit)
        if other is not unit:
            self.doubt(written, f"{other.power} {other} stands there already")


def aftermath(board: Map, doubts: Doubts, report: Report, before: Position) -> Aftermath:
    """Return what *report* makes of the position *before*."""
    after = Aftermath(board, doubts, report, {unit.province: unit for unit in before.units})
    match report.phase.kind:
        case PhaseKind.MOVEMENT:
            _move(after)
        case PhaseKind.RETREATS:
            _retreat(after, before)
        case PhaseKind.ADJUSTMENTS:
            _adjust(after)
        case kind:
            assert_never(kind)
    return after


def _move(after: Aftermath) -> None:
    given = {name.province: each for each in after.report.orders if (name := unit_of(each.order))}
    going = [unit for at, unit in after.units.items() if _goes(given.get(at))]
    for unit in going:
        del after.units[unit.province]
    driven = _driven(after, given)
    attacks: dict[Province, _Attack] = {}
    for unit in going:
        written = given[unit.province]
        assert isinstance(written.order, Move)
        landed = _landed(after, unit, written.order.target, written)
        after.settle(landed, written)
        by_land = landed.province in map_index_of(after.board).post(unit).landings
        attacks[landed.province] = _Attack(unit.province, written.order.via_convoy or not by_land)
    listed = {each.province: each for each in after.report.driven}
    closed = {*after.units, *(_target(each) for each in given.values() if _bounced(each))}
    for at, unit in driven.items():
        attack = attacks.get(at, _Attack(UNKNOWN, convoyed=False))
        destroyed = "destroyed" in _results(given.get(at))
        told = () if destroyed else listed[at].retreats if at in listed else None
        retreats = _retreats(after, unit, attack, closed) if told is None else told
        if retreats:
            dislodged = DislodgedUnit(unit, attack.origin, attack.convoyed, retreats)
            after.dislodged.append(dislodged)
        else:
            after.removed.append(unit)


def _driven(after: Aftermath, given: dict[Province, WrittenOrder]) -> dict[Province, Unit]:
    """Take off, and return, the units that are dislodged by their results or by the list."""
    report, doubts = after.report, after.doubts
    marked = {at for at, each in given.items() if GONE.intersection(_results(each))}
    listed: dict[Province, Driven] = {each.province: each for each in report.driven}
    for at, each in listed.items():
        unit = after.units.get(at)
        if unit is None or unit.power != each.power:
            doubts.note(each.line, f"{each.power} {at}", "listed as dislodged, but has no unit")
        elif report.complete and at not in marked:
            doubts.note(each.line, f"{each.power} {at}", "dislodged, but not by its order")
    for at in sorted(marked - listed.keys()):
        if listed and "dislodged" in _results(given[at]):
            after.doubt(given[at], "dislodged, but not listed as such")
    return {at: after.units.pop(at) for at in [*after.units] if at in marked or at in listed}


def _retreats(
    after: Aftermath, unit: Unit, attack: _Attack, closed: set[Province]
) -> tuple[Location, ...]:
    return open_retreats(
        after.board,
        unit,
        attacked_from=attack.origin,
        attacker_convoyed=attack.convoyed,
        closed=closed,
    )


def _retreat(after: Aftermath, before: Position) -> None:
    waiting = {each.unit.province: each.unit for each in before.dislodged}
    ordered: set[Province] = set()
    for written in after.report.orders:
        name = unit_of(written.order)
        if name is None:
            continue
        unit = waiting.get(name.province)
        if unit is None or unit.power != written.power or name.kind not in {unit.kind, None}:
            after.doubt(written, "no such unit is dislodged")
            continue
        ordered.add(unit.province)
        if isinstance(written.order, Retreat | Move) and not written.results:
            after.settle(_landed(after, unit, written.order.target, written), written)
    after.removed += [unit for at, unit in waiting.items() if at not in ordered]


def _adjust(after: Aftermath) -> None:
    for written in after.report.orders:
        if written.results:
            continue
        match written.order:
            case Build(unit=name) if name.kind:
                built = Unit(written.power, name.kind, name.location)
                if built.location in map_index_of(after.board).of(built.kind):
                    after.settle(built, written)
                else:
                    after.doubt(written, f"no place for {built}")
            case Disband(unit=name):
                _take_off(after, written, name)
            case _:
                pass
    for written in after.report.defaulted:
        gone = unit_of(written.order)
        if gone and (unit := _take_off(after, written, gone)):
            after.removed.append(unit)


def _take_off(after: Aftermath, written: WrittenOrder, name: UnitName) -> Unit | None:
    unit = after.units.get(name.province)
    if unit and unit.power == written.power and name.kind in {unit.kind, None}:
        return after.units.pop(unit.province)
    after.doubt(written, "no such unit stands there")
    return None


def _landed(after: Aftermath, unit: Unit, target: Location, written: WrittenOrder) -> Unit:
    """Return *unit* where its order takes it, on the coast that it reaches."""
    province = province_of(target)
    if unit.kind is UnitKind.ARMY:
        return replace(unit, location=province)
    options = map_index_of(after.board).post(unit).landings.get(province, ())
    if target in options:
        return replace(unit, location=target)
    if len(options) == 1:
        return replace(unit, location=options[0])
    after.doubt(written, f"{unit} does not get to {target}")
    return replace(unit, location=after.board.default_coasts.get(province, province))


def _results(written: WrittenOrder | None) -> tuple[str, ...]:
    return (written.results or ()) if written else ()


def _goes(written: WrittenOrder | None) -> bool:
    return written is not None and isinstance(written.order, Move) and not written.results


def _bounced(written: WrittenOrder) -> bool:
    return isinstance(written.order, Move) and "bounce" in _results(written)


def _target(written: WrittenOrder) -> Province:
    return province_of(written.order.target) if isinstance(written.order, Move) else UNKNOWN
