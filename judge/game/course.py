"""What is so after those in charge, or all players together, have changed how a game goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from judge.events.changes import (
    AbsenceCleared,
    AbsenceSet,
    Change,
    ExtensionAsked,
    ExtensionRefused,
    GamePaused,
    GameResumed,
    GameRolledBack,
    GameRolledForward,
    GameUnstarted,
    HouseRulesChanged,
    ModeratorChanged,
    ObserverCame,
    ObserverWent,
    PauseVoted,
    PositionCorrected,
)
from judge.game import house_rules
from judge.game.game import Game, OpenPhase, SeatState, Stage
from judge.game.instants import from_text
from judge.game.verdicts import position_from_payload


def changed(game: Game, event: Change) -> Game:
    """Return *game* as *event* leaves it."""
    match event:
        case GameRolledBack() | GameRolledForward() | GameUnstarted():
            return _moved(game, event)
        case PositionCorrected(position=board):
            assert game.phase is not None, "the board of an open phase is put right"
            phase = replace(game.phase, standing={}, nonces={}, ready=frozenset())
            return replace(game, position=position_from_payload(board), phase=phase)
        case HouseRulesChanged(rules):
            return replace(game, house_rules=house_rules.from_payload(rules))
        case GamePaused() | GameResumed() | PauseVoted():
            return _paused(game, event)
        case (
            ObserverCame() | ObserverWent() | AbsenceSet() | AbsenceCleared() | ModeratorChanged()
        ):
            return _there(game, event)
        case ExtensionAsked() | ExtensionRefused():
            return _asked(game, event)
        case _:
            assert_never(event)


def _paused(game: Game, event: GamePaused | GameResumed | PauseVoted) -> Game:
    match event:
        case GamePaused(at=at):
            return replace(game, paused=from_text(at), pause_votes=frozenset())
        case GameResumed():
            return _resumed(game, event)
        case PauseVoted(power, in_favor=in_favor):
            votes = game.pause_votes | {power} if in_favor else game.pause_votes - {power}
            return replace(game, pause_votes=votes)
        case _:
            assert_never(event)


def _moved(game: Game, event: GameRolledBack | GameRolledForward | GameUnstarted) -> Game:
    match event:
        case GameRolledBack(undone=undone):
            return _reopened(game, event, game.replayed | {*undone})
        case GameRolledForward(redone=redone):
            return _reopened(game, event, game.replayed - {*redone})
        case GameUnstarted():
            return _unstarted(game)
        case _:
            assert_never(event)


def _unstarted(game: Game) -> Game:
    """Let those who play be those who have joined, with the powers that they had liked."""
    here = [seat.person for seat in game.seats.values() if seat.state is SeatState.PLAYED]
    return replace(
        _without_plans(game),
        stage=Stage.FORMING,
        unstarted=True,
        joined={person: game.joined.get(person, ()) for person in here if person},
        seats={},
        position=None,
        phase=None,
        paused=None,
        pause_votes=frozenset(),
        offers={},
    )


def _without_plans(game: Game) -> Game:
    """Forget what was voted, and kept for later phases."""
    nothing = replace(game, draw_votes=frozenset(), draw_lists={}, concessions={}, proposals={})
    return replace(nothing, plans={}, waits={})


def _reopened(
    game: Game, event: GameRolledBack | GameRolledForward, replayed: frozenset[str]
) -> Game:
    """Play on from the phase; who plays what stays as it is, and votes are forgotten."""
    return replace(
        _without_plans(game),
        stage=Stage.PLAYING,
        ending=None,
        position=position_from_payload(event.position),
        phase=OpenPhase(
            number=event.number,
            opened=from_text(event.opened),
            deadline=from_text(event.deadline),
            grace_end=from_text(event.grace_end),
            standing=dict(event.standing),
            nonces=dict(event.nonces),
        ),
        replayed=replayed,
    )


def _resumed(game: Game, event: GameResumed) -> Game:
    """Go on: whoever was waited for has as much time left as when the game was paused."""
    assert game.phase is not None, "a game is paused in an open phase"
    assert game.paused is not None
    lost = from_text(event.at) - game.paused
    seats = {
        power: replace(seat, takeover_until=seat.takeover_until and seat.takeover_until + lost)
        for power, seat in game.seats.items()
    }
    deadline, grace_end = from_text(event.deadline), from_text(event.grace_end)
    phase = replace(game.phase, deadline=deadline, grace_end=grace_end)
    return replace(game, paused=None, pause_votes=frozenset(), seats=seats, phase=phase)


def _there(
    game: Game,
    event: ObserverCame | ObserverWent | AbsenceSet | AbsenceCleared | ModeratorChanged,
) -> Game:
    """Say who moderates and looks on, and who of the players is away."""
    person = event.moderator if isinstance(event, ModeratorChanged) else event.person
    match event:
        case ModeratorChanged():
            left = tuple(each for each in game.observers if each != person)
            return replace(game, moderator=person, observers=left)
        case ObserverCame():
            return replace(game, observers=(*game.observers, person))
        case ObserverWent():
            left = tuple(each for each in game.observers if each != person)
            return replace(game, observers=left)
        case AbsenceSet(begins=begins, ends=ends):
            spans = (*game.absences.get(person, ()), (from_text(begins), from_text(ends)))
            return replace(game, absences={**game.absences, person: spans})
        case AbsenceCleared():
            others = {each: spans for each, spans in game.absences.items() if each != person}
            return replace(game, absences=others)
        case _:
            assert_never(event)


def _asked(game: Game, event: ExtensionAsked | ExtensionRefused) -> Game:
    assert game.phase is not None, "more time is asked for in an open phase"
    match event:
        case ExtensionAsked(power, hours=hours):
            asked = {**game.phase.asked, power: hours}
        case ExtensionRefused(power):
            asked = {each: hours for each, hours in game.phase.asked.items() if each != power}
        case _:
            assert_never(event)
    return replace(game, phase=replace(game.phase, asked=asked))
