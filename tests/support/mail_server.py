"""A mail server on loopback that accepts or refuses what the judge sends."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from ssl import SSLContext
from threading import Thread
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.daemon import PATIENCE_SECONDS
from tests.support.oauth2 import TokenProvider

LOGIN, WORD = "judge@players.example", "sesame-swordfish"


def knows(
    _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, login: LoginPassword
) -> AuthResult:
    """Authenticate one user by one password (an authenticator of aiosmtpd)."""
    return AuthResult(success=login == LoginPassword(LOGIN.encode(), WORD.encode()), handled=False)


@dataclass
class MailServer:
    """The emails it accepted; *refused* are the replies that it is to give instead."""

    port: int = 0
    mails: list[Message] = field(default_factory=list)
    senders: dict[str, str] = field(default_factory=dict)  # of the envelope, by Message-ID
    refused: list[str] = field(default_factory=list)
    kept: Callable[[bytes], object] | None = None
    tokens: TokenProvider | None = None

    async def auth_XOAUTH2(self, server: SMTP, words: list[str]) -> AuthResult:  # noqa: N802 - as above
        """Log in by a good token; explain a refusal in a challenge, as providers do."""
        said = b64decode(words[1]).decode()
        if self.tokens and self.tokens.user_of(said) == LOGIN:
            return AuthResult(success=True)
        await server.challenge_auth(json.dumps({"status": "401", "schemes": "Bearer"}).encode())
        return AuthResult(success=False, handled=False)

    async def handle_DATA(  # noqa: N802 - aiosmtpd finds its hooks by name
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Take an email, unless it is to be refused."""
        if self.refused:
            return self.refused.pop(0)
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content)
        self.senders[str(mail["Message-ID"])] = str(envelope.mail_from)
        self.mails.append(mail)
        if self.kept:
            self.kept(envelope.content)
        return "250 Taken"

    def ids(self, kind: str) -> list[str]:
        """Return the Message-IDs of the emails of *kind*, in the order in which they came."""
        return [str(mail["Message-ID"]) for mail in self.mails if mail["X-Judge-Kind"] == kind]


@contextmanager
def listening(
    manners: Mapping[str, Any] | None = None,
    *,
    tls: SSLContext | None = None,
    kept: Callable[[bytes], object] | None = None,
    tokens: TokenProvider | None = None,
) -> Iterator[MailServer]:
    """Run a mail server in a thread of its own until the end of the block.

    With *tls* it speaks nothing else from the start; *manners* are those of aiosmtpd. It
    hands what it takes to *kept*, and knows the *tokens* of a provider.
    """
    peer, loop = MailServer(kept=kept, tokens=tokens), asyncio.new_event_loop()
    doors: list[SMTP] = []

    def door() -> SMTP:
        doors.append(SMTP(peer, loop=loop, **(manners or {})))
        return doors[-1]

    async def close() -> None:
        server.close()
        while conversing := asyncio.all_tasks() - {asyncio.current_task()}:
            for each in doors:
                if isinstance(each.transport, asyncio.WriteTransport):
                    each.transport.abort()
            await asyncio.wait(conversing, timeout=0.1)
        await asyncio.sleep(0)  # the sockets are closed then

    thread = Thread(target=loop.run_forever)
    thread.start()
    opening = loop.create_server(door, "127.0.0.1", 0, ssl=tls)
    server = asyncio.run_coroutine_threadsafe(opening, loop).result(PATIENCE_SECONDS)
    peer.port = server.sockets[0].getsockname()[1]
    try:
        yield peer
    finally:
        asyncio.run_coroutine_threadsafe(close(), loop).result(PATIENCE_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
