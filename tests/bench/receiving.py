"""Start-up time of `judge receive`, beside a Python that does nothing.

Run it as `python -m tests.bench.receiving [TIMES]`. They take turns, as machines swing. Nobody
listens where the email is handed over, so what is timed is the start and the failure.
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

TIMES = 40
BARE = (sys.executable, "-c", "")
RECEIVE = (sys.executable, "-m", "judge", "receive", "--socket", "/nowhere", "judge@localhost")
MILLISECONDS_MAX = 40


def main(times: int) -> None:
    pairs = [(seconds(BARE), seconds(RECEIVE)) for _ in range(times)]
    bare, receive = (1_000 * median(each) for each in zip(*pairs, strict=True))
    print(f"a bare Python   {bare:6.1f} ms\njudge receive   {receive:6.1f} ms")
    print(f"difference      {receive - bare:6.1f} ms, of {MILLISECONDS_MAX} at most")


def seconds(command: tuple[str, ...]) -> float:
    begin = perf_counter()
    subprocess.run(command, input=b"\n", stderr=subprocess.DEVNULL, check=False)
    return perf_counter() - begin


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else TIMES)
