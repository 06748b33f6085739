"""What can be seen of a battle without asking how anything else ends: most of a usual phase."""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules.battle import Battle


def see_plainly(battle: Battle, answers: list[bool | None]) -> None:
    """Put into *answers* by unit whether moves succeed and supports are given, if it is plain."""
    for unit in battle.void:
        answers[unit] = False
    _see_supports(battle, answers)
    at, target, voyages = battle.scene.at, battle.target, battle.voyages
    provinces, behind = battle.scene.provinces, {}
    for end, group in battle.attackers.items():
        unit, occupant = group[0], at.get(end)
        if len(group) > 1:
            _see_rivals(battle, group, occupant, answers)
        elif occupant is None:
            answers[unit] = None if unit in voyages else True
        elif unit not in voyages and not battle.by_fleet:
            if target[occupant] is None:
                answers[unit] = _overcomes(battle, unit, occupant, answers)
            elif target[occupant] != provinces[unit]:
                behind[unit] = occupant
    _follow(behind, battle.supporters, answers)


def _see_supports(battle: Battle, answers: list[bool | None]) -> None:
    provinces, attackers = battle.scene.provinces, battle.attackers
    for unit in battle.supporting:
        attacked_by = attackers.get(provinces[unit])
        if attacked_by is None:
            answers[unit] = True
        elif _cut_by_land(battle, unit, attacked_by):
            answers[unit] = False


def _cut_by_land(battle: Battle, supporter: int, attackers: Sequence[int]) -> bool:
    aim, powers, provinces = battle.aim[supporter], battle.scene.powers, battle.scene.provinces
    for attacker in attackers:
        foreign = powers[attacker] != powers[supporter]
        if foreign and provinces[attacker] != aim and attacker not in battle.voyages:
            return True
    return False


def _see_rivals(
    battle: Battle, group: Sequence[int], occupant: int | None, answers: list[bool | None]
) -> None:
    """Let nobody of *group* in, if all of them go by land without support and meet nobody."""
    supporters, by_sea = battle.supporters, battle.voyages
    leaves = occupant is not None and battle.target[occupant] is not None
    if leaves or any([supporters[unit] or unit in by_sea for unit in group]):  # noqa: C419 a generator takes longer
        return
    for unit in group:
        answers[unit] = False


def _overcomes(
    battle: Battle, unit: int, occupant: int, answers: Sequence[bool | None]
) -> bool | None:
    """Tell whether *unit* drives out *occupant*, who stays, if the supports of both are plain."""
    supporters, powers = battle.supporters[unit], battle.scene.powers
    owner = powers[occupant]
    if not supporters or owner == powers[unit]:
        return False
    attack = [answers[each] for each in supporters if powers[each] != owner]
    defense = [answers[each] for each in battle.supporters[occupant]]
    if None in attack or None in defense:
        return None
    return attack.count(True) > defense.count(True)


def _follow(
    behind: dict[int, int], supporters: Sequence[Sequence[int]], answers: list[bool | None]
) -> None:
    """Let units get where those leave whom they are *behind*, and without support nowhere else."""
    while behind:
        unit, ahead = behind.popitem()
        column = [unit]
        while ahead in behind:
            column.append(ahead)
            ahead = behind.pop(ahead)
        for unit in reversed(column):
            if answers[ahead] or not supporters[unit]:
                answers[unit] = answers[ahead]
            ahead = unit
