"""Votes that end a game: draw votes, draw proposals and concessions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import game_state
from judge.game.decision import Accepted, Refused, Why, why_not_speak
from judge.game.house_rules import DrawAmong, DrawEffect, Silence
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class VoteDraw:
    """Vote for a draw, or withdraw the vote: of all survivors, or *among* some."""

    power: Power
    person: str
    in_favor: bool
    nonce: str
    among: tuple[Power, ...] | None = None


@dataclass(frozen=True, slots=True)
class ProposeDraw:
    """Propose a draw to all who play: of all survivors, or *among* some."""

    power: Power
    person: str
    nonce: str
    among: tuple[Power, ...] | None = None


@dataclass(frozen=True, slots=True)
class VoteOnProposal:
    """Vote on the proposal of that number, or (None) on the latest."""

    power: Power
    person: str
    in_favor: bool
    nonce: str
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class VoteConcession:
    """Vote to concede to *to*, or (None) withdraw the vote."""

    power: Power
    person: str
    to: Power | None
    nonce: str


def proposal_mark(number: int) -> str:
    """Return what a reply to the announcement of proposal *number* answers."""
    return f"proposal {number}"


def proposal_answered(game: game_state.Game, answered: str | None) -> int | None:
    """Return the proposal, open or not, whose announcement has the mark *answered*."""
    made = range(1, game.proposed + 1)
    return next((each for each in made if proposal_mark(each) == answered), None)


VoteCommand: TypeAlias = VoteDraw | VoteConcession | ProposeDraw | VoteOnProposal


@dataclass(frozen=True, slots=True)
class DrawVoted(Event):
    """A power voted for a draw of all survivors or *among* some, or withdrew its vote."""

    power: str
    person: str
    phase: str
    in_favor: bool
    nonce: str
    among: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ConcessionVoted(Event):
    """A power voted to concede the game *to* another, or (None) withdrew its vote."""

    power: str
    person: str
    phase: str
    to: str | None
    nonce: str


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over; *winners* share it.

    *result* is `solo`, `draw`, `concession` or `abandoned`; *reason* is `clock` if its time was
    up.
    """

    phase: str
    result: str
    winners: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DrawProposed(Event):
    """A power proposes a draw, as number *proposal*: of all survivors, or of those in *among*.

    It ends when so many movement *phases* have closed, the open one among them.
    """

    proposal: int
    power: str
    person: str
    phase: str
    among: tuple[str, ...] | None
    phases: int
    nonce: str


@dataclass(frozen=True, slots=True)
class ProposalVoted(Event):
    """A power votes on a proposal."""

    proposal: int
    power: str
    person: str
    phase: str
    in_favor: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class ProposalEnded(Event):
    """A proposal failed: *reason* is `refused`, `withdrawn` or `expired`."""

    proposal: int
    phase: str
    reason: str


ProposalEvent: TypeAlias = DrawProposed | ProposalVoted | ProposalEnded


VoteEvent: TypeAlias = DrawVoted | ConcessionVoted


REFUSED, WITHDRAWN, EXPIRED = "refused", "withdrawn", "expired"

BY_CLOCK = "clock"  # the reason of an ending


def decide_vote(game: game_state.Game, command: VoteCommand) -> Accepted | Refused:
    """Decide on a vote; the last one needed ends the game."""
    if why := why_not_speak(game, command.power, command.person):
        return Refused(why)
    answer: DrawVoted | ConcessionVoted | tuple[ProposalEvent, ...] | Why
    match command:
        case VoteDraw():
            answer = _vote_draw(game, command)
        case VoteConcession():
            answer = _vote_concession(game, command)
        case ProposeDraw():
            answer = propose_draw(game, command)
        case VoteOnProposal():
            answer = vote_on_proposal(game, command)
        case _:
            assert_never(command)
    if isinstance(answer, Why):
        return Refused(answer)
    events = answer if isinstance(answer, tuple) else (answer,)
    ended = ending_in_phase(reduce(_applied, events, game))
    return Accepted((*events, ended) if ended else events)


def _applied(
    game: game_state.Game, event: DrawVoted | ConcessionVoted | ProposalEvent
) -> game_state.Game:
    if isinstance(event, DrawVoted | ConcessionVoted):
        return apply_vote(game, event)
    return apply_proposal_event(game, event)


def _vote_draw(game: game_state.Game, vote: VoteDraw) -> DrawVoted | Why:
    assert game.position is not None
    if not game.house_rules.draws:
        return Why.NO_DRAWS
    named = game.house_rules.draw_among is DrawAmong.NAMED
    if vote.in_favor and named is (vote.among is None):
        return Why.NAMED_DRAW if named else Why.NO_NAMED_DRAW
    if vote.among is not None and not {*vote.among} <= {*game_state.survivors(game)}:
        return Why.ELIMINATED
    same = game.draw_lists.get(vote.power) == vote.among
    if (vote.power in game.draw_votes) is vote.in_favor and (same or not vote.in_favor):
        return Why.NOTHING_CHANGED
    phase = game.position.phase.code
    return DrawVoted(vote.power, vote.person, phase, vote.in_favor, vote.nonce, vote.among)


def _vote_concession(game: game_state.Game, vote: VoteConcession) -> ConcessionVoted | Why:
    assert game.position is not None
    if not game.house_rules.concessions:
        return Why.NO_CONCESSIONS
    if vote.to is not None and vote.to not in game.seats:
        return Why.UNKNOWN_POWER
    if vote.to is not None and vote.to not in game_state.survivors(game):
        return Why.ELIMINATED
    if vote.to == vote.power:
        return Why.NOT_ALLOWED
    if game.concessions.get(vote.power) == vote.to:
        return Why.NOTHING_CHANGED
    phase = game.position.phase.code
    return ConcessionVoted(vote.power, vote.person, phase, vote.to, vote.nonce)


def propose_draw(game: game_state.Game, command: ProposeDraw) -> tuple[ProposalEvent, ...] | Why:
    """Decide on a proposal; it replaces an open one of the same power."""
    assert game.position is not None
    rules, phase = game.house_rules, game.position.phase.code
    if not rules.draws or rules.proposal_phases <= 0:
        return Why.NO_DRAWS
    among = command.among
    if among is not None and rules.draw_among is DrawAmong.SURVIVORS:
        return Why.NO_NAMED_DRAW
    if among is not None and not {*among} <= {*game_state.survivors(game)}:
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


def vote_on_proposal(
    game: game_state.Game, command: VoteOnProposal
) -> tuple[ProposalEvent, ...] | Why:
    """Vote on a proposal, the latest if none is named; a single NO defeats it."""
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
    is_own = proposal.power == command.power
    return voted, ProposalEnded(number, phase, WITHDRAWN if is_own else REFUSED)


def expire_proposals(game: game_state.Game, phase: str) -> tuple[ProposalEvent | GameEnded, ...]:
    """End the proposals that expire with *phase*; silence may count as consent."""
    over = {n: each for n, each in game.proposals.items() if each.phases <= 0}
    if game.house_rules.silence is Silence.YES:
        for proposal in over.values():
            sharers = sharers_of(game, proposal)
            if sharers:
                return (GameEnded(phase, "draw", sharers),)
    return tuple(ProposalEnded(number, phase, EXPIRED) for number in over)


def agreed_ending(game: game_state.Game, phase: str) -> GameEnded | None:
    """Return the end, in *phase*, that the votes bring about: all who play must want it.

    A draw includes all survivors (DIAS); for a concession all others must name the same power.
    While a game that began elsewhere waits for players, the first of them cannot end it.
    """
    if any(game.seats[power].awaited for power in game_state.survivors(game)):
        return None
    voters = frozenset(game_state.played_powers(game))
    if voters and voters <= game.draw_votes and (sharers := _largest_agreed_draw(game, voters)):
        return GameEnded(phase, "draw", sharers)
    for proposal in game.proposals.values():
        if voters and voters <= proposal.accepted and (sharers := sharers_of(game, proposal)):
            return GameEnded(phase, "draw", sharers)
    for power in sorted(voters):
        if _is_conceded(game, voters - {power}, power):
            return GameEnded(phase, "concession", (power,))
    return None


def sharers_of(game: game_state.Game, proposal: game_state.Proposal) -> tuple[Power, ...]:
    """Return who would share the draw: none if one of those named is eliminated."""
    alive = game_state.survivors(game)
    among = alive if proposal.among is None else proposal.among
    return tuple(power for power in alive if power in among) if {*among} <= {*alive} else ()


def _largest_agreed_draw(game: game_state.Game, voters: frozenset[Power]) -> tuple[Power, ...]:
    """Return the largest draw that all *voters* accept (FEATURES of nJudge, NoDIAS), or none.

    A power that lists itself accepts only draws that include it.
    """
    if game.house_rules.draw_among is DrawAmong.SURVIVORS:
        return game_state.survivors(game)
    lists = {power: {*game.draw_lists.get(power, ())} for power in voters}
    insisting = {power for power, named in lists.items() if power in named}
    sharers = {*game_state.survivors(game)}
    for power, named in lists.items():
        sharers &= named | {power}
    return (
        tuple(p for p in game_state.survivors(game) if p in sharers)
        if insisting <= sharers
        else ()
    )


def ending_in_phase(game: game_state.Game) -> GameEnded | None:
    """Return the end that has come while a phase is open, None if play goes on.

    A game without players is abandoned once all takeover periods are over.
    """
    if game.phase is None or game.position is None:
        return None
    phase = game.position.phase.code
    if {game.seats[power].state for power in game_state.survivors(game)} == {
        game_state.SeatState.CIVIL_DISORDER
    }:
        return GameEnded(phase, "abandoned", ())
    at_once = game.house_rules.draw_effect is DrawEffect.AT_ONCE
    return agreed_ending(game, phase) if at_once else None


def _is_conceded(game: game_state.Game, others: frozenset[Power], power: Power) -> bool:
    return bool(others) and all(game.concessions.get(each) == power for each in others)


def apply_vote(game: game_state.Game, event: VoteEvent) -> game_state.Game:
    """Return *game* after a vote for a draw or a concession."""
    match event:
        case DrawVoted(power, in_favor=in_favor, among=among):
            votes = game_state.with_member(game.draw_votes, power, is_in=in_favor)
            lists = game_state.without_key(game.draw_lists, power)
            lists = (
                game_state.with_entry(lists, power, among)
                if among is not None and in_favor
                else lists
            )
            return replace(game, draw_votes=votes, draw_lists=lists)
        case ConcessionVoted(power, to=to):
            others = game_state.without_key(game.concessions, power)
            return replace(
                game, concessions=game_state.with_entry(others, power, to) if to else others
            )
        case _:
            assert_never(event)


def apply_proposal_event(game: game_state.Game, event: ProposalEvent) -> game_state.Game:
    """Return *game* as *event* leaves it."""
    match event:
        case DrawProposed():
            made = game_state.Proposal(
                event.power, event.among, event.phases, frozenset({event.power})
            )
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


def count_down_proposals(game: game_state.Game) -> game_state.Game:
    """Return *game* after a movement phase has closed."""
    left = {n: replace(each, phases=each.phases - 1) for n, each in game.proposals.items()}
    return replace(game, proposals=left)


def without_proposal_votes(game: game_state.Game, power: Power) -> game_state.Game:
    """Return *game* without the votes of *power* on proposals."""
    left = {
        n: replace(each, accepted=each.accepted - {power}) for n, each in game.proposals.items()
    }
    return replace(game, proposals=left)
