"""Polls a mailbox by IMAP: stores new emails and remembers how far it has read.

An email is known by UIDVALIDITY and UID. The flag `Seen` says nothing: people and other programs
read mailboxes too. An email that is fetched twice, because the judge died before it remembered the
first time or because the UIDs restarted, is stored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from threading import Event, Thread

import structlog

from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.inputs.imap_client import (
    ANSWER_SECONDS,
    FoundEmail,
    ImapAccount,
    ImapSession,
    imap_session,
)
from judge.app.inbound.accept import Envelope, MailReception
from judge.app.ports.inbox import Mailbox
from judge.app.ports.judge import Clock
from judge.app.ports.storage import Database
from judge.mail.headers import envelope_sender

PAUSE_FIRST_SECONDS = 1.0
PAUSE_MAX_SECONDS = 300.0
LOOK_ON_SECONDS = 5.0
UNKNOWN_SENDER = "unknown"  # as `judge.mail.headers` calls whom nobody names

log = structlog.get_logger(__name__)


class ImapPoller:
    """The one reader of a mailbox, on a thread of its own, or its stand-in at another judge.

    It reads at once when the server says that there is something (IDLE), and every *seconds* in
    any case.
    """

    def __init__(
        self,
        account: ImapAccount,
        database: Database,
        clock: Clock,
        keeper: GroupCommit,
        reception: MailReception,
        *,
        seconds: float,
    ) -> None:
        self._account = account
        self._database = database
        self._clock = clock
        self._keeper = keeper
        self._reception = reception
        self._seconds = seconds
        self._read_utc: datetime | None = None
        self._wanted = Event()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="imap", daemon=True)

    @property
    def name(self) -> str:
        """Name the way in."""
        return f"imap {self._account.name}"

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read no more; a server that does not answer is waited for no longer than it may take."""
        self._stopping.set()
        self._wanted.set()
        self._thread.join(ANSWER_SECONDS)

    def has_read(self, since: datetime, _now: datetime) -> bool:
        """Return whether the mailbox was read after *since*; if not, it will be at once."""
        if self._read_utc is not None and self._read_utc > since:
            return True
        self._wanted.set()
        return False

    def _run(self) -> None:
        try:
            self._take_turns()
        finally:
            self._database.claims.leave(self.name)

    def _take_turns(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            began = self._read_utc
            try:
                if self._is_ours():
                    with imap_session(self._account) as opened:
                        self._stay(opened)
                else:
                    self._look_on()
            except Exception as error:  # noqa: BLE001 - whatever a server does, mail must go on
                failures = failures + 1 if self._read_utc == began else 1
                self._note_failure(error)
                self._stopping.wait(pause_seconds(failures))

    def _is_ours(self) -> bool:
        """Return whether we read the mailbox, and no other judge on the same store does."""
        return self._database.claims.take(self.name)

    def _look_on(self) -> None:
        """Take note, now and then, of how far the judge came that reads the mailbox."""
        self._wanted.wait(LOOK_ON_SECONDS)
        self._wanted.clear()
        self._read_utc = self._mailbox().read_utc

    def _stay(self, opened: ImapSession) -> None:
        while not self._stopping.is_set() and self._is_ours():
            self._wanted.clear()
            began = self._clock.now()
            self._read(opened)
            self._note_read(began)
            opened.rest(self._seconds, self._wanted.is_set)

    def _read(self, opened: ImapSession) -> None:
        """Store what is new, and only then remember that it is not."""
        mailbox = self._mailbox()
        if mailbox.uid_validity != opened.uid_validity:
            if mailbox.uid_validity:
                log.warning("imap.uids_restarted", mailbox=mailbox.name)
            mailbox = replace(mailbox, uid_validity=opened.uid_validity, uid=0)
        for uids, found in opened.batches(mailbox.uid):
            self._store(found)
            gone = len(uids) - len(found)
            if gone:
                log.info("imap.gone_before_read", mailbox=mailbox.name, mails=gone)
            mailbox = replace(mailbox, uid=max(uids))
            self._remember(mailbox)
            opened.mark([each.uid for each in found])
            if self._stopping.is_set():
                return

    def _store(self, found: Sequence[FoundEmail]) -> None:
        storing = [self._keeper.submit(self._envelope(each)) for each in found]
        for each in storing:
            each.result()

    def _envelope(self, found: FoundEmail) -> Envelope:
        sender = envelope_sender(found.raw)
        return Envelope(
            found.raw,
            UNKNOWN_SENDER if sender is None else sender,
            self._reception.recipients(found.raw),
            "imap",
            found.received_utc,
        )

    def _mailbox(self) -> Mailbox:
        with self._database.read() as transaction:
            return transaction.mailboxes.get(self._account.name)

    def _remember(self, mailbox: Mailbox) -> None:
        with self._database.write() as transaction:
            transaction.mailboxes.put(mailbox)

    def _note_read(self, began: datetime) -> None:
        """Record that all that was there when we *began* has been stored."""
        self._read_utc = began
        healthy = replace(self._mailbox(), read_utc=began, failing_utc=None, reason="")
        self._remember(healthy)

    def _note_failure(self, error: Exception) -> None:
        """Record since when the mailbox cannot be read; what a server says is not repeated."""
        kind = type(error).__name__
        log.error("imap.failed", mailbox=self._account.name, error=kind)
        try:
            mailbox = self._mailbox()
            since = mailbox.failing_utc or self._clock.now()
            self._remember(replace(mailbox, failing_utc=since, reason=kind))
        except Exception as failure:  # noqa: BLE001 - perhaps the store was what failed
            log.error("imap.not_noted", error=type(failure).__name__)  # noqa: TRY400 - may quote


def pause_seconds(failures: int) -> float:
    """Return how long to wait after so many failures in a row: doubling, to a limit."""
    doubled: float = PAUSE_FIRST_SECONDS * (1 << min(failures - 1, 10))
    return min(doubled, PAUSE_MAX_SECONDS)
