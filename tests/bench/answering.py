"""How many mails with orders a second a whole daemon takes, answers and delivers.

Run it as `python -m tests.bench.answering [MAILS]`. The mails come by 10 connections at once from
the players of one game; each is kept, understood, put to the game, recorded and receipted, and
the receipts go into a Maildir.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tests.support.load import flood, letters
from tests.support.serving import QUICK, Serving, seat, wait_until

MAILS, CONNECTIONS = 1_000, 10
PATIENCE_SECONDS = 600
UNANSWERED = "SELECT count(*) FROM inbox WHERE state = 'received'"


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        daemon = Serving(Path(folder))
        daemon.start()
        try:
            seat(daemon, "bench", *QUICK)
            measure(daemon, count)
        finally:
            daemon.stop()


def measure(daemon: Serving, count: int) -> None:
    mails = letters(daemon, count)
    begin = perf_counter()
    flood(daemon, mails, CONNECTIONS)
    told("taken", count, perf_counter() - begin)
    wait_until(
        lambda: daemon.ask(UNANSWERED) == [(0,)], "some were not answered", PATIENCE_SECONDS
    )
    told("answered", count, perf_counter() - begin)
    daemon.come_to_rest(PATIENCE_SECONDS)
    told("delivered", count, perf_counter() - begin)


def told(what: str, count: int, seconds: float) -> None:
    print(f"{count:,} mails {what:10}{seconds:8.2f} s{count / seconds:8.0f} a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else MAILS)
