"""The way out through a smarthost, which does TLS, DKIM and the long queues."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import monotonic

import aiosmtplib

from judge.app.outbound.delivery import Delivery, Failed, Later, Taken, Unreachable
from judge.app.ports.outbox import OutgoingMail

SECONDS_MAX = 60.0  # for each step of one delivery
IDLE_SECONDS = 1.0  # after which a kept connection is asked whether it still stands
LEAVE_SECONDS = 5.0
MAILS_A_CONNECTION = 100  # as mail servers like it; then another is opened
PERMANENT = range(500, 600)  # RFC 5321 4.2.1


@dataclass(frozen=True, slots=True)
class Login:
    """The words with which a mail server takes mails of ours."""

    user: str
    password: str = field(repr=False)


class Smarthost:
    """A mail server that takes our mails, over connections that are kept for the next ones.

    *security* is `tls` from the start, `starttls`, `none`, or `offered`: STARTTLS where the server
    has it. A *login* is not told to a server elsewhere without TLS, but for `none`.
    """

    def __init__(
        self, host: str, port: int, *, security: str = "offered", login: Login | None = None
    ) -> None:
        self._host, self._port = host, port
        self._security, self._login = security, login
        self._idle: list[_Connection] = []

    async def fault(self) -> str | None:
        """Say why it would take no mail now, None if it would."""
        try:
            connection = await self._connected()
        except (aiosmtplib.SMTPException, OSError) as error:
            return _said(error)
        await connection.end()
        return None

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Hand over one mail; only 5xx to its recipient or its text refuses it for good."""
        try:
            connection = await self._connected()
        except (aiosmtplib.SMTPException, OSError) as error:
            return Unreachable(_said(error))
        delivery = await connection.deliver(mail)
        if connection.is_good_for_more():
            self._idle.append(connection)
        else:
            await connection.end()
        return delivery

    async def rest(self) -> None:
        """End the connections that are kept: a mail server has no use for idle ones."""
        while self._idle:
            await self._idle.pop().end()

    async def _connected(self) -> _Connection:
        """Return a connection that answers: one that is kept, else a new one."""
        while self._idle:
            connection = self._idle.pop()
            if await connection.answers():
                return connection
            await connection.end()
        client = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            timeout=SECONDS_MAX,
            username=self._login.user if self._login else None,
            password=self._login.password if self._login else None,
            use_tls=self._security == "tls",
            start_tls=self._starts_tls(),
        )
        await client.connect()
        return _Connection(client)

    def _starts_tls(self) -> bool | None:
        """Say whether to ask for TLS once connected; None: where it is offered."""
        if self._security != "offered":
            return self._security == "starttls"
        if _is_loopback(self._host):
            return False  # Nobody listens in on it, and no certificate is made out to it.
        return True if self._login else None


class _Connection:
    """A conversation with the smarthost, one mail after another."""

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        self._client = client
        self._carried = 0
        self._spoke = monotonic()

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        delivery = await self._offer(mail)
        self._carried += 1
        self._spoke = monotonic()
        return delivery

    async def _offer(self, mail: OutgoingMail) -> Delivery:
        needed = () if mail.recipient.isascii() else ("SMTPUTF8",)
        try:
            await self._client.sendmail(
                mail.sender, [mail.recipient], mail.raw, mail_options=needed
            )
        except aiosmtplib.SMTPRecipientsRefused as refused:
            first = refused.recipients[0]
            return _refusal(first.code, _said(first))
        except aiosmtplib.SMTPDataError as refused:
            return _refusal(refused.code, _said(refused))
        except aiosmtplib.SMTPNotSupported as error:
            return Failed(_said(error))
        except (aiosmtplib.SMTPException, OSError) as error:
            # What is refused before the recipient is named is between us and the smarthost.
            self._client.close()
            return Later(_said(error))
        return Taken()

    def is_good_for_more(self) -> bool:
        return self._client.is_connected and self._carried < MAILS_A_CONNECTION

    async def answers(self) -> bool:
        """Say whether the other side still listens; after a moment it is not asked."""
        if monotonic() - self._spoke < IDLE_SECONDS:
            return self._client.is_connected
        try:
            await self._client.noop()
        except (aiosmtplib.SMTPException, OSError):
            return False
        return True

    async def end(self) -> None:
        """Take leave."""
        with suppress(aiosmtplib.SMTPException, OSError):
            await self._client.quit(timeout=LEAVE_SECONDS)
        self._client.close()


def _refusal(code: int, reason: str) -> Delivery:
    return Failed(reason) if code in PERMANENT else Later(reason)


def _said(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {error.message}"
    return f"{type(error).__name__}: {error}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
