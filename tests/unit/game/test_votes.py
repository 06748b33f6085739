"""Draws and concessions."""

from __future__ import annotations

import pytest

from judge.events.types import ConcessionVoted, DrawVoted, GameEnded
from judge.game.commands import ProcessNow, Resign, VoteConcession
from judge.game.decision import Why
from judge.game.house_rules import DrawEffect, HouseRules
from tests.unit.game.table import (
    BOARD,
    concede,
    created,
    draw,
    given,
    happened,
    in_phase,
    look,
    phase_of,
    refused,
    started,
)

OTHERS = tuple(power for power in BOARD.powers if power != "TURKEY")
AT_CLOSE = HouseRules(draw_effect=DrawEffect.AT_CLOSE)


def test_a_vote_is_taken_and_nothing_more_while_others_are_against() -> None:
    assert happened(started(), draw("FRANCE")) == (
        DrawVoted("FRANCE", "france", "S1901M", in_favor=True, nonce="nonce"),
    )


def test_the_last_vote_that_is_needed_ends_the_game() -> None:
    game = given(started(), *map(draw, OTHERS))

    assert happened(game, draw("TURKEY"))[-1] == GameEnded("S1901M", "draw", BOARD.powers)


def test_a_vote_can_be_withdrawn() -> None:
    game = given(started(), *map(draw, OTHERS), draw("FRANCE", on=False))

    assert len(happened(game, draw("TURKEY"))) == 1


def test_a_vote_is_cast_once() -> None:
    assert refused(started(), draw("FRANCE", on=False)) is Why.NOTHING_CHANGED
    assert refused(given(started(), draw("FRANCE")), draw("FRANCE")) is Why.NOTHING_CHANGED


def test_votes_are_cleared_in_each_movement_phase() -> None:
    game = given(started(), draw("FRANCE"), concede("ITALY", "TURKEY"), ProcessNow("operator"))

    assert game.draw_votes == frozenset()
    assert game.concessions == {}


def test_votes_last_through_retreats_and_adjustments() -> None:
    game = in_phase(
        "F1901R",
        {"FRANCE": "A PIC", "ITALY": "A MAR"},
        {"FRANCE": "PAR", "ITALY": "ROM VEN NAP"},
        dislodged={"FRANCE": {"A PAR": ("BUR", "GAS")}},
    )
    game = given(game, draw("ITALY"), ProcessNow("operator"))

    assert phase_of(game) == "W1901A"
    assert game.draw_votes == {"ITALY"}


def test_only_survivors_that_are_played_have_to_agree() -> None:
    game = in_phase("S1905M", {"FRANCE": "A PAR", "ITALY": "A ROM", "TURKEY": "A CON"})
    game = given(game, Resign("turkey"), draw("FRANCE"))

    assert happened(game, draw("ITALY"))[-1] == GameEnded(
        "S1905M", "draw", ("FRANCE", "ITALY", "TURKEY")
    )
    assert refused(game, draw("GERMANY")) is Why.ELIMINATED
    assert refused(game, draw("TURKEY")) is Why.NOT_A_PLAYER


def test_where_it_takes_effect_at_the_close_the_phase_is_played_first() -> None:
    game = given(started(AT_CLOSE), *map(draw, BOARD.powers))

    closed, ended = happened(game, ProcessNow("operator"))

    assert type(closed).__name__ == "PhaseClosed"
    assert ended == GameEnded("S1901M", "draw", BOARD.powers)


def test_the_vote_of_who_is_gone_is_gone() -> None:
    game = given(started(), draw("TURKEY"), concede("TURKEY", "FRANCE"), Resign("turkey"))

    assert game.draw_votes == frozenset()
    assert game.concessions == {}


def test_a_moderator_may_have_no_draws_and_no_concessions() -> None:
    game = started(HouseRules(draws=False, concessions=False))

    assert refused(game, draw("FRANCE")) is Why.NO_DRAWS
    assert refused(game, concede("FRANCE", "ITALY")) is Why.NO_CONCESSIONS


def test_a_concession_needs_all_others() -> None:
    game = started()
    for power in OTHERS[:-1]:
        assert happened(game, concede(power, "TURKEY")) == (
            ConcessionVoted(power, power.lower(), "S1901M", "TURKEY", "nonce"),
        )
        game = given(game, concede(power, "TURKEY"))

    assert happened(game, concede(OTHERS[-1], "TURKEY"))[-1] == GameEnded(
        "S1901M", "concession", ("TURKEY",)
    )


def test_a_concession_needs_all_to_name_the_same_power() -> None:
    game = given(started(), *(concede(power, "TURKEY") for power in OTHERS[1:]))
    game = given(game, concede(OTHERS[0], "FRANCE"))

    assert game.ending is None


def test_a_concession_can_be_withdrawn() -> None:
    game = given(started(), concede("FRANCE", "TURKEY"), concede("FRANCE", None))

    assert game.concessions == {}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        pytest.param(concede("FRANCE", "SPAIN"), Why.UNKNOWN_POWER, id="a power not on the board"),
        pytest.param(concede("FRANCE", "GERMANY"), Why.ELIMINATED, id="an eliminated power"),
        pytest.param(concede("FRANCE", "FRANCE"), Why.NOT_ALLOWED, id="himself"),
        pytest.param(concede("FRANCE", None), Why.NOTHING_CHANGED, id="nobody, as before"),
    ],
)
def test_one_cannot_concede_to(command: VoteConcession, why: Why) -> None:
    game = in_phase("S1905M", {"FRANCE": "A PAR", "ITALY": "A ROM"})

    assert refused(game, command) is why


def test_there_is_no_voting_before_the_start() -> None:
    assert refused(created(), draw("FRANCE")) is Why.NOT_STARTED


def test_when_the_last_opponent_is_removed_the_votes_of_the_rest_count() -> None:
    game = in_phase("S1905M", {"FRANCE": "A PAR", "ITALY": "A ROM"})
    game = given(game, draw("FRANCE"))
    assert game.phase
    game = given(game, look(game.phase.deadline))
    assert game.phase

    assert happened(game, look(game.phase.grace_end))[-1].__class__.__name__ == "PowerVacated"
