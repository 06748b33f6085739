"""How a game ends other than on the board: by votes, or because nobody plays it any longer."""

from __future__ import annotations

from judge.events.types import GameEnded
from judge.game.game import Game, Proposal, SeatState
from judge.game.house_rules import DrawAmong, DrawEffect
from judge.game.needs import played, survivors
from judge.rules.types import Power


def agreed(game: Game, phase: str) -> GameEnded | None:
    """Return the end, in *phase*, that the votes bring about: all who play must want it.

    A draw includes all survivors (DIAS); for a concession all others must name the same power.
    While a game that began elsewhere waits for players, the first of them cannot end it.
    """
    if any(game.seats[power].awaited for power in survivors(game)):
        return None
    voters = frozenset(played(game))
    if voters and voters <= game.draw_votes and (sharers := _sharers(game, voters)):
        return GameEnded(phase, "draw", sharers)
    for proposal in game.proposals.values():
        if voters and voters <= proposal.accepted and (sharers := sharers_of(game, proposal)):
            return GameEnded(phase, "draw", sharers)
    for power in sorted(voters):
        if _conceded(game, voters - {power}, power):
            return GameEnded(phase, "concession", (power,))
    return None


def sharers_of(game: Game, proposal: Proposal) -> tuple[Power, ...]:
    """Return who would share the draw; nobody, if one of those named is no more."""
    alive = survivors(game)
    among = alive if proposal.among is None else proposal.among
    return tuple(power for power in alive if power in among) if {*among} <= {*alive} else ()


def _sharers(game: Game, voters: frozenset[Power]) -> tuple[Power, ...]:
    """Return the largest draw that all *voters* accept (FEATURES of nJudge, NoDIAS); or nobody.

    With itself in its list a power accepts what has it in; without, what may leave it out.
    """
    if game.house_rules.draw_among is DrawAmong.SURVIVORS:
        return survivors(game)
    lists = {power: {*game.draw_lists.get(power, ())} for power in voters}
    insisting = {power for power, named in lists.items() if power in named}
    sharers = {*survivors(game)}
    for power, named in lists.items():
        sharers &= named | {power}
    return tuple(p for p in survivors(game) if p in sharers) if insisting <= sharers else ()


def concluded(game: Game) -> GameEnded | None:
    """Return the end that has come while a phase is open, None if play goes on.

    A game that nobody plays any longer, and nobody may take over, is abandoned.
    """
    if game.phase is None or game.position is None:
        return None
    phase = game.position.phase.code
    if {game.seats[power].state for power in survivors(game)} == {SeatState.CIVIL_DISORDER}:
        return GameEnded(phase, "abandoned", ())
    at_once = game.house_rules.draw_effect is DrawEffect.AT_ONCE
    return agreed(game, phase) if at_once else None


def _conceded(game: Game, others: frozenset[Power], power: Power) -> bool:
    return bool(others) and all(game.concessions.get(each) == power for each in others)
