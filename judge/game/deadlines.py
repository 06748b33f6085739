"""Deadlines and grace periods moved, extensions asked for, and pauses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import calendar
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase
from judge.game.game_state import Game, played_powers, with_entry, without_key
from judge.game.house_rules import HOUR, MINUTE
from judge.game.payloads import format_instant, parse_instant
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class MoveDeadline:
    """Set another deadline for the open phase; *reason* is printed."""

    deadline: datetime
    reason: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class MoveGrace:
    """Take late orders for the open phase until another time; *reason* is printed."""

    grace_end: datetime
    reason: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the game: no phase closes until it is resumed."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """Resume a paused game with the time that was left."""

    by: str


@dataclass(frozen=True, slots=True)
class AnswerExtension:
    """Grant or refuse the extension that *power* asked for."""

    power: Power
    granted: bool
    by: str


@dataclass(frozen=True, slots=True)
class VotePause:
    """Vote to pause the game, or (not *pause*) to resume it."""

    power: Power
    person: str
    pause: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class AskExtension:
    """Ask the moderator for so much more time."""

    power: Power
    person: str
    length: timedelta
    reason: str


def pause_mark(game: Game) -> str:
    """Return what a reply to the proposal to pause *game*, or to resume it, answers."""
    return "pause" if game.paused is None else "resume"


def may_vote_on_pause(game: Game, power: Power) -> bool:
    """Return whether others have voted to pause or resume *game*, and *power* has not."""
    return bool(game.pause_votes) and power not in game.pause_votes


def extension_mark(power: Power) -> str:
    """Return what a reply to the request of *power* for an extension answers."""
    return f"extension {power}"


def extension_answered(game: Game, answered: str | None) -> Power | None:
    """Return the power whose open request for an extension has the mark *answered*."""
    asked = game.phase.asked if game.phase else ()
    return next((each for each in asked if extension_mark(each) == answered), None)


@dataclass(frozen=True, slots=True)
class DeadlineMoved(Event):
    """The deadline of the open phase is another.

    *reason* says why; *by* is a person, or None for the judge itself.
    """

    phase: str
    deadline: str
    grace_end: str
    reason: str
    by: str | None


@dataclass(frozen=True, slots=True)
class DeadlinePassed(Event):
    """The deadline came, and *late* had given no orders at all; they may until the grace ends."""

    phase: str
    late: tuple[str, ...]
    grace_end: str


@dataclass(frozen=True, slots=True)
class PowerProtected(Event):
    """Emails to the player of a late power came back: it has until *grace_end*, once a year."""

    power: str
    person: str
    phase: str
    grace_end: str


@dataclass(frozen=True, slots=True)
class GamePaused(Event):
    """Nothing closes from the instant *at* on; *by* is a person, or None if all players voted."""

    phase: str
    at: str
    reason: str
    by: str | None


@dataclass(frozen=True, slots=True)
class GameResumed(Event):
    """Play goes on at the instant *at*, with the time that was left: *deadline*, *grace_end*."""

    phase: str
    at: str
    deadline: str
    grace_end: str
    by: str | None


@dataclass(frozen=True, slots=True)
class PauseVoted(Event):
    """A power would have the game paused, or a paused one go on; or no longer would."""

    power: str
    person: str
    phase: str
    in_favor: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class ExtensionAsked(Event):
    """The player of a power asks for so many *hours* and *minutes* more in the open phase."""

    power: str
    person: str
    phase: str
    hours: int
    reason: str
    minutes: int = 0

    @property
    def length(self) -> timedelta:
        """Return the time asked for."""
        return timedelta(hours=self.hours, minutes=self.minutes)


@dataclass(frozen=True, slots=True)
class ExtensionRefused(Event):
    """The moderator, *by*, gives the power that asked no more time."""

    power: str
    phase: str
    by: str


DeadlineEvent: TypeAlias = DeadlineMoved | DeadlinePassed | PowerProtected
PauseEvent: TypeAlias = GamePaused | GameResumed | PauseVoted
ExtensionEvent: TypeAlias = ExtensionAsked | ExtensionRefused


# The reasons of a deadline moved for those who sent no orders: at the start, and by a house rule.
FIRST_SPRING_EXTENSION, NMR_EXTENSION = "first_spring", "nmr"


ASKED_EXTENSION = "asked"  # The reason of a deadline moved because a player asked for it.


EXTENSION_MAX = timedelta(days=14)


PAUSE_VOTED = "vote"  # The reason of a pause that all players wanted.


def move_deadline(game: Game, command: MoveDeadline, now: datetime) -> Accepted | Refused:
    """Decide on a new deadline for the open phase."""
    if why := why_no_open_phase(game):
        return Refused(why)
    if command.deadline <= now:
        return Refused(Why.DEADLINE_IN_PAST)
    if command.deadline > now + timedelta(hours=calendar.HOURS_MAX):
        return Refused(Why.DEADLINE_TOO_FAR)
    assert game.position is not None
    assert game.phase is not None
    grace_end = calendar.grace_end(command.deadline, game.house_rules)
    if (command.deadline, grace_end) == (game.phase.deadline, game.phase.grace_end):
        return Refused(Why.NOTHING_CHANGED)
    moved = DeadlineMoved(
        phase=game.position.phase.code,
        deadline=format_instant(command.deadline),
        grace_end=format_instant(grace_end),
        reason=command.reason,
        by=command.by,
    )
    return Accepted((moved,))


def move_grace(board: Map, game: Game, command: MoveGrace, now: datetime) -> Accepted | Refused:
    """Move the end of the grace period of late players."""
    if why := why_no_open_phase(game):
        return Refused(why)
    assert game.position is not None
    assert game.phase is not None
    phase, code, end = game.phase, game.position.phase.code, command.grace_end
    if end <= now or end < phase.deadline:
        return Refused(Why.GRACE_TOO_SOON)
    if end == phase.grace_end:
        return Refused(Why.NOTHING_CHANGED)
    if end > now + timedelta(hours=calendar.HOURS_MAX):
        return Refused(Why.DEADLINE_TOO_FAR)
    if phase.passed:
        late = tuple(power for power in board.powers if power in phase.late)
        return Accepted((DeadlinePassed(code, late, format_instant(end)),))
    deadline = format_instant(phase.deadline)
    return Accepted(
        (DeadlineMoved(code, deadline, format_instant(end), command.reason, command.by),)
    )


def ask_extension(game: Game, command: AskExtension) -> Accepted | Refused:
    """Decide on a player's request for an extension."""
    assert game.position is not None
    assert game.phase is not None
    if game.moderator is None:
        return Refused(Why.NOBODY_TO_ASK)
    if game.phase.passed:
        return Refused(Why.TOO_LATE)
    if not timedelta() < command.length <= EXTENSION_MAX:
        return Refused(Why.DEADLINE_TOO_FAR)
    if game.phase.asked.get(command.power) == command.length:
        return Refused(Why.NOTHING_CHANGED)
    hours, minutes = divmod(command.length // MINUTE, 60)
    asked = ExtensionAsked(
        power=command.power,
        person=command.person,
        phase=game.position.phase.code,
        hours=hours,
        reason=command.reason,
        minutes=minutes,
    )
    return Accepted((asked,))


def pause_or_resume(game: Game, command: Pause | ResumeGame, now: datetime) -> Accepted | Refused:
    """Decide on pausing the game or resuming it."""
    match command:
        case Pause():
            if game.paused is not None:
                return Refused(Why.NOTHING_CHANGED)
            assert game.position is not None, "a phase is open"
            phase = game.position.phase.code
            return Accepted((GamePaused(phase, format_instant(now), command.reason, command.by),))
        case ResumeGame():
            if game.paused is None:
                return Refused(Why.NOT_PAUSED)
            return Accepted((resume_game(game, command.by, now),))
        case _:
            assert_never(command)


def resume_game(game: Game, by: str | None, now: datetime) -> GameResumed:
    """Resume the paused *game* with the time that was left."""
    assert game.phase is not None
    assert game.position is not None
    assert game.paused is not None
    lost = now - game.paused
    return GameResumed(
        phase=game.position.phase.code,
        at=format_instant(now),
        deadline=format_instant(
            game.phase.deadline if game.phase.passed else game.phase.deadline + lost
        ),
        grace_end=format_instant(game.phase.grace_end + lost),
        by=by,
    )


def answer_extension(game: Game, command: AnswerExtension) -> Accepted | Refused:
    """Decide on the moderator's answer to a request for an extension."""
    assert game.position is not None
    assert game.phase is not None
    length = game.phase.asked.get(command.power)
    phase = game.position.phase.code
    if length is None:
        return Refused(Why.NO_REQUEST)
    if not command.granted:
        return Accepted((ExtensionRefused(command.power, phase, command.by),))
    running = game.phase.deadline
    deadline = (
        calendar.deadline(running, length, game.house_rules)
        if length >= HOUR
        else running + length
    )
    grace_end = calendar.grace_end(deadline, game.house_rules)
    moved = DeadlineMoved(
        phase, format_instant(deadline), format_instant(grace_end), ASKED_EXTENSION, command.by
    )
    return Accepted((moved,))


def vote_pause(game: Game, vote: VotePause, now: datetime) -> Accepted | Refused:
    """Decide on a vote to pause or resume; the last one needed does so."""
    assert game.position is not None
    in_favor = vote.pause is (game.paused is None)
    if in_favor is (vote.power in game.pause_votes):
        return Refused(Why.NOTHING_CHANGED)
    phase = game.position.phase.code
    voted = PauseVoted(vote.power, vote.person, phase, in_favor, vote.nonce)
    if not in_favor or not {*played_powers(game)} <= game.pause_votes | {vote.power}:
        return Accepted((voted,))
    if game.paused is None:
        return Accepted((voted, GamePaused(phase, format_instant(now), PAUSE_VOTED, by=None)))
    return Accepted((voted, resume_game(game, None, now)))


def apply_deadline(game: Game, event: DeadlineEvent) -> Game:
    """Return *game* after the deadline of its open phase was moved or came, or its grace grew."""
    phase = game.phase
    assert phase is not None, "an open phase has a deadline"
    end = parse_instant(event.grace_end)
    match event:
        case DeadlineMoved(deadline=deadline, reason=reason):
            phase = replace(
                phase,
                deadline=parse_instant(deadline),
                grace_end=end,
                passed=False,
                late=frozenset(),
                extended=phase.extended or reason in (FIRST_SPRING_EXTENSION, NMR_EXTENSION),
                asked=phase.asked if deadline == format_instant(phase.deadline) else {},
            )
        case DeadlinePassed(late=late):
            phase = replace(phase, passed=True, late=frozenset(late), grace_end=end)
        case PowerProtected(person=person):
            assert game.position is not None
            protected = with_entry(game.protected, person, game.position.phase.year)
            game = replace(game, protected=protected)
            phase = replace(phase, grace_end=end)
        case _:
            assert_never(event)
    return replace(game, phase=phase)


def apply_pause(game: Game, event: PauseEvent) -> Game:
    """Return *game* paused, resumed, or with one more vote for a pause."""
    match event:
        case GamePaused(at=at):
            return replace(game, paused=parse_instant(at), pause_votes=frozenset())
        case GameResumed():
            return _resume(game, event)
        case PauseVoted(power, in_favor=in_favor):
            votes = game.pause_votes | {power} if in_favor else game.pause_votes - {power}
            return replace(game, pause_votes=votes)
        case _:
            assert_never(event)


def _resume(game: Game, event: GameResumed) -> Game:
    """Return *game* resumed, with the time that was left when it was paused."""
    assert game.phase is not None, "a game is paused in an open phase"
    assert game.paused is not None
    lost = parse_instant(event.at) - game.paused
    seats = {
        power: replace(seat, takeover_until=seat.takeover_until and seat.takeover_until + lost)
        for power, seat in game.seats.items()
    }
    deadline, grace_end = parse_instant(event.deadline), parse_instant(event.grace_end)
    phase = replace(game.phase, deadline=deadline, grace_end=grace_end)
    return replace(game, paused=None, pause_votes=frozenset(), seats=seats, phase=phase)


def apply_extension(game: Game, event: ExtensionEvent) -> Game:
    """Return *game* with a request for an extension added or refused."""
    assert game.phase is not None, "more time is asked for in an open phase"
    match event:
        case ExtensionAsked(power):
            asked = with_entry(game.phase.asked, power, event.length)
        case ExtensionRefused(power):
            asked = without_key(game.phase.asked, power)
        case _:
            assert_never(event)
    return replace(game, phase=replace(game.phase, asked=asked))
