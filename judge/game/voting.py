"""Votes on ending the game before the board does: a draw of all survivors, or a concession."""

from __future__ import annotations

from functools import reduce
from typing import assert_never

from judge.events.proposals import Proposing
from judge.events.types import ConcessionVoted, DrawVoted
from judge.game import proposals, proposing
from judge.game.admission import barred
from judge.game.commands import ProposeDraw, Vote, VoteConcession, VoteDraw, VoteOnProposal
from judge.game.decision import Accepted, Refused, Why
from judge.game.endings import concluded
from judge.game.game import Game
from judge.game.house_rules import DrawAmong
from judge.game.needs import survivors
from judge.game.state import _voted
from judge.rules.board import Map


def decide(board: Map, game: Game, command: Vote) -> Accepted | Refused:  # noqa: ARG001 - as every decider has it
    """Take a vote, and end the game if it was the last one needed."""
    if why := barred(game, command.power, command.person):
        return Refused(why)
    answer: DrawVoted | ConcessionVoted | tuple[Proposing, ...] | Why
    match command:
        case VoteDraw():
            answer = _draw(game, command)
        case VoteConcession():
            answer = _concession(game, command)
        case ProposeDraw():
            answer = proposing.propose(game, command)
        case VoteOnProposal():
            answer = proposing.vote(game, command)
        case _:
            assert_never(command)
    if isinstance(answer, Why):
        return Refused(answer)
    events = answer if isinstance(answer, tuple) else (answer,)
    ended = concluded(reduce(_applied, events, game))
    return Accepted((*events, ended) if ended else events)


def _applied(game: Game, event: DrawVoted | ConcessionVoted | Proposing) -> Game:
    if isinstance(event, DrawVoted | ConcessionVoted):
        return _voted(game, event)
    return proposals.changed(game, event)


def _draw(game: Game, vote: VoteDraw) -> DrawVoted | Why:
    assert game.position is not None
    if not game.house_rules.draws:
        return Why.NO_DRAWS
    named = game.house_rules.draw_among is DrawAmong.NAMED
    if vote.in_favor and named is (vote.among is None):
        return Why.NAMED_DRAW if named else Why.NO_NAMED_DRAW
    if vote.among is not None and not {*vote.among} <= {*survivors(game)}:
        return Why.ELIMINATED
    same = game.draw_lists.get(vote.power) == vote.among
    if (vote.power in game.draw_votes) is vote.in_favor and (same or not vote.in_favor):
        return Why.NOTHING_CHANGED
    phase = game.position.phase.code
    return DrawVoted(vote.power, vote.person, phase, vote.in_favor, vote.nonce, vote.among)


def _concession(game: Game, vote: VoteConcession) -> ConcessionVoted | Why:
    assert game.position is not None
    if not game.house_rules.concessions:
        return Why.NO_CONCESSIONS
    if vote.to is not None and vote.to not in game.seats:
        return Why.UNKNOWN_POWER
    if vote.to is not None and vote.to not in survivors(game):
        return Why.ELIMINATED
    if vote.to == vote.power:
        return Why.NOT_ALLOWED
    if game.concessions.get(vote.power) == vote.to:
        return Why.NOTHING_CHANGED
    phase = game.position.phase.code
    return ConcessionVoted(vote.power, vote.person, phase, vote.to, vote.nonce)
