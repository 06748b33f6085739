"""Find what is due next in a game, and do it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import calendar, deadlines
from judge.game.absences import deadline_after_absences
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase
from judge.game.events import evolve
from judge.game.game_state import Game, OpenPhase, SeatState, survivors
from judge.game.house_rules import MINUTE, Nmr
from judge.game.moderator_actions import ViewOrders, view_orders
from judge.game.payloads import format_instant
from judge.game.phases import MissingOrders, close_and_open_next, missing_orders
from judge.game.players.seats import CivilDisorderDeclared, vacate_seat
from judge.game.players.standbys import lapse_offers, make_offers, next_offers, prolong_offers
from judge.game.rollback import GameRestored
from judge.game.voting import ending_in_phase
from judge.rules.board import Map
from judge.rules.types import PhaseKind, Power


@dataclass(frozen=True, slots=True)
class ProcessNow:
    """Close the open phase now, with the orders given so far."""

    by: str
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class CreditOutage:
    """The judge was down from *began* until now: add that time to what was running."""

    began: datetime


@dataclass(frozen=True, slots=True)
class ResumeFromBackup:
    """Restore from a backup of the instant *saved*: continue from there in the new *epoch*.

    The time since the judge was last up in the backup, *began*, is added to what was running.
    """

    epoch: str
    saved: datetime
    began: datetime


@dataclass(frozen=True, slots=True)
class Tick:
    """Do the next `Action` that is due, if any.

    All mail received up to *answered_until* has been answered; what is due later must wait.
    *unreachable* are persons whose emails of this phase bounced, and who did not write.
    """

    answered_until: datetime
    unreachable: frozenset[str] = frozenset()


PROTECTION = timedelta(hours=48)  # for a player whose emails come back
OUTAGE = "outage"  # The reason of a deadline moved because the judge was away.


ClockCommand: TypeAlias = (
    Tick
    | deadlines.MoveDeadline
    | deadlines.MoveGrace
    | ProcessNow
    | CreditOutage
    | ResumeFromBackup
    | ViewOrders
)


def decide_clock(
    board: Map,
    game: Game,
    command: ClockCommand,
    now: datetime,
) -> Accepted | Refused:
    """Do what is due, or what the moderator, operator or judge commands."""
    match command:
        case Tick():
            return _tick(board, game, command, now)
        case deadlines.MoveDeadline():
            return deadlines.move_deadline(game, command, now)
        case deadlines.MoveGrace():
            return deadlines.move_grace(board, game, command, now)
        case ProcessNow():
            return _process_now(board, game, command, now)
        case CreditOutage() | ResumeFromBackup():
            return _resume(board, game, command, now)
        case ViewOrders():
            return view_orders(game, command)
        case _:
            assert_never(command)


def _tick(board: Map, game: Game, tick: Tick, now: datetime) -> Accepted:
    """Do everything that is due, in turn: one may cause the next."""
    until = min(now, tick.answered_until)
    events: list[Event] = []
    while (due := next_due(board, game)) and due.at <= until:
        needs = missing_orders(board, game)
        assert needs is not None
        for event in _carry_out(needs, due, tick, now):
            game = evolve(board, game, event)
            events.append(event)
        if ended := ending_in_phase(game):
            game = evolve(board, game, ended)
            events.append(ended)
    return Accepted(tuple(events))


def _carry_out(needs: MissingOrders, due: Due, tick: Tick, now: datetime) -> tuple[Event, ...]:
    match due.action:
        case Action.END_TAKEOVER:
            return _end_takeovers(needs, due.at)
        case Action.CLOSE:
            return close_and_open_next(needs.board, needs.game, now)
        case Action.MEET_DEADLINE:
            return (_meet_deadline(needs),)
        case Action.END_OFFER:
            return tuple(lapse_offers(needs.game, due.at))
        case Action.OFFER:
            return tuple(make_offers(needs.game, now))
        case Action.END_GRACE:
            return _protect_unreachable(needs, tick.unreachable) or _end_grace(needs, now)
        case _:
            assert_never(due.action)


def _end_takeovers(needs: MissingOrders, at: datetime) -> tuple[Event, ...]:
    phase = needs.position.phase.code
    return tuple(
        CivilDisorderDeclared(power, phase)
        for power in survivors(needs.game)
        if needs.game.seats[power].takeover_until == at
    )


def _meet_deadline(needs: MissingOrders) -> deadlines.DeadlineMoved | deadlines.DeadlinePassed:
    """Name the late players; in the first phase, or by a house rule, extend the deadline once."""
    rules, phase = needs.game.house_rules, needs.phase
    if phase.extended or rules.manual_processing:
        pass
    elif needs.late and _is_first_phase_protected(needs):
        return _extend_deadline(
            needs, rules.first_spring_extension_hours, deadlines.FIRST_SPRING_EXTENSION
        )
    elif needs.unexcused and rules.nmr is Nmr.EXTEND:
        return _extend_deadline(needs, rules.nmr_extension_hours, deadlines.NMR_EXTENSION)
    return deadlines.DeadlinePassed(
        needs.position.phase.code, needs.late, format_instant(phase.grace_end)
    )


def _extend_deadline(
    needs: MissingOrders, length: timedelta, reason: str
) -> deadlines.DeadlineMoved:
    rules = needs.game.house_rules
    deadline = deadline_after_absences(
        needs.game, calendar.deadline(needs.phase.deadline, length, rules), needs.late
    )
    grace_end = calendar.grace_end(deadline, rules)
    code = needs.position.phase.code
    return deadlines.DeadlineMoved(
        code, format_instant(deadline), format_instant(grace_end), reason, by=None
    )


def _protect_unreachable(
    needs: MissingOrders, unreachable: frozenset[str]
) -> tuple[deadlines.PowerProtected, ...]:
    """Extend the grace of late players whose emails bounced, each once a game year."""
    game, phase = needs.game, needs.position.phase
    until = format_instant(needs.phase.grace_end + calendar.respite(PROTECTION, game.house_rules))
    persons = ((power, game.seats[power].person) for power in needs.late)
    return tuple(
        deadlines.PowerProtected(power, person, phase.code, until)
        for power, person in persons
        if person in unreachable and person and game.protected.get(person) != phase.year
    )


def _end_grace(needs: MissingOrders, now: datetime) -> tuple[Event, ...]:
    """Apply the house rule `nmr`; the protected first phase removes no player."""
    if _is_first_phase_protected(needs):
        return close_and_open_next(needs.board, needs.game, now)
    vacated = tuple(vacate_seat(needs.game, power, "nmr", now) for power in needs.unexcused)
    match needs.game.house_rules.nmr:
        case Nmr.STANDBY:
            return vacated
        case Nmr.CIVIL_DISORDER:
            code = needs.position.phase.code
            return (*vacated, *(CivilDisorderDeclared(power, code) for power in needs.unexcused))
        case Nmr.HOLD | Nmr.EXTEND | Nmr.WAIT:  # With WAIT, the late powers have ordered by now.
            return close_and_open_next(needs.board, needs.game, now)
        case _:
            assert_never(needs.game.house_rules.nmr)


def _is_first_phase_protected(needs: MissingOrders) -> bool:
    return (
        needs.phase.number == 1
        and needs.game.house_rules.first_spring_extension_hours > timedelta()
    )


def _resume(
    board: Map, game: Game, command: CreditOutage | ResumeFromBackup, now: datetime
) -> Accepted:
    credited = _credit(board, game, command.began, now)
    if isinstance(command, CreditOutage):
        return Accepted(credited)
    phase = game.position.phase.code if game.position else None
    restored = GameRestored(command.epoch, format_instant(command.saved), phase)
    return Accepted((restored, *credited))


def _credit(board: Map, game: Game, began: datetime, now: datetime) -> tuple[Event, ...]:
    """Extend what was running when the judge went down: a deadline, a grace, an offer."""
    needs = missing_orders(board, game)
    longer = tuple(prolong_offers(game, began, now))
    if needs is None or game.house_rules.manual_processing or game.paused:
        return longer
    phase, lost = needs.phase, now - began
    code = needs.position.phase.code
    if not phase.passed and phase.deadline > began:
        deadline = phase.deadline + lost
        grace_end = calendar.grace_end(deadline, game.house_rules)
        moved = deadlines.DeadlineMoved(
            code, format_instant(deadline), format_instant(grace_end), OUTAGE, by=None
        )
        return (moved, *longer)
    if needs.late and phase.passed and phase.grace_end > began:
        late = tuple(power for power in board.powers if power in phase.late)
        passed = deadlines.DeadlinePassed(code, late, format_instant(phase.grace_end + lost))
        return (passed, *longer)
    return longer


def _process_now(board: Map, game: Game, command: ProcessNow, now: datetime) -> Accepted | Refused:
    if why := why_no_open_phase(game):
        return Refused(why)
    assert game.position is not None
    if command.phase not in (None, game.position.phase.code):
        return Refused(Why.OTHER_PHASE)
    return Accepted(close_and_open_next(board, game, now))


class Action(Enum):
    """Actions that can fall due; of two at one instant the earlier named goes first."""

    END_TAKEOVER = 1  # a vacant power was not taken over
    CLOSE = 2
    MEET_DEADLINE = 3  # orders are missing
    END_GRACE = 4  # orders are still missing
    END_OFFER = 5  # a standby did not answer the offer of a vacant power
    OFFER = 6  # a vacant power can be offered to a standby


@dataclass(frozen=True, slots=True)
class Due:
    """Something to be done at an instant, which may have gone by."""

    at: datetime
    action: Action


def next_due(board: Map, game: Game) -> Due | None:
    """Return the next action due in *game*, if the clock alone decides."""
    needs = missing_orders(board, game)
    if needs is None:
        return None
    return min(
        (*_due_offers(game, needs.phase), *_due_in_phase(needs)),
        key=lambda each: (each.at, each.action.value),
        default=None,
    )


def next_due_at(board: Map, game: Game) -> datetime | None:
    """Return the next instant at which a `Tick` can do anything, which may have gone by."""
    found = next_due(board, game)
    return found.at if found else None


def reminders(game: Game) -> tuple[datetime, ...]:
    """Return when players may have to be reminded in the open phase, in order."""
    if game.phase is None or game.phase.passed or game.paused:
        return ()
    return tuple(at for at, _ in _reminder_times(game))


def reminders_due(board: Map, game: Game, now: datetime) -> tuple[tuple[timedelta, Power], ...]:
    """Return whom to remind at *now*: the time before the deadline, and an incomplete power.

    Of several reminders that are due only the last is, and one that would have come before the
    phase opened never is.
    """
    needs = missing_orders(board, game)
    if needs is None or game.paused or needs.phase.passed or now >= needs.phase.deadline:
        return ()
    lengths = [length for at, length in _reminder_times(game) if at <= now][-1:]
    return tuple(
        (each, power)
        for each in lengths
        for power in needs.owed
        if game.seats[power].state is SeatState.PLAYED and not needs.is_in(power)
    )


def _due_in_phase(needs: MissingOrders) -> Iterator[Due]:
    """Yield what is due in the open phase, unless the game is paused."""
    if needs.game.paused:
        return
    if needs.game.house_rules.manual_processing:
        if not needs.phase.passed:
            yield Due(needs.phase.deadline, Action.MEET_DEADLINE)
        return
    yield from _due_takeovers(needs.game)
    yield from (_after_deadline if needs.phase.passed else _before_deadline)(needs)


def _due_offers(game: Game, phase: OpenPhase) -> Iterator[Due]:
    """Yield the ends of offers, and offers to make at once."""
    for offer in game.offers.values():
        yield Due(offer.until, Action.END_OFFER)
    if game.standbys and next_offers(game):
        yield Due(phase.opened, Action.OFFER)


def _due_takeovers(game: Game) -> Iterator[Due]:
    for power in survivors(game):
        until = game.seats[power].takeover_until
        if until:
            yield Due(until, Action.END_TAKEOVER)


def _before_deadline(needs: MissingOrders) -> Iterator[Due]:
    rules, phase = needs.game.house_rules, needs.phase
    action = Action.MEET_DEADLINE if needs.missing else Action.CLOSE
    yield Due(phase.deadline, action)
    waiting = phase.waiting & needs.owed.keys()
    if rules.early_closing and not waiting and needs.all_in:
        quiet = _quiet_since(needs)
        if needs.position.phase.kind is PhaseKind.MOVEMENT:
            quiet = max(quiet, phase.opened + rules.early_not_before_hours)
        yield Due(quiet, Action.CLOSE)


def _after_deadline(needs: MissingOrders) -> Iterator[Due]:
    if needs.unexcused:
        if needs.game.house_rules.nmr is not Nmr.WAIT:
            yield Due(needs.phase.grace_end, Action.END_GRACE)
    elif needs.missing == needs.late:  # a vacant power is awaited until its takeover ends
        yield Due(_late_close(needs), Action.CLOSE)


def _late_close(needs: MissingOrders) -> datetime:
    """Return when the phase closes now that all who were late have given orders, or are away."""
    phase, quiet = needs.phase, _quiet_since(needs)
    in_time = all(needs.is_in(power) for power in phase.late & needs.owed.keys())
    if needs.game.house_rules.nmr is Nmr.WAIT:  # Grace may be long over.
        return quiet if in_time else max(quiet, phase.grace_end)
    return min(quiet, phase.grace_end) if in_time else phase.grace_end


def _quiet_since(needs: MissingOrders) -> datetime:
    """Return when orders will have been unchanged for long enough."""
    wait = needs.game.house_rules.early_wait_minutes
    return (needs.phase.changed or needs.phase.opened) + wait


def _reminder_times(game: Game) -> Iterator[tuple[datetime, timedelta]]:
    """Yield the times and how long before the deadline they are, none with the results."""
    assert game.phase is not None
    for length in sorted(game.house_rules.reminder_hours, reverse=True):
        at = game.phase.deadline - length
        if at >= game.phase.opened + MINUTE:
            yield at, length
