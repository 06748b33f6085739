"""A movement phase: who stands where after all moves, and who must retreat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from judge.rules.battle import Battle
from judge.rules.movement import Movement
from judge.rules.order import Order
from judge.rules.outcome import Paradox
from judge.rules.position import DislodgedUnit, new_dislodged
from judge.rules.result import Adjudication, Telling, new_adjudication
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
        failed = {scene.units[fleet].province for fleets in stranded.values() for fleet in fleets}
        paradoxes += [each for each in movement.paradoxes() if failed & {*each.convoys}]
        battle.land(stranded)
        movement = Movement(battle)
    standing, driven_out, contested = _clash(movement)
    retreats: dict[int, tuple[int, tuple[Location, ...]]] = {}
    dislodged: list[DislodgedUnit] = []
    if driven_out:
        closed = {unit.province for unit in standing}
        closed.update(contested)
        for unit, attacker in driven_out.items():
            locations = _open(movement, unit, attacker, closed)
            retreats[unit] = attacker, locations
            if locations:
                dislodged.append(_dislodged(movement, unit, attacker, locations))
    account = Account(movement, retreats)
    return new_adjudication(
        Telling(account.outcomes, account.unordered),
        following(
            scene.board, position.phase, standing, position.owners, tuple(dislodged), contested
        ),
        contested,
        paradoxes=(*paradoxes, *movement.paradoxes()) if movement.circles else tuple(paradoxes),
    )


def _clash(movement: Movement) -> tuple[list[Unit], dict[int, int], frozenset[Province]]:
    """Return who stands after all moves, who drove out whom, and what standoffs leave empty."""
    battle, answers = movement.battle, movement.answers
    at, goal, units = battle.scene.at, battle.goal, battle.scene.units
    came = [unit for unit in battle.lone.values() if answers[unit]]
    contested: list[Province] = []
    for end, group in battle.rivals.items():
        for unit in group:
            if answers[unit]:
                came.append(unit)
                break
        else:
            if _contested(movement, end, group):
                contested.append(end)
    standing = list(units)
    driven_out: dict[int, int] = {}
    for unit in came:
        there = goal[unit]
        assert there is not None
        standing[unit] = there.units[units[unit].power]
        if battle.supporters[unit] and there.province in at:
            occupant = at[there.province]
            if goal[occupant] is None or not answers[occupant]:
                driven_out[occupant] = unit
    for unit in sorted(driven_out, reverse=True):
        del standing[unit]
    return standing, driven_out, frozenset(contested)


def _contested(movement: Movement, end: Province, attackers: Sequence[int]) -> bool:
    """Tell whether *attackers*, none of whom got in, left *end* empty by a standoff (IX.5)."""
    occupant = movement.scene.at.get(end)
    if occupant is not None and (
        movement.battle.goal[occupant] is None or not movement.answers[occupant]
    ):
        return False
    return any(movement.keeps_out(each, occupant) for each in attackers)


def _dislodged(
    movement: Movement, unit: int, attacker: int, locations: tuple[Location, ...]
) -> DislodgedUnit:
    units, by_sea = movement.scene.units, movement.sails(attacker)
    return new_dislodged(units[unit], units[attacker].province, by_sea, locations)


def _open(
    movement: Movement, unit: int, attacker: int, closed: Collection[Province]
) -> tuple[Location, ...]:
    scene = movement.scene
    return open_retreats(
        scene.board,
        scene.units[unit],
        attacked_from=scene.units[attacker].province,
        attacker_convoyed=movement.sails(attacker),
        closed=closed,
        rulebook=scene.rulebook,
    )
