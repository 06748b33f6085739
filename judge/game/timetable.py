"""What is due next in a game, and when: asked by the clock, and by whoever sets it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from judge.game.game import Game, OpenPhase, SeatState
from judge.game.house_rules import Nmr
from judge.game.needs import Needs, needs_of, survivors
from judge.game.waiting import next_offers
from judge.rules.board import Map
from judge.rules.types import PhaseKind, Power


class Action(Enum):
    """What can be due; of two at one instant the earlier named goes first."""

    END_TAKEOVER = 1  # nobody took a vacant power over
    CLOSE = 2
    MEET_DEADLINE = 3  # somebody gave no orders
    END_GRACE = 4  # somebody still gave none
    END_OFFER = 5  # somebody did not say whether he takes a vacant power
    OFFER = 6  # somebody who waits can be asked to take one


@dataclass(frozen=True, slots=True)
class Due:
    """Something to be done at an instant, which may have gone by."""

    at: datetime
    action: Action


def next_due(board: Map, game: Game) -> Due | None:
    """Return what is to be done next in *game*, if the clock alone decides."""
    needs = needs_of(board, game)
    if needs is None:
        return None
    return min(
        (*_offers(game, needs.phase), *_course(needs)),
        key=lambda each: (each.at, each.action.value),
        default=None,
    )


def next_look(board: Map, game: Game) -> datetime | None:
    """Return the next instant at which a `Tick` can do anything, which may have gone by."""
    found = next_due(board, game)
    return found.at if found else None


def reminders(game: Game) -> tuple[datetime, ...]:
    """Return when players may have to be reminded in the open phase, in order."""
    if game.phase is None or game.phase.passed or game.paused:
        return ()
    return tuple(at for at, _ in _reminders(game))


def reminders_due(board: Map, game: Game, now: datetime) -> tuple[tuple[int, Power], ...]:
    """Return whom to remind at *now*: hours before the deadline, and a power that is not complete.

    Of several reminders that are due only the last is, and one that would have come before the
    phase opened never is.
    """
    needs = needs_of(board, game)
    if needs is None or game.paused or needs.phase.passed or now >= needs.phase.deadline:
        return ()
    hours = [hours for at, hours in _reminders(game) if at <= now][-1:]
    return tuple(
        (each, power)
        for each in hours
        for power in needs.owed
        if game.seats[power].state is SeatState.PLAYED and not needs.is_in(power)
    )


def _course(needs: Needs) -> Iterator[Due]:
    """Yield what the course of the game brings, which a pause holds up."""
    if needs.game.paused:
        return
    if needs.game.house_rules.manual_processing:
        if not needs.phase.passed:
            yield Due(needs.phase.deadline, Action.MEET_DEADLINE)
        return
    yield from _takeovers(needs.game)
    yield from (_after_deadline if needs.phase.passed else _before_deadline)(needs)


def _offers(game: Game, phase: OpenPhase) -> Iterator[Due]:
    """Yield the ends of offers; whoever can be asked is asked at once."""
    for offer in game.offers.values():
        yield Due(offer.until, Action.END_OFFER)
    if next_offers(game):
        yield Due(phase.opened, Action.OFFER)


def _takeovers(game: Game) -> Iterator[Due]:
    for power in survivors(game):
        until = game.seats[power].takeover_until
        if until:
            yield Due(until, Action.END_TAKEOVER)


def _before_deadline(needs: Needs) -> Iterator[Due]:
    rules, phase = needs.game.house_rules, needs.phase
    action = Action.MEET_DEADLINE if needs.missing else Action.CLOSE
    yield Due(phase.deadline, action)
    waiting = phase.waiting & needs.owed.keys()
    if rules.early_closing and not waiting and needs.all_in:
        quiet = _quiet(needs)
        if needs.position.phase.kind is PhaseKind.MOVEMENT:
            quiet = max(quiet, phase.opened + timedelta(hours=rules.early_not_before_hours))
        yield Due(quiet, Action.CLOSE)


def _after_deadline(needs: Needs) -> Iterator[Due]:
    if needs.unexcused:
        if needs.game.house_rules.nmr is not Nmr.WAIT:
            yield Due(needs.phase.grace_end, Action.END_GRACE)
    elif (
        needs.missing == needs.late
    ):  # who is away; a vacant power is waited for until its takeover ends
        yield Due(_late_close(needs), Action.CLOSE)


def _late_close(needs: Needs) -> datetime:
    """Return when the phase closes now that all who were late have given orders, or are away."""
    phase, quiet = needs.phase, _quiet(needs)
    in_time = all(needs.is_in(power) for power in phase.late & needs.owed.keys())
    if needs.game.house_rules.nmr is Nmr.WAIT:  # Grace may be long over.
        return quiet if in_time else max(quiet, phase.grace_end)
    return min(quiet, phase.grace_end) if in_time else phase.grace_end


def _quiet(needs: Needs) -> datetime:
    """Return when nobody will have changed any orders for long enough."""
    wait = timedelta(minutes=needs.game.house_rules.early_wait_minutes)
    return (needs.phase.changed or needs.phase.opened) + wait


def _reminders(game: Game) -> Iterator[tuple[datetime, int]]:
    assert game.phase is not None
    for hours in sorted(game.house_rules.reminder_hours, reverse=True):
        at = game.phase.deadline - timedelta(hours=hours)
        if at > game.phase.opened:
            yield at, hours
