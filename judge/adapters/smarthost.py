"""Deliver outgoing emails through a mail server, the smarthost."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal

import aiosmtplib

from judge.adapters.access_tokens import AccessTokens, TokenError
from judge.app.outbound.delivery import Blocked, Delivery, Failed, Later, Taken, Unreachable
from judge.app.ports.outbox import OutgoingMail
from judge.errors import ConfigurationError
from judge.mail.headers import wire_address
from judge.mail.server_replies import is_of_recipient, public_reply
from judge.settings import Endpoint, Settings, is_loopback, read_secret

TLS_PORT = 465  # Servers speak TLS there from the start (RFC 8314).


def smarthost_of(settings: Settings) -> Smarthost:
    """Return the smarthost of the *settings*.

    Raises `ConfigurationError` if half of its login is missing.
    """
    assert settings.smarthost
    is_tls = settings.smarthost.port == TLS_PORT and settings.smarthost_security == "offered"
    security = "tls" if is_tls else settings.smarthost_security
    return Smarthost(*settings.smarthost, security=security, login=_login(settings))


def _login(settings: Settings) -> Login | None:
    user, file = settings.smarthost_user, settings.smarthost_password_file
    command = settings.smarthost_token_command
    if bool(user) != bool(file or command) or (file and command):
        needed = "either smarthost_password_file or smarthost_token_command"
        raise ConfigurationError(f"smarthost_user needs {needed}, and vice versa")
    if command:
        return Login(user, tokens=AccessTokens(command, "smarthost_token_command"))
    return Login(user, read_secret(file, "smarthost_password_file")) if file else None


SECONDS_MAX = 60.0  # for each step of one delivery
CHECK_SECONDS_MAX = 20.0
IDLE_SECONDS = 1.0  # after which a kept connection is checked before use
LEAVE_SECONDS = 5.0
CLOSING_SECONDS = 1.0  # in which a refused connection is closed, before its event loop ends
MAILS_A_CONNECTION = 100  # of emails over one connection, as mail servers like it
PERMANENT = range(500, 600)  # RFC 5321 4.2.1


@dataclass(frozen=True, slots=True)
class Login:
    """The login for a mail server: a password, or OAuth2 *tokens*."""

    user: str
    password: str = field(default="", repr=False)
    tokens: AccessTokens | None = field(default=None, repr=False)

    def secrets(self) -> tuple[str, ...]:
        """Return the secret in the forms in which a server may quote it (RFC 4616, RFC 4954)."""
        if self.tokens:
            return self.tokens.secrets(self.user)
        sent = (self.password, f"\0{self.user}\0{self.password}")
        return (self.password, *(b64encode(each.encode()).decode() for each in sent))


@dataclass(frozen=True, slots=True)
class SmarthostFault:
    """A mail server's reason to take no email: no connection, or a refusal of login or mail."""

    reason: str
    kind: Literal["connection", "login", "mail"]


class Smarthost:
    """A mail server that takes our emails, over connections kept for later ones.

    *security* is `tls` from the start, `starttls`, `none`, or `offered` (STARTTLS if the server
    offers it). Without TLS the *login* is sent only to loopback, or with `none`.
    """

    def __init__(
        self, host: str, port: int, *, security: str = "offered", login: Login | None = None
    ) -> None:
        self._host, self._port = host, port
        self._security, self._login = security, login
        self._idle: list[_Connection] = []

    async def fault(self) -> SmarthostFault | None:
        """Return why the server would refuse an email now, None if it would not."""
        try:
            connection = await asyncio.wait_for(self._connected(), CHECK_SECONDS_MAX)
        except (aiosmtplib.SMTPException, OSError) as error:
            await asyncio.sleep(CLOSING_SECONDS)
            return SmarthostFault(self._reason(error), _kind_of_fault(error))
        await connection.end()
        return None

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Deliver one email; only a 5xx reply to its recipient or its content is permanent."""
        try:
            connection = await self._connected()
        except (aiosmtplib.SMTPException, OSError) as error:
            return Unreachable(self._reason(error))
        failure = await connection.offer(mail)
        delivery = self._delivery_of(failure, mail) if failure else Taken()
        if connection.is_good_for_more():
            self._idle.append(connection)
        else:
            await connection.end()
        return delivery

    async def rest(self) -> None:
        """Close the idle connections."""
        while self._idle:
            await self._idle.pop().end()

    async def _connected(self) -> _Connection:
        while self._idle:
            connection = self._idle.pop()
            if await connection.answers():
                return connection
            await connection.end()
        tokens = self._login.tokens if self._login else None
        if tokens is None:
            return await self._connect()
        token = await asyncio.to_thread(tokens.token)
        try:
            return await self._connect(token)
        except aiosmtplib.SMTPAuthenticationError as refused:
            if refused.code not in PERMANENT:
                raise
            return await self._connect(await asyncio.to_thread(tokens.renewed, token))

    async def _connect(self, token: str | None = None) -> _Connection:
        client = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            timeout=SECONDS_MAX,
            use_tls=self._security == "tls",
            start_tls=self._starts_tls(),
        )
        try:
            await client.connect()
            if self._login and token:
                await client.auth_xoauth2(self._login.user, token)
            elif self._login:
                await client.login(self._login.user, self._login.password)
            elif client.is_ehlo_or_helo_needed:
                await client.ehlo()
        except BaseException:
            _hang_up(client, client.transport)
            raise
        return _Connection(client)

    def _delivery_of(self, failure: Exception, mail: OutgoingMail) -> Delivery:
        reason = self._reason(failure, mail)
        match failure:
            case aiosmtplib.SMTPRecipientRefused() | aiosmtplib.SMTPDataError():
                if is_of_recipient(failure.code, failure.message):
                    return Failed(reason) if failure.code in PERMANENT else Later(reason)
                return Blocked(reason)
            case aiosmtplib.SMTPNotSupported():
                return Failed(reason)
            case _:  # A refusal before the recipient is named is not about this email.
                return Blocked(reason)

    def _reason(self, error: Exception, mail: OutgoingMail | None = None) -> str:
        """Return what failed at which server, without secrets and addresses."""
        secrets = self._login.secrets() if self._login else ()
        names = (mail.recipient.rpartition("@")[0],) if mail else ()
        reply = public_reply(_error_text(error), (*secrets, *names))
        return f"{Endpoint(self._host, self._port)}: {reply}"

    def _starts_tls(self) -> bool | None:
        """Return whether to use STARTTLS; None for where it is offered."""
        if self._security != "offered":
            return self._security == "starttls"
        if is_loopback(self._host):
            return False  # Loopback traffic is private, and no certificate names it.
        return True if self._login else None


def _kind_of_fault(error: Exception) -> Literal["connection", "login", "mail"]:
    match error:
        case aiosmtplib.SMTPAuthenticationError() if error.code in PERMANENT:
            return "login"
        case TokenError():
            return "login"
        case OSError() if not isinstance(error, aiosmtplib.SMTPResponseException):
            return "connection"
        case _:
            return "mail"


class _Connection:
    """A conversation with the smarthost, one email after another."""

    def __init__(self, client: aiosmtplib.SMTP) -> None:
        self._client = client
        self._carried = 0
        self._spoke = monotonic()

    async def offer(self, mail: OutgoingMail) -> Exception | None:
        """Send *mail*; return why it was not taken."""
        self._carried += 1
        client, recipient = self._client, wire_address(mail.recipient)
        options = [f"SIZE={len(mail.raw)}"] if client.supports_extension("size") else []
        if not recipient.isascii():
            if not client.supports_extension("smtputf8"):
                return aiosmtplib.SMTPNotSupported("the server does not take such an address")
            options.append("SMTPUTF8")
        try:
            await client.mail(mail.sender, options=options, encoding="utf-8")
            await client.rcpt(recipient, encoding="utf-8")
            await self._send(mail.raw)
        except (aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError) as refused:
            with suppress(aiosmtplib.SMTPException, OSError):
                await client.rset()
            return refused
        except (aiosmtplib.SMTPException, OSError) as error:
            _hang_up(client, client.transport)
            return error
        finally:
            self._spoke = monotonic()
        return None

    async def _send(self, raw: bytes) -> None:
        """Send the content of an email as `SMTP.data` does, in a sixth of its time."""
        content = b"\r\n".join([*raw.splitlines(), b""]).replace(b"\n.", b"\n..")
        reply = await self._client.execute_command(b"DATA")
        if reply.code == aiosmtplib.SMTPStatus.start_input and self._client.protocol:
            self._client.protocol.write(content + b".\r\n")
            reply = await self._client.protocol.read_response(SECONDS_MAX)
            if reply.code == aiosmtplib.SMTPStatus.completed:
                return
        raise aiosmtplib.SMTPDataError(reply.code, reply.message)

    def is_good_for_more(self) -> bool:
        return self._client.is_connected and self._carried < MAILS_A_CONNECTION

    async def answers(self) -> bool:
        """Return whether the server still responds; a connection used just now is not checked."""
        if monotonic() - self._spoke < IDLE_SECONDS:
            return self._client.is_connected
        try:
            await self._client.noop()
        except (aiosmtplib.SMTPException, OSError):
            return False
        return True

    async def end(self) -> None:
        transport = self._client.transport
        with suppress(aiosmtplib.SMTPException, OSError):
            await self._client.quit(timeout=LEAVE_SECONDS)
        _hang_up(self._client, transport)


def _hang_up(client: aiosmtplib.SMTP, transport: asyncio.BaseTransport | None) -> None:
    """Close the connection at once: a server may take its time to end TLS."""
    client.close()
    if isinstance(transport, asyncio.WriteTransport):
        transport.abort()


def _error_text(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {error.message}"
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror or str(error) or type(error).__name__
