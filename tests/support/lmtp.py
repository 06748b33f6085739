"""An LMTP client that works line by line; `smtplib.LMTP` reads one reply of several."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader

from tests.support.daemon import PATIENCE_SECONDS


@dataclass
class Talk:
    """A conversation with a server, which has greeted."""

    connection: socket.socket
    stream: BufferedReader

    def say(self, line: bytes) -> str:
        """Send a line and return the reply, its last line if it has several."""
        self.connection.sendall(line + b"\r\n")
        return self.hear()

    def hear(self) -> str:
        """Return the next answer."""
        while True:
            line = self.stream.readline().decode()
            if line[3:4] != "-":
                return line.rstrip("\r\n")

    def offer(self, recipients: Sequence[str], hello: bytes = b"LHLO tests") -> list[str]:
        """Greet and name the recipients; return the answers about them."""
        self.say(hello)
        self.say(b"MAIL FROM:<anne@players.example>")
        return [self.say(f"RCPT TO:<{each}>".encode()) for each in recipients]


@contextmanager
def talking(port: int) -> Iterator[Talk]:
    """Connect to a port of the loopback, and hear the greeting."""
    where = ("127.0.0.1", port)
    with socket.create_connection(where, PATIENCE_SECONDS) as connection:
        talk = Talk(connection, connection.makefile("rb"))
        talk.hear()
        with talk.stream:
            yield talk
