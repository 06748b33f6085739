"""Emails kept a second, each on the disk before its 250: `python -m tests.bench.keeping`.

Beside it a bare SQLite with a commit an email. The bytes an email are those that Linux counts for
this process. `--whole [EMAILS]` counts those of a daemon instead, from the SMTP connection until
the receipt is in a Maildir, and the bytes of the emails themselves.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from time import perf_counter

from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.store import sqlite
from judge.adapters.store.database import open_database
from judge.adapters.system_clock import SystemClock
from judge.app.ports.inbox import Envelope
from tests.support.daemon import CONFIGURED, QUICK, Daemon, seat
from tests.support.order_emails import UNITS, flood, order_emails

MAILS = 3_000
WHOLE_MAILS, CONNECTIONS = 1_000, 10
PATIENCE_SECONDS = 600
BODY = b"x" * 2_000


async def keep_all(keeper: GroupCommit, callers: int, name: str) -> float:
    numbers = iter(range(MAILS))

    async def call() -> None:
        for number in numbers:
            raw = f"{name} {number}\r\n".encode() + BODY
            await keeper.keep(Envelope(raw, "anna@example.org", ("judge@localhost",), "smtp"))

    began = perf_counter()
    await asyncio.gather(*(call() for _ in range(callers)))
    return MAILS / (perf_counter() - began)


def bytes_written(pid: int | str = "self") -> int:
    """Return what the process *pid* has written to storage so far."""
    counts = Path(f"/proc/{pid}/io").read_text().split("write_bytes:")
    return int(counts[1].split()[0])


def measure_whole(folder: Path, count: int) -> None:
    """Send emails with orders to a daemon until their receipts are delivered."""
    with Daemon(folder, CONFIGURED | {"JUDGE_MAIL_FORM": "pictures"}) as daemon:
        daemon.start()
        seat(daemon, "bench", *QUICK)
        daemon.come_to_rest(PATIENCE_SECONDS)
        assert daemon.process
        emails = order_emails(daemon, count // len(UNITS) * len(UNITS))
        raw_before, written = stored_bytes(daemon), bytes_written(daemon.process.pid)
        flood(daemon, emails, CONNECTIONS)
        daemon.come_to_rest(PATIENCE_SECONDS)
        written = bytes_written(daemon.process.pid) - written
        stored = stored_bytes(daemon) - raw_before
        print(
            f"{written / len(emails) / 1000:.0f} kB written for each of {len(emails)} emails, "
            f"which have {stored / len(emails) / 1000:.0f} kB with their receipts"
        )


def stored_bytes(daemon: Daemon) -> int:
    """Return the bytes of all emails that the daemon has stored."""
    [(incoming, outgoing)] = daemon.ask(
        "SELECT (SELECT sum(length(raw)) FROM inbox), (SELECT sum(length(raw)) FROM outbox)"
    )
    return int(str(incoming or 0)) + int(str(outgoing or 0))


def bare(path: Path) -> float:
    library = sqlite.newest_library()
    with closing(library.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE mails (raw BLOB)")
        began = perf_counter()
        for _ in range(MAILS):
            connection.execute("INSERT INTO mails VALUES (?)", (BODY,))
        return MAILS / (perf_counter() - began)


def main() -> None:
    if "--whole" in sys.argv:
        counts = [int(each) for each in sys.argv[1:] if each.isdecimal()]
        with tempfile.TemporaryDirectory() as whole:
            measure_whole(Path(whole), counts[0] if counts else WHOLE_MAILS)
        return
    with tempfile.TemporaryDirectory() as folder:
        print(f"bare SQLite, a commit each: {bare(Path(folder, 'bare.db')):,.0f} emails/s")
        with (
            closing(open_database(Path(folder, "judge.db"))) as database,
            closing(GroupCommit(database, SystemClock(), lambda: None)) as keeper,
        ):
            for callers in (1, 10, 50):
                written = bytes_written()
                rate = asyncio.run(keep_all(keeper, callers, f"of {callers}"))
                size = (bytes_written() - written) / MAILS / 1000
                print(f"{callers:2} waiting at once: {rate:,.0f} emails/s, {size:.0f} kB each")


if __name__ == "__main__":
    main()
