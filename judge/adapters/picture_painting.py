"""Paint pictures in child processes.

resvg holds the lock of the interpreter while it paints, so in the daemon nothing else would run
meanwhile, no answer to a mail server either. The child runs
`python -m judge.adapters.picture_painting` and ends with its input, thus also with a daemon that
is killed. It keeps painted parts for its next pictures. Each request is the width and the length
of a pickled picture and the picture, each reply the length of a PNG and the PNG.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from queue import LifoQueue
from typing import IO, Final

from judge.pictures.parts import Picture

CHILDREN: Final = 2
NICENESS: Final = 5  # Answers and results that are due go first.
REQUEST: Final = struct.Struct(">II")
REPLY: Final = struct.Struct(">I")


class PaintingProcesses:
    """Paints pictures in child processes, each started by the first picture it gets."""

    def __init__(self) -> None:
        self._idle: LifoQueue[subprocess.Popen[bytes] | None] = LifoQueue()
        for _ in range(CHILDREN):
            self._idle.put(None)

    def paint(self, picture: Picture, width: int) -> bytes:
        """Return *picture* as a PNG *width* pixels wide, painted here if the child dies of it."""
        child = self._idle.get()
        try:
            child = child or _start()
            return _ask(child, pickle.dumps(picture), width)
        except (OSError, EOFError):
            _end(child)
            child = None
            from judge.pictures.png import paint  # noqa: PLC0415 - its libraries are for the child

            return paint(picture, width)
        finally:
            self._idle.put(child)

    def close(self) -> None:
        """End the children once they have finished; a later picture starts another."""
        children = [self._idle.get() for _ in range(CHILDREN)]
        for child in children:
            _end(child)
            self._idle.put(None)


def _start() -> subprocess.Popen[bytes]:
    path = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-m", "judge.adapters.picture_painting"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path},
    )


def _ask(child: subprocess.Popen[bytes], picture: bytes, width: int) -> bytes:
    assert child.stdin
    assert child.stdout
    child.stdin.write(REQUEST.pack(width, len(picture)) + picture)
    child.stdin.flush()
    [length] = REPLY.unpack(_read(child.stdout, REPLY.size))
    return _read(child.stdout, length)


def _read(source: IO[bytes], length: int) -> bytes:
    read = source.read(length)
    if len(read) < length:
        raise EOFError
    return read


def _end(child: subprocess.Popen[bytes] | None) -> None:
    if child:
        with suppress(OSError):  # what a dead child has not read
            child.communicate()


def main() -> None:
    """Paint what is asked for, until the input ends."""
    from judge.pictures.png import paint  # noqa: PLC0415 - see above

    # Ctrl-C and systemd signal all processes; the daemon decides when a child ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    asking, replies = sys.stdin.buffer, sys.stdout.buffer
    while request := asking.read(REQUEST.size):
        width, length = REQUEST.unpack(request)
        picture = pickle.loads(asking.read(length))  # noqa: S301 - from our parent
        png = paint(picture, width)
        replies.write(REPLY.pack(len(png)) + png)
        replies.flush()


if __name__ == "__main__":
    main()
