"""The text of mails goes when it is old: what became of them stays, and that they came."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

from judge.app.claims import persistently
from judge.app.health import STILL_MAX
from judge.app.judge import Judge
from judge.app.ports import Transaction

BATCH = 200  # mails in one transaction: nobody who stores one has to wait for long

Emptying = Callable[[Transaction, int], Sequence[int]]


def let_old_text_go(judge: Judge, age: timedelta, goes_on: Callable[[], bool]) -> int:
    """Empty the mails that are done with since *age* or longer, in and out; return how many.

    Those that wait for anything are kept: for their answer, for whoever is to confirm them, for
    the operator to look at what was set aside, for a mail server to take them. It stops where it
    is when it no longer *goes_on*; so it may be called again at any time. Nothing goes while the
    judge does not say that it is awake: its clock may be wrong.
    """
    now = judge.clock.now()
    with judge.database.read() as transaction:
        awake = transaction.agenda.last_beat()
    if awake is None or abs(now - awake) > STILL_MAX:
        return 0
    before = now - age

    def came(transaction: Transaction, after: int) -> Sequence[int]:
        return transaction.inbox.empty(before, after, BATCH)

    def went(transaction: Transaction, after: int) -> Sequence[int]:
        return transaction.outbox.empty(before, after, BATCH)

    count = sum(_empty(judge, some, goes_on) for some in (came, went))
    if count:
        judge.journal.note("mail.emptied", mails=count)
    return count


def _empty(judge: Judge, some: Emptying, goes_on: Callable[[], bool]) -> int:
    count = last = 0
    while goes_on():
        emptied = persistently(partial(_empty_some, judge, some, last))
        if not emptied:
            break
        count, last = count + len(emptied), emptied[-1]
    return count


def _empty_some(judge: Judge, some: Emptying, after: int) -> Sequence[int]:
    with judge.database.write() as transaction:
        return some(transaction, after)
