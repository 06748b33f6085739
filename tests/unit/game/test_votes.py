"""Votes for draws and concessions."""

from __future__ import annotations

import pytest

from judge.game.clock import ProcessNow
from judge.game.decision import Why
from judge.game.house_rules import DrawAmong, DrawEffect, HouseRules
from judge.game.players.joining import Resign
from judge.game.visibility import Player, view
from judge.game.voting import ConcessionVoted, DrawVoted, GameEnded, VoteConcession, VoteDraw
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


def test_a_vote_may_take_effect_at_the_close() -> None:
    game = given(started(AT_CLOSE), *map(draw, BOARD.powers))

    closed, ended = happened(game, ProcessNow("operator"))

    assert type(closed).__name__ == "PhaseClosed"
    assert ended == GameEnded("S1901M", "draw", BOARD.powers)


def test_the_vote_of_a_removed_player_is_dropped() -> None:
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
        pytest.param(concede("FRANCE", "FRANCE"), Why.NOT_ALLOWED, id="oneself"),
        pytest.param(concede("FRANCE", None), Why.NOTHING_CHANGED, id="nobody, as before"),
    ],
)
def test_these_cannot_be_conceded_to(command: VoteConcession, why: Why) -> None:
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


NAMED = HouseRules(draw_among=DrawAmong.NAMED)


def among(power: str, *named: str) -> VoteDraw:
    return VoteDraw(power, power.lower(), in_favor=True, nonce="nonce", among=named)


@pytest.mark.parametrize(
    ("lists", "sharers"),
    [
        pytest.param(
            {"ENGLAND": "EFT", "FRANCE": "EFT", "TURKEY": "EFT"}, "EFT", id="all want all"
        ),
        pytest.param(
            {"ENGLAND": "EF", "FRANCE": "EFT", "TURKEY": "EF"}, "EF", id="one steps back"
        ),
        pytest.param(
            {"ENGLAND": "EF", "FRANCE": "FT", "TURKEY": "FT"}, "", id="each wants others"
        ),
        pytest.param({"ENGLAND": "EF", "FRANCE": "E", "TURKEY": "EF"}, "EF", id="with or without"),
        pytest.param({"ENGLAND": "E", "FRANCE": "E", "TURKEY": "E"}, "E", id="all for one"),
        pytest.param({"ENGLAND": "E", "FRANCE": "F", "TURKEY": "T"}, "", id="each for themselves"),
        pytest.param({"ENGLAND": "F", "FRANCE": "E", "TURKEY": "EF"}, "EF", id="modest"),
    ],
)
def test_a_draw_among_those_named_is_the_largest_that_all_accept(
    lists: dict[str, str], sharers: str
) -> None:
    letters = {"E": "ENGLAND", "F": "FRANCE", "T": "TURKEY"}
    units = {"ENGLAND": "F LON", "FRANCE": "A PAR", "TURKEY": "A CON"}
    votes = [among(power, *(letters[each] for each in text)) for power, text in lists.items()]

    events = happened(given(in_phase("S1905M", units, rules=NAMED), *votes[:-1]), votes[-1])

    ended = [each for each in events if isinstance(each, GameEnded)]
    assert (
        ended
        == ([GameEnded("S1905M", "draw", tuple(letters[x] for x in sharers))][: bool(sharers)])
    )


def test_a_list_may_be_changed_and_taken_back() -> None:
    game = given(started(NAMED), among("FRANCE", "FRANCE"), among("FRANCE", "ITALY"))

    assert game.draw_lists == {"FRANCE": ("ITALY",)}
    assert refused(game, among("FRANCE", "ITALY")) is Why.NOTHING_CHANGED
    assert given(game, draw("FRANCE", on=False)).draw_lists == {}


def test_draw_lists_are_taken_only_if_the_rules_ask_for_them() -> None:
    assert refused(started(NAMED), draw("FRANCE")) is Why.NAMED_DRAW
    assert refused(started(), among("FRANCE", "ITALY")) is Why.NO_NAMED_DRAW
    units = {"ENGLAND": "F LON", "FRANCE": "A PAR"}
    left = in_phase("S1905M", units, rules=NAMED)
    assert refused(left, among("FRANCE", "ITALY")) is Why.ELIMINATED


CENTERS = {"FRANCE": "PAR BRE MAR SPA", "ENGLAND": "LON EDI LVP", "ITALY": "ROM VEN NAP TUN"}
UNITS = {"FRANCE": "A PAR, F BRE, A MAR, A SPA", "ENGLAND": "F LON", "ITALY": "A ROM"}


def test_the_most_centers_win_after_the_agreed_last_year() -> None:
    one = in_phase("F1907M", UNITS, {**CENTERS, "ITALY": "ROM"}, rules=HouseRules(last_year=1907))
    two = in_phase("F1907M", UNITS, CENTERS, rules=HouseRules(last_year=1907))
    before = in_phase("S1907M", UNITS, CENTERS, rules=HouseRules(last_year=1907))

    assert happened(one, ProcessNow("mod"))[-1] == GameEnded("F1907M", "solo", ("FRANCE",))
    assert happened(two, ProcessNow("mod"))[-1] == GameEnded("F1907M", "draw", ("FRANCE", "ITALY"))
    assert phase_of(given(before, ProcessNow("mod"))) == "F1907M"


def test_a_game_may_be_won_by_fewer_centers() -> None:
    game = in_phase(
        "F1907M", UNITS, {**CENTERS, "ITALY": "ROM"}, rules=HouseRules(victory_centers=4)
    )

    assert happened(game, ProcessNow("mod"))[-1] == GameEnded("F1907M", "solo", ("FRANCE",))


def test_nobody_sees_the_draw_lists_of_others() -> None:
    game = given(started(NAMED), among("FRANCE", "FRANCE", "ITALY"), among("ITALY", "ITALY"))

    assert view(game, Player("FRANCE")).draw_lists == {"FRANCE": ("FRANCE", "ITALY")}
    assert view(game, Player("TURKEY")).draw_lists == {}
