"""The SMTP and LMTP servers: an email is stored before its sender gets 250.

A failure on our side is a 451, so the sender's server keeps the email and tries again; aiosmtpd
itself would reply with a permanent 500, and the player's email would bounce. LMTP (RFC 2033) has
one reply for each recipient; `judge receive` uses it over a Unix socket.
"""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import ClassVar

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as SmtpEnvelope

from judge.adapters.service import OperatorLog
from judge.app.ports.inbox import Envelope, MailReception, MailStore
from judge.app.ports.judge import StoreFaultError
from judge.reports.render import trouble_texts
from judge.settings import Endpoint

LINE_BYTES_MAX = 65_536  # RFC 5321 says 1,000; some phones write a whole email on one line
RECIPIENTS_MAX = 100  # RFC 5321 4.5.3.1.8
CONNECTIONS_MAX = 500  # then the longest idle connection is closed
IDLE_SECONDS_MIN = 1.0  # more recently active connections are kept
IDLE_SECONDS_MAX = 300  # RFC 5321 4.5.3.2.7
COMMANDS_MAX = {"*": 1_000, "MAIL": 100_000, "RCPT": 100_000, "DATA": 100_000, "RSET": 100_000}
COMMANDS_MAX |= {"NOOP": 50, "VRFY": 20, "HELP": 20, "EXPN": 20}

TRY_LATER = "451 4.3.0 Not stored, please try again later"
TOO_MANY = "452 4.5.3 Too many recipients"
NOT_HERE = "550 5.1.1 No such recipient"
STORED = "250 2.0.0 Stored"
NO_ROOM = b"421 4.3.2 Too many connections, please try again later\r\n"
IDLE = b"421 4.4.2 Idle for too long\r\n"

log = OperatorLog()


class SmtpHandler:
    """aiosmtpd's callbacks for each step of an email that comes by *way_in*."""

    def __init__(self, keeper: MailStore, reception: MailReception, way_in: str) -> None:
        self._keeper = keeper
        self._reception = reception
        self._way_in = way_in

    async def handle_RCPT(  # noqa: N802 - aiosmtpd finds its hooks by name
        self,
        server: SmtpConnection,
        _session: Session,
        envelope: SmtpEnvelope,
        address: str,
        _options: list[str],
    ) -> str:
        """Refuse unknown recipients at once: a 550 here never becomes a bounce of ours."""
        if not self._reception.knows(address):
            return NOT_HERE
        if len(envelope.rcpt_tos) >= RECIPIENTS_MAX:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        server.begin_mail()
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - aiosmtpd finds its hooks by name
        self, server: SmtpConnection, _session: Session, envelope: SmtpEnvelope
    ) -> str:
        """Store the email, then confirm. If the client hangs up meanwhile, it is stored anyway."""
        try:
            await asyncio.shield(self._keeper.keep(self._at_the_door(envelope)))
        except Exception as error:  # noqa: BLE001 - after any failure the email must not bounce
            facts = {}
            if isinstance(error, StoreFaultError):
                facts = {"text": trouble_texts()["store_fails"], "reason": str(error)}
            log.failed("mail.not_stored", error, **facts)
            return TRY_LATER
        server.end_mail()
        return STORED

    async def handle_exception(self, error: Exception) -> str:
        log.error("smtp.failed", error=type(error).__name__)
        return TRY_LATER

    def _at_the_door(self, envelope: SmtpEnvelope) -> Envelope:
        content = envelope.content
        assert isinstance(content, bytes), "decode_data is off"
        recipients = tuple(dict.fromkeys(envelope.rcpt_tos))
        received = self._reception.received(content)
        return Envelope(content, _reverse_path(envelope), recipients, self._way_in, received)


class SmtpConnection(SMTP):
    """One connection with our limits, counted among *others*.

    It counts as idle unless an email makes progress: a client that only sends NOOP or RSET, or
    begins one email after another, is as idle as a silent one.
    """

    line_length_limit = LINE_BYTES_MAX

    def __init__(
        self,
        others: set[SmtpConnection],
        handler: SmtpHandler,
        bytes_max: int,
        connections_max: int,
    ) -> None:
        super().__init__(
            handler,
            data_size_limit=bytes_max,
            enable_SMTPUTF8=True,
            hostname="judge",
            ident="the judge",
            timeout=IDLE_SECONDS_MAX,
            command_call_limit=COMMANDS_MAX,
            loop=asyncio.get_running_loop(),
        )
        self._others, self._connections_max = others, connections_max
        self.active = 0.0
        self._began_mail = False

    def begin_mail(self) -> None:
        """Note the first recipient of ours since the last email was stored."""
        if not self._began_mail:
            self._began_mail = True
            self._get_further()

    def end_mail(self) -> None:
        self._began_mail = False
        self._get_further()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not self._makes_room():
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(NO_ROOM)
            transport.close()
            return
        self._others.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self in self._others:
            self._others.discard(self)
            super().connection_lost(error)

    def hang_up(self, why: bytes = b"") -> None:
        """Close the connection; everything confirmed is stored."""
        self._others.discard(self)
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.write(why)
            self.transport.close()

    def _makes_room(self) -> bool:
        if len(self._others) < self._connections_max:
            return True
        idle = min(self._others, key=lambda other: other.active)
        if self.loop.time() - idle.active < IDLE_SECONDS_MIN:
            return False
        idle.hang_up(NO_ROOM)
        return True

    def _get_further(self) -> None:
        self.active = self.loop.time()
        super()._reset_timeout()

    def _reset_timeout(self, duration: float | None = None) -> None:  # noqa: ARG002 - an override
        """Start the timeout once, on connection; aiosmtpd restarts it at each command."""
        if not self.active:
            self._get_further()

    def _timeout_cb(self) -> None:
        self.hang_up(IDLE)


class SmtpServer:
    """A listening SMTP server."""

    way_in: ClassVar[str] = "smtp"
    connection: ClassVar[type[SmtpConnection]] = SmtpConnection

    def __init__(
        self,
        keeper: MailStore,
        reception: MailReception,
        *,
        host: str,
        port: int,
        bytes_max: int,
        connections_max: int = CONNECTIONS_MAX,
    ) -> None:
        self._handler = SmtpHandler(keeper, reception, self.way_in)
        self._host, self._port = host, port
        self._limits = bytes_max, connections_max
        self._server: asyncio.Server | None = None
        self._open: set[SmtpConnection] = set()

    async def open(self) -> tuple[str, int]:
        """Listen; return the address and port that were bound (port 0 takes a free one).

        Raises `OSError` with the address as its file name.
        """
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(self._protocol, self._host, self._port)
        except OSError as error:
            where = str(Endpoint(self._host, self._port))
            raise OSError(error.errno, error.strerror, where) from error
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    async def close(self) -> None:
        if self._server:
            self._server.close()
        for door in tuple(self._open):
            door.hang_up()

    def _protocol(self) -> SmtpConnection:
        return self.connection(self._open, self._handler, *self._limits)


def _reverse_path(envelope: SmtpEnvelope) -> str:
    sender = envelope.mail_from or ""
    return "" if sender == "<>" else sender


CONNECT_SECONDS = 1.0
OPEN_TO_ALL = 0o666  # The permissions of the folder decide who may connect.


class LmtpConnection(SmtpConnection, LMTP):
    """One connection, on which the reply after an email is sent once for each recipient.

    aiosmtpd sends it once; a mail server would take the other recipients for undelivered, and
    repeat.
    """

    _answers_due = 0  # RFC 2033 4.2

    async def push(self, status: str | bytes) -> None:
        text = status.decode() if isinstance(status, bytes) else status
        answers, self._answers_due = self._answers_due or 1, 0
        if text.startswith("354"):
            assert self.envelope is not None
            self._answers_due = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([text] * answers))


class LmtpServer(SmtpServer):
    """A listening LMTP server, on a port or at the path of a unix socket."""

    way_in: ClassVar[str] = "lmtp"
    connection: ClassVar[type[SmtpConnection]] = LmtpConnection

    def __init__(
        self,
        keeper: MailStore,
        reception: MailReception,
        *,
        where: Path | tuple[str, int],
        bytes_max: int,
        connections_max: int = CONNECTIONS_MAX,
    ) -> None:
        host, port = ("", 0) if isinstance(where, Path) else where
        super().__init__(
            keeper,
            reception,
            host=host,
            port=port,
            bytes_max=bytes_max,
            connections_max=connections_max,
        )
        self._path = where if isinstance(where, Path) else None

    async def open(self) -> tuple[str, int]:
        if self._path is None:
            return await super().open()
        if is_served(self._path):
            raise FileExistsError(0, "another program listens there", str(self._path))
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_unix_server(self._protocol, str(self._path))
            self._path.chmod(OPEN_TO_ALL)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self._path)) from error
        return str(self._path), 0

    async def close(self) -> None:
        await super().close()
        if self._path and self._server:
            self._path.unlink(missing_ok=True)


class PipeServer(LmtpServer):
    """The server to which `judge receive` hands its email."""

    way_in: ClassVar[str] = "pipe"


def is_served(path: Path) -> bool:
    """Return whether a server listens at the socket *path*."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(CONNECT_SECONDS)
        try:
            client.connect(str(path))
        except OSError:
            return False
        return True
