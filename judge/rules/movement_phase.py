"""A movement phase: who stands where after all moves, and who must retreat."""

from __future__ import annotations

from judge.rules.battle import Battle
from judge.rules.coasts import destination
from judge.rules.intake import Intake
from judge.rules.movement import Movement
from judge.rules.order import (
    Move,
    MovementOrder,
)
from judge.rules.position import DislodgedUnit
from judge.rules.result import Adjudication
from judge.rules.retreats import open_retreats
from judge.rules.scene import Scene
from judge.rules.succession import following
from judge.rules.verdicts import Account
from judge.rules.vocabulary import Location, Province, Unit


def adjudicate_movement(scene: Scene, intake: Intake) -> Adjudication:
    """Adjudicate the orders of a movement phase (rulebook VIII, IX)."""
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
