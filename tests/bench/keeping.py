"""Emails kept a second, each on the disk before its 250: `python -m tests.bench.keeping`.

Beside it a bare SQLite with a commit an email. The bytes an email are those that Linux
counts for this process.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import closing
from pathlib import Path
from time import perf_counter

from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.store import sqlite
from judge.adapters.store.database import open_database
from judge.adapters.system_clock import SystemClock
from judge.app.ports.inbox import Envelope

MAILS = 3_000
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


def bytes_written() -> int:
    """Return what this process has written to storage so far."""
    counts = Path("/proc/self/io").read_text().split("write_bytes:")
    return int(counts[1].split()[0])


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
