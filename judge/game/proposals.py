"""What is so after a draw was proposed, voted on, or forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from judge.events.proposals import DrawProposed, ProposalEnded, ProposalVoted, Proposing
from judge.game.game import Game, Proposal
from judge.rules.types import Power


def changed(game: Game, event: Proposing) -> Game:
    """Return *game* as *event* leaves it."""
    match event:
        case DrawProposed():
            made = Proposal(event.power, event.among, event.phases, frozenset({event.power}))
            others = {**game.proposals, event.proposal: made}
            return replace(game, proposals=others, proposed=event.proposal)
        case ProposalVoted(number, power, in_favor=in_favor):
            before = game.proposals[number]
            accepted = before.accepted | {power} if in_favor else before.accepted - {power}
            after = replace(before, accepted=accepted)
            return replace(game, proposals={**game.proposals, number: after})
        case ProposalEnded(number):
            left = {n: each for n, each in game.proposals.items() if n != number}
            return replace(game, proposals=left)
        case _:
            assert_never(event)


def one_phase_less(game: Game) -> Game:
    """Return *game* after a movement phase has closed."""
    left = {n: replace(each, phases=each.phases - 1) for n, each in game.proposals.items()}
    return replace(game, proposals=left)


def without_votes(game: Game, power: Power) -> Game:
    """Return *game* without what *power* has said to proposals."""
    left = {
        n: replace(each, accepted=each.accepted - {power}) for n, each in game.proposals.items()
    }
    return replace(game, proposals=left)
