"""ParseCheck at the orders before the close is recorded, and not for everybody."""

from __future__ import annotations

import pytest

from judge.game.decision import Why
from judge.game.house_rules import HouseRules, ModeratorSees
from judge.game.moderator_actions import OrdersViewed, ViewOrders
from tests.unit.game.table import created, given, happened, refused, started


def look_by(person: str) -> ViewOrders:
    return ViewOrders(person, "a complaint")


def test_the_operator_looks_and_it_is_recorded_with_his_reason() -> None:
    game = given(started(), look_by("operator"))

    assert happened(started(), look_by("operator")) == (
        OrdersViewed("S1901M", "operator", "a complaint"),
    )
    assert game.phase
    assert game.phase.viewed == ("a complaint",)


@pytest.mark.parametrize("person", ["france", "mod"], ids=["a player", "the moderator"])
def test_they_may_not_look(person: str) -> None:
    assert refused(started(), look_by(person)) is Why.NOT_ALLOWED


def test_the_moderator_may_look_if_it_was_said_so_at_the_start() -> None:
    game = started(HouseRules(moderator_sees=ModeratorSees.ORDERS))

    assert happened(game, look_by("mod"))


def test_before_the_start_there_is_nothing_to_look_at() -> None:
    assert refused(created(), look_by("operator")) is Why.NOT_STARTED
