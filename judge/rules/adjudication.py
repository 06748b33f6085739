"""Adjudicate a phase: a position and all orders become outcomes and the next position."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from judge.overriding import override
from judge.rules.adjustments import adjudicate_adjustments
from judge.rules.board import Map
from judge.rules.legality import find_fault
from judge.rules.order_sets import validate_orders
from judge.rules.outcome import (
    Adjudication,
    Fate,
    Illegal,
    Outcome,
    OutcomeSource,
    Paradox,
    new_adjudication,
    new_outcome,
)
from judge.rules.phase_context import ARMY, NO_UNIT, PhaseContext
from judge.rules.phase_sequence import next_position_sorted
from judge.rules.resolution.matched_orders import MatchedOrders, match_orders
from judge.rules.resolution.movement import MovementDecisions
from judge.rules.resolution.verdicts import STANDS, MovementVerdicts, RetreatsByUnit
from judge.rules.retreats import adjudicate_retreats, open_retreats
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    MOVEMENT,
    RETREATS,
    DislodgedUnit,
    Location,
    Move,
    Order,
    Position,
    Power,
    Province,
    Unit,
    Waive,
    new_dislodged,
    units_by_province,
)

RESOLVER_VERSION = "1"  # Goes up when any position would be adjudicated otherwise than before.


def adjudicate(
    board: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    rulebook: Rulebook = DATC,
) -> Adjudication:
    """Adjudicate *orders*, by power in the order written, in whatever phase *position* is.

    Any order is taken: what is impossible is `Illegal` in its outcome, and a unit without a
    possible order holds, or in a retreat phase disbands. In a retreat phase a move is a retreat.
    Raises `TypeError` for a text in place of the rulebook.
    """
    try:
        scene = PhaseContext(board, position, rulebook)
        if position.phase.kind is MOVEMENT:
            return adjudicate_movement(scene, orders)
        if position.phase.kind is RETREATS:
            return adjudicate_retreats(scene, validate_orders(scene, orders))
        return adjudicate_adjustments(scene, validate_orders(scene, orders))
    except AttributeError:
        if isinstance(rulebook, str):
            raise TypeError(f"a text; named({rulebook!r}) is the rulebook") from None
        raise


def adjudicate_movement(
    scene: PhaseContext, orders: Mapping[Power, Sequence[Order]]
) -> Adjudication:
    """Adjudicate the orders of a movement phase (rulebook VIII, IX)."""
    movement, paradoxes = _resolve_movement(match_orders(scene, orders))
    units, driven_out, contested = _apply_moves(movement)
    standing = tuple(sorted(units, key=scene.reach.rank))
    at = units_by_province(standing)
    retreats: dict[int, tuple[int, tuple[Location, ...]]] = {}
    dislodged: list[DislodgedUnit] = []
    if driven_out:
        closed = {**at, **dict.fromkeys(contested, NO_UNIT)}
        for unit, attacker in driven_out.items():
            driven = _dislodged_unit(movement, unit, attacker, closed)
            retreats[unit] = attacker, driven.retreats
            if driven.retreats:
                dislodged.append(driven)
    account = MovementOutcomes(movement, retreats)
    after = next_position_sorted(scene.board, scene.position, standing, at, dislodged, contested)
    return new_adjudication(account, after, contested, (), (), paradoxes)


def _resolve_movement(battle: MatchedOrders) -> tuple[MovementDecisions, tuple[Paradox, ...]]:
    """Return what all decisions come to, and the paradoxes met on the way.

    Armies that may fall back to land (DATC 4.A.3) are first supposed to be bound to the sea.
    """
    movement = MovementDecisions(battle)
    paradoxes: list[Paradox] = []
    while battle.falling and (stranded := movement.stranded()):
        failed = _fleet_provinces(battle, stranded)
        paradoxes += [each for each in movement.paradoxes() if failed & {*each.convoys}]
        battle.land(stranded)
        movement = MovementDecisions(battle)
    if movement.circles:
        paradoxes += movement.paradoxes()
    return movement, tuple(paradoxes)


def _fleet_provinces(
    battle: MatchedOrders, stranded: Mapping[int, Iterable[int]]
) -> set[Province]:
    """Return where the fleets are that failed those who are *stranded*."""
    units = battle.scene.units
    return {units[fleet].province for fleets in stranded.values() for fleet in fleets}


def _apply_moves(
    movement: MovementDecisions,
) -> tuple[list[Unit], dict[int, int], frozenset[Province]]:
    """Return who stands after all moves, who drove out whom, and what standoffs leave empty."""
    battle, answers = movement.battle, movement.answers
    at, units, goal, supporters = (
        movement.scene.at,
        movement.scene.units,
        battle.goal,
        battle.supporters,
    )
    winners: list[int] = []
    contested: list[Province] = []
    for end, group in battle.rivals.items():
        for unit in group:
            if answers[unit]:
                winners.append(unit)
                break
        else:
            if _is_contested(movement, end, group):
                contested.append(end)
    staying: list[Unit | None] = list(units)
    came: list[Unit] = []
    driven_out: dict[int, int] = {}
    for unit in [*battle.lone.values(), *winners]:
        if not answers[unit]:
            continue
        there = goal[unit]
        assert there is not None
        staying[unit] = None
        came.append(there.units[units[unit].power])
        if supporters[unit] and there.province in at:
            occupant = at[there.province]
            if goal[occupant] is None or not answers[occupant]:
                staying[occupant] = None
                driven_out[occupant] = unit
    return [*filter(None, staying), *came], driven_out, frozenset(contested)


def _is_contested(movement: MovementDecisions, end: Province, attackers: Sequence[int]) -> bool:
    """Tell whether *attackers*, none of whom got in, left *end* empty by a standoff (IX.5)."""
    occupant = movement.scene.at.get(end)
    if occupant is not None and (
        movement.battle.goal[occupant] is None or not movement.answers[occupant]
    ):
        return False
    return any(movement.keeps_out(each, occupant) for each in attackers)


def _dislodged_unit(
    movement: MovementDecisions, unit: int, attacker: int, closed: Collection[Province]
) -> DislodgedUnit:
    """Return *unit*, driven out by *attacker*, with where it may go."""
    scene, by_sea = movement.scene, attacker in movement.battle.voyages
    victim, origin = scene.units[unit], scene.units[attacker].province
    places = open_retreats(
        scene.board,
        victim,
        attacked_from=origin,
        attacker_convoyed=by_sea,
        closed=closed,
        rulebook=scene.rulebook,
    )
    return new_dislodged(victim, origin, by_sea, places)


WRITTEN, SUPPOSED = True, False


class MovementOutcomes(OutcomeSource):
    """The account of one movement phase.

    *retreats* has for each dislodged unit who drove it out and where it may go. The fate of a unit
    is told with the order that counts for it; if none does, with the first that its power gave.
    """

    def __init__(self, movement: MovementDecisions, retreats: RetreatsByUnit) -> None:
        self._movement = movement
        self._battle = movement.battle
        self._retreats = retreats

    @override
    def of_orders(self) -> tuple[Outcome, ...]:
        battle, scene, orders = self._battle, self._battle.scene, self._battle.orders
        named, units = scene.named, scene.units
        whole = battle.counting is battle.given
        faults = {} if whole else validate_orders(scene, battle.given).faults
        verdicts, fates, overland = self._verdicts().of_orders(), self._fates(), self._overland()
        told: set[int] = set()
        outcomes: list[Outcome] = []
        for power, several in battle.given.items():
            for order in several:
                try:
                    unit = named[order.unit.location]  # type: ignore[union-attr]  # it may be
                except (AttributeError, KeyError):  # for no unit, or for one not plainly named
                    unit = self._own(power, order)
                counts = orders[unit] is order and units[unit].power == power
                if counts and not (faults and len(outcomes) in faults):
                    verdict, by_land = verdicts[unit], overland[unit]
                    outcomes.append(
                        new_outcome(power, order, verdict, fates[unit], WRITTEN, by_land)
                    )
                    continue
                unit = self._own(power, order)
                fate = None
                if orders[unit] is None and unit not in told:
                    told.add(unit)
                    fate = fates[unit]
                outcomes.append(self._ignored(len(outcomes), power, order, fate))
        return tuple(outcomes)

    @override
    def of_silence(self) -> tuple[Outcome, ...]:
        orders, given = self._battle.orders[:NO_UNIT], self._battle.given
        if all(orders):
            return ()
        scene, fates = self._battle.scene, self._fates()
        silent = [unit for unit, order in enumerate(orders) if order is None]
        if len(silent) + sum(map(len, given.values())) != len(orders):
            addressed = {self._own(power, each) for power in given for each in given[power]}
            silent = [unit for unit in silent if unit not in addressed]
        return tuple([_supposed_hold(scene, unit, fates[unit]) for unit in silent])

    def _verdicts(self) -> MovementVerdicts:
        self._movement.conclude()
        return MovementVerdicts(self._movement, self._retreats)

    def _fates(self) -> list[Fate | None]:
        """Return by unit the fate of those that were driven out."""
        fates: list[Fate | None] = [None] * len(self._battle.orders)
        if self._retreats:
            verdicts = self._verdicts()
            for unit in self._retreats:
                fates[unit] = verdicts.fate(unit)
        return fates

    def _overland(self) -> list[bool]:
        """Return by unit whether it went by land though it was to be carried, or asked for it."""
        battle, units = self._battle, self._battle.scene.units
        overland = [False] * len(battle.orders)
        for unit in battle.leaving:
            order = battle.orders[unit]
            asked = isinstance(order, Move) and order.via_convoy
            overland[unit] = (
                units[unit].kind is ARMY
                and unit not in battle.voyages
                and unit not in battle.void
                and (asked or unit in battle.fleets)
            )
        return overland

    def _ignored(self, index: int, power: Power, order: Order, fate: Fate | None) -> Outcome:
        """Return what becomes of the *order* given at *index*, which does not count."""
        fault = find_fault(self._battle.scene, power, order)
        if fault is None:
            fault = validate_orders(self._battle.scene, self._battle.given).faults[index]
        return new_outcome(power, order, Illegal(fault), fate)

    def _own(self, power: Power, order: Order) -> int:
        """Return the unit of *power* that *order* is for."""
        if isinstance(order, Waive):
            return NO_UNIT
        scene = self._battle.scene
        unit = scene.at.get(order.unit.province, NO_UNIT)
        return NO_UNIT if unit == NO_UNIT or scene.units[unit].power != power else unit


def _supposed_hold(scene: PhaseContext, index: int, fate: Fate | None) -> Outcome:
    """Return the hold supposed for a unit without an order."""
    unit = scene.units[index]
    return new_outcome(unit.power, scene.reach.post(unit).hold, STANDS, fate, SUPPOSED)
