"""Fetch emails from an IMAP mailbox, again and again.

Every wait has a timeout, and every response a size limit. IMAP is RFC 3501, IDLE RFC 2177.

UIDVALIDITY and UID identify an email. The flag `Seen` means nothing here, as people and other
programs read mailboxes too. An email that is fetched twice, because the judge died before it
recorded the first time or because the UIDs restarted, is stored once.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from imaplib import IMAP4
from threading import Event, Thread
from time import monotonic, sleep

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, LoginError, ProtocolError
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.tls import IMAP4_TLS

from judge.adapters.access_tokens import AccessTokens, xoauth2_login
from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.service import OperatorLog
from judge.app.ports.database import Database
from judge.app.ports.inbox import (
    IN_MAILBOX,
    LOGIN_REFUSED,
    Envelope,
    Mailbox,
    MailReception,
    WithheldEmail,
)
from judge.app.ports.judge import Clock
from judge.mail.envelope import BYTES_MAX
from judge.mail.headers import envelope_sender
from judge.mail.server_replies import public_reply
from judge.settings import Endpoint

CONNECT_SECONDS, ANSWER_SECONDS = 15, 30
STEP_SECONDS = 0.5  # how often an idle session checks whether it is wanted
MAIL_BYTES_MAX = BYTES_MAX + 1  # bytes of a larger email, enough to know that it is too large
BATCH_MAILS, BATCH_BYTES = 50, 4 * MAIL_BYTES_MAX
ANSWER_BYTES_MAX = 2 * BATCH_BYTES
SEEN = rb"\Seen"
BYTES_AS_TEXT = re.compile(r"b(['\"])(.*?)\1", re.DOTALL)  # imaplib puts replies into its errors

# Faults of a server or of the connection.
IMAP_ERRORS = (IMAPClientError, IMAP4.error, OSError)
LOGIN_ERROR = LoginError


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """The address of a mailbox, and its login: a password, or OAuth2 *tokens*."""

    host: str
    port: int
    security: str  # tls, starttls, none
    user: str
    folder: str
    password: str = field(default="", repr=False)
    tokens: AccessTokens | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return f"{self.user}@{self.host}:{self.port}/{self.folder}"

    def reason(self, error: Exception, *, quoted: bool = True) -> str:
        """Return which server failed how; *quoted* with its reply, less secrets and addresses."""
        where = f"{Endpoint(self.host, self.port)}: {_failure_name(error)}"
        secrets = self.tokens.secrets(self.user) if self.tokens else (self.password,)
        text = getattr(error, "strerror", None) or str(error)
        said = BYTES_AS_TEXT.sub(lambda found: found[2], text)
        reply = public_reply(said, secrets) if quoted else ""
        return f"{where}: {reply}" if reply else where


@dataclass(frozen=True, slots=True)
class FoundEmail:
    """An email in a mailbox, cut at the size limit; *received_utc* is its INTERNALDATE, if any."""

    uid: int
    raw: bytes
    received_utc: datetime | None


class WithheldError(IMAPClientError):  # type: ignore[misc]  # ships no types
    """The server lists an email, and sends no text of it; the message quotes no email."""


FAILURES = (  # the first that an error is
    (LoginError, LOGIN_REFUSED),
    (WithheldError, "an email is missing"),
    (ProtocolError, "the answer cannot be read"),
    (IMAP4.abort, "the connection ended"),
    (IMAP4.error, "the server refuses"),
    (TimeoutError, "the server does not answer"),
    (ssl.SSLError, "TLS fails"),
    (OSError, "the server cannot be reached"),
)


def _failure_name(error: Exception) -> str:
    named = (name for kind, name in FAILURES if isinstance(error, kind))
    return next(named, type(error).__name__)


class ImapSession:
    """A selected mailbox."""

    def __init__(self, client: IMAPClient, uid_validity: int, exists: int) -> None:
        self._client = client
        self.uid_validity = uid_validity
        self.exists = exists  # emails in it when it was opened

    @property
    def can_idle(self) -> bool:
        """Return whether the server announces new emails at once."""
        return bool(self._client.has_capability("IDLE"))

    def batches(self, after: int, alone_until: int = 0) -> Iterator[Sequence[int]]:
        """Yield the UIDs above *after* in batches, in order; one by one up to *alone_until*."""
        self._client.renew_room()
        # `n:*` is never empty: it includes the last email, whatever its UID (RFC 3501 6.4.8).
        uids = sorted(uid for uid in self._client.search(["UID", f"{after + 1}:*"]) if uid > after)
        yield from ([uid] for uid in uids if uid <= alone_until)
        uids = [uid for uid in uids if uid > alone_until]
        for start in range(0, len(uids), BATCH_MAILS):
            yield from self._split(uids[start : start + BATCH_MAILS])

    def fetch(self, uids: Sequence[int], *, dated: bool = True) -> Sequence[FoundEmail]:
        """Return the emails *uids*, less those that are gone; *dated* if the dates are sound.

        Raises `WithheldError` if the server lists one of them, and sends no text of it.
        """
        wanted = ["INTERNALDATE"] if dated else []
        self._client.renew_room()
        answer = self._client.fetch(uids, [*wanted, f"BODY.PEEK[]<0.{MAIL_BYTES_MAX}>"])
        found = []
        for uid in uids:
            sent = answer.get(uid, {})
            raw = sent.get(b"BODY[]<0>") or sent.get(b"BODY[]")  # some leave out the start
            if raw and isinstance(raw, bytes):
                date = _utc(sent.get(b"INTERNALDATE"))
                found.append(FoundEmail(uid, raw[:MAIL_BYTES_MAX], date))
        if withheld := self._listed({*uids} - {each.uid for each in found}):
            raise WithheldError(f"the server lists UID {withheld[0]} and sends no text of it")
        return found

    def fetch_newest(self) -> None:
        """Fetch the newest email, to try whether the server hands it over."""
        if self.exists:
            self.fetch(self._client.search(["UID", "*"]))

    def _listed(self, uids: set[int]) -> Sequence[int]:
        """Return which of *uids* the mailbox still has."""
        if not uids:
            return ()
        listed = self._client.search(["UID", ",".join(map(str, sorted(uids)))])
        return sorted(uids & {*listed})

    def holds(self, message_id: str) -> bool:
        """Return whether the mailbox has an email with this Message-ID."""
        self._client.renew_room()
        return bool(self._client.search(["HEADER", "Message-ID", message_id]))

    def mark(self, uids: Sequence[int]) -> None:
        """Set the flag that shows people what has been read; nothing depends on it."""
        with suppress(IMAPClientError):
            self._client.add_flags(uids, [SEEN], silent=True)

    def rest(self, seconds: float, is_wanted: Callable[[], bool]) -> None:
        """Return on a change, when *is_wanted*, or after this many *seconds*."""
        self._client.renew_room()
        end = monotonic() + seconds
        if self.can_idle:
            self._idle(end, is_wanted)
            return
        while monotonic() < end and not is_wanted():
            sleep(STEP_SECONDS)
        self._client.noop()

    def _idle(self, end: float, is_wanted: Callable[[], bool]) -> None:
        self._client.idle()
        responses: Sequence[object] = ()
        while not responses and monotonic() < end and not is_wanted():
            began = monotonic()
            responses = self._client.idle_check(timeout=STEP_SECONDS)
            if not responses and monotonic() - began < STEP_SECONDS / 2:
                break  # The connection is gone; the next line raises for it.
        self._client.idle_done()

    def _split(self, uids: Sequence[int]) -> Iterator[Sequence[int]]:
        sizes = self._client.fetch(uids, ["RFC822.SIZE"])
        part: list[int] = []
        room = BATCH_BYTES
        for uid in uids:
            size = min(sizes.get(uid, {}).get(b"RFC822.SIZE", 0), MAIL_BYTES_MAX)
            if part and size > room:
                yield part
                part, room = [], BATCH_BYTES
            part, room = [*part, uid], room - size
        yield part


@contextmanager
def imap_session(account: ImapAccount, *, readonly: bool = False) -> Iterator[ImapSession]:
    """Open a mailbox; raises one of `FAULTS` if that, or anything in the session, fails."""
    client = _BoundedClient(
        account.host,
        port=account.port,
        ssl=account.security == "tls",
        ssl_context=ssl.create_default_context() if account.security == "tls" else None,
        timeout=SocketTimeout(CONNECT_SECONDS, ANSWER_SECONDS),
    )
    try:
        client.normalise_times = False
        if account.security == "starttls":
            client.starttls(ssl.create_default_context())
        _log_in(client, account)
        selected = client.select_folder(account.folder, readonly=readonly)
        yield ImapSession(client, selected[b"UIDVALIDITY"], selected[b"EXISTS"])
        client.logout()
    finally:
        with suppress(*IMAP_ERRORS):
            client.shutdown()


def _log_in(client: IMAPClient, account: ImapAccount) -> None:
    if account.tokens is None:
        client.login(account.user, account.password)
        return
    token = account.tokens.token()
    try:
        _log_in_by_token(client, account.user, token)
    except LoginError:
        _log_in_by_token(client, account.user, account.tokens.renewed(token))


def _log_in_by_token(client: IMAPClient, user: str, token: str) -> None:
    login = xoauth2_login(user, token)
    # A server that refuses the token says why in a challenge, and awaits an empty answer.
    client.sasl_login("XOAUTH2", lambda challenge: "" if challenge else login)


class _Bounded(IMAP4):
    """A connection that ends if the server sends more than the limit for a response.

    The limit applies from the first line on, and to literals too, which announce their size.
    """

    _room = ANSWER_BYTES_MAX

    def renew_room(self) -> None:
        self._room = ANSWER_BYTES_MAX

    def read(self, size: int) -> bytes:
        self._take(size)
        return super().read(size)

    def readline(self) -> bytes:
        line = super().readline()
        self._take(len(line))
        return line

    def _take(self, size: int) -> None:
        self._room -= size
        if self._room < 0:
            raise IMAP4.abort("the answer is too large")


class _Plain(_Bounded, IMAP4WithTimeout):  # type: ignore[misc]  # ships no types
    pass


class _Encrypted(_Bounded, IMAP4_TLS):  # type: ignore[misc]  # ships no types
    pass


class _BoundedClient(IMAPClient):  # type: ignore[misc]  # ships no types
    def _create_IMAP4(self) -> _Bounded:  # noqa: N802 - an override
        if self.ssl:
            return _Encrypted(self.host, self.port, self.ssl_context, CONNECT_SECONDS)  # type: ignore[call-arg]  # see above
        return _Plain(self.host, self.port, CONNECT_SECONDS)

    def renew_room(self) -> None:
        self._imap.renew_room()


def _utc(instant: object) -> datetime | None:
    return instant.astimezone(UTC) if isinstance(instant, datetime) else None


ALONE_TRIES = 3  # sessions in which an email cannot be fetched before it is set aside
UNDATED_AFTER = 1  # such sessions before it is fetched without its date, which may be at fault
WITHHELD_PAUSE = timedelta(days=1)
PAUSE_FIRST_SECONDS = 1.0
PAUSE_MAX_SECONDS = 300.0
LOOK_ON_SECONDS = 5.0
UNKNOWN_SENDER = "unknown"  # as `judge.mail.headers` calls a missing name

log = OperatorLog()


class ImapPoller:
    """The only reader of a mailbox, on a thread of its own, or its stand-in at another judge.

    It reads at once when the server announces a change (IDLE), and at least every *seconds*.
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
        self._progress: object = None  # what changes when a session got on
        self._alone_until = 0  # the UIDs of a batch that failed
        self._tries: dict[int, int] = {}
        self._tried_aside: dict[int, datetime] = {}
        self._wanted = Event()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="imap", daemon=True)

    @property
    def name(self) -> str:
        return f"imap {self.mailbox}"

    @property
    def mailbox(self) -> str:
        """Return the name of the mailbox."""
        return self._account.name

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._wanted.set()
        self._thread.join(ANSWER_SECONDS)

    def change(self, account: ImapAccount) -> None:
        """Log in to the mailbox by *account* from now on, and try what is set aside again."""
        self._account = account
        self._tried_aside.clear()
        self._wanted.set()

    def has_read(self, since: datetime, _now: datetime) -> bool:
        """Return whether the mailbox was read after *since*; if not, read it at once."""
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
            began, is_open = self._progress, False
            try:
                if self._is_ours():
                    account = self._account
                    with imap_session(account) as opened:
                        is_open = True
                        self._stay(opened, account)
                else:
                    self._wait_for_other_judge()
            except Exception as error:  # noqa: BLE001 - no fault of a server may stop the poller
                failures = failures + 1 if self._progress == began else 1
                self._note_failure(error, may_quote_mail=is_open)
                self._pause(pause_seconds(failures))

    def _pause(self, seconds: float) -> None:
        """Wait, but not when the account changes or the judge stops."""
        account, end = self._account, monotonic() + seconds
        while account is self._account and monotonic() < end:
            if self._stopping.wait(STEP_SECONDS):
                return

    def _is_ours(self) -> bool:
        """Return whether we, and no other judge on the same store, read the mailbox."""
        return self._database.claims.take(self.name)

    def _wait_for_other_judge(self) -> None:
        self._wanted.wait(LOOK_ON_SECONDS)
        self._wanted.clear()
        self._read_utc = self._mailbox().read_utc

    def _stay(self, opened: ImapSession, account: ImapAccount) -> None:
        while not self._stopping.is_set() and self._account is account and self._is_ours():
            self._wanted.clear()
            began = self._clock.now()
            self._read(opened)
            self._note_read(began)
            opened.rest(self._seconds, self._wanted.is_set)

    def _read(self, opened: ImapSession) -> None:
        """Store new emails, and only then record that they are not new."""
        mailbox = self._mailbox()
        if mailbox.uid_validity != opened.uid_validity:
            if mailbox.uid_validity:
                log.warning("imap.uids_restarted", mailbox=mailbox.name)
            mailbox = replace(mailbox, uid_validity=opened.uid_validity, uid=0)
        for uids in opened.batches(mailbox.uid, self._alone_until):
            found = self._fetch(opened, mailbox, uids)
            self._store(found)
            gone = len(uids) - len(found)
            if gone:
                log.note("imap.gone_before_read", mailbox=mailbox.name, mails=gone)
            mailbox = replace(mailbox, uid=max(uids))
            self._remember(mailbox)
            opened.mark([each.uid for each in found])
            if self._stopping.is_set():
                return
        self._try_withheld(opened)

    def _fetch(
        self, opened: ImapSession, mailbox: Mailbox, uids: Sequence[int]
    ) -> Sequence[FoundEmail]:
        """Fetch a batch; if that fails, its emails are fetched one by one in the next sessions.

        An email that fails often enough is set aside, and the next session goes on after it.
        """
        tries = self._tries.get(uids[0], 0)
        try:
            return opened.fetch(uids, dated=tries < UNDATED_AFTER or len(uids) > 1)
        except Exception as error:
            if len(uids) > 1:
                self._alone_until = max(uids)
            else:
                self._tries[uids[0]] = tries + 1
            if len(uids) == 1 and tries + 1 >= ALONE_TRIES:
                self._set_aside(mailbox, uids[0], error)
                self._remember(replace(mailbox, uid=uids[0]))
            raise

    def _set_aside(self, mailbox: Mailbox, uid: int, error: Exception) -> None:
        now, reason = self._clock.now(), self._words(error)
        email = WithheldEmail(mailbox.name, mailbox.uid_validity, uid, reason, now, now)
        log.error("imap.email_withheld", mailbox=mailbox.name, uid=uid, reason=reason)
        with self._database.write() as transaction:
            transaction.mailboxes.set_aside(email)
        self._tries.pop(uid, None)
        self._tried_aside[uid] = now

    def _words(self, error: Exception) -> str:
        """Return the server's own words; a fault in its answer may quote an email."""
        quotes = isinstance(error, ProtocolError) or "unexpected" in str(error)
        known = isinstance(error, IMAP_ERRORS) and not quotes
        return self._account.reason(error, quoted=known)

    def _try_withheld(self, opened: ImapSession) -> None:
        """Try each email that is set aside again: once after a start, then daily."""
        with self._database.read() as transaction:
            withheld = transaction.mailboxes.withheld(self._account.name)
        for each in withheld:
            now, last = self._clock.now(), self._tried_aside.get(each.uid)
            if last and now - last < WITHHELD_PAUSE:
                continue
            self._tried_aside[each.uid] = now
            with self._database.write() as transaction:
                transaction.mailboxes.set_aside(replace(each, tried_utc=now))
            same = each.uid_validity == opened.uid_validity
            self._store(opened.fetch([each.uid], dated=False) if same else ())
            with self._database.write() as transaction:
                transaction.mailboxes.settle(each)
            log.note("imap.email_no_longer_withheld", mailbox=each.mailbox, uid=each.uid)

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
            IN_MAILBOX,
            found.received_utc,
        )

    def _mailbox(self) -> Mailbox:
        with self._database.read() as transaction:
            return transaction.mailboxes.get(self._account.name)

    def _remember(self, mailbox: Mailbox) -> None:
        self._progress = (mailbox.uid, mailbox.read_utc)
        with self._database.write() as transaction:
            transaction.mailboxes.put(mailbox)

    def _note_read(self, began: datetime) -> None:
        self._read_utc = began
        healthy = replace(self._mailbox(), read_utc=began, failing_utc=None, reason="")
        self._remember(healthy)

    def _note_failure(self, error: Exception, *, may_quote_mail: bool) -> None:
        """Record since when and why the mailbox cannot be read."""
        reason = self._words(error) if may_quote_mail else self._account.reason(error)
        log.error("imap.failed", mailbox=self._account.name, reason=reason)
        try:
            mailbox = self._mailbox()
            since = mailbox.failing_utc or self._clock.now()
            self._remember(replace(mailbox, failing_utc=since, reason=reason))
        except Exception as failure:  # noqa: BLE001 - the store may be what failed
            log.error("imap.not_noted", error=type(failure).__name__)  # noqa: TRY400 - may quote


def pause_seconds(failures: int) -> float:
    """Return how long to wait after so many failures in a row: doubling, to a limit."""
    doubled: float = PAUSE_FIRST_SECONDS * (1 << min(failures - 1, 10))
    return min(doubled, PAUSE_MAX_SECONDS)
