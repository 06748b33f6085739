"""Viewing orders before the phase closes: recorded, and only for those allowed."""

from __future__ import annotations

import pytest

from judge.game.decision import Why
from judge.game.house_rules import HouseRules, ModeratorSees
from judge.game.moderator_actions import OrdersViewed, ViewOrders
from tests.unit.game.table import created, given, happened, refused, started


def look_by(person: str) -> ViewOrders:
    return ViewOrders(person, "a complaint")


def test_viewing_by_the_operator_is_recorded_with_the_reason() -> None:
    game = given(started(), look_by("operator"))

    assert happened(started(), look_by("operator")) == (
        OrdersViewed("S1901M", "operator", "a complaint"),
    )
    assert game.phase
    assert game.phase.viewed == ("a complaint",)


@pytest.mark.parametrize("person", ["france", "mod"], ids=["a player", "the moderator"])
def test_they_may_not_look(person: str) -> None:
    assert refused(started(), look_by(person)) is Why.NOT_ALLOWED


def test_the_moderator_may_view_orders_if_the_rules_say_so_from_the_start() -> None:
    game = started(HouseRules(moderator_sees=ModeratorSees.ORDERS))

    assert happened(game, look_by("mod"))


def test_before_the_start_there_are_no_orders_to_view() -> None:
    assert refused(created(), look_by("operator")) is Why.NOT_STARTED
