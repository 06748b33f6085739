"""A movement phase: who stands where after all moves, and who must retreat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from judge.rules.battle import Battle
from judge.rules.coasts import destination
from judge.rules.movement import Movement
from judge.rules.order import Move, Order
from judge.rules.outcome import Paradox
from judge.rules.position import DislodgedUnit
from judge.rules.reach import Post
from judge.rules.result import Adjudication
from judge.rules.retreats import open_retreats
from judge.rules.scene import Scene
from judge.rules.succession import following
from judge.rules.verdicts import Account
from judge.rules.vocabulary import Location, Power, Province, Unit


def adjudicate_movement(scene: Scene, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
    """Adjudicate the orders of a movement phase (rulebook VIII, IX)."""
    position = scene.position
    battle = Battle(scene, orders)
    movement = Movement(battle)
    paradoxes: list[Paradox] = []
    while stranded := movement.stranded():
        failed = {scene.provinces[fleet] for fleets in stranded.values() for fleet in fleets}
        paradoxes += [each for each in movement.paradoxes() if failed & {*each.convoys}]
        battle.land(stranded)
        movement = Movement(battle)
    standing, driven_out, contested = _clash(battle, movement)
    retreats = {}
    if driven_out:
        closed = contested.union([unit.province for unit in standing])
        retreats = {
            unit: (attacker, _open(movement, unit, attacker, closed))
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
        paradoxes=(*paradoxes, *movement.paradoxes()),
        _account=account.outcomes,
        _silence=account.unordered,
    )


def _clash(
    battle: Battle, movement: Movement
) -> tuple[list[Unit], dict[int, int], frozenset[Province]]:
    """Return who stands after all moves, who drove out whom, and what a standoff left empty."""
    at, powers = battle.scene.at, battle.scene.powers
    target, landing, answers = battle.target, battle.landing, movement.answers
    standing = list(battle.scene.position.units)
    driven_out: dict[int, int] = {}
    contested: list[Province] = []
    for end, group in battle.attackers.items():
        occupant = at.get(end)
        if occupant is not None and target[occupant] is not None and answers[occupant]:
            occupant = None
        for attacker in group:
            if answers[attacker]:
                post = landing[attacker] or _awaited(battle, attacker)
                standing[attacker] = post.unit_of(powers[attacker])
                if occupant is not None:
                    driven_out[occupant] = attacker
                break
        else:
            if occupant is None and _keep_others_out(movement, end):
                contested.append(end)
    if driven_out:
        standing = [unit for index, unit in enumerate(standing) if index not in driven_out]
    return standing, driven_out, frozenset(contested)


def _keep_others_out(movement: Movement, end: Province) -> bool:
    occupant = movement.scene.at.get(end)
    return any(movement.keeps_out(each, occupant) for each in movement.battle.attackers[end])


def _awaited(battle: Battle, index: int) -> Post:
    """Return the post at which a unit lands whose way was not plain."""
    scene, order = battle.scene, battle.orders[index]
    assert isinstance(order, Move)
    unit = scene.position.units[index]
    return scene.reach.of(unit.kind)[destination(scene, unit, order.target)]


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
