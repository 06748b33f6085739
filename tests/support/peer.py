"""A mail server on loopback that takes what the judge sends, or says that it does not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from threading import Thread

from aiosmtpd.smtp import SMTP, Envelope, Session

SECONDS_MAX = 10


@dataclass
class Peer:
    """What it has taken; *refused* are the answers that it is still to give instead."""

    port: int = 0
    mails: list[Message] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    async def handle_DATA(  # noqa: N802 - aiosmtpd finds its hooks by name
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Take a mail, unless it is to be refused."""
        if self.refused:
            return self.refused.pop(0)
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content))
        return "250 Taken"

    def ids(self, kind: str) -> list[str]:
        """Return the Message-IDs of the mails of *kind*, in the order in which they came."""
        return [str(mail["Message-ID"]) for mail in self.mails if mail["X-Judge-Kind"] == kind]


@contextmanager
def listening() -> Iterator[Peer]:
    """Run a peer in a thread of its own until the end of the block."""
    peer, loop = Peer(), asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    opening = loop.create_server(lambda: SMTP(peer, loop=loop), "127.0.0.1", 0)
    server = asyncio.run_coroutine_threadsafe(opening, loop).result(SECONDS_MAX)
    peer.port = server.sockets[0].getsockname()[1]
    try:
        yield peer
    finally:
        loop.call_soon_threadsafe(server.close)
        asyncio.run_coroutine_threadsafe(server.wait_closed(), loop).result(SECONDS_MAX)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
