"""Absences of players: announced by them, and what they change (house rule `absences`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import calendar
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game, SeatState, with_entry, without_key
from judge.game.house_rules import Absences
from judge.game.payloads import format_instant, parse_instant
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class SetAbsence:
    """Announce that a player is away from *begins* to *ends*."""

    power: Power
    person: str
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class ClearAbsence:
    """Withdraw all absences of a player."""

    power: Power
    person: str


@dataclass(frozen=True, slots=True)
class AbsenceSet(Event):
    """The player of a power is away from the instant *begins* to the instant *ends*."""

    power: str
    person: str
    begins: str
    ends: str


@dataclass(frozen=True, slots=True)
class AbsenceCleared(Event):
    """The player of a power is not away after all."""

    power: str
    person: str


AbsenceEvent: TypeAlias = AbsenceSet | AbsenceCleared


ABSENCES_MAX = 3  # of one player, still to come


ABSENCE_AHEAD_MAX = timedelta(days=366)


def set_absence(game: Game, command: SetAbsence, now: datetime) -> Accepted | Refused:
    """Decide on an announced absence (house rule `absences`)."""
    rules = game.house_rules
    coming = [span for span in game.absences.get(command.person, ()) if span[1] > now]
    longest = timedelta(days=rules.absence_days)
    too_long = command.ends - command.begins > longest or command.begins > now + ABSENCE_AHEAD_MAX
    if rules.absences is Absences.NOTHING:
        return Refused(Why.NO_ABSENCES)
    if command.ends <= now or command.ends <= command.begins:
        return Refused(Why.DEADLINE_IN_PAST)
    if too_long or len(coming) >= ABSENCES_MAX:
        return Refused(Why.ABSENT_TOO_LONG)
    if (command.begins, command.ends) in coming:
        return Refused(Why.NOTHING_CHANGED)
    begins, ends = format_instant(command.begins), format_instant(command.ends)
    return Accepted((AbsenceSet(command.power, command.person, begins, ends),))


BACK = timedelta(hours=24)  # The least time between a return and a deadline.


def excused_powers(game: Game, powers: tuple[Power, ...], deadline: datetime) -> tuple[Power, ...]:
    """Return those of *powers* whose players are excused at *deadline*."""
    if game.house_rules.absences is not Absences.EXCUSE:
        return ()
    return tuple(power for power in powers if _return_of(game, power, deadline))


def deadline_after_absences(game: Game, deadline: datetime, acting: Iterable[Power]) -> datetime:
    """Return the first deadline from *deadline* on at which no player is away who must order.

    Those of the *acting* powers must.
    """
    if game.house_rules.absences is not Absences.MOVE:
        return deadline
    powers = tuple(acting)
    while returns := [back for power in powers if (back := _return_of(game, power, deadline))]:
        deadline = calendar.deadline(
            max(returns), calendar.respite(BACK, game.house_rules), game.house_rules
        )
    return deadline


def _return_of(game: Game, power: Power, deadline: datetime) -> datetime | None:
    """Return when the player of *power* is back, if they are away at *deadline*."""
    seat = game.seats[power]
    if seat.state is not SeatState.PLAYED or seat.person is None:
        return None
    spans = game.absences.get(seat.person, ())
    return max((ends for begins, ends in spans if begins <= deadline < ends), default=None)


def clear_absence(game: Game, command: ClearAbsence) -> Accepted | Refused:
    """Decide on withdrawing all absences of a player."""
    if command.person not in game.absences:
        return Refused(Why.NOTHING_CHANGED)
    return Accepted((AbsenceCleared(command.power, command.person),))


def apply_absence(game: Game, event: AbsenceEvent) -> Game:
    """Return *game* after a player announced an absence, or took all of them back."""
    match event:
        case AbsenceSet(person=person, begins=begins, ends=ends):
            spans = (*game.absences.get(person, ()), (parse_instant(begins), parse_instant(ends)))
            return replace(game, absences=with_entry(game.absences, person, spans))
        case AbsenceCleared(person=person):
            return replace(game, absences=without_key(game.absences, person))
        case _:
            assert_never(event)
