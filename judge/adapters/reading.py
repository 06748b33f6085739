"""Mails are opened in a process of their own, which may die of one and is started again.

What comes by mail is made by anybody, and is read by C code too. So the process that reads it has
little time and memory, sees no store and no secret, and what it says is taken as plain data.
Both talk over a pair of sockets: the lengths of two fields and the fields, then one answer.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from judge.adapters.opened_mail import BYTES_MAX as ANSWER_MAX
from judge.adapters.opened_mail import decode
from judge.app.ports.judge import UnopenedError
from judge.mail.envelope import BYTES_MAX, Letter, Unreadable

PROGRAM: Final = ("-m", "judge.adapters.reading_child")
CPU_SECONDS_MAX = 2.0
WALL_SECONDS_MAX = 20.0  # On a busy machine two seconds of work take longer.
MEMORY_MAX = 200 * 1024 * 1024
REQUEST: Final = struct.Struct(">iI")  # Lengths of the envelope sender, -1 for none, and the mail.
ANSWER: Final = struct.Struct(">I")


class ReadingProcess:
    """Opens mails in a child, started at the first; for one thread at a time."""

    def __init__(
        self, program: Sequence[str] = PROGRAM, wall_seconds_max: float = WALL_SECONDS_MAX
    ) -> None:
        self._program = program
        self._wall_seconds_max = wall_seconds_max
        self._child: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None

    def open(self, raw: bytes, envelope_sender: str | None) -> Letter | Unreadable:
        """Open a mail; raises `UnopenedError` when the child died of it, or came to no end."""
        if len(raw) > BYTES_MAX:
            return Unreadable("too many bytes")
        line = self._ready()
        try:
            line.sendall(_request(raw, envelope_sender))
            return decode(_answer(line))
        except TimeoutError:
            self.close()
            raise UnopenedError("reading it came to no end") from None
        except Exception as error:
            raise UnopenedError(self._death()) from error

    def close(self) -> None:
        """End the child."""
        if self._line:
            self._line.close()
        if self._child:
            self._child.kill()
            self._child.wait()
        self._line = self._child = None

    def _ready(self) -> socket.socket:
        """Return the line to a child that lives."""
        if self._line and self._child and self._child.poll() is None:
            return self._line
        self.close()
        self._line, theirs = socket.socketpair()
        self._line.settimeout(self._wall_seconds_max)
        with theirs:
            self._child = subprocess.Popen(  # noqa: S603 - our own module, by our own interpreter
                [sys.executable, "-B", *self._program], stdin=theirs.fileno(), env=_environment()
            )
        return self._line

    def _death(self) -> str:
        """Say how the child ended; one that still lives has said what makes no sense."""
        assert self._child, "it was spoken to a moment ago"
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self._child.wait(timeout=1)
            self.close()
            return f"the reader died of it ({-status if status < 0 else status})"
        self.close()
        return "the reader made no sense of it"


def _environment() -> dict[str, str]:
    """Return ours without settings, which may be secrets; the child imports what we would."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    return kept | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _request(raw: bytes, envelope_sender: str | None) -> bytes:
    sender = (envelope_sender or "").encode(errors="replace")
    length = -1 if envelope_sender is None else len(sender)
    return REQUEST.pack(length, len(raw)) + sender + raw


def _answer(line: socket.socket) -> bytes:
    [length] = ANSWER.unpack(receive(line, ANSWER.size))
    if length > ANSWER_MAX:
        raise ValueError("an answer that is too long")
    return receive(line, length)


def receive(line: socket.socket, length: int) -> bytes:
    """Return the next *length* bytes; raises `EOFError` if they do not come."""
    read = bytearray(length)
    view, filled = memoryview(read), 0
    while filled < length:
        count = line.recv_into(view[filled:])
        if not count:
            raise EOFError
        filled += count
    return bytes(read)
