"""What is made in a quicker way is what would have been made as usual."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass

import pytest

from judge.rules.making import maker


@dataclass(frozen=True, slots=True)
class Town:
    name: str
    people: int = 0
    river: str | None = None


@pytest.fixture
def new_town() -> Callable[..., Town]:
    return maker(Town)


def test_it_is_an_equal_value_of_the_same_class(new_town: Callable[..., Town]) -> None:
    made = new_town("Vienna", river="Danube")

    assert type(made) is Town
    assert made == Town("Vienna", 0, "Danube")
    assert hash(made) == hash(Town("Vienna", 0, "Danube"))


def test_it_is_as_frozen(new_town: Callable[..., Town]) -> None:
    with pytest.raises(FrozenInstanceError):
        new_town("Vienna").people = 2  # type: ignore[misc]


def test_what_has_no_default_must_be_given(new_town: Callable[..., Town]) -> None:
    with pytest.raises(TypeError, match="name"):
        new_town(people=2)


def test_it_is_not_made_by_calling_its_class(new_town: Callable[..., Town]) -> None:
    assert new_town is not Town


def test_a_class_that_is_quick_by_itself_is_called_as_it_is() -> None:
    assert maker(int) is int
