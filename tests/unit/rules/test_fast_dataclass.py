"""Fast construction gives the same objects as the usual one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field

import pytest

from judge.rules.fast_dataclass import fast_constructor


@dataclass(frozen=True, slots=True)
class Town:
    name: str
    people: int = 0
    river: str | None = None


@dataclass(frozen=True, slots=True)
class Region:
    towns: tuple[str, ...]
    first: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", min(self.towns))


class Compiled(Region):
    """Has its fields but no `__slots__` of its own, as a class that mypyc made."""

    towns, first = vars(Region)["towns"], vars(Region)["first"]


@pytest.fixture
def new_town() -> Callable[..., Town]:
    return fast_constructor(Town)


def test_it_is_an_equal_value_of_the_same_class(new_town: Callable[..., Town]) -> None:
    made = new_town("Vienna", river="Danube")

    assert type(made) is Town
    assert made == Town("Vienna", 0, "Danube")
    assert hash(made) == hash(Town("Vienna", 0, "Danube"))


def test_it_is_as_frozen(new_town: Callable[..., Town]) -> None:
    with pytest.raises(FrozenInstanceError):
        new_town("Vienna").people = 2  # type: ignore[misc]


def test_a_field_without_a_default_must_be_given(new_town: Callable[..., Town]) -> None:
    with pytest.raises(TypeError, match="name"):
        new_town(people=2)


def test_it_is_not_made_by_calling_its_class(new_town: Callable[..., Town]) -> None:
    assert new_town is not Town


@pytest.mark.parametrize("value", [Region, Compiled])
def test_computed_fields_are_given_last(value: type[Region]) -> None:
    new_region: Callable[..., Region] = fast_constructor(value)

    made = new_region(("Vienna", "Graz"), "Graz")

    assert type(made) is value
    assert made == value(("Vienna", "Graz"))
    assert made.first == "Graz"
