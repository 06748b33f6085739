"""A movement phase: who stands where after all moves, and who must retreat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from judge.rules.battle import Battle
from judge.rules.movement import Movement
from judge.rules.order import Order
from judge.rules.outcome import Paradox
from judge.rules.position import DislodgedUnit
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
    while battle.voyages and (stranded := movement.stranded()):
        failed = {scene.provinces[fleet] for fleets in stranded.values() for fleet in fleets}
        paradoxes += [each for each in movement.paradoxes() if failed & {*each.convoys}]
        battle.land(stranded)
        movement = Movement(battle)
    standing, driven_out = _clash(movement)
    contested = _standoffs(movement)
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


def _clash(movement: Movement) -> tuple[list[Unit], dict[int, int]]:
    """Return who stands after all moves, and who drove out whom."""
    battle, answers = movement.battle, movement.answers
    at, powers, target = battle.scene.at, battle.scene.powers, battle.target
    standing = list(battle.scene.position.units)
    driven_out: dict[int, int] = {}
    for unit, there in enumerate(battle.landing):
        if there and answers[unit]:
            standing[unit] = there.unit_of(powers[unit])
            if battle.supporters[unit]:
                occupant = at.get(there.province)
                if occupant is not None and (target[occupant] is None or not answers[occupant]):
                    driven_out[occupant] = unit
    if driven_out:
        standing = [unit for index, unit in enumerate(standing) if index not in driven_out]
    return standing, driven_out


def _standoffs(movement: Movement) -> frozenset[Province]:
    """Return the provinces that nobody got into, and that are empty (rulebook IX.5)."""
    attackers = movement.battle.attackers
    several = [end for end, group in attackers.items() if len(group) > 1]
    return frozenset([end for end in several if _contested(movement, end, attackers[end])])


def _contested(movement: Movement, end: Province, attackers: Sequence[int]) -> bool:
    answers, occupant = movement.answers, movement.scene.at.get(end)
    if occupant is not None and (
        movement.battle.target[occupant] is None or not answers[occupant]
    ):
        return False
    return not any(answers[each] for each in attackers) and any(
        movement.keeps_out(each, occupant) for each in attackers
    )


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
