"""SQLite finds its file damaged: nothing more is accepted, and what can be read is saved."""

from __future__ import annotations

import os
import smtplib
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.support.daemon import Daemon, copied, new_email, seated
from tests.support.readme_page import ROOT
from tests.support.servers import need

DAMAGED_PAGES = 25
PAGE_BYTES = 1024
EMAILS = 10
WAY_OUT = "sqlite3 judge.db .recover >saved.sql || "


@pytest.fixture
def daemon(begun: Path, tmp_path: Path) -> Iterator[Daemon]:
    with copied(begun, tmp_path) as daemon:
        daemon.start()
        yield daemon


def damage(daemon: Daemon) -> None:
    """Write noise over pages of sent emails and of events, as a failing disk does."""
    file = daemon.folder / "judge.db"
    pages = "SELECT pageno FROM dbstat WHERE pagetype = 'leaf' AND name IN ('outbox', 'events')"
    with closing(sqlite3.connect(file)) as connection:
        found = [number for (number,) in connection.execute(pages)]
        chosen = Random(40).sample(found, DAMAGED_PAGES)  # noqa: S311 - no secret
        with file.open("r+b") as opened:
            for number in chosen:
                opened.seek((number - 1) * PAGE_BYTES)
                opened.write(Random(number).randbytes(PAGE_BYTES))  # noqa: S311 - likewise
        # The pages in memory are forgotten when another process has written.
        connection.execute("CREATE TABLE another (cell)")
        connection.execute("DROP TABLE another")


def test_a_damaged_file_ends_the_daemon_and_what_sqlite_can_read_is_saved(daemon: Daemon) -> None:
    need("SQLite's shell", "sqlite3")
    player, start = seated(daemon, "FRANCE")
    accepted = []

    def offer(number: int) -> bool:
        mail = player.answering(start, f"A Par-Bur\n\nFor the {number}th time.\n")
        try:
            daemon.send(mail)
        except (smtplib.SMTPException, OSError):
            return False
        accepted.append(str(mail["Message-ID"]))
        return True

    assert all(offer(number) for number in range(EMAILS))
    daemon.come_to_rest()
    damage(daemon)
    for number in range(EMAILS, 10 * EMAILS):
        if not offer(number):
            break

    assert daemon.reap() == os.EX_IOERR
    assert '"event": "store.damaged"' in daemon.log()
    assert "a-damaged-database" in daemon.log()
    assert "a-damaged-database" in daemon.judge("doctor", code=1)

    save_what_can_be_read(daemon.folder)
    verified = daemon.judge("log", "verify", code=1)
    assert "baltic: event" in verified
    daemon.start()
    daemon.come_to_rest()
    kept = b"".join(
        raw for (raw,) in daemon.ask("SELECT raw FROM inbox") if isinstance(raw, bytes)
    )
    assert [name for name in accepted if kept.count(name.encode()) != 1] == []
    daemon.send(new_email("new@players.example", "JOIN another\n"))
    daemon.come_to_rest()
    assert daemon.mails("new@players.example"), "the others go on"
    assert daemon.stop() == 0


def save_what_can_be_read(folder: Path) -> None:
    """Do as the page for operators says, in *folder*."""
    page = (ROOT / "docs/operators/running.md").read_text()
    [saving] = [line for line in page.splitlines() if line.startswith(WAY_OUT)]
    damaged = folder / "damaged"
    damaged.mkdir()
    for file in folder.glob("judge.db*"):
        file.rename(damaged / file.name)
    subprocess.run(saving, shell=True, check=True, cwd=damaged)  # noqa: S602 - a line of our page
    filling = f"umask 077; sqlite3 {folder / 'judge.db'} <saved.sql"
    subprocess.run(filling, shell=True, check=True, cwd=damaged)  # noqa: S602 - likewise
