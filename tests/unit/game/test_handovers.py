"""Handover of a game to another moderator."""

from __future__ import annotations

import pytest

from judge.game.decision import Why
from judge.game.house_rules import HouseRules
from judge.game.moderator_actions import HandOver, ModeratorChanged, Observe, ObserverCame
from judge.game.players.standbys import JoinGame
from tests.unit.game.table import created, given, happened, refused, started


def test_an_observer_who_becomes_moderator_stops_observing() -> None:
    game = given(started(), Observe("anna", on=True))
    over = HandOver("anna", "mod")

    assert happened(game, over) == (ModeratorChanged("anna", "mod"), ObserverCame("mod"))
    assert given(game, over).moderator == "anna"
    assert given(game, over).observers == ("mod",)


def test_a_former_moderator_observes_unless_playing_or_not_allowed() -> None:
    plays = given(started(), HandOver("france", "mod"))
    dark = started(HouseRules(observers=False))

    assert happened(plays, HandOver("anna", "france")) == (ModeratorChanged("anna", "france"),)
    assert happened(dark, HandOver("anna", "mod")) == (ModeratorChanged("anna", "mod"),)
    assert happened(created(moderator=None), HandOver("anna", "operator")) == (
        ModeratorChanged("anna", "operator"),
    )


def test_a_player_becomes_moderator_if_it_reveals_nothing() -> None:
    assert given(started(), HandOver("france", "mod")).moderator == "france"
    assert refused(started(), HandOver("mod", "mod")) is Why.NOTHING_CHANGED


@pytest.mark.parametrize("rules", [HouseRules(anonymous=True), HouseRules(blind=True)])
def test_a_player_does_not_become_moderator_if_it_reveals_secrets(rules: HouseRules) -> None:
    forming = given(created(rules), JoinGame("france", (), "seed"))

    for game in (started(rules), forming):
        assert refused(game, HandOver("france", "mod")) is Why.ANONYMOUS
        assert given(game, HandOver("anna", "mod")).moderator == "anna"


def test_a_moderator_who_plays_is_not_neutral() -> None:
    assert created(moderator="mod").has_neutral_moderator
    assert not created(moderator=None).has_neutral_moderator
