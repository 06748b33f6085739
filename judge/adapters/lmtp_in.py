"""The LMTP door (RFC 2033), for a mail server on this machine: one answer a recipient.

And the same by a unix socket for `judge receive`, which a mail server's pipe starts.
"""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import ClassVar

from aiosmtpd.lmtp import LMTP

from judge.adapters.smtp_in import CONNECTIONS_MAX, Door, SmtpDoor
from judge.app.inbound.accept import MailReception, MailStore
from judge.overriding import override

CONNECT_SECONDS = 1.0
OPEN_TO_ALL = 0o666  # Who may speak to us is decided by who can enter the folder.


class LmtpConnection(Door, LMTP):
    """One connection, on which what follows a mail is said once for each of its recipients.

    aiosmtpd says it once; a mail server would take the others for undelivered, and repeat.
    """

    _answers_due = 0  # RFC 2033, 4.2

    @override
    async def push(self, status: str | bytes) -> None:
        text = status.decode() if isinstance(status, bytes) else status
        answers, self._answers_due = self._answers_due or 1, 0
        if text.startswith("354"):
            assert self.envelope is not None
            self._answers_due = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([text] * answers))


class LmtpDoor(SmtpDoor):
    """A listening LMTP server, on a port or at the path of a unix socket."""

    way_in: ClassVar[str] = "lmtp"
    connection: ClassVar[type[Door]] = LmtpConnection

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

    @override
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

    @override
    async def close(self) -> None:
        await super().close()
        if self._path and self._server:
            self._path.unlink(missing_ok=True)


class PipeDoor(LmtpDoor):
    """Where `judge receive` hands its mail over."""

    way_in: ClassVar[str] = "pipe"


def is_served(path: Path) -> bool:
    """Say whether somebody listens at the socket *path*."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(CONNECT_SECONDS)
        try:
            client.connect(str(path))
        except OSError:
            return False
        return True
