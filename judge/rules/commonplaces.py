"""What most outcomes of a movement phase have in common, made once: hardly anybody has help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from judge.rules.outcome import Cut, Fails, HeldOff, OwnUnit, StoodOff, Strength, Succeeds
from judge.rules.vocabulary import Province

Value = TypeVar("Value")


class Kept(dict[Province, Value]):
    """Values by province, each made when first asked for: no more than a board has provinces."""

    def __init__(self, make: Callable[[Province], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, province: Province) -> Value:
        return self.setdefault(province, self._make(province))


def kept_by_two(make: Callable[[Province, Province], Value]) -> Kept[Kept[Value]]:
    """Return values by one province and another."""
    return Kept(lambda province: Kept(partial(make, province)))


UNAIDED = Kept(Strength)
"""The strength of a unit that nobody helps, by where it is."""

AIDED = kept_by_two(lambda unit, supporter: Strength(unit, (supporter,)))
"""The strength of a unit that one other helps, by where they are."""

CUT = Kept(Cut)
"""A support cut from a province."""

SUCCESS_ALONE = Kept(lambda start: Succeeds(UNAIDED[start]))
"""A unit got in by itself, by where it comes from."""

STOOD_OFF_ALONE = kept_by_two(
    lambda unit, rival: Fails(StoodOff(UNAIDED[unit], (UNAIDED[rival],)))
)
"""Two kept each other out of an empty province, by where they are, neither of them with help."""

KEPT_OUT_ALONE = kept_by_two(lambda unit, own: Fails(OwnUnit(UNAIDED[unit], own)))
"""A unit did not get to where one of its own power stayed."""

HELD_OFF_ALONE = kept_by_two(lambda unit, other: Fails(HeldOff(UNAIDED[unit], UNAIDED[other])))
"""A unit did not get to where another stayed, neither of them with help."""
