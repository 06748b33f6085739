"""What players and observers ask for the table: a pause, more time, to be away, to look on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never

from judge.events.changes import (
    AbsenceCleared,
    AbsenceSet,
    ExtensionAsked,
    GamePaused,
    ObserverCame,
    ObserverWent,
    PauseVoted,
)
from judge.game.admission import barred
from judge.game.decision import Accepted, Refused, Why
from judge.game.game import Game, Stage
from judge.game.house_rules import Absences
from judge.game.instants import to_text
from judge.game.needs import played
from judge.game.stepping import go_on
from judge.game.steps import AskExtension, ClearAbsence, Observe, SetAbsence, VotePause, Wish

ABSENCES_MAX = 3  # of one player, still to come
EXTENSION_HOURS_MAX = 14 * 24
AHEAD_MAX = timedelta(days=366)
VOTED = "vote"  # The reason of a pause that all players wanted.


def decide(game: Game, command: Wish, now: datetime) -> Accepted | Refused:
    """Do what somebody at the table asks."""
    match command:
        case Observe():
            return _observe(game, command)
        case VotePause() | AskExtension() | SetAbsence() | ClearAbsence():
            if why := barred(game, command.power, command.person):
                return Refused(why)
            return _wish(game, command, now)
        case _:
            assert_never(command)


def _wish(
    game: Game, command: VotePause | AskExtension | SetAbsence | ClearAbsence, now: datetime
) -> Accepted | Refused:
    match command:
        case VotePause():
            return _vote(game, command, now)
        case AskExtension():
            return _ask(game, command)
        case SetAbsence():
            return _away(game, command, now)
        case ClearAbsence():
            if command.person not in game.absences:
                return Refused(Why.NOTHING_CHANGED)
            return Accepted((AbsenceCleared(command.power, command.person),))
        case _:
            assert_never(command)


def _observe(game: Game, command: Observe) -> Accepted | Refused:
    observes = command.person in game.observers
    if command.on is observes:
        return Refused(Why.NOTHING_CHANGED)
    if not command.on:
        return Accepted((ObserverWent(command.person),))
    if game.knows(command.person):
        return Refused(Why.ALREADY_IN)
    if not game.house_rules.observers:
        return Refused(Why.NOT_ALLOWED)
    if game.stage is Stage.ENDED:
        return Refused(Why.GAME_OVER)
    return Accepted((ObserverCame(command.person),))


def _vote(game: Game, vote: VotePause, now: datetime) -> Accepted | Refused:
    """Take a vote for the pause, or for its end; the last that is needed brings it about."""
    assert game.position is not None
    in_favor = vote.pause is (game.paused is None)
    if in_favor is (vote.power in game.pause_votes):
        return Refused(Why.NOTHING_CHANGED)
    phase = game.position.phase.code
    voted = PauseVoted(vote.power, vote.person, phase, in_favor, vote.nonce)
    if not in_favor or not {*played(game)} <= game.pause_votes | {vote.power}:
        return Accepted((voted,))
    if game.paused is None:
        return Accepted((voted, GamePaused(phase, to_text(now), VOTED, by=None)))
    return Accepted((voted, go_on(game, None, now)))


def _ask(game: Game, command: AskExtension) -> Accepted | Refused:
    assert game.position is not None
    assert game.phase is not None
    if game.moderator is None:
        return Refused(Why.NO_MODERATOR)
    if game.phase.passed:
        return Refused(Why.TOO_LATE)
    if not 0 < command.hours <= EXTENSION_HOURS_MAX:
        return Refused(Why.DEADLINE_TOO_FAR)
    if game.phase.asked.get(command.power) == command.hours:
        return Refused(Why.NOTHING_CHANGED)
    code = game.position.phase.code
    asked = ExtensionAsked(command.power, command.person, code, command.hours, command.reason)
    return Accepted((asked,))


def _away(game: Game, command: SetAbsence, now: datetime) -> Accepted | Refused:
    rules = game.house_rules
    coming = [span for span in game.absences.get(command.person, ()) if span[1] > now]
    longest = timedelta(days=rules.absence_days)
    too_long = command.ends - command.begins > longest or command.begins > now + AHEAD_MAX
    if rules.absences is Absences.NOTHING:
        return Refused(Why.NOT_ALLOWED)
    if command.ends <= now or command.ends <= command.begins:
        return Refused(Why.DEADLINE_IN_PAST)
    if too_long or len(coming) >= ABSENCES_MAX:
        return Refused(Why.ABSENT_TOO_LONG)
    if (command.begins, command.ends) in coming:
        return Refused(Why.NOTHING_CHANGED)
    begins, ends = to_text(command.begins), to_text(command.ends)
    return Accepted((AbsenceSet(command.power, command.person, begins, ends),))
