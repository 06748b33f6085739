"""The journal beside an SQLite file (`-wal`): whether it is that file's own, and still there.

SQLite applies any journal of the right name. So each store has a random `application_id`, and each
commit counts up `user_version`; both are in the first page of the file and of the journal. A
journal continues a file if it begins at most one commit after it, and does not end before it.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from types import ModuleType

import sqlalchemy as sa

from judge.adapters.system_clock import SystemClock
from judge.adapters.whole_files import sync_folder

ENDING = "-wal"
NUMBERS_MAX = 2**31  # of the two fields
HEADER, FRAME = 32, 24  # bytes: https://sqlite.org/fileformat2.html#the_write_ahead_log
FIRST_PAGE = 1
STAMP_AT = 60  # in the first page: user_version, then the encoding, then application_id

CLOSING_LOOKS, CLOSING_SECONDS = 5, 0.5  # until a connection that is closed is closed
IDLE_SECONDS = 1.0  # without a commit; then the journal is written to the file
UNSETTLED_SECONDS_MAX = 60.0


@dataclass(frozen=True, slots=True)
class Stamp:
    """The *store*, 0 if it has no identity yet, after a number of *commits*."""

    store: int
    commits: int


def set_aside_foreign(path: Path, library: ModuleType) -> Path | None:
    """Rename the journal of the database *path* if it is another file's; return its new name."""
    journal = path.with_name(path.name + ENDING)
    before = _stamps_in(journal)
    if not before:
        return None
    # In this order, a process that writes meanwhile cannot make its own journal look foreign.
    here, after = stamp_of(path, library), _stamps_in(journal) or before
    if here and _continues(before, after, here):
        return None
    now = SystemClock().now()
    aside = journal.with_name(f"{journal.name}.{now:%Y%m%dT%H%M%SZ}")
    journal.rename(aside)
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    sync_folder(path.parent)
    return aside


def _continues(before: tuple[Stamp, ...], after: tuple[Stamp, ...], here: Stamp) -> bool:
    if here.store and here.store not in {each.store for each in (*before, *after)}:
        return False
    return before[0].commits - 1 <= here.commits <= after[-1].commits


def stamp_of(path: Path, library: ModuleType) -> Stamp | None:
    """Return the stamp of the database file itself, without its journal; None if it is none."""
    if not path.exists() or not path.stat().st_size:
        return None
    try:
        with closing(library.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            # Otherwise a file that lacks pages, which its journal still has, would be an error.
            connection.execute("PRAGMA writable_schema = ON")
            [(store,)] = connection.execute("PRAGMA application_id").fetchall()
            [(commits,)] = connection.execute("PRAGMA user_version").fetchall()
    except library.DatabaseError:
        return None
    return Stamp(store, commits)


def _stamps_in(journal: Path) -> tuple[Stamp, ...]:
    """Return the stamps of the commits in *journal* that SQLite would apply."""
    try:
        content = journal.read_bytes()
    except FileNotFoundError:
        return ()
    return tuple(_stamps(content))


def _stamps(content: bytes) -> Iterator[Stamp]:
    if len(content) < HEADER:
        return
    magic, _, size, _, *salts, one, two = struct.unpack_from(">8L", content)
    order = ">" if magic & 1 else "<"
    sums = _checksum(order, content[: HEADER - 8], (0, 0))
    changed: list[Stamp] = []
    for begin, end in pairwise(range(HEADER, len(content) + 1, FRAME + size)):
        if sums != (one, two):
            return  # it was not written to its end, before a crash
        page, is_commit, *mine, one, two = struct.unpack_from(">6L", content, begin)
        if mine != salts:  # what is left of the journal before
            return
        sums = _checksum(order, content[begin : begin + 8], sums)
        sums = _checksum(order, content[begin + FRAME : end], sums)
        if page == FIRST_PAGE and size >= STAMP_AT + 12:
            commits, _, store = struct.unpack_from(">3l", content, begin + FRAME + STAMP_AT)
            changed.append(Stamp(store, commits))
        if is_commit and sums == (one, two):
            yield from changed
            changed.clear()


def _checksum(order: str, content: bytes, before: tuple[int, int]) -> tuple[int, int]:
    """Return the checksum of *content*, which is a multiple of 8 bytes, after that *before* it."""
    one, two = before
    numbers = iter(struct.unpack(f"{order}{len(content) // 4}L", content))
    for first in numbers:
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + next(numbers) + one) & 0xFFFFFFFF
    return one, two


def identify(connection: sa.Connection) -> None:
    """Give the store an identity, unless it has one."""
    if connection.exec_driver_sql("PRAGMA application_id").scalar_one() == 0:
        made = secrets.randbelow(NUMBERS_MAX - 1) + 1
        connection.exec_driver_sql(f"PRAGMA application_id = {made}")


def count_commit(connection: sqlite3.Connection) -> None:
    """Count the commit that comes next; by SQLAlchemy this would take as long as a commit."""
    [(commits,)] = connection.execute("PRAGMA user_version").fetchall()
    connection.execute(f"PRAGMA user_version = {(commits + 1) % NUMBERS_MAX}")


class JournalWatch:
    """Watches whether the journal of the open database *path* is there, and when to empty it."""

    def __init__(self, path: Path) -> None:
        self._journal = path.with_name(path.name + ENDING)
        self._known: tuple[int, int] | None = None
        self._written = self._settled = monotonic()
        self._unsettled = True

    def note_commit(self) -> None:
        """Note that the journal has something that the file lacks."""
        self._written, self._unsettled = monotonic(), True

    def is_removed(self) -> bool:
        """Return whether SQLite writes to a journal that is no longer under its name."""
        there = identity_of(self._journal)
        if there == self._known:
            return False
        if self._known and self._is_open():
            return True
        self._known = there  # SQLite itself has made another
        return False

    def _is_open(self) -> bool:
        """Return whether this process still has the removed journal open after a while.

        A connection that is closed removes it too, and closes it just afterwards.
        """
        for _ in range(CLOSING_LOOKS):
            if not _has_open_elsewhere(self._journal):
                return False
            sleep(CLOSING_SECONDS / CLOSING_LOOKS)
        return True

    def should_settle(self) -> bool:
        """Return whether it is time to write the journal to the file."""
        now = monotonic()
        return self._unsettled and (
            now - self._written >= IDLE_SECONDS or now - self._settled >= UNSETTLED_SECONDS_MAX
        )

    def note_settled(self, since: float) -> None:
        """Note that what was committed before *since* (of `monotonic`) is in the file."""
        self._settled = monotonic()
        self._unsettled = self._written >= since


def identity_of(path: Path) -> tuple[int, int] | None:
    """Return what names the file itself, whatever it is called; None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _has_open_elsewhere(journal: Path) -> bool:
    """Return whether this process has a *journal* open that was deleted or moved.

    False where the system does not show it.
    """
    folder = Path("/proc/self/fd")
    try:
        descriptors = os.listdir(folder)  # noqa: PTH208 - names are enough
    except OSError:
        return False
    targets = (_target_of(folder / each) for each in descriptors)
    return any(
        target != str(journal) and Path(target).name.startswith(journal.name) for target in targets
    )


def _target_of(link: Path) -> str:
    try:
        return os.readlink(link)  # noqa: PTH115 - a name such as `file (deleted)`
    except FileNotFoundError:
        return ""
