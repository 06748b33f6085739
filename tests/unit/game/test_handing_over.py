"""A game that gets another moderator."""

from __future__ import annotations

import pytest

from judge.events.changes import ModeratorChanged
from judge.game.commands import JoinGame
from judge.game.decision import Why
from judge.game.house_rules import HouseRules
from judge.game.steps import HandOver, Observe
from tests.unit.game.table import created, given, happened, refused, started


def test_somebody_else_moderates_and_looks_on_no_longer() -> None:
    game = given(started(), Observe("anna", on=True))
    over = HandOver("anna", "mod")

    assert happened(game, over) == (ModeratorChanged("anna", "mod"),)
    assert given(game, over).moderator == "anna"
    assert given(game, over).observers == ()


def test_a_player_may_if_that_tells_him_nothing() -> None:
    assert given(started(), HandOver("france", "mod")).moderator == "france"
    assert refused(started(), HandOver("mod", "mod")) is Why.NOTHING_CHANGED


@pytest.mark.parametrize("rules", [HouseRules(anonymous=True), HouseRules(blind=True)])
def test_else_he_may_not(rules: HouseRules) -> None:
    forming = given(created(rules), JoinGame("france", (), "seed"))

    for game in (started(rules), forming):
        assert refused(game, HandOver("france", "mod")) is Why.NOT_ALLOWED
        assert given(game, HandOver("anna", "mod")).moderator == "anna"
