"""The public door: a position and all orders become verdicts and the position after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from judge.rules.adjustments import built, due, removals
from judge.rules.battle import Battle
from judge.rules.coasts import destination
from judge.rules.geography import Map
from judge.rules.intake import Intake, take_in
from judge.rules.movement import Movement
from judge.rules.order import (
    Build,
    Disband,
    Move,
    MovementOrder,
    Order,
    Retreat,
    UnitName,
    Waive,
)
from judge.rules.outcome import (
    Fails,
    Illegal,
    Impossible,
    Outcome,
    RetreatsClash,
    Succeeds,
    Verdict,
)
from judge.rules.phase import PhaseKind
from judge.rules.position import DislodgedUnit, Position
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import DATC, ExcessRemovals, Repeated, Rulebook
from judge.rules.scene import Scene, scene_of
from judge.rules.succession import following
from judge.rules.verdicts import Account
from judge.rules.vocabulary import Location, Power, Province, Unit, province_of

RESOLVER_VERSION = "1"  # Goes up when any position would be adjudicated otherwise than before.


@dataclass(frozen=True)
class Adjudication:
    """What became of the orders of one phase.

    *after* is the position of the next phase in which somebody must or may order. *contested* are
    the provinces that a standoff left empty. *removed* are the units taken off in adjustments
    because their power did not say which; *disbanded* are all that left the board in a retreat
    phase, on order, for want of one, or by a clash. Outcomes are made when first asked for.
    """

    after: Position
    contested: frozenset[Province] = frozenset()
    removed: tuple[Unit, ...] = ()
    disbanded: tuple[Unit, ...] = ()
    _account: Callable[[], tuple[Outcome, ...]] = field(kw_only=True, repr=False, compare=False)
    _silence: Callable[[], tuple[Outcome, ...]] = field(kw_only=True, repr=False, compare=False)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, in the order given."""
        return self._account()

    @cached_property
    def unordered(self) -> tuple[Outcome, ...]:
        """Return what is supposed for units without an order: a hold, or that it disbands."""
        return self._silence()


def adjudicate(
    board: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    rulebook: Rulebook = DATC,
) -> Adjudication:
    """Adjudicate *orders*, by power in the order written, in whatever phase *position* is.

    Any order is taken: what is impossible is `Illegal` in its outcome, and a unit without a
    possible order holds, or in a retreat phase disbands. In a retreat phase a move is a retreat.
    """
    scene = scene_of(board, position, rulebook)
    intake = take_in(scene, orders)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _movement(scene, intake)
        case PhaseKind.RETREATS:
            return _retreats(scene, intake)
        case PhaseKind.ADJUSTMENTS:
            return _adjustments(scene, intake)
        case _:
            assert_never(position.phase.kind)


def _movement(scene: Scene, intake: Intake) -> Adjudication:
    position = scene.position
    counted: list[MovementOrder | None] = [None] * len(position.units)
    for province, index in intake.counting.items():
        order = intake.given[index][1]
        assert isinstance(order, MovementOrder)
        counted[scene.at[province]] = order
    movement = Movement(Battle(scene, counted))
    standing, driven_out = _clash(movement)
    taken = {unit.province for unit in standing}
    contested = frozenset(
        end
        for end, attackers in movement.battle.attackers.items()
        if end not in taken and any(movement.keeps_out(a, scene.at.get(end)) for a in attackers)
    )
    retreats = {
        unit: (attacker, _open(movement, unit, attacker, taken | contested))
        for unit, attacker in driven_out.items()
    }
    dislodged = tuple(
        DislodgedUnit(
            position.units[unit],
            scene.provinces[attacker],
            attacker in movement.battle.by_sea,
            locations,
        )
        for unit, (attacker, locations) in retreats.items()
        if locations
    )
    account = Account(intake, movement, retreats)
    return Adjudication(
        following(scene.board, position.phase, standing, position.owners, dislodged, contested),
        contested,
        _account=account.outcomes,
        _silence=account.unordered,
    )


def _clash(movement: Movement) -> tuple[list[Unit], dict[int, int]]:
    """Return the units that stand after all moves, and by each driven out who did it."""
    scene, orders = movement.battle.scene, movement.battle.orders
    standing: list[Unit] = []
    driven_out: dict[int, int] = {}
    for index, unit in enumerate(scene.position.units):
        order = orders[index]
        if isinstance(order, Move) and movement.succeeds(index):
            standing.append(Unit(unit.power, unit.kind, destination(scene, unit, order.target)))
            continue
        attacker = movement.dislodger(index)
        if attacker is None:
            standing.append(unit)
        else:
            driven_out[index] = attacker
    return standing, driven_out


def _open(
    movement: Movement, unit: int, attacker: int, closed: set[Province]
) -> tuple[Location, ...]:
    scene = movement.battle.scene
    return open_retreats(
        scene.board,
        scene.position.units[unit],
        attacked_from=scene.provinces[attacker],
        attacker_convoyed=attacker in movement.battle.by_sea,
        closed=closed,
        rulebook=scene.rulebook,
    )


def _retreats(scene: Scene, intake: Intake) -> Adjudication:
    position = scene.position
    orders = {origin: intake.given[index][1] for origin, index in intake.counting.items()}
    going: dict[Province, list[Province]] = {}
    for origin, order in orders.items():
        if isinstance(order, Retreat | Move):
            going.setdefault(province_of(order.target), []).append(origin)
    standing, disbanded = list(position.units), []
    for unit in [each.unit for each in position.dislodged]:
        retreat = orders.get(unit.province)
        if isinstance(retreat, Retreat | Move) and len(going[province_of(retreat.target)]) == 1:
            location = destination(scene, unit, retreat.target)
            standing.append(Unit(unit.power, unit.kind, location))
        else:
            disbanded.append(unit)
    return Adjudication(
        following(scene.board, position.phase, standing, position.owners),
        disbanded=tuple(disbanded),
        _account=lambda: _told(intake, intake.faults, lambda order: _retreated(order, going)),
        _silence=lambda: _unasked(position, intake),
    )


def _retreated(order: Order, going: Mapping[Province, Sequence[Province]]) -> Verdict:
    if not isinstance(order, Retreat | Move):
        return Succeeds()
    rivals = {*going[province_of(order.target)]} - {order.unit.province}
    return Fails(RetreatsClash(tuple(sorted(rivals)))) if rivals else Succeeds()


def _unasked(position: Position, intake: Intake) -> tuple[Outcome, ...]:
    """Return that the dislodged units disband to which their power gave no order whatever."""
    addressed = {
        (power, order.unit.province)
        for power, order in intake.given
        if not isinstance(order, Waive)
    }
    return tuple(
        Outcome(unit.power, Disband(UnitName(unit.kind, unit.location)), Succeeds(), written=False)
        for unit in [each.unit for each in position.dislodged]
        if (unit.power, unit.province) not in addressed
    )


def _adjustments(scene: Scene, intake: Intake) -> Adjudication:
    position = scene.position
    faults = {**intake.faults, **_surplus(scene, intake)}
    done = [given for index, given in enumerate(intake.given) if index not in faults]
    leaving = {order.unit.province for _, order in done if isinstance(order, Disband)}
    standing = [unit for unit in position.units if unit.province not in leaving]
    removed: list[Unit] = []
    for power in scene.board.powers:
        own = [unit for unit in standing if unit.power == power]
        excess = len(own) - len(position.units_of(power)) - due(position, power)
        if due(position, power) < 0 < excess:
            removed += removals(scene.board, position, own, scene.rulebook)[:excess]
    standing = [unit for unit in standing if unit not in removed]
    for power, order in done:
        if isinstance(order, Build):
            unit = built(scene, power, order.unit)
            assert isinstance(unit, Unit)
            standing.append(unit)
    return Adjudication(
        following(scene.board, position.phase, standing, position.owners),
        removed=tuple(removed),
        _account=lambda: _told(intake, faults, lambda _: Succeeds()),
        _silence=tuple,
    )


def _surplus(scene: Scene, intake: Intake) -> dict[int, Impossible]:
    """Return as too many the orders of each power beyond what is due to it."""
    surplus: dict[int, Impossible] = {}
    for power in scene.board.powers:
        wanted = [
            index
            for index, (giver, _) in enumerate(intake.given)
            if giver == power and index not in intake.faults
        ]
        kept = _within(due(scene.position, power), wanted, scene.rulebook)
        surplus.update((index, Impossible.TOO_MANY) for index in wanted if index not in kept)
    return surplus


def _within(owed: int, wanted: Sequence[int], rulebook: Rulebook) -> Sequence[int]:
    """Return those of *wanted* that count if *owed* units are due (DATC 4.D.4, 4.D.6)."""
    limit = abs(owed)
    if len(wanted) <= limit:
        return wanted
    match rulebook.excess_builds if owed > 0 else rulebook.excess_removals:
        case Repeated.FIRST | ExcessRemovals.FIRST:
            return wanted[:limit]
        case Repeated.LAST | ExcessRemovals.LAST:
            return wanted[len(wanted) - limit :]
        case Repeated.NONE:
            return ()
        case rule:
            assert_never(rule)


def _told(
    intake: Intake, faults: Mapping[int, Impossible], verdict: Callable[[Order], Verdict]
) -> tuple[Outcome, ...]:
    return tuple(
        Outcome(power, order, Illegal(faults[index]) if index in faults else verdict(order))
        for index, (power, order) in enumerate(intake.given)
    )
