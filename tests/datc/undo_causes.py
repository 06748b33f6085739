"""Undo what the reason of an outcome names, and nothing else, to replay the phase without it.

What is named is taken away if it is a unit in the way, given if it is an order that was not, and
put right if it is the order itself or where its unit stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from judge.adapters.variant_files import load_map
from judge.rules.board import Terrain
from judge.rules.outcomes import (
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Disrupted,
    FailCause,
    Fails,
    Futile,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    OwnUnit,
    ParadoxHold,
    RetreatsClash,
    StoodOff,
    Unmatched,
)
from judge.rules.reasons import Reason
from judge.rules.types import (
    Build,
    Convoy,
    DislodgedUnit,
    Hold,
    Location,
    Move,
    Order,
    Phase,
    Position,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

BOARD = load_map()
SEAS = [code for code, place in BOARD.places.items() if place.terrain is Terrain.SEA]
BORDERS = {UnitKind.ARMY: BOARD.army, UnitKind.FLEET: BOARD.fleet}


@dataclass(frozen=True)
class Setting:
    """A position with its orders, which are known by identity: two may be alike."""

    position: Position
    given: tuple[tuple[Power, Order], ...]

    @property
    def orders(self) -> Mapping[Power, Sequence[Order]]:
        powers = dict.fromkeys(power for power, _ in self.given)
        return {
            power: [order for giver, order in self.given if giver == power] for power in powers
        }

    def unit_in(self, province: Province) -> Unit:
        """Return the unit in *province*, of two the dislodged one, which alone can be ordered."""
        units = (*(each.unit for each in self.position.dislodged), *self.position.units)
        return next(each for each in units if each.province == province)

    def changed(self, **fields: object) -> Setting:
        return replace(self, position=replace(self.position, **fields))  # type: ignore[arg-type]  # fields of a position

    def without_units(self, provinces: Iterable[Province]) -> Setting:
        gone = set(provinces)
        return self.changed(
            units=tuple(each for each in self.position.units if each.province not in gone),
            dislodged=tuple(e for e in self.position.dislodged if e.unit.province not in gone),
        )

    def with_unit(self, unit: Unit) -> Setting:
        """Place *unit* at its location, in place of any unit there."""
        others = self.without_units([unit.province])
        return others.changed(units=(*others.position.units, unit))

    def moved(self, unit: Unit, location: Location) -> Setting:
        return self.without_units([unit.province]).with_unit(replace(unit, location=location))

    def without_orders(self, orders: Iterable[Order]) -> Setting:
        gone = [id(order) for order in orders]
        return replace(self, given=tuple(each for each in self.given if id(each[1]) not in gone))

    def with_order(self, order: Order) -> Setting:
        """Give the unit of *order* that order, and no other."""
        assert not isinstance(order, Waive)
        province = order.unit.province
        others = [
            each
            for _, each in self.given
            if not isinstance(each, Waive) and each.unit.province == province
        ]
        kept = self.without_orders(others)
        return replace(kept, given=(*kept.given, (self.unit_in(province).power, order)))

    def instead(self, old: Order, new: Order) -> Setting:
        given = tuple((power, new if order is old else order) for power, order in self.given)
        return replace(self, given=given)


Undone = tuple[Setting, Order]
Undo = Callable[[Setting, Reason], Undone]


def undo_fate(setting: Setting, reason: Reason) -> Undone:
    """Take away the unit that dislodged that of *reason*."""
    outcome = reason.outcome
    assert outcome.fate
    return setting.without_units([outcome.fate.by]), outcome.order


def undo(setting: Setting, reason: Reason) -> Undone:
    """Return *setting* without the cause of *reason*, and its order there."""
    outcome = reason.outcome
    match outcome.verdict:
        case Illegal(why):
            return MENDED[why](setting, reason)
        case Invalid(why):
            return MATCHED[why](setting, reason)
        case Fails(cause):
            return setting.without_units(_in_the_way(cause, reason)), outcome.order
        case Cut(by):
            return setting.without_units([by]), outcome.order
        case Disrupted(by):
            return setting.without_units([by] if by else _movers(reason)), outcome.order
        case _:
            raise AssertionError(f"nothing failed: {outcome}")


def _in_the_way(cause: FailCause, reason: Reason) -> Iterable[Province]:
    match cause:
        case StoodOff(rivals=rivals):
            return [each.unit for each in rivals]
        case HeldOff(defender=other) | HeadOn(opponent=other):
            return [other.unit]
        case OwnUnit(defender=province):
            return [province]
        case RetreatsClash(rivals):
            return rivals
        case ConvoyBroken() | ConvoyParadox() | ParadoxHold():
            return _movers(reason)
        case Futile():
            raise AssertionError("not by the rules of DATC 3.2")
        case _:
            assert_never(cause)


def _movers(reason: Reason) -> Iterator[Province]:
    """Yield the units that attack the fleets on which *reason* hangs."""
    fleets = [reason, *reason.because]
    seas = {_unit(each).province for each in fleets if isinstance(each.outcome.order, Convoy)}
    for fleet in fleets:
        for each in fleet.because:
            order = each.outcome.order
            if isinstance(order, Move) and province_of(order.target) in seas:
                yield order.unit.province


def _unit(reason: Reason) -> UnitName:
    assert not isinstance(reason.outcome.order, Waive)
    return reason.outcome.order.unit


def _other(order: Order) -> UnitName:
    """Return the unit that *order* helps."""
    match order:
        case SupportHold(supported=other) | SupportMove(supported=other) | Convoy(army=other):
            return other
        case _:
            raise AssertionError(f"helps nobody: {order}")


def _target(order: Order) -> Location:
    match order:
        case Move() | SupportMove() | Convoy() | Retreat():
            return order.target
        case SupportHold(supported=other):
            return other.location
        case _:
            raise AssertionError(f"goes nowhere: {order}")


def _nearby(setting: Setting, kind: UnitKind, target: Location) -> Location:
    """Return a place, a free one if there is any, from which a unit of *kind* goes to *target*."""
    taken = {each.province for each in setting.position.units}
    end = province_of(target)
    near = [
        location
        for location, touched in sorted(BORDERS[kind].items())
        if end in {province_of(each) for each in touched}
    ]
    return min(near, key=lambda location: province_of(location) in taken)


# The orders that should have been given by those on whom an order relies.


def _make_the_move(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    by_sea = isinstance(order, Convoy)
    unit = setting.unit_in(_other(order).province)
    move = Move(UnitName(unit.kind, unit.location), _target(order), via_convoy=by_sea)
    return setting.with_order(move), order


def _hold(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    return setting.with_order(Hold(_other(order))), order


def _make_a_chain(setting: Setting, reason: Reason) -> Undone:
    """Have a fleet convoy in every sea, whatever was there and was ordered."""
    move, power = reason.outcome.order, reason.outcome.power
    assert isinstance(move, Move)
    for sea in SEAS:
        setting = setting.with_unit(Unit(power, UnitKind.FLEET, sea))
        setting = setting.with_order(Convoy(UnitName(UnitKind.FLEET, sea), move.unit, move.target))
    return setting, move


MATCHED: Mapping[Unmatched, Undo] = {
    Unmatched.NO_SUCH_MOVE: _make_the_move,
    Unmatched.COAST_MISMATCH: _make_the_move,
    Unmatched.ARMY_NOT_CONVOYED: _make_the_move,
    Unmatched.SUPPORTED_MOVES: _hold,
    Unmatched.NO_CONVOY: _make_a_chain,
}


# The order, or the place of a unit, as it should have been.


def _written(setting: Setting, old: Order, new: Order) -> Undone:
    return setting.instead(old, new), new


def _go_elsewhere(setting: Setting, reason: Reason) -> Undone:
    """Order the unit, or the convoyed one, to move where it can."""
    order = reason.outcome.order
    match order:
        case Move():
            unit = setting.unit_in(order.unit.province)
            near = min(BORDERS[unit.kind][unit.location])
            return _written(setting, order, replace(order, target=near, via_convoy=False))
        case Convoy():
            shore = _shores(order.unit.province, but=order.army.province)[0]
            return _written(setting, order, replace(order, target=shore))
        case _:
            raise AssertionError(f"not by the rules of DATC 3.2: {order}")


def _shores(sea: Province, *, but: Province) -> list[Province]:
    """Return the provinces on *sea* where an army can land."""
    touched = {province_of(each) for each in BOARD.fleet[sea]}
    return sorted(each for each in touched if each in BOARD.army and each != but)


def _name_a_coast(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    if isinstance(order, Build):
        coast = BOARD.coasts_of(order.unit.province)[0]
        return _written(setting, order, Build(replace(order.unit, location=coast)))
    assert isinstance(order, Move)
    unit = setting.unit_in(order.unit.province)
    end = province_of(order.target)
    coast = next(each for each in BOARD.fleet[unit.location] if province_of(each) == end)
    return _written(setting, order, replace(order, target=coast))


def _stand_on_the_coast_named(setting: Setting, reason: Reason) -> Undone:
    name = _unit(reason)
    return setting.moved(setting.unit_in(name.province), name.location), reason.outcome.order


def _support_from_nearby(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    assert isinstance(order, SupportHold | SupportMove)
    unit = setting.unit_in(order.unit.province)
    near = _nearby(setting, unit.kind, _target(order))
    moved = setting.moved(unit, near)
    return _written(moved, order, replace(order, unit=UnitName(unit.kind, near)))


def _support_one_nearby(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    assert isinstance(order, SupportMove)
    supporter = setting.unit_in(order.unit.province)
    unit = setting.unit_in(order.supported.province)
    near = _nearby(setting, supporter.kind, order.target)
    new = replace(order, supported=UnitName(supporter.kind, near))
    return _written(setting.with_unit(Unit(unit.power, supporter.kind, near)), order, new)


def _support_another(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    unit = setting.unit_in(_unit(reason).province)
    near = min(BORDERS[unit.kind][unit.location])
    other = Unit(unit.power, unit.kind, near)
    new = SupportHold(UnitName(unit.kind, unit.location), UnitName(unit.kind, near))
    return _written(setting.with_unit(other), order, new)


def _go_to_sea(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    assert isinstance(order, Convoy)
    fleet = setting.unit_in(order.unit.province)
    sea = next(each for each in sorted(BOARD.fleet[fleet.location]) if each not in BOARD.army)
    new = replace(order, unit=UnitName(UnitKind.FLEET, sea))
    return _written(setting.moved(fleet, sea), order, new)


def _carry_across(setting: Setting, reason: Reason) -> Undone:
    """Have the fleet carry the army from one shore of its sea to another."""
    order = reason.outcome.order
    assert isinstance(order, Convoy)
    army = setting.unit_in(order.army.province)
    start, end = _shores(order.unit.province, but=army.province)[:2]
    new = replace(order, army=UnitName(army.kind, start), target=end)
    return _written(setting.moved(army, start), order, new)


def _convoy_an_army(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    unit = setting.unit_in(_other(order).province)
    return setting.with_unit(replace(unit, kind=UnitKind.ARMY)), order


def _put_a_unit_there(setting: Setting, reason: Reason) -> Undone:
    name, outcome = _unit(reason), reason.outcome
    return setting.with_unit(Unit(outcome.power, UnitKind.ARMY, name.province)), outcome.order


def _hand_it_over(setting: Setting, reason: Reason) -> Undone:
    outcome = reason.outcome
    unit = setting.unit_in(_unit(reason).province)
    return setting.with_unit(replace(unit, power=outcome.power)), outcome.order


def _let_it_be_spring(setting: Setting, reason: Reason) -> Undone:
    back = tuple(each.unit for each in setting.position.dislodged)
    units = (*setting.position.units, *back)
    spring = setting.changed(phase=Phase.parse("S1902M"), units=units, dislodged=())
    return spring, reason.outcome.order


def _leave_it_alone(setting: Setting, reason: Reason) -> Undone:
    """Take back the orders that were preferred to that of *reason*."""
    others = [each.outcome.order for each in reason.because]
    return setting.without_orders(others), reason.outcome.order


def _open_the_retreat(setting: Setting, reason: Reason) -> Undone:
    """Open the place to the unit if it is near, and else let it go to one that is."""
    order = reason.outcome.order
    assert isinstance(order, Retreat)
    unit = setting.unit_in(order.unit.province)
    near = sorted(BORDERS[unit.kind][unit.location])
    target = order.target if order.target in near else near[0]
    opened = tuple(
        replace(each, retreats=(target,)) if each.unit == unit else each
        for each in setting.position.dislodged
    )
    return _written(setting.changed(dislodged=opened), order, replace(order, target=target))


def _dislodge_it(setting: Setting, reason: Reason) -> Undone:
    order = reason.outcome.order
    unit = setting.unit_in(_unit(reason).province)
    dislodged = DislodgedUnit(
        unit, unit.province, attacker_convoyed=False, retreats=(_target(order),)
    )
    return setting.changed(dislodged=(*setting.position.dislodged, dislodged)), order


def _build_at_home(setting: Setting, reason: Reason) -> Undone:
    order, power = reason.outcome.order, reason.outcome.power
    taken = {each.province for each in setting.position.units}
    home = next(each for each in BOARD.homes_of(power) if each not in taken)
    owned = setting.changed(owners={**setting.position.owners, home: power})
    return _written(owned, order, Build(UnitName(UnitKind.ARMY, home)))


def _own_it(setting: Setting, reason: Reason) -> Undone:
    owners = {**setting.position.owners, _unit(reason).province: reason.outcome.power}
    return setting.changed(owners=owners), reason.outcome.order


def _clear_it(setting: Setting, reason: Reason) -> Undone:
    return setting.without_units([_unit(reason).province]), reason.outcome.order


def _stay_ashore(setting: Setting, reason: Reason) -> Undone:
    """Go to where the fleet can go, or build an army."""
    order = reason.outcome.order
    if isinstance(order, Move):
        return _go_elsewhere(setting, reason)
    return _written(setting, order, Build(UnitName(UnitKind.ARMY, _unit(reason).province)))


MENDED: Mapping[Impossible, Undo] = {
    Impossible.NO_SUCH_UNIT: _put_a_unit_there,
    Impossible.NOT_YOURS: _hand_it_over,
    Impossible.WRONG_PHASE: _let_it_be_spring,
    Impossible.SAME_PROVINCE: _go_elsewhere,
    Impossible.UNREACHABLE: _go_elsewhere,
    Impossible.FLEET_UNREACHABLE: _go_elsewhere,
    Impossible.NO_ARMY_AT_SEA: _go_elsewhere,
    Impossible.COAST_NEEDED: _name_a_coast,
    Impossible.COAST_UNREACHABLE: _name_a_coast,
    Impossible.OTHER_COAST: _stand_on_the_coast_named,
    Impossible.SUPPORTER_CANNOT_REACH: _support_from_nearby,
    Impossible.SUPPORTED_CANNOT_REACH: _support_one_nearby,
    Impossible.SELF_SUPPORT: _support_another,
    Impossible.NOT_AT_SEA: _go_to_sea,
    Impossible.FLEET_CONVOYED: _convoy_an_army,
    Impossible.NO_ROUTE: _carry_across,
    Impossible.DUPLICATE: _leave_it_alone,
    Impossible.DUPLICATE_SAME: _leave_it_alone,
    Impossible.RETREAT_UNREACHABLE: _open_the_retreat,
    Impossible.RETREAT_CONTESTED: _open_the_retreat,
    Impossible.RETREAT_TO_ATTACKER: _open_the_retreat,
    Impossible.NOT_DISLODGED: _dislodge_it,
    Impossible.NOT_A_HOME_CENTER: _build_at_home,
    Impossible.CENTER_NOT_OWNED: _own_it,
    Impossible.OCCUPIED: _clear_it,
    Impossible.NO_FLEET_INLAND: _stay_ashore,
    Impossible.TOO_MANY: _leave_it_alone,
}
