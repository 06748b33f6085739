"""Proposals of a draw: made by one power, voted on by all, over after some phases."""

from __future__ import annotations

from judge.events.proposals import DrawProposed, ProposalEnded, ProposalVoted, Proposing
from judge.events.types import GameEnded
from judge.game.commands import ProposeDraw, VoteOnProposal
from judge.game.decision import Why
from judge.game.endings import sharers_of
from judge.game.game import Game
from judge.game.house_rules import DrawAmong, Silence
from judge.game.needs import survivors

REFUSED, WITHDRAWN, EXPIRED = "refused", "withdrawn", "expired"


def propose(game: Game, command: ProposeDraw) -> tuple[Proposing, ...] | Why:
    """Make a proposal; one of the same power that is open is withdrawn for it."""
    assert game.position is not None
    rules, phase = game.house_rules, game.position.phase.code
    if not rules.draws or rules.proposal_phases <= 0:
        return Why.NO_DRAWS
    among = command.among
    if among is not None and rules.draw_among is DrawAmong.SURVIVORS:
        return Why.NO_NAMED_DRAW
    if among is not None and not {*among} <= {*survivors(game)}:
        return Why.ELIMINATED
    own = {n: each for n, each in game.proposals.items() if each.power == command.power}
    if any(each.among == among for each in own.values()):
        return Why.NOTHING_CHANGED
    made = DrawProposed(
        proposal=game.proposed + 1,
        power=command.power,
        person=command.person,
        phase=phase,
        among=among,
        phases=rules.proposal_phases,
        nonce=command.nonce,
    )
    return (*(ProposalEnded(number, phase, WITHDRAWN) for number in own), made)


def vote(game: Game, command: VoteOnProposal) -> tuple[Proposing, ...] | Why:
    """Vote on a proposal, the latest if none is named; one vote against it is its end."""
    assert game.position is not None
    number = command.proposal or max(game.proposals, default=0)
    if number not in game.proposals:
        return Why.NO_PROPOSAL
    proposal, phase = game.proposals[number], game.position.phase.code
    if command.in_favor and command.power in proposal.accepted:
        return Why.NOTHING_CHANGED
    voted = ProposalVoted(
        number, command.power, command.person, phase, command.in_favor, command.nonce
    )
    if command.in_favor:
        return (voted,)
    his = proposal.power == command.power
    return voted, ProposalEnded(number, phase, WITHDRAWN if his else REFUSED)


def expired(game: Game, phase: str) -> tuple[Proposing | GameEnded, ...]:
    """End the proposals whose phases are over with *phase*; silence may be consent."""
    over = {n: each for n, each in game.proposals.items() if each.phases <= 0}
    if game.house_rules.silence is Silence.YES:
        for proposal in over.values():
            sharers = sharers_of(game, proposal)
            if sharers:
                return (GameEnded(phase, "draw", sharers),)
    return tuple(ProposalEnded(number, phase, EXPIRED) for number in over)
