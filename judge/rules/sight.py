"""What can be seen of a battle without asking how anything else ends: most of a usual phase."""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules.battle import Battle
from judge.rules.vocabulary import Province


def see_plainly(battle: Battle, answers: list[bool | None]) -> list[int]:
    """Put into *answers* by unit whether moves succeed and supports are given, if it is plain.

    Return the units with a move that has to be looked at closely.
    """
    for unit in battle.void:
        answers[unit] = False
    _see_supports(battle, answers)
    at, goal, supporters = battle.scene.at, battle.goal, battle.supporters
    closely: list[int] = []
    behind: dict[int, int] = {}
    for end, group in battle.attackers.items():
        if len(group) > 1:
            if not _see_rivals(battle, end, group, answers):
                closely += group
            continue
        (unit,) = group
        if end not in at:
            answers[unit] = True
            continue
        occupant = at[end]
        if goal[occupant] is not None:
            behind[unit] = occupant
        elif not supporters[unit]:
            answers[unit] = False  # Without support nobody drives out who stays.
        else:
            answer = _overcomes(battle, unit, occupant, supporters[occupant], answers)
            answers[unit] = answer
            if answer is None:
                closely.append(unit)
    if battle.voyages:
        closely = _doubt_voyages(battle, behind, answers) + closely
    return _follow(battle, behind, answers, closely) if behind else closely


def _doubt_voyages(
    battle: Battle, behind: dict[int, int], answers: list[bool | None]
) -> list[int]:
    """Take armies that go by sea out of *answers* and *behind*, and return them.

    Left are those whose fleets nobody attacks, if who is where they go does not try to leave: they
    come as if by land.
    """
    units, attackers = battle.scene.units, battle.attackers
    closely = []
    for army, voyage in battle.voyages.items():
        attacked = [fleet for fleet in voyage.fleets if units[fleet].province in attackers]
        if army in behind or attacked or battle.by_fleet:
            behind.pop(army, None)
            answers[army] = None
            closely.append(army)
    return closely


def _see_supports(battle: Battle, answers: list[bool | None]) -> None:
    units, attackers = battle.scene.units, battle.attackers
    for unit, aim in battle.aim.items():
        start = units[unit].province
        if start not in attackers:
            answers[unit] = True
        elif _cut_by_land(battle, unit, aim, attackers[start]):
            answers[unit] = False


def _cut_by_land(battle: Battle, supporter: int, aim: Province, attackers: Sequence[int]) -> bool:
    units, power = battle.scene.units, battle.scene.units[supporter].power
    for attacker in attackers:
        unit = units[attacker]
        if unit.power != power and unit.province != aim and attacker not in battle.voyages:
            return True
    return False


def _see_rivals(
    battle: Battle, end: Province, group: Sequence[int], answers: list[bool | None]
) -> bool:
    """See who of *group* gets to *end*, if anybody; tell whether that is plain.

    It is where nobody comes by sea or leaves, and those with support meet nobody but each other.
    """
    supporters, by_sea, occupant = battle.supporters, battle.voyages, battle.scene.at.get(end)
    if occupant is not None and battle.goal[occupant]:
        return False
    supports = [each for unit in group for each in supporters[unit]]
    if by_sea and not by_sea.keys().isdisjoint(group):
        return False
    if not supports:
        for unit in group:
            answers[unit] = False
        return True
    given = [answers[each] for each in supports]
    if occupant is not None or battle.by_fleet or None in given:
        return False
    strengths = [[answers[each] for each in supporters[unit]].count(True) for unit in group]
    best = max(strengths)
    alone = strengths.count(best) == 1
    for unit, strength in zip(group, strengths, strict=True):
        answers[unit] = alone and strength == best
    return True


def _follow(
    battle: Battle, behind: dict[int, int], answers: list[bool | None], closely: list[int]
) -> list[int]:
    """See who gets where those are whom they are *behind*; add the others to those *closely*."""
    units, supporters = battle.scene.units, battle.supporters
    while behind:
        unit, ahead = behind.popitem()
        column = [unit]
        while ahead in behind:
            column.append(ahead)
            ahead = behind.pop(ahead)
        for unit in reversed(column):
            if supporters[unit] or battle.by_fleet or battle.end(ahead) == units[unit].province:
                answer = _displaces(battle, unit, ahead, answers)
            else:
                answer = answers[ahead]
            answers[unit] = answer
            if answer is None:
                closely.append(unit)
            ahead = unit
    return closely


def _displaces(
    battle: Battle, unit: int, ahead: int, answers: Sequence[bool | None]
) -> bool | None:
    """Tell whether *unit* gets where *ahead* is, whom nobody else attacks, if it is plain."""
    if battle.by_fleet:
        return None
    supporters, left = battle.supporters[unit], answers[ahead]
    if battle.end(ahead) == battle.scene.units[unit].province and ahead not in battle.voyages:
        return None if supporters else False  # head-on
    if left or left is None or not supporters:
        return left
    return _overcomes(battle, unit, ahead, (), answers)


def _overcomes(
    battle: Battle,
    unit: int,
    occupant: int,
    defenders: Sequence[int],
    answers: Sequence[bool | None],
) -> bool | None:
    """Tell whether *unit* drives out *occupant*, if the supports of both are plain."""
    if battle.by_fleet:
        return None
    units = battle.scene.units
    owner = units[occupant].power
    if owner == units[unit].power:
        return False
    attack = [answers[each] for each in battle.supporters[unit] if units[each].power != owner]
    defense = [answers[each] for each in defenders]
    if None in attack or None in defense:
        return None
    return attack.count(True) > defense.count(True)
