"""Draw proposals: announced to all, voted on, and expired after some phases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.clock import ProcessNow
from judge.game.decision import Why
from judge.game.game_state import Game, Proposal
from judge.game.house_rules import DrawAmong, DrawEffect, HouseRules, Silence
from judge.game.phases import PhaseClosed
from judge.game.players.joining import Resign
from judge.game.rollback import CorrectPosition
from judge.game.visibility import Observer, Player, view
from judge.game.voting import (
    DrawProposed,
    GameEnded,
    ProposalEnded,
    ProposalVoted,
    ProposeDraw,
    VoteOnProposal,
    proposal_answered,
    proposal_mark,
)
from tests.unit.game.table import BOARD, given, happened, in_phase, refused, started

NAMED = HouseRules(draw_among=DrawAmong.NAMED)
CLOSE = ProcessNow("operator")
THREE = {"ENGLAND": "F LON", "FRANCE": "A PAR", "TURKEY": "A CON"}


def propose(power: str, *among: str) -> ProposeDraw:
    return ProposeDraw(power, power.lower(), "nonce", among or None)


def vote(power: str, number: int | None = None, *, yes: bool = True) -> VoteOnProposal:
    return VoteOnProposal(power, power.lower(), yes, "nonce", number)


def three(rules: HouseRules = NAMED) -> Game:
    return in_phase("S1905M", THREE, {"ENGLAND": "LON", "FRANCE": "PAR"}, rules=rules)


def test_a_proposal_is_its_makers_vote() -> None:
    made = DrawProposed(1, "FRANCE", "france", "S1901M", None, 1, "nonce")

    assert happened(started(), propose("FRANCE")) == (made,)
    assert given(started(), propose("FRANCE")).proposals == {
        1: Proposal("FRANCE", None, 1, frozenset({"FRANCE"}))
    }


def test_the_last_acceptance_ends_the_game() -> None:
    game = given(started(), propose("FRANCE"))
    for power in BOARD.powers[:-1]:
        game = game if power == "FRANCE" else given(game, vote(power))

    voted, ended = happened(game, vote("TURKEY"))

    assert voted == ProposalVoted(1, "TURKEY", "turkey", "S1901M", in_favor=True, nonce="nonce")
    assert ended == GameEnded("S1901M", "draw", BOARD.powers)


def test_a_draw_among_some_needs_the_votes_of_all() -> None:
    game = given(three(), propose("ENGLAND", "ENGLAND", "FRANCE"), vote("FRANCE"))

    assert game.ending is None
    assert happened(game, vote("TURKEY", 1))[-1] == GameEnded(
        "S1905M", "draw", ("ENGLAND", "FRANCE")
    )


def test_one_vote_against_a_proposal_defeats_it() -> None:
    game = given(started(), propose("FRANCE"))

    assert happened(game, vote("ITALY", yes=False))[-1] == ProposalEnded(1, "S1901M", "refused")
    assert given(game, vote("ITALY", yes=False)).proposals == {}


def test_its_author_withdraws_a_proposal_also_by_making_another() -> None:
    game = given(three(), propose("FRANCE"))

    assert happened(game, vote("FRANCE", yes=False))[-1] == ProposalEnded(1, "S1905M", "withdrawn")
    ended, made = happened(game, propose("FRANCE", "FRANCE", "TURKEY"))
    assert ended == ProposalEnded(1, "S1905M", "withdrawn")
    assert isinstance(made, DrawProposed)
    assert made.proposal == 2
    assert refused(game, propose("FRANCE")) is Why.NOTHING_CHANGED


def test_a_proposal_expires_when_its_movement_phase_closes() -> None:
    game = given(started(), propose("FRANCE"))

    closed, *_, ended = happened(game, CLOSE)

    assert isinstance(closed, PhaseClosed)
    assert ended == ProposalEnded(1, "S1901M", "expired")
    assert given(game, CLOSE).proposals == {}


def test_a_proposal_may_last_several_movement_phases() -> None:
    rules = HouseRules(proposal_phases=2)
    game = in_phase(
        "F1901R",
        {"FRANCE": "A PIC", "ITALY": "A MAR"},
        {"FRANCE": "PAR", "ITALY": "ROM VEN NAP"},
        dislodged={"FRANCE": {"A PAR": ("BUR", "GAS")}},
        rules=rules,
    )
    game = given(game, propose("ITALY"), CLOSE)

    assert game.proposals[1].phases == 2
    game = given(game, CLOSE, CLOSE)
    assert game.proposals[1].phases == 1
    assert given(game, CLOSE).proposals == {}


def test_silence_may_count_as_consent() -> None:
    rules = HouseRules(silence=Silence.YES)
    game = given(started(rules), propose("FRANCE"))

    assert happened(game, CLOSE)[-1] == GameEnded("S1901M", "draw", BOARD.powers)


def test_a_draw_may_take_effect_at_the_close() -> None:
    game = given(three(HouseRules(draw_effect=DrawEffect.AT_CLOSE)), propose("ENGLAND"))
    game = given(game, vote("FRANCE"), vote("TURKEY"))

    assert game.ending is None
    assert happened(game, CLOSE)[-1] == GameEnded("S1905M", "draw", tuple(THREE))


@pytest.mark.parametrize("silence", list(Silence))
def test_eliminated_powers_cannot_share_a_draw(silence: Silence) -> None:
    game = three(HouseRules(draw_among=DrawAmong.NAMED, silence=silence))
    game = given(game, propose("ENGLAND", "ENGLAND", "TURKEY"))
    assert game.position
    left = tuple(unit for unit in game.position.units if unit.power != "TURKEY")
    corrected = CorrectPosition(replace(game.position, units=left), "a slip", "operator")
    game = given(game, corrected, vote("FRANCE"))

    assert happened(game, CLOSE)[-1] == ProposalEnded(1, "S1905M", "expired")


def test_a_player_who_leaves_loses_the_vote() -> None:
    game = given(three(), propose("ENGLAND"), vote("TURKEY"), Resign("turkey"))

    assert game.proposals[1].accepted == {"ENGLAND"}
    assert happened(game, vote("FRANCE"))[-1] == GameEnded("S1905M", "draw", tuple(THREE))


@pytest.mark.parametrize(
    ("game", "command", "why"),
    [
        pytest.param(three(), vote("FRANCE"), Why.NO_PROPOSAL, id="nothing is proposed"),
        pytest.param(three(), vote("FRANCE", 3), Why.NO_PROPOSAL, id="nothing of that number"),
        pytest.param(three(), propose("ITALY"), Why.ELIMINATED, id="an eliminated power alone"),
        pytest.param(
            three(), propose("FRANCE", "ITALY"), Why.ELIMINATED, id="for an eliminated power"
        ),
        pytest.param(
            started(), propose("FRANCE", "ITALY"), Why.NO_NAMED_DRAW, id="named where all share"
        ),
        pytest.param(
            started(HouseRules(draws=False)), propose("FRANCE"), Why.NO_DRAWS, id="no draws"
        ),
        pytest.param(
            started(HouseRules(proposal_phases=0)), propose("FRANCE"), Why.NO_DRAWS, id="none here"
        ),
        pytest.param(
            given(three(), propose("FRANCE")),
            vote("FRANCE"),
            Why.NOTHING_CHANGED,
            id="the author votes",
        ),
    ],
)
def test_these_are_refused(game: Game, command: ProposeDraw | VoteOnProposal, why: Why) -> None:
    assert refused(game, command) is why


@pytest.mark.parametrize(
    ("rules", "by", "accepted"),
    [
        pytest.param(HouseRules(), "FRANCE", frozenset(), id="secret"),
        pytest.param(HouseRules(open_votes=True), "FRANCE", {"FRANCE", "ITALY"}, id="open"),
        pytest.param(HouseRules(hide_proposer=True), None, frozenset(), id="hidden"),
    ],
)
def test_the_rules_say_who_sees_the_votes_for_a_proposal(
    rules: HouseRules, by: str | None, accepted: frozenset[str]
) -> None:
    game = given(started(rules), propose("FRANCE"), vote("ITALY"))

    for reader in (Player("TURKEY"), Observer()):
        [seen] = view(game, reader).proposals
        assert (seen.by, seen.accepted, seen.among) == (by, accepted, BOARD.powers)
    [own] = view(game, Player("FRANCE")).proposals
    assert own.by == "FRANCE"
    assert "FRANCE" in own.accepted


def test_a_reply_to_the_announcement_is_about_that_proposal_while_it_is_open() -> None:
    game = given(started(), propose("ENGLAND"))

    assert proposal_answered(game, proposal_mark(1)) == 1
    assert proposal_answered(game, proposal_mark(2)) is None
    assert proposal_answered(game, None) is None
