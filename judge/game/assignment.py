"""Who plays what: the assignment of powers that likes everybody best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import combinations

from judge.rules.types import Power

Preferences = tuple[tuple[Power, ...], ...]
Score = tuple[
    int, int
]  # the weight of preferences; then chance, which decides only between equals


def assign(
    joined: Mapping[str, Preferences], powers: Sequence[Power], seed: str
) -> dict[Power, str]:
    """Give each person of *joined* one of *powers*, so that the weights add up to the most.

    With n powers the first choice weighs n, the next n - 1; powers liked equally weigh the same,
    and those not named nothing. Equal assignments are told apart by *seed*.
    """
    people = sorted(joined)
    scores = {
        (person, power): (
            _weight(joined[person], power, len(powers)),
            _chance(seed, person, power),
        )
        for person in people
        for power in powers
    }
    # Best way to seat the first people on a set of powers, from that for one person fewer.
    best: dict[frozenset[Power], tuple[Score, tuple[Power, ...]]] = {frozenset(): ((0, 0), ())}
    for count, person in enumerate(people, start=1):
        for taken in map(frozenset, combinations(powers, count)):
            best[taken] = max(
                (_add(best[taken - {power}][0], scores[person, power]), (*seated, power))
                for power in sorted(taken)
                for seated in (best[taken - {power}][1],)
            )
    _, seated = max(best[frozenset(some)] for some in combinations(powers, len(people)))
    chosen = dict(zip(seated, people, strict=True))
    return {power: chosen[power] for power in powers if power in chosen}


def _weight(preferences: Preferences, power: Power, most: int) -> int:
    liked_better = 0
    for group in preferences:
        if power in group:
            return most - liked_better
        liked_better += len(group)
    return 0


def _chance(seed: str, person: str, power: Power) -> int:
    return int.from_bytes(sha256(f"{seed}\n{person}\n{power}".encode()).digest()[:8])


def _add(one: Score, other: Score) -> Score:
    return one[0] + other[0], one[1] + other[1]
