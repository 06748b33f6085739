"""Deliver queued emails, retry them, and handle bounce messages.

A bounce counts only if it has a secret of the email: its envelope sender or its Message-ID.
Nothing else in it is read, and it gets no reply.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple, Protocol, TypeAlias, assert_never

from judge.app import store_trouble
from judge.app.outbound.maps import MapPainter
from judge.app.outbound.queue import GameMailer, recipients_of
from judge.app.outbound.rendering import render_waiting
from judge.app.ports.database import Transaction
from judge.app.ports.inbox import InboxState, IncomingMail, MailOutcome
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import Failure, OutgoingMail
from judge.game.game_state import Game
from judge.mail.envelope import Bounce
from judge.mail.headers import token_of
from judge.mail.server_replies import public_reply
from judge.reports.emails.contexts import heading_of
from judge.reports.emails.notices import Undelivered

RETRY_FIRST = timedelta(minutes=1)
RETRY_LONGEST = timedelta(hours=4)
JITTER = 0.25  # of a delay, to spread the retries of emails that failed together
ATTEMPTS_MAX = 30  # about four days, as RFC 5321 4.5.4.1 asks
AT_ONCE = 10  # parallel deliveries, so a slow one does not delay the others
IN_HAND_MAX = 2 * AT_ONCE  # while some are recorded, as many others are delivered
BATCH = 200
BATCH_FRESH = timedelta(seconds=10)  # then it is read again: the operator may have discarded some
CANCEL_SECONDS = 0.1  # between two cancellations of a delivery


@dataclass(frozen=True, slots=True)
class Taken:
    """The mail server has accepted the email."""


@dataclass(frozen=True, slots=True)
class Later:
    """The email cannot be delivered now, for *reason*."""

    reason: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """The mail server refuses this judge or fails, for *reason*: the operator must act."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unreachable:
    """No email can be delivered now: the server does not respond, for *reason*."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The email can never be delivered, for *reason*."""

    reason: str


Delivery: TypeAlias = Taken | Later | Blocked | Unreachable | Failed


class Carrier(Protocol):
    """Delivers outgoing emails."""

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Hand over one email."""

    async def rest(self) -> None:
        """Accept that nothing more is to be delivered for now, so a connection can be closed."""


class Outcome(NamedTuple):
    """The outcome of one delivery attempt."""

    mail: OutgoingMail
    delivery: Delivery


class DeliveryQueue:
    """Delivers the emails that are due, several at a time.

    A crash between the server's acceptance and our commit repeats the emails in hand, at most
    `IN_HAND_MAX`, with the same Message-IDs. This is the only place where something can happen
    twice.
    """

    def __init__(self, judge: Judge, carrier: Carrier) -> None:
        self._judge, self._carrier = judge, carrier
        self._painter = MapPainter(judge)
        self._records = _Records(judge)
        self._due: deque[OutgoingMail] = deque()
        self._due_read = judge.clock.now()
        self._in_hand: set[str] = set()
        self._delivering = asyncio.Semaphore(AT_ONCE)
        self._looking = asyncio.Lock()
        self._may_be_due = False  # emails that the last look did not find
        self._unreachable = False

    async def deliver_due(self) -> int:
        """Try every due email until the server proves unreachable; return their number."""
        self._begin()
        count = sum(await asyncio.gather(*(self._deliver_some() for _ in range(IN_HAND_MAX))))
        await self._carrier.rest()
        return count

    async def run(self, woken: asyncio.Event) -> None:
        """Deliver whenever *woken*, until cancelled; a slow email does not delay later ones."""
        carrying = [asyncio.create_task(self._deliver_when(woken)) for _ in range(IN_HAND_MAX)]
        try:
            await asyncio.wait(carrying)
        finally:
            await _end(carrying)
            await self._records.finish()

    async def _deliver_when(self, woken: asyncio.Event) -> None:
        while True:
            await woken.wait()
            woken.clear()  # before looking: what is queued from now on wakes a sender again
            self._begin()
            try:
                await self._deliver_some()
                if not self._in_hand:
                    await self._carrier.rest()
            except Exception as error:  # noqa: BLE001 - the next tick tries again
                store_trouble.log_failure(self._judge, "delivery.failed", error)

    def _begin(self) -> None:
        self._unreachable, self._may_be_due = False, True

    async def _deliver_some(self) -> int:
        count = 0
        while outcome := await self._deliver_next():
            try:
                await self._records.add(outcome)
            finally:
                self._in_hand.remove(outcome.mail.message_id)
            # The moderator may be notified of a failure.
            self._may_be_due |= not isinstance(outcome.delivery, Taken)
            count += 1
        return count

    async def _deliver_next(self) -> Outcome | None:
        async with self._delivering:
            mail = await self._next()
            if mail is None:
                return None
            try:
                delivery = await self._carrier.deliver(await self._painter.finished(mail))
            except BaseException as error:
                if isinstance(error, Exception):
                    await asyncio.to_thread(release, self._judge, [mail])
                self._in_hand.remove(mail.message_id)
                raise
            self._unreachable |= isinstance(delivery, Unreachable)
            return Outcome(mail, delivery)

    async def _next(self) -> OutgoingMail | None:
        async with self._looking:
            look = self._may_be_due and not self._due
            self._may_be_due &= not look  # before looking: what is queued from now on is found
            rendered = look and await asyncio.to_thread(self._render_some)
            # Before outcomes are recorded: an email whose outcome cannot be is in hand no longer.
            in_hand = frozenset(self._in_hand)
            stuck = self._unreachable or not await self._records.caught_up()
            now = self._judge.clock.now()
            if self._due and (stuck or abs(now - self._due_read) > BATCH_FRESH):
                await asyncio.to_thread(release, self._judge, [*self._due])
                self._due.clear()
            if stuck:
                self._may_be_due |= look
            elif not self._due and (look or self._may_be_due):
                self._due_read = now
                self._due.extend(await asyncio.to_thread(self._due_mails, in_hand))
                self._may_be_due |= rendered or bool(self._due)  # more than one batch
            if not self._due:
                return None
            mail = self._due.popleft()
            self._in_hand.add(mail.message_id)
            return mail

    def _due_mails(self, in_hand: frozenset[str]) -> Sequence[OutgoingMail]:
        with self._judge.database.read() as transaction:
            due = transaction.outbox.due(self._judge.clock.now(), BATCH)
        return [mail for mail in due if mail.message_id not in in_hand]

    def _render_some(self) -> bool:
        try:
            return render_waiting(self._judge) > 0
        except Exception as error:  # noqa: BLE001 - what is rendered already goes out
            store_trouble.log_failure(self._judge, "rendering.failed", error)
            return False


async def _end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel *tasks* until they have ended.

    One cancellation is not enough before Python 3.12: its `asyncio.wait_for`, which aiosmtplib
    uses to await the server, loses one that coincides with the response.
    """
    going = set(tasks)
    while going:
        for task in going:
            task.cancel()
        _, going = await asyncio.wait(going, timeout=CANCEL_SECONDS)


class _Records:
    """Records outcomes of deliveries, all that are known at a moment in one transaction.

    Outcomes that cannot be stored, because the disk is full or the store is gone, are kept until
    they can be. Nothing is sent until then; otherwise those emails would go out again at every
    tick.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known: list[Outcome] = []
        self._late: list[Outcome] = []
        self._writing = asyncio.Lock()
        self._next_write: asyncio.Task[None] | None = None

    async def add(self, outcome: Outcome) -> None:
        """Record *outcome*; it is committed when this returns."""
        self._known.append(outcome)
        if self._next_write is None:
            self._next_write = asyncio.create_task(self._write_known())
        await asyncio.shield(self._next_write)

    async def _write_known(self) -> None:
        """Wait for the write under way, then write all outcomes that are known by then."""
        async with self._writing:
            known, self._known = self._known, []
            self._next_write = None
            await asyncio.to_thread(self._write, known)

    async def finish(self) -> None:
        """Wait until all known outcomes are recorded, also those of deliveries cancelled since."""
        if self._next_write:
            await self._next_write
        async with self._writing:
            pass

    async def caught_up(self) -> bool:
        """Record the outcomes left over; return whether none is left."""
        if self._late:
            async with self._writing:
                late, self._late = self._late, []
                await asyncio.to_thread(self._write, late)
        return not self._late

    def _write(self, outcomes: Sequence[Outcome]) -> None:
        """Record *outcomes*, keep those that cannot be, and release the claims on the others."""
        late = self._unwritten(outcomes)
        self._late += late
        release(self._judge, (outcome.mail for outcome in outcomes if outcome not in late))

    def _unwritten(self, outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
        """Record *outcomes*, and return those that cannot be; raises nothing."""
        try:
            with self._judge.database.write() as transaction:
                record(self._judge, transaction, outcomes)
        except Exception as error:  # noqa: BLE001 - one failure must not hold up other emails
            store_trouble.log_failure(self._judge, "delivery.failed", error)
        else:
            return ()
        if len(outcomes) > 1:
            return [each for outcome in outcomes for each in self._unwritten([outcome])]
        try:
            self._put_off(outcomes[0].mail)
        except Exception:  # noqa: BLE001 - even the delay could not be stored
            return outcomes
        return ()

    def _put_off(self, mail: OutgoingMail) -> None:
        now = self._judge.clock.now()
        failure = Failure("the outcome could not be recorded", now, ours=True)
        with self._judge.database.write() as transaction:
            transaction.outbox.postpone(mail.message_id, now + retry_delay(mail), failure)


def release(judge: Judge, mails: Iterable[OutgoingMail]) -> None:
    """Release the claims on *mails*."""
    for mail in mails:
        judge.database.claims.leave(mail.message_id)


def record(judge: Judge, transaction: Transaction, outcomes: Iterable[Outcome]) -> None:
    """Record the outcomes of deliveries."""
    now, taken = judge.clock.now(), list[str]()
    log = judge.operator_log
    for mail, delivery in outcomes:
        match delivery:
            case Taken():
                taken.append(mail.message_id)
            case Later(reason) | Blocked(reason) | Unreachable(reason) if may_retry(mail):
                failure = Failure(reason, now, ours=not isinstance(delivery, Later))
                transaction.outbox.postpone(mail.message_id, now + retry_delay(mail), failure)
                write = log.warning if failure.ours else log.note
                write("delivery.postponed", mail=mail.message_id, reason=reason)
            case Later(reason) | Blocked(reason) | Unreachable(reason) | Failed(reason):
                ours = isinstance(delivery, Blocked | Unreachable)
                transaction.outbox.give_up(mail.message_id, Failure(reason, now, ours=ours))
                log.warning("delivery.given_up", mail=mail.message_id, reason=reason)
                report_undelivered(judge, transaction, mail, now)
            case _:
                assert_never(delivery)
    transaction.outbox.sent(taken, now)


def may_retry(mail: OutgoingMail) -> bool:
    """Return whether *mail*, which has failed once more, may be tried again."""
    return mail.attempts + 1 < ATTEMPTS_MAX


def retry_delay(mail: OutgoingMail) -> timedelta:
    """Return the wait before the next attempt: doubling up to a limit, plus some jitter.

    The jitter is derived from the email, not random.
    """
    doubled: int = 1 << min(mail.attempts, 10)
    share = sha256(f"{mail.message_id}:{mail.attempts}".encode()).digest()[0] / 255
    return min(RETRY_FIRST * doubled, RETRY_LONGEST) * (1 + JITTER * share)


def report_undelivered(
    judge: Judge, transaction: Transaction, mail: OutgoingMail, now: datetime
) -> None:
    """Notify the moderator that *mail* was not delivered, unless they were its recipient.

    For a digest, notify the moderators of the games in it.
    """
    for enclosed in transaction.outbox.enclosed(mail.message_id):
        report_undelivered(judge, transaction, enclosed, now)
    game = judge.game_cache.load(transaction, judge.boards, mail.game) if mail.game else None
    if game is None or mail.person is None or mail.person == game.moderator:
        return
    power = game.power_of(mail.person)
    if power is None:
        return
    notice = Undelivered(
        heading=heading_of(judge.board_of(game), game, judge.code),
        power=power,
        kind=mail.kind,
    )
    mailer = GameMailer(judge, transaction, game, now)
    for reader in recipients_of(transaction, game):
        if reader.power is None:
            mailer.write(notice, reader, f"undelivered:{mail.message_id}")


# Many servers say this of what they took and could not pass on, so a copy may have arrived.
MAY_HAVE_ARRIVED = re.compile(r"(?<![\d.])5\.7\.1(?![\d.])")


def handle_bounce(
    judge: Judge, transaction: Transaction, mail: IncomingMail, bounce: Bounce
) -> MailOutcome | None:
    """Record the *bounce* of an email; return None if it is not about one of ours.

    Only the email's own return address shows that it is genuine. A judge without a delimiter has
    no such addresses, and a bounce is then for the operator to see and changes nothing.
    """
    returned = _bounced_mail(judge, transaction, mail, bounce)
    if returned is None:
        return None
    if not bounce.permanent:
        return MailOutcome(InboxState.PROCESSED, "a delay was reported")
    now = judge.clock.now()
    local_part = returned.recipient.rpartition("@")[0]
    reply = public_reply(bounce.refusal, [local_part]) if bounce.refusal else ""
    refused = reply and not MAY_HAVE_ARRIVED.search(reply)
    if judge.delimiter and refused and returned.raw and may_retry(returned):
        reason = f"returned by a mail server: {reply}"
        due = now + retry_delay(returned)
        transaction.outbox.requeue(returned.message_id, due, Failure(reason, now, ours=True))
        judge.operator_log.warning("delivery.postponed", mail=returned.message_id, reason=reason)
        return MailOutcome(InboxState.PROCESSED, "an email came back, and is sent again")
    transaction.outbox.bounced(returned.message_id, now)
    judge.operator_log.note("delivery.bounced", mail=returned.message_id, reason=reply)
    if (
        judge.delimiter
        and returned.person
        and transaction.people.first_today(returned.recipient, "bounced", now)
    ):
        report_undelivered(judge, transaction, returned, now)
    return MailOutcome(InboxState.PROCESSED, "an email came back")


def unreachable_players(
    judge: Judge, transaction: Transaction, game: Game, now: datetime
) -> frozenset[str]:
    """Return the late players whom no email reached in this phase and who sent none.

    Without a delimiter anybody who knows a Message-ID can forge a bounce, so none counts.
    """
    if game.phase is None:
        return frozenset()
    since = game.phase.opened
    persons = (game.seats[power].person for power in game.phase.late)
    return frozenset(
        person
        for person in persons
        if person
        and transaction.outbox.is_unreachable(person, since, now, bounces=bool(judge.delimiter))
        and not transaction.inbox.wrote(person, since)
    )


def _bounced_mail(
    judge: Judge, transaction: Transaction, mail: IncomingMail, bounce: Bounce
) -> OutgoingMail | None:
    if judge.delimiter:
        is_token = token_of(mail.recipient, judge.address, judge.delimiter) is not None
        return transaction.outbox.sent_from(mail.recipient) if is_token else None
    named = (transaction.outbox.find(each) for each in bounce.message_ids)
    return next((each for each in named if each), None)
