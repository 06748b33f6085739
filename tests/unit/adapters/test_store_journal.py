"""The journal of an SQLite store: it is applied to its own file only, and does not get lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from time import monotonic

import pytest

from judge.adapters.store import journal, sqlite
from judge.adapters.store.database import UnusableStoreError, open_database
from judge.adapters.store.sqlite import EX_IOERR
from judge.adapters.store.transactions import SqlDatabase

if not sqlite.is_wal_safe(sqlite.newest_library().sqlite_version_info):
    pytest.skip("needs-server: an SQLite with a safe WAL", allow_module_level=True)

ENDINGS = ("", "-wal")
FIRST_PAGE = b"\0\0\0\1"
MOMENT = datetime(2026, 11, 28, 12, tzinfo=UTC)


def write(database: SqlDatabase, games: int) -> None:
    for number in range(games):
        with database.write() as transaction:
            transaction.agenda.set(f"game{number}", MOMENT + timedelta(minutes=number))


def write_and_die(file: Path, games: int) -> None:
    """Leave the files of the store *file* as a process does that dies after it wrote *games*."""
    alive = file.with_name("alive.db")
    for ending in ENDINGS:
        if Path(f"{file}{ending}").exists():
            shutil.move(f"{file}{ending}", f"{alive}{ending}")
    with closing(open_database(alive)) as database:
        write(database, games)
        for ending in ENDINGS:
            shutil.copy(f"{alive}{ending}", f"{file}{ending}")


def games_in(file: Path) -> int:
    with closing(open_database(file)) as database, database.read() as transaction:
        return len(transaction.agenda.due(MOMENT.replace(year=2030), 1_000))


@pytest.fixture
def died(tmp_path: Path) -> Path:
    """Return a store of twenty games whose process died, so that most of it is in the journal."""
    file = tmp_path / "judge.db"
    write_and_die(file, 20)
    return file


def set_aside(file: Path) -> list[Path]:
    return [*file.parent.glob(f"{file.name}-wal.*")]


def test_a_store_that_died_gets_its_journal_back(died: Path) -> None:
    assert games_in(died) == 20
    assert not set_aside(died)


def frames_of(wal: Path) -> list[bytes]:
    """Return the frames of the journal that belong to its present generation."""
    content = wal.read_bytes()
    size = journal.FRAME + int.from_bytes(content[8:12])
    frames = (content[at : at + size] for at in range(journal.HEADER, len(content), size))
    return list(takewhile(lambda frame: frame[8:16] == content[16:24], frames))


def test_a_store_that_died_while_its_journal_was_written_to_the_file_gets_it_back(
    died: Path,
) -> None:
    write_and_die(died, 150)  # more than the file has room for
    first_pages = [each for each in frames_of(Path(f"{died}-wal")) if each[:4] == FIRST_PAGE]
    with died.open("r+b") as store:
        store.write(first_pages[-1][journal.FRAME :])

    assert games_in(died) == 150
    assert not set_aside(died)


def test_a_store_that_died_while_it_wrote_a_commit_gets_its_journal_back(died: Path) -> None:
    assert games_in(died) == 20  # now the file itself has commits
    write_and_die(died, 21)
    wal = Path(f"{died}-wal")
    frames = frames_of(wal)
    with wal.open("r+b") as torn:
        torn.seek(journal.HEADER + sum(map(len, frames)))
        frame = FIRST_PAGE + bytes(4) + frames[0][8:16]
        torn.write(frame.ljust(len(frames[0]), b"\0"))

    assert games_in(died) == 21
    assert not set_aside(died)


def test_a_store_moved_with_its_journal_gets_it_back(died: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for ending in ENDINGS:
        shutil.copy(f"{died}{ending}", folder)

    assert games_in(folder / died.name) == 20
    assert not set_aside(folder / died.name)


def other_store(tmp_path: Path) -> Path:
    file = tmp_path / "other.db"
    with closing(open_database(file)) as database, database.write() as transaction:
        transaction.agenda.set("another", MOMENT)
    return file


def test_a_store_that_replaced_another_does_not_get_the_journal_of_that(
    died: Path, tmp_path: Path
) -> None:
    other_store(tmp_path).replace(died)

    assert games_in(died) == 1
    assert len(set_aside(died)) == 1


def test_an_older_copy_of_a_store_does_not_get_the_journal_of_a_later_one(tmp_path: Path) -> None:
    file, copy = tmp_path / "judge.db", tmp_path / "yesterday.db"
    with closing(open_database(file)) as database, database.write() as transaction:
        transaction.agenda.set("game0", MOMENT)
    shutil.copy(file, copy)
    for number in range(2):  # one that closes, so that its commits are in the file
        with closing(open_database(file)) as database, database.write() as transaction:
            transaction.agenda.set("game1", MOMENT + timedelta(hours=number))
    write_and_die(file, 20)

    shutil.copy(copy, file)

    assert games_in(file) == 1
    assert len(set_aside(file)) == 1


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_the_journal_of_a_file_that_is_gone_is_kept(died: Path, content: bytes) -> None:
    died.write_bytes(content)

    with suppress(UnusableStoreError):
        games_in(died)

    assert len(set_aside(died)) == 1


REMOVED = """
import sys
from pathlib import Path
from tests.unit.adapters.test_store_journal import open_database, write

database = open_database(Path(sys.argv[1]))
database.guard()
write(database, 20)
Path(sys.argv[1] + "-wal").unlink()
write(database, 21)
"""


def test_a_journal_that_is_removed_under_a_process_is_written_to_the_file_first(
    tmp_path: Path,
) -> None:
    file = tmp_path / "judge.db"
    command = [sys.executable, "-c", REMOVED, str(file)]

    ended = subprocess.run(
        command, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False
    )

    assert ended.returncode == EX_IOERR, ended.stderr
    assert "store.journal_removed" in ended.stderr
    assert games_in(file) == 20


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def wait() -> None:
        now = monotonic() + journal.IDLE_SECONDS
        monkeypatch.setattr("judge.adapters.store.journal.monotonic", lambda: now)

    return wait


def test_an_idle_store_is_whole_without_its_journal(
    tmp_path: Path, idle: Callable[[], None]
) -> None:
    file, copy = tmp_path / "judge.db", tmp_path / "copy.db"
    with closing(open_database(file)) as database:
        with database.write() as transaction:
            transaction.agenda.set("game", MOMENT)
        idle()
        database.settle()
        shutil.copy(file, copy)

    assert games_in(copy) == 1


def test_commits_of_several_processes_never_make_the_journal_look_foreign(tmp_path: Path) -> None:
    file = tmp_path / "judge.db"
    with closing(open_database(file)) as first:
        for number in range(30):
            with first.write() as transaction:
                transaction.agenda.set(f"first{number}", MOMENT)
            if number % 10 == 0:
                first.settle()
                write_one(file, number)

    assert games_in(file) == 33
    assert not set_aside(file)


def write_one(file: Path, number: int) -> None:
    with closing(open_database(file)) as second, second.write() as transaction:
        transaction.agenda.set(f"second{number}", MOMENT)
