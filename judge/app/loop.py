"""The main loop: wake up, answer incoming mail, close due phases, sleep.

A closed phase cannot be reopened by mail. So when the clock jumps ahead of the elapsed time, no
phase closes and the heartbeat stops, which `judge status` reports. Mail is still processed. Work
resumes when the clock is right again, or when the operator restarts the judge; deadlines then move
by the length of the jump.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Protocol

from judge.app import deadlines, store_trouble
from judge.app.admin.restored_backup import begin_epoch
from judge.app.game.witnesses import ask_witnesses
from judge.app.inbound import unverified_senders
from judge.app.inbound.process import RETRY_AFTER, process_waiting
from judge.app.inbound.questions import HELD_WITHOUT_QUESTION
from judge.app.outbound.digest import send_digests
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge, StoreFaultError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOTHING = timedelta()


class MonotonicClock(Protocol):
    """A clock that also measures elapsed time, whatever the clock is set to."""

    def now(self) -> datetime:
        """Return the present instant."""

    def passed(self) -> timedelta:
        """Return the time elapsed since a fixed instant, including sleep of the machine."""


class ClockWatch:
    """Detects a clock that jumps."""

    def __init__(self, clock: MonotonicClock) -> None:
        self._clock = clock
        self._difference = self._measure()

    def jump(self) -> timedelta:
        """Return how far the clock has jumped, zero while it runs steadily."""
        difference = self._measure()
        jump = difference - self._difference
        if abs(jump) >= deadlines.JUMP:
            return jump
        self._difference = difference
        return NOTHING

    def _measure(self) -> timedelta:
        return self._clock.now() - EPOCH - self._clock.passed()


class Loop:
    """The work of *judge* at each wake-up, which comes every *tick* or sooner."""

    def __init__(self, judge: Judge, clock: MonotonicClock, tick: timedelta) -> None:
        self._judge = judge
        self._watch = ClockWatch(clock)
        self._rest = max(deadlines.SHORT_OUTAGE, 2 * tick)
        self._awake = judge.clock.now()
        self._jump = NOTHING
        self._was_set_back = True  # perhaps, before the start

    def change(self, judge: Judge, tick: timedelta) -> None:
        """Continue as *judge*, another one on the same store, with another *tick*."""
        self._judge = judge
        self._rest = max(deadlines.SHORT_OUTAGE, 2 * tick)

    def run(self, enough: Callable[[], bool] = lambda: False) -> bool:
        """Do all that can be done now, or stop when it is *enough*; False if the store fails."""
        jump = self._watch.jump()
        if jump and not self._jump:
            self._judge.operator_log.warning("clock.jumped", seconds=round(jump.total_seconds()))
        elif self._jump and not jump:
            self._judge.operator_log.note("clock.steady")
        self._was_set_back |= self._jump - jump >= deadlines.JUMP
        self._jump = jump
        if self._was_set_back:
            # Make due what waits for a time that the clock showed before.
            now = self._judge.clock.now()
            with self._judge.database.write() as transaction:
                transaction.inbox.retry_by(now + max(RETRY_AFTER))
                transaction.outbox.bring_forward(now)
            self._was_set_back = False
        if jump > NOTHING:
            answer_all_mail(self._judge)
            return self._judge.trouble.since is None
        now = self._judge.clock.now()
        if now - self._awake >= self._rest and not deadlines.note_wake_up(self._judge):
            return True  # Another judge is crediting the outage; continue at the next tick.
        works = run_once(self._judge, lambda: enough() or self._watch.jump() > NOTHING)
        self._awake = self._judge.clock.now()
        return works

    def time_to_next(self) -> timedelta | None:
        """Return the time until a game is due; None if a tick is soon enough."""
        with self._judge.database.read() as transaction:
            due = transaction.agenda.next_due()
        left = due - self._judge.clock.now() if due else NOTHING
        return left if left > NOTHING else None


ROUNDS_MAX = 100  # before the caller can do something else


def run_once(judge: Judge, enough: Callable[[], bool] = lambda: False) -> bool:
    """Do all that can be done now, or stop when it is *enough*.

    Returns False if the store fails: then nothing is done until it works again.
    """
    try:
        if not store_trouble.is_over(judge):
            return False
        _do_all(judge, enough)
    except StoreFaultError:
        return False  # It is in the log; the next tick looks again.
    except Exception as error:
        if not store_trouble.is_cause_of(judge, error):
            raise
        store_trouble.begin(judge, error)
        return False
    return True


def _go_on_from_older_store(judge: Judge) -> None:
    """Begin an epoch if the store is older than this judge has seen it: a dump was restored.

    What was sent since must not be sent again with other contents.
    """
    with judge.database.read() as transaction:
        if not _is_older(transaction):
            return
    with judge.database.write() as transaction:
        if not _is_older(transaction):  # Another judge has just done this.
            return
        last = transaction.agenda.last_heartbeat()
        untold = begin_epoch(judge, transaction, last)
    judge.operator_log.warning(
        "store.went_back",
        to=str(last),
        text="an older store was restored under the running judge; its players are told",
        untold=" ".join(untold),
    )


def _is_older(transaction: Transaction) -> bool:
    """Return whether the store is older than this judge has seen it; raises `LostRowsError`."""
    if not transaction.is_older():
        return False
    if transaction.agenda.last_heartbeat() is None:
        raise store_trouble.LostRowsError
    return True


def _do_all(judge: Judge, enough: Callable[[], bool]) -> None:
    _go_on_from_older_store(judge)
    deadlines.record_heartbeat(judge)
    _review_held_mail(judge)
    for _ in range(ROUNDS_MAX):
        answered = process_waiting(judge)
        for games in deadlines.due_games(judge):
            if enough():
                return
            deadlines.advance_due_games(judge, games)
            deadlines.record_heartbeat(judge)  # otherwise long work would look like an outage
            answered += process_waiting(judge)
        now = judge.clock.now()
        with judge.database.read() as transaction:
            persons = transaction.outbox.awaited(now)
        if persons:
            send_digests(judge, persons, now)
        if judge.witnesses:
            ask_witnesses(judge)
        # The mail that a phase still waits for may have come in this round.
        if not answered or enough():
            return


def _review_held_mail(judge: Judge) -> None:
    before = judge.clock.now() - unverified_senders.HELD_AT_MOST
    with judge.database.read() as transaction:
        expired = transaction.inbox.held(before, unverified_senders.FORGOTTEN_AT_ONCE)
        waiting = transaction.inbox.held_because(
            HELD_WITHOUT_QUESTION, unverified_senders.NEWCOMERS_A_TURN
        )
    if expired:
        unverified_senders.forget_unconfirmed(judge, expired)
    if newcomers := [number for number in waiting if number not in expired]:
        unverified_senders.ask_newcomers(judge, newcomers)


def answer_all_mail(judge: Judge) -> None:
    """Process all waiting mail, without closing phases."""
    if not store_trouble.is_over(judge):
        return
    with suppress(StoreFaultError):
        for _ in range(ROUNDS_MAX):
            if not process_waiting(judge):
                return
