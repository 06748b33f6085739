"""A sandbox process that obeys `DO ...` lines, as a hostile email might make it.

`python -m tests.support.deadly_reader SECONDS`: with so much CPU an email.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial

from judge.adapters.mail_sandbox import ANSWER, main
from judge.adapters.mail_sandbox import ANSWER_BYTES_MAX as ANSWER_MAX
from judge.mail.envelope import OpenedEmail, Unreadable, open_mail


def opens(raw: bytes, sender: str | None) -> OpenedEmail | Unreadable:
    """Open an email, or do what it says."""
    does: dict[bytes, Callable[[], object]] = {
        b"DO exit": partial(os._exit, 3),
        b"DO abort": os.abort,
        b"DO spin": _spin,
        b"DO work": _work,
        b"DO overrun": _overrun,
        b"DO sleep": partial(time.sleep, 60),
        b"DO raise": partial(sys.exit, 1),
        b"DO lie": partial(_say, ANSWER.pack(7) + b"cos\nx\n."),
        b"DO shout": partial(_say, ANSWER.pack(ANSWER_MAX + 1)),
    }
    for order, do in does.items():
        if raw.startswith(order):
            do()
    if raw.startswith(b"DO eat"):
        return _eat()
    if raw.startswith(b"DO tell"):
        return Unreadable(os.environ.get("JUDGE_IMAP_PASSWORD", ""))
    return open_mail(raw, sender)


def _overrun() -> None:
    """Take more of the processor's time than an email may have, of which little is left."""
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    _spin()


def _work() -> None:
    """Take six tenths of a second of the processor's time."""
    end = time.process_time() + 0.6
    while time.process_time() < end:
        pass


def _spin() -> None:
    while True:
        pass


def _say(answer: bytes) -> None:
    os.write(sys.stdin.fileno(), answer)
    time.sleep(60)


def _eat() -> Unreadable:
    try:
        bytearray(1 << 30)
    except MemoryError:
        return Unreadable("MemoryError")
    return Unreadable("")


if __name__ == "__main__":
    main(opens, *map(float, sys.argv[1:]))
