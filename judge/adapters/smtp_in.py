"""The SMTP door: takes a mail, has it stored, and says 250 only then.

Whatever fails on our side is a 451, so that the sender's server keeps the mail and tries again;
aiosmtpd itself would answer a permanent 500 with the text of the exception, and the player's mail
would bounce.
"""

from __future__ import annotations

import asyncio

import structlog
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as SmtpEnvelope

from judge.app.receive import Envelope, Keeper, Reception
from judge.overriding import override

LINE_BYTES_MAX = 65_536  # RFC 5321 says 1,000; some phones write a whole letter on one line
RECIPIENTS_MAX = 100  # RFC 5321 4.5.3.1.8
CONNECTIONS_MAX = 500
IDLE_SECONDS = 300  # RFC 5321 4.5.3.2.7
COMMANDS_MAX = {"*": 1_000, "NOOP": 50, "VRFY": 20, "HELP": 20, "RSET": 1_000}

TRY_LATER = "451 4.3.0 Not stored, please try again later"
TOO_MANY = "452 4.5.3 Too many recipients"
NOT_HERE = "550 5.1.1 No such recipient"
STORED = "250 2.0.0 Stored"

log = structlog.get_logger(__name__)


class Handler:
    """What aiosmtpd asks at each step."""

    def __init__(self, keeper: Keeper, reception: Reception) -> None:
        self._keeper = keeper
        self._reception = reception
        self._storing: set[asyncio.Task[None]] = set()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd finds its hooks by name
        self,
        _server: SMTP,
        _session: Session,
        envelope: SmtpEnvelope,
        address: str,
        _options: list[str],
    ) -> str:
        """Refuse strangers at the door: 550 here never becomes a bounce of ours."""
        if not self._reception.knows(address):
            return NOT_HERE
        if len(envelope.rcpt_tos) >= RECIPIENTS_MAX:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - aiosmtpd finds its hooks by name
        self, _server: SMTP, _session: Session, envelope: SmtpEnvelope
    ) -> str:
        """Store, then say so. A client that hangs up meanwhile does not stop the storing."""
        content = envelope.content
        assert isinstance(content, bytes), "decode_data is off"
        mail = Envelope(content, _reverse_path(envelope), tuple(envelope.rcpt_tos), "smtp")
        storing = asyncio.create_task(self._keeper.keep(mail))
        self._storing.add(storing)
        storing.add_done_callback(self._stored)
        try:
            await asyncio.shield(storing)
        except Exception as error:  # noqa: BLE001 - whatever it was, the mail must not bounce
            log.error("mail.not_stored", error=type(error).__name__)  # noqa: TRY400 - a traceback may quote the mail
            return TRY_LATER
        return STORED

    async def handle_exception(self, error: Exception) -> str:
        """Answer for a failure of ours without a word of what it was."""
        log.error("smtp.failed", error=type(error).__name__)
        return TRY_LATER

    def _stored(self, task: asyncio.Task[None]) -> None:
        self._storing.discard(task)
        if not task.cancelled():
            task.exception()  # has been answered for, or nobody is left to hear it


class SmtpDoor:
    """A listening SMTP server."""

    def __init__(
        self, keeper: Keeper, reception: Reception, *, host: str, port: int, bytes_max: int
    ) -> None:
        self._handler = Handler(keeper, reception)
        self._host, self._port, self._bytes_max = host, port, bytes_max
        self._server: asyncio.Server | None = None
        self._open: set[Door] = set()

    async def open(self) -> tuple[str, int]:
        """Listen; return the address and port that were bound (port 0 takes a free one)."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._protocol, self._host, self._port)
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    async def close(self) -> None:
        """Listen no more and hang up; what has been promised is stored."""
        if self._server:
            self._server.close()
        for door in tuple(self._open):
            if door.transport:
                door.transport.close()

    def _protocol(self) -> Door:
        return Door(self._open, self._handler, self._bytes_max)


class Door(SMTP):
    """One connection with our limits; it counts itself, and is refused when there are too many."""

    line_length_limit = LINE_BYTES_MAX

    def __init__(self, others: set[Door], handler: Handler, bytes_max: int) -> None:
        super().__init__(
            handler,
            data_size_limit=bytes_max,
            enable_SMTPUTF8=True,
            hostname="judge",
            ident="the judge",
            timeout=IDLE_SECONDS,
            command_call_limit=COMMANDS_MAX,
            loop=asyncio.get_running_loop(),
        )
        self._others = others

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if len(self._others) >= CONNECTIONS_MAX:
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(b"421 4.3.2 Too many connections, please try again later\r\n")
            transport.close()
            return
        self._others.add(self)
        super().connection_made(transport)

    @override
    def connection_lost(self, error: Exception | None) -> None:
        if self in self._others:
            self._others.discard(self)
            super().connection_lost(error)


def _reverse_path(envelope: SmtpEnvelope) -> str:
    """Return who the envelope says sent it; aiosmtpd leaves the null path as `<>`."""
    sender = envelope.mail_from or ""
    return "" if sender == "<>" else sender
