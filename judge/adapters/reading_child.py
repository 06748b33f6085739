"""The process that opens mails: `python -m judge.adapters.reading_child`, its line as input."""

from __future__ import annotations

import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

from judge.adapters.opened_mail import encode
from judge.adapters.reading import ANSWER, CPU_SECONDS_MAX, MEMORY_MAX, REQUEST, receive
from judge.mail.envelope import Letter, Unreadable, open_mail

Opens = Callable[[bytes, str | None], Letter | Unreadable]


def main(opens: Opens = open_mail, cpu_seconds_max: float = CPU_SECONDS_MAX) -> None:
    """Answer requests until whoever asks is gone, and spend so much on each at most."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # The judge finishes its turn, and hangs up.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gone = suppress(EOFError, ConnectionError)
    with gone, socket.socket(fileno=sys.stdin.fileno()) as line:
        while True:
            _answer_one(line, opens, cpu_seconds_max)


def _answer_one(line: socket.socket, opens: Opens, cpu_seconds_max: float) -> None:
    length, size = REQUEST.unpack(receive(line, REQUEST.size))
    sender = receive(line, max(length, 0)).decode()
    raw = receive(line, size)
    # What takes too long is ended by the system, whatever code is at it.
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds_max)
    answer = encode(opens(raw, None if length < 0 else sender))
    signal.setitimer(signal.ITIMER_PROF, 0)
    line.sendall(ANSWER.pack(len(answer)) + answer)


if __name__ == "__main__":
    main()
