"""The way out through a smarthost, which does TLS, DKIM and the long queues."""

from __future__ import annotations

from ipaddress import ip_address

import aiosmtplib

from judge.app.deliver import Delivery, Failed, Later, Taken, Unreachable
from judge.app.ports import OutgoingMail

SECONDS_MAX = 60.0  # for each step of one delivery
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
            connection.close()
        return delivery

    async def _connected(self) -> _Connection:
        """Return a connection that answers: one that is kept, else a new one."""
        while self._idle:
            connection = self._idle.pop()
            if await connection.answers():
                return connection
            connection.close()
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

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        self._carried += 1
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
            self.close()
            return Later(_said(error))
        return Taken()

    def is_good_for_more(self) -> bool:
        return self._client.is_connected and self._carried < MAILS_A_CONNECTION

    async def answers(self) -> bool:
        """Say whether the other side still listens, and forgets what went before."""
        try:
            await self._client.rset()
        except (aiosmtplib.SMTPException, OSError):
            return False
        return True

    def close(self) -> None:
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
