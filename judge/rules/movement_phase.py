"""A movement phase: who stands where after all moves, and who must retreat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from judge.rules.battle import Battle
from judge.rules.coasts import destination
from judge.rules.movement import Movement
from judge.rules.order import Move, Order
from judge.rules.position import DislodgedUnit
from judge.rules.result import Adjudication
from judge.rules.retreats import open_retreats
from judge.rules.scene import Scene
from judge.rules.succession import following
from judge.rules.verdicts import Account
from judge.rules.vocabulary import Location, Power, Province, Unit

UNITS_KEPT = 4096  # Any unit of a board or two: most were made before.

unit_at = lru_cache(maxsize=UNITS_KEPT)(Unit)


def adjudicate_movement(scene: Scene, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
    """Adjudicate the orders of a movement phase (rulebook VIII, IX)."""
    position = scene.position
    battle = Battle(scene, orders)
    movement = Movement(battle)
    while stranded := movement.stranded():
        battle.land(stranded)
        movement = Movement(battle)
    standing, driven_out = _clash(battle, movement)
    taken = {unit.province for unit in standing}
    contested = frozenset(
        end
        for end, attackers in battle.attackers.items()
        if end not in taken and any(movement.keeps_out(a, scene.at.get(end)) for a in attackers)
    )
    retreats = {
        unit: (attacker, _open(movement, unit, attacker, taken | contested))
        for unit, attacker in driven_out.items()
    }
    dislodged = tuple(
        DislodgedUnit(
            position.units[unit], scene.provinces[attacker], movement.sails(attacker), locations
        )
        for unit, (attacker, locations) in retreats.items()
        if locations
    )
    account = Account(movement, retreats)
    return Adjudication(
        following(scene.board, position.phase, standing, position.owners, dislodged, contested),
        contested,
        paradoxes=movement.paradoxes(),
        _account=account.outcomes,
        _silence=account.unordered,
    )


def _clash(battle: Battle, movement: Movement) -> tuple[list[Unit], dict[int, int]]:
    """Return the units that stand after all moves, and by each driven out who did it."""
    scene, orders = battle.scene, battle.orders
    standing: list[Unit] = []
    driven_out: dict[int, int] = {}
    for index, unit in enumerate(scene.position.units):
        order = orders[index]
        if isinstance(order, Move) and movement.succeeds(index):
            end = order.target
            if end not in scene.posts[index].touches:
                end = destination(scene, unit, end)
            standing.append(unit_at(unit.power, unit.kind, end))
            continue
        attacked = scene.provinces[index] in battle.attackers
        attacker = movement.dislodger(index) if attacked else None
        if attacker is None:
            standing.append(unit)
        else:
            driven_out[index] = attacker
    return standing, driven_out


def _open(
    movement: Movement, unit: int, attacker: int, closed: Collection[Province]
) -> tuple[Location, ...]:
    scene = movement.scene
    return open_retreats(
        scene.board,
        scene.position.units[unit],
        attacked_from=scene.provinces[attacker],
        attacker_convoyed=movement.sails(attacker),
        closed=closed,
        rulebook=scene.rulebook,
    )
