"""The way out through a smarthost, which does TLS, DKIM and the long queues."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address
from time import monotonic

import aiosmtplib

from judge.app.deliver import Delivery, Failed, Later, Taken, Unreachable
from judge.app.ports import OutgoingMail

SECONDS_MAX = 60.0  # for each step of one delivery
IDLE_SECONDS = 1.0  # after which a kept connection is asked whether it still stands
LEAVE_SECONDS = 5.0
MAILS_A_CONNECTION = 100  # as mail servers like it; then another is opened
PERMANENT = range(500, 600)  # RFC 5321 4.2.1


class Smarthost:
    """A mail server that takes our mails, over connections that are kept for the next ones."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._idle: list[_Connection] = []

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
            # Nobody listens in on the loopback, and no certificate is made out to it.
            start_tls=False if _is_loopback(self._host) else None,
        )
        await client.connect()
        return _Connection(client)


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
