"""What can be seen of a battle without asking how anything else ends: most of a usual phase."""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules.battle import Battle
from judge.rules.vocabulary import Province


def see_plainly(battle: Battle, answers: list[bool | None]) -> None:
    """Put into *answers* by unit whether moves succeed and supports are given, if it is plain."""
    for unit in battle.void:
        answers[unit] = False
    provinces, attackers = battle.scene.provinces, battle.attackers
    for unit in battle.supporting:
        attacked_by = attackers.get(provinces[unit])
        if attacked_by is None:
            answers[unit] = True
        elif _cut_by_land(battle, unit, attacked_by):
            answers[unit] = False
    for end, group in attackers.items():
        if len(group) == 1:
            answers[group[0]] = _alone(battle, group[0], end)
        elif _all_bounce(battle, group, end):
            for unit in group:
                answers[unit] = False


def _cut_by_land(battle: Battle, supporter: int, attackers: Sequence[int]) -> bool:
    aim, powers, provinces = battle.aim[supporter], battle.scene.powers, battle.scene.provinces
    for attacker in attackers:
        foreign = powers[attacker] != powers[supporter]
        if foreign and provinces[attacker] != aim and attacker not in battle.voyages:
            return True
    return False


def _alone(battle: Battle, unit: int, end: Province) -> bool | None:
    """Tell whether *unit*, which nobody rivals, gets to *end*."""
    if unit in battle.voyages:
        return None
    occupant = battle.scene.at.get(end)
    if occupant is None:
        return True
    stays = battle.target[occupant] is None
    return False if stays and not battle.supporters[unit] else None


def _all_bounce(battle: Battle, group: Sequence[int], end: Province) -> bool:
    """Tell whether those of *group* all lack support, go by land, and meet nobody."""
    occupant = battle.scene.at.get(end)
    if occupant is not None and battle.target[occupant] is not None:
        return False
    supporters, by_sea = battle.supporters, battle.voyages
    return not any([supporters[unit] or unit in by_sea for unit in group])  # noqa: C419 a generator takes longer
