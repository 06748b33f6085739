"""A movement phase: who stands where after all moves, and who must retreat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from judge.rules.account import Account
from judge.rules.battle import Battle, battle_of
from judge.rules.movement import Movement
from judge.rules.order import Order
from judge.rules.outcome import Paradox
from judge.rules.position import DislodgedUnit, new_dislodged, places_of
from judge.rules.result import Adjudication, new_adjudication
from judge.rules.retreats import open_retreats
from judge.rules.scene import NOBODY, Scene
from judge.rules.succession import left_by
from judge.rules.vocabulary import Location, Power, Province, Unit


def adjudicate_movement(scene: Scene, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
    """Adjudicate the orders of a movement phase (rulebook VIII, IX)."""
    movement, paradoxes = _decided(battle_of(scene, orders))
    units, driven_out, contested = _clash(movement)
    standing = tuple(sorted(units, key=scene.reach.rank))
    at = places_of(standing)
    retreats: dict[int, tuple[int, tuple[Location, ...]]] = {}
    dislodged: list[DislodgedUnit] = []
    if driven_out:
        closed = {**at, **dict.fromkeys(contested, NOBODY)}
        for unit, attacker in driven_out.items():
            driven = _dislodged(movement, unit, attacker, closed)
            retreats[unit] = attacker, driven.retreats
            if driven.retreats:
                dislodged.append(driven)
    account = Account(movement, retreats)
    after = left_by(scene.board, scene.position, standing, at, dislodged, contested)
    return new_adjudication(account, after, contested, (), (), paradoxes)


def _decided(battle: Battle) -> tuple[Movement, tuple[Paradox, ...]]:
    """Return what all decisions come to, and the paradoxes met on the way.

    Armies that may fall back to land (DATC 4.A.3) are first supposed to be bound to the sea.
    """
    movement = Movement(battle)
    paradoxes: list[Paradox] = []
    while battle.falling and (stranded := movement.stranded()):
        failed = _seas(battle, stranded)
        paradoxes += [each for each in movement.paradoxes() if failed & {*each.convoys}]
        battle.land(stranded)
        movement = Movement(battle)
    if movement.circles:
        paradoxes += movement.paradoxes()
    return movement, tuple(paradoxes)


def _seas(battle: Battle, stranded: Mapping[int, Iterable[int]]) -> set[Province]:
    """Return where the fleets are that failed those who are *stranded*."""
    units = battle.scene.units
    return {units[fleet].province for fleets in stranded.values() for fleet in fleets}


def _clash(movement: Movement) -> tuple[list[Unit], dict[int, int], frozenset[Province]]:
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
            if _contested(movement, end, group):
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


def _contested(movement: Movement, end: Province, attackers: Sequence[int]) -> bool:
    """Tell whether *attackers*, none of whom got in, left *end* empty by a standoff (IX.5)."""
    occupant = movement.scene.at.get(end)
    if occupant is not None and (
        movement.battle.goal[occupant] is None or not movement.answers[occupant]
    ):
        return False
    return any(movement.keeps_out(each, occupant) for each in attackers)


def _dislodged(
    movement: Movement, unit: int, attacker: int, closed: Collection[Province]
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
