"""Time to check and encrypt a store: `python -m tests.bench.checking [MB]`.

The store is made of stored emails of 6,000 random bytes, 1,000 MB of them if nothing else is said.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from time import perf_counter

from judge.adapters import age
from judge.adapters.store.database import check_file, open_database
from judge.adapters.system_clock import SystemClock
from judge.app.ports.inbox import Envelope

BODY_BYTES = 6_000
MAILS_A_COMMIT = 2_000
MEGABYTE = 1_000_000


def fill(store: Path, megabytes: int) -> None:
    now = SystemClock().now()
    with closing(open_database(store)) as database:
        left = megabytes * MEGABYTE // BODY_BYTES
        while left > 0:
            mails = (
                (
                    Envelope(
                        os.urandom(BODY_BYTES), "anna@example.org", ("judge@localhost",), "smtp"
                    ),
                    now,
                )
                for _ in range(min(left, MAILS_A_COMMIT))
            )
            with database.write() as transaction:
                transaction.inbox.keep(mails)
            left -= MAILS_A_COMMIT


def encrypt(store: Path, into: Path) -> None:
    _, public = age.new_key()
    with (
        store.open("rb") as plain,
        into.open("wb") as raw,
        age.encrypting(raw, age.read_lock(public)) as written,
    ):
        while chunk := plain.read(MEGABYTE):
            written.write(chunk)


def main(megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "judge.db")
        fill(store, megabytes)
        size = store.stat().st_size / 1e9
        began = perf_counter()
        check_file(store)
        checked = perf_counter()
        encrypt(store, Path(folder, "store.age"))
        ended = perf_counter()
    print(f"a store of {size:.2f} GB: checked in {checked - began:.1f} s")
    print(f"encrypted in {ended - checked:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
