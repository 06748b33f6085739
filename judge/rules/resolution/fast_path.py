"""Decide undisturbed units without the resolver; it never differs from `movement`."""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules.resolution.matched_orders import MatchedOrders
from judge.rules.types import Province


def decide_undisturbed(battle: MatchedOrders, answers: list[bool | None]) -> list[int]:
    """Put into *answers* by unit whether moves succeed and supports are given, if it is plain.

    Return the units with a move that has to be looked at closely.
    """
    for unit in battle.void:
        answers[unit] = False
    _decide_supports(battle, answers)
    at, goal, supporters = battle.scene.at, battle.goal, battle.supporters
    closely: list[int] = []
    behind: dict[int, int] = {}
    for end, unit in battle.lone.items():
        if end not in at:
            answers[unit] = True
            continue
        occupant = at[end]
        if goal[occupant] is not None:
            behind[unit] = occupant
        elif not supporters[unit]:
            answers[unit] = False  # Without support nobody drives out who stays.
        else:
            answer = _dislodges(battle, unit, occupant, supporters[occupant], answers)
            answers[unit] = answer
            if answer is None:
                closely.append(unit)
    for end, group in battle.rivals.items():
        if not _decide_rivals(battle, end, group, answers):
            closely += group
    if battle.voyages:
        closely = _defer_disturbed_convoys(battle, behind, answers) + closely
    return _decide_followers(battle, behind, answers, closely) if behind else closely


def _defer_disturbed_convoys(
    battle: MatchedOrders, behind: dict[int, int], answers: list[bool | None]
) -> list[int]:
    """Take armies that go by sea out of *answers* and *behind*, and return them.

    Left are those whose fleets nobody attacks, if who is where they go does not try to leave: they
    come as if by land.
    """
    units, lone, rivals = battle.scene.units, battle.lone, battle.rivals
    closely = []
    for army, voyage in battle.voyages.items():
        attacked = battle.by_fleet
        for fleet in voyage.fleets:
            sea = units[fleet].province
            attacked = attacked or sea in lone or sea in rivals
        if army in behind or attacked:
            behind.pop(army, None)
            answers[army] = None
            closely.append(army)
    return closely


def _decide_supports(battle: MatchedOrders, answers: list[bool | None]) -> None:
    units, lone, rivals = battle.scene.units, battle.lone, battle.rivals
    for unit in battle.helping:
        start = units[unit].province
        if start in lone:
            if _cuts_by_land(battle, lone[start], unit):
                answers[unit] = False
        elif start in rivals:
            if any(_cuts_by_land(battle, each, unit) for each in rivals[start]):
                answers[unit] = False
        else:
            answers[unit] = True


def _cuts_by_land(battle: MatchedOrders, attacker: int, supporter: int) -> bool:
    unit, other = battle.scene.units[attacker], battle.scene.units[supporter]
    if unit.power == other.power or unit.province == battle.aim[supporter]:
        return False
    return attacker not in battle.voyages


def _decide_rivals(
    battle: MatchedOrders, end: Province, group: Sequence[int], answers: list[bool | None]
) -> bool:
    """See who of *group* gets to *end*, if anybody; tell whether that is plain.

    It is where nobody comes by sea or leaves, and those with support meet nobody but each other.
    """
    supporters, by_sea, occupant = battle.supporters, battle.voyages, battle.scene.at.get(end)
    if occupant is not None and battle.goal[occupant] is not None:
        return False
    if by_sea and not by_sea.keys().isdisjoint(group):
        return False
    strengths = []
    for unit in group:
        strength = 0
        for each in supporters[unit]:
            given = answers[each]
            if given is None or occupant is not None or battle.by_fleet:
                return False
            strength += given
        strengths.append(strength)
    best = max(strengths)
    alone = strengths.count(best) == 1
    for unit, strength in zip(group, strengths, strict=True):
        answers[unit] = alone and strength == best
    return True


def _decide_followers(
    battle: MatchedOrders, behind: dict[int, int], answers: list[bool | None], closely: list[int]
) -> list[int]:
    """See who gets where those are whom they are *behind*; add the others to those *closely*."""
    units, goal, supporters = battle.scene.units, battle.goal, battle.supporters
    if battle.by_fleet:
        return [*closely, *behind]
    while behind:
        waiting: dict[int, int] = {}
        for unit, ahead in behind.items():
            there = goal[ahead]
            assert there is not None
            if there.province == units[unit].province:
                answer = _enters_vacated(battle, unit, ahead, answers)
            elif ahead in behind:
                waiting[unit] = ahead
                continue
            elif supporters[unit]:
                answer = _enters_vacated(battle, unit, ahead, answers)
            else:
                answer = answers[ahead]
            answers[unit] = answer
            if answer is None:
                closely.append(unit)
        if len(waiting) == len(behind):  # They go round in a ring.
            return [*closely, *waiting]
        behind = waiting
    return closely


def _enters_vacated(
    battle: MatchedOrders, unit: int, ahead: int, answers: Sequence[bool | None]
) -> bool | None:
    """Tell whether *unit* gets where *ahead* is, whom nobody else attacks, if it is plain."""
    supporters, left = battle.supporters[unit], answers[ahead]
    if battle.end(ahead) == battle.scene.units[unit].province and ahead not in battle.voyages:
        return None if supporters else False  # head-on
    if left or left is None or not supporters:
        return left
    return _dislodges(battle, unit, ahead, (), answers)


def _dislodges(
    battle: MatchedOrders,
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
    lead = 0
    for each in battle.supporters[unit]:
        if units[each].power != owner:
            given = answers[each]
            if given is None:
                return None
            lead += given
    for each in defenders:
        given = answers[each]
        if given is None:
            return None
        lead -= given
    return lead > 0
