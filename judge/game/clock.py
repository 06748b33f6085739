"""Deadlines: what comes about because time passes, and what those in charge do about it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never

from judge.events.types import (
    CivilDisorderDeclared,
    DeadlineMoved,
    DeadlinePassed,
    OrdersViewed,
    PowerProtected,
)
from judge.events.value import Event
from judge.game import calendar
from judge.game.admission import unopened
from judge.game.closing import close
from judge.game.commands import MoveDeadline, MoveGrace, ProcessNow, Resume, Tick, ViewOrders
from judge.game.decision import Accepted, Refused, Why
from judge.game.endings import concluded
from judge.game.entry import vacate
from judge.game.game import Game
from judge.game.house_rules import ModeratorSees, Nmr
from judge.game.instants import to_text
from judge.game.needs import Needs, needs_of, survivors
from judge.game.state import FIRST_SPRING, NMR, evolve
from judge.game.timetable import Action, Due, next_due
from judge.game.waiting import offers_lapsed, offers_made, offers_prolonged
from judge.rules.board import Map

PROTECTION = timedelta(hours=48)  # for a player whose mails come back
OUTAGE = "outage"  # The reason of a deadline moved because the judge was away.


def decide(
    board: Map,
    game: Game,
    command: Tick | MoveDeadline | MoveGrace | ProcessNow | Resume | ViewOrders,
    now: datetime,
) -> Accepted | Refused:
    """Do what is due, or what somebody in charge asks."""
    match command:
        case Tick():
            return _tick(board, game, command, now)
        case MoveDeadline():
            return _move(game, command, now)
        case MoveGrace():
            return _move_grace(board, game, command, now)
        case ProcessNow():
            return _process(board, game, command, now)
        case Resume():
            return _resume(board, game, command, now)
        case ViewOrders():
            return _view(game, command)
        case _:
            assert_never(command)


def _tick(board: Map, game: Game, tick: Tick, now: datetime) -> Accepted:
    """Do everything that is due, one thing after the other: each may bring on the next."""
    until = min(now, tick.answered_until)
    events: list[Event] = []
    while (due := next_due(board, game)) and due.at <= until:
        needs = needs_of(board, game)
        assert needs is not None
        for event in _carried_out(needs, due, tick, now):
            game = evolve(board, game, event)
            events.append(event)
        if ended := concluded(game):
            game = evolve(board, game, ended)
            events.append(ended)
    return Accepted(tuple(events))


def _carried_out(needs: Needs, due: Due, tick: Tick, now: datetime) -> tuple[Event, ...]:
    match due.action:
        case Action.END_TAKEOVER:
            return _takeovers_ended(needs, due.at)
        case Action.CLOSE:
            return close(needs.board, needs.game, now)
        case Action.MEET_DEADLINE:
            return (_deadline_met(needs),)
        case Action.END_OFFER:
            return tuple(offers_lapsed(needs.game, due.at))
        case Action.OFFER:
            return tuple(offers_made(needs.game, now))
        case Action.END_GRACE:
            return _spared(needs, tick.unreachable) or _grace_ended(needs, now)
        case _:
            assert_never(due.action)


def _takeovers_ended(needs: Needs, at: datetime) -> tuple[Event, ...]:
    phase = needs.position.phase.code
    return tuple(
        CivilDisorderDeclared(power, phase)
        for power in survivors(needs.game)
        if needs.game.seats[power].takeover_until == at
    )


def _deadline_met(needs: Needs) -> DeadlineMoved | DeadlinePassed:
    """Name the late; but in the first phase, or by a house rule, they have more time, once."""
    rules, phase = needs.game.house_rules, needs.phase
    if phase.extended or rules.manual_processing:
        pass
    elif needs.late and _protected(needs):
        return _extended(needs, rules.first_spring_extension_hours, FIRST_SPRING)
    elif needs.unexcused and rules.nmr is Nmr.EXTEND:
        return _extended(needs, rules.nmr_extension_hours, NMR)
    return DeadlinePassed(needs.position.phase.code, needs.late, to_text(phase.grace_end))


def _extended(needs: Needs, hours: int, reason: str) -> DeadlineMoved:
    rules = needs.game.house_rules
    deadline = calendar.deadline(needs.phase.deadline, hours, rules)
    grace_end = calendar.grace_end(deadline, rules)
    code = needs.position.phase.code
    return DeadlineMoved(code, to_text(deadline), to_text(grace_end), reason, by=None)


def _spared(needs: Needs, unreachable: frozenset[str]) -> tuple[PowerProtected, ...]:
    """Give the late time whose mails came back, each player once a game year."""
    game, phase = needs.game, needs.position.phase
    until = to_text(needs.phase.grace_end + PROTECTION)
    persons = ((power, game.seats[power].person) for power in needs.late)
    return tuple(
        PowerProtected(power, person, phase.code, until)
        for power, person in persons
        if person in unreachable and person and game.protected.get(person) != phase.year
    )


def _grace_ended(needs: Needs, now: datetime) -> tuple[Event, ...]:
    """Do as the house rule `nmr` says; in the protected first phase nobody is removed."""
    if _protected(needs):
        return close(needs.board, needs.game, now)
    vacated = tuple(vacate(needs.game, power, "nmr", now) for power in needs.unexcused)
    match needs.game.house_rules.nmr:
        case Nmr.STANDBY:
            return vacated
        case Nmr.CIVIL_DISORDER:
            code = needs.position.phase.code
            return (*vacated, *(CivilDisorderDeclared(power, code) for power in needs.unexcused))
        case Nmr.HOLD | Nmr.EXTEND | Nmr.WAIT:  # Who is waited for gave some after grace.
            return close(needs.board, needs.game, now)
        case _:
            assert_never(needs.game.house_rules.nmr)


def _protected(needs: Needs) -> bool:
    return needs.phase.number == 1 and needs.game.house_rules.first_spring_extension_hours > 0


def _move(game: Game, command: MoveDeadline, now: datetime) -> Accepted | Refused:
    if why := unopened(game):
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
        deadline=to_text(command.deadline),
        grace_end=to_text(grace_end),
        reason=command.reason,
        by=command.by,
    )
    return Accepted((moved,))


def _move_grace(board: Map, game: Game, command: MoveGrace, now: datetime) -> Accepted | Refused:
    """Let grace end at another time: after the deadline, for those who are late."""
    if why := unopened(game):
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
        return Accepted((DeadlinePassed(code, late, to_text(end)),))
    deadline = to_text(phase.deadline)
    return Accepted((DeadlineMoved(code, deadline, to_text(end), command.reason, command.by),))


def _resume(board: Map, game: Game, command: Resume, now: datetime) -> Accepted:
    """Put off what was running when the judge went away: a deadline, a grace, an offer."""
    needs = needs_of(board, game)
    longer = tuple(offers_prolonged(game, command.began, now))
    if needs is None or game.house_rules.manual_processing or game.paused:
        return Accepted(longer)
    phase, lost = needs.phase, now - command.began
    code = needs.position.phase.code
    if not phase.passed and phase.deadline > command.began:
        deadline = phase.deadline + lost
        grace_end = calendar.grace_end(deadline, game.house_rules)
        moved = DeadlineMoved(code, to_text(deadline), to_text(grace_end), OUTAGE, by=None)
        return Accepted((moved, *longer))
    if needs.late and phase.passed and phase.grace_end > command.began:
        late = tuple(power for power in board.powers if power in phase.late)
        return Accepted((DeadlinePassed(code, late, to_text(phase.grace_end + lost)), *longer))
    return Accepted(longer)


def _process(board: Map, game: Game, command: ProcessNow, now: datetime) -> Accepted | Refused:
    if why := unopened(game):
        return Refused(why)
    assert game.position is not None
    if command.phase not in (None, game.position.phase.code):
        return Refused(Why.OTHER_PHASE)
    return Accepted(close(board, game, now))


def _view(game: Game, command: ViewOrders) -> Accepted | Refused:
    """Record that somebody looks at the orders: never who plays in the game himself."""
    if why := unopened(game):
        return Refused(why)
    plays = any(seat.person == command.by for seat in game.seats.values())
    hidden = game.house_rules.moderator_sees is ModeratorSees.NOTHING
    if plays or (command.by == game.moderator and hidden):
        return Refused(Why.NOT_ALLOWED)
    assert game.position is not None
    return Accepted((OrdersViewed(game.position.phase.code, command.by, command.reason),))
