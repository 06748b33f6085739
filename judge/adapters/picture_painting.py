"""Paint pictures in a child process.

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
from threading import Lock
from typing import IO, Final

from judge.pictures.parts import Picture

NICENESS: Final = 5  # Answers and results that are due go first.
REQUEST: Final = struct.Struct(">II")
REPLY: Final = struct.Struct(">I")


class PaintingProcess:
    """Paints pictures in a child process, which is started by the first.

    A second child would start too, and paint most parts again: units, names and arrows.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._turn = Lock()

    def paint(self, picture: Picture, width: int) -> bytes:
        """Return *picture* as a PNG *width* pixels wide, painted here if the child dies of it."""
        with self._turn:
            try:
                self._child = self._child or _start()
                return _ask(self._child, pickle.dumps(picture), width)
            except (OSError, EOFError):
                self._end()
        from judge.pictures.png import paint  # noqa: PLC0415 - its libraries are for the child

        return paint(picture, width)

    def close(self) -> None:
        """End the child once it has finished; a later picture starts another."""
        with self._turn:
            self._end()

    def _end(self) -> None:
        if self._child:
            with suppress(OSError):  # what a dead child has not read
                self._child.communicate()
        self._child = None


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
