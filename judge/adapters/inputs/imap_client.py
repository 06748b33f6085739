"""A session with an IMAP server that is not trusted: it may be silent, lie, or never end.

Nothing waits longer than a timeout, and nothing that the server sends is larger than what was
asked for. IMAP is RFC 3501, IDLE RFC 2177.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from imaplib import IMAP4
from time import monotonic, sleep

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.tls import IMAP4_TLS

from judge.mail.envelope import BYTES_MAX
from judge.overriding import override

CONNECT_SECONDS, ANSWER_SECONDS = 15, 30
STEP_SECONDS = 0.5  # how often an idle session looks whether it is wanted
MAIL_BYTES_MAX = BYTES_MAX + 1  # so much of a larger mail that it is known to be too large
BATCH_MAILS, BATCH_BYTES = 50, 4 * MAIL_BYTES_MAX
ANSWER_BYTES_MAX = 2 * BATCH_BYTES
SEEN = rb"\Seen"

IMAP_ERRORS = (
    IMAPClientError,
    IMAP4.error,
    OSError,
)  # what a server or the way to it can do to us


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """Where a mailbox is, and the words to get in."""

    host: str
    port: int
    security: str  # tls, starttls, none
    user: str
    folder: str
    password: str = field(repr=False)

    @property
    def name(self) -> str:
        """Name the mailbox."""
        return f"{self.user}@{self.host}:{self.port}/{self.folder}"


@dataclass(frozen=True, slots=True)
class FoundEmail:
    """An email in a mailbox, as much of it as may be; *received_utc* is its INTERNALDATE."""

    uid: int
    raw: bytes
    received_utc: datetime


class ImapSession:
    """A selected mailbox."""

    def __init__(self, client: IMAPClient, uid_validity: int, exists: int) -> None:
        self._client = client
        self.uid_validity = uid_validity
        self.exists = exists  # mails in it when it was opened

    @property
    def can_idle(self) -> bool:
        """Return whether the server tells at once when an email comes."""
        return bool(self._client.has_capability("IDLE"))

    def batches(self, after: int) -> Iterator[tuple[Sequence[int], Sequence[FoundEmail]]]:
        """Yield the emails with a UID higher than *after*, in its order, some at a time.

        Beside them all the UIDs that were asked for: an email may be gone by then.
        """
        self._client.renew_room()
        # `n:*` is never empty: it names the last mail, whatever its UID (RFC 3501, 6.4.8).
        uids = sorted(uid for uid in self._client.search(["UID", f"{after + 1}:*"]) if uid > after)
        for start in range(0, len(uids), BATCH_MAILS):
            for some in self._split(uids[start : start + BATCH_MAILS]):
                yield some, self._fetch(some)

    def holds(self, message_id: str) -> bool:
        """Return whether an email with this Message-ID is there."""
        self._client.renew_room()
        return bool(self._client.search(["HEADER", "Message-ID", message_id]))

    def mark(self, uids: Sequence[int]) -> None:
        """Set the flag by which people see what has been read; nothing depends on it."""
        with suppress(IMAPClientError):
            self._client.add_flags(uids, [SEEN], silent=True)

    def rest(self, seconds: float, is_wanted: Callable[[], bool]) -> None:
        """Return when something has changed, when *is_wanted*, or after so many *seconds*."""
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
        heard: Sequence[object] = ()
        while not heard and monotonic() < end and not is_wanted():
            began = monotonic()
            heard = self._client.idle_check(timeout=STEP_SECONDS)
            if not heard and monotonic() - began < STEP_SECONDS / 2:
                break  # The connection is gone, as the next line will tell.
        self._client.idle_done()

    def _split(self, uids: Sequence[int]) -> Iterator[Sequence[int]]:
        """Divide *uids* so that no part is larger than a batch may be."""
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

    def _fetch(self, uids: Sequence[int]) -> Sequence[FoundEmail]:
        wanted = ["INTERNALDATE", f"BODY.PEEK[]<0.{MAIL_BYTES_MAX}>"]
        self._client.renew_room()
        found = self._client.fetch(uids, wanted)
        return [
            FoundEmail(uid, found[uid][b"BODY[]<0>"], _utc(found[uid][b"INTERNALDATE"]))
            for uid in uids
            if found.get(uid, {}).get(b"BODY[]<0>") is not None
        ]


@contextmanager
def imap_session(account: ImapAccount, *, readonly: bool = False) -> Iterator[ImapSession]:
    """Open a mailbox; raises one of `FAULTS` when that, or anything in the session, fails."""
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
        client.login(account.user, account.password)
        selected = client.select_folder(account.folder, readonly=readonly)
        yield ImapSession(client, selected[b"UIDVALIDITY"], selected[b"EXISTS"])
        client.logout()
    finally:
        with suppress(*IMAP_ERRORS):
            client.shutdown()


class _Bounded(IMAP4):
    """A connection that ends when a server sends more than an answer may have.

    That holds from its first line on, and for literals too, whose size is said beforehand.
    """

    _room = ANSWER_BYTES_MAX

    def renew_room(self) -> None:
        """Let the next answer have its size."""
        self._room = ANSWER_BYTES_MAX

    @override
    def read(self, size: int) -> bytes:
        self._take(size)
        return super().read(size)

    @override
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
    @override
    def _create_IMAP4(self) -> _Bounded:
        if self.ssl:
            return _Encrypted(self.host, self.port, self.ssl_context, CONNECT_SECONDS)  # type: ignore[call-arg]  # see above
        return _Plain(self.host, self.port, CONNECT_SECONDS)

    def renew_room(self) -> None:
        """Let the next answer have its size."""
        self._imap.renew_room()


def _utc(instant: datetime) -> datetime:
    return instant.astimezone(UTC)
