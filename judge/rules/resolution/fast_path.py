"""Decide undisturbed units without the resolver.

What is decided here is equivalent to `movement.MovementDecisions`: it may leave a decision open,
and never gives another answer. Turn it off with `MovementDecisions(matched, use_fast_path=False)`;
`tests/properties/test_fast_path.py` compares both on random positions. It saves about a fifth of
the time of a phase (`python -m tests.bench.resolver`).
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules.resolution.matched_orders import MatchedOrders
from judge.rules.types import Province


def decide_undisturbed(matched: MatchedOrders, answers: list[bool | None]) -> list[int]:
    """Set the *answers* that are clear; return the moving units that are not.

    *answers* are by unit: whether its move succeeds or its support is given.
    """
    _decide_supports(matched, answers)
    unit_at, destinations, supporters = (
        matched.context.unit_at,
        matched.destinations,
        matched.supporters,
    )
    undecided: list[int] = []
    followers: dict[int, int] = {}
    for province, unit in matched.sole_attackers.items():
        if province not in unit_at:
            answers[unit] = True
            continue
        occupant = unit_at[province]
        if destinations[occupant] is not None:
            followers[unit] = occupant
        elif not supporters[unit]:
            answers[unit] = False
        else:
            answer = _dislodges(matched, unit, occupant, supporters[occupant], answers)
            answers[unit] = answer
            if answer is None:
                undecided.append(unit)
    for province, group in matched.rival_attackers.items():
        if not _decide_rivals(matched, province, group, answers):
            undecided += group
    if matched.convoy_routes:
        undecided = _reopen_disturbed_convoys(matched, followers, answers) + undecided
    return _decide_followers(matched, followers, answers, undecided) if followers else undecided


def _decide_supports(matched: MatchedOrders, answers: list[bool | None]) -> None:
    """Decide supports attacked by land or not at all (DATC 6.D.15, 6.D.20).

    An attack from the support's target is left open: it cuts if it dislodges (6.D.17).
    """
    units, sole_attackers = matched.context.units, matched.sole_attackers
    rival_attackers = matched.rival_attackers
    for unit in matched.supporting:
        province = units[unit].province
        if province in sole_attackers:
            if _cuts_by_land(matched, sole_attackers[province], unit):
                answers[unit] = False
        elif province in rival_attackers:
            if any(_cuts_by_land(matched, each, unit) for each in rival_attackers[province]):
                answers[unit] = False
        else:
            answers[unit] = True


def _cuts_by_land(matched: MatchedOrders, attacker: int, supporter: int) -> bool:
    unit, supporting_unit = matched.context.units[attacker], matched.context.units[supporter]
    if unit.power == supporting_unit.power:
        return False
    if unit.province == matched.support_targets[supporter]:
        return False
    return attacker not in matched.convoy_routes


def _decide_rivals(
    matched: MatchedOrders,
    province: Province,
    group: Sequence[int],
    answers: list[bool | None],
) -> bool:
    """Decide the moves of *group* to *province*, and return whether it could.

    It can if the attackers meet only each other: nobody comes by convoy, no unit there is ordered
    to move, and with a unit there no attacker is supported.
    """
    supporters, convoyed = matched.supporters, matched.convoy_routes
    occupant = matched.context.unit_at.get(province)
    if occupant is not None and matched.destinations[occupant] is not None:
        return False
    if convoyed and not convoyed.keys().isdisjoint(group):
        return False
    strengths = []
    for unit in group:
        strength = 0
        for supporter in supporters[unit]:
            given = answers[supporter]
            if given is None or occupant is not None or matched.attacks_from_fleet:
                return False
            strength += given
        strengths.append(strength)
    best = max(strengths)
    alone = strengths.count(best) == 1
    for unit, strength in zip(group, strengths, strict=True):
        answers[unit] = alone and strength == best
    return True


def _reopen_disturbed_convoys(
    matched: MatchedOrders, followers: dict[int, int], answers: list[bool | None]
) -> list[int]:
    """Return the convoyed armies with an attacked fleet or behind a moving unit, undecided again.

    The others move as if by land.
    """
    units, sole_attackers = matched.context.units, matched.sole_attackers
    rival_attackers = matched.rival_attackers
    reopened = []
    for army, route in matched.convoy_routes.items():
        attacked = matched.attacks_from_fleet
        for fleet in route.fleets:
            sea = units[fleet].province
            attacked = attacked or sea in sole_attackers or sea in rival_attackers
        if army in followers or attacked:
            followers.pop(army, None)
            answers[army] = None
            reopened.append(army)
    return reopened


def _decide_followers(
    matched: MatchedOrders,
    followers: dict[int, int],
    answers: list[bool | None],
    undecided: list[int],
) -> list[int]:
    """Decide the sole attackers of provinces whose unit is ordered to move.

    Each of *followers* has the unit ahead of it. Return the *undecided* with those left open.
    """
    units, destinations, supporters = (
        matched.context.units,
        matched.destinations,
        matched.supporters,
    )
    if matched.attacks_from_fleet:
        return [*undecided, *followers]
    while followers:
        waiting: dict[int, int] = {}
        for unit, ahead in followers.items():
            node = destinations[ahead]
            assert node is not None
            if node.province == units[unit].province:
                answer = _enters_vacated(matched, unit, ahead, answers)
            elif ahead in followers:
                waiting[unit] = ahead
                continue
            elif supporters[unit]:
                answer = _enters_vacated(matched, unit, ahead, answers)
            else:
                answer = answers[ahead]
            answers[unit] = answer
            if answer is None:
                undecided.append(unit)
        if len(waiting) == len(followers):  # a ring (rulebook VIII)
            return [*undecided, *waiting]
        followers = waiting
    return undecided


def _enters_vacated(
    matched: MatchedOrders, unit: int, ahead: int, answers: Sequence[bool | None]
) -> bool | None:
    """Return whether *unit* moves to where *ahead* is, which no other unit attacks."""
    supporters, left = matched.supporters[unit], answers[ahead]
    returns = matched.destination_of(ahead) == matched.context.units[unit].province
    if returns and ahead not in matched.convoy_routes:  # head-to-head
        return None if supporters else False
    if left or left is None or not supporters:
        return left
    return _dislodges(matched, unit, ahead, (), answers)


def _dislodges(
    matched: MatchedOrders,
    unit: int,
    occupant: int,
    defenders: Sequence[int],
    answers: Sequence[bool | None],
) -> bool | None:
    """Return whether *unit* dislodges *occupant* (IX.2, IX.3), None if that is not clear."""
    if matched.attacks_from_fleet:
        return None
    units = matched.context.units
    power = units[occupant].power
    if power == units[unit].power:
        return False
    lead = 0
    for supporter in matched.supporters[unit]:
        if units[supporter].power != power:
            given = answers[supporter]
            if given is None:
                return None
            lead += given
    for supporter in defenders:
        given = answers[supporter]
        if given is None:
            return None
        lead -= given
    return lead > 0
