"""SQLite finds its file damaged: nothing more is accepted, and what can be read is saved."""

from __future__ import annotations

import json
import os
import smtplib
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from judge.reports.render import trouble_texts
from tests.support.daemon import Daemon, copied, new_email, seated, text_of, wait_until
from tests.support.final_count import (
    emails_are_kept_once,
    everything_counts_once,
    status_names,
)
from tests.support.readme_page import ROOT
from tests.support.servers import free_door, need

DAMAGED_PAGES = 25
PAGE_BYTES = 1024
EMAILS = 10
FILLING = "sed '/^CREATE TABLE sqlite_sequence"
WAY_OUT = "sqlite3 judge.db .recover >saved.sql || "

WORDS = trouble_texts()["store_fails"]
FAILS = '"event": "store.fails"'  # Advice names it, too.


@pytest.fixture
def daemon(begun: Path, tmp_path: Path) -> Iterator[Daemon]:
    with copied(begun, tmp_path) as daemon:
        daemon.start()
        yield daemon


LEAVES = "SELECT pageno FROM dbstat WHERE pagetype = 'leaf' AND name IN {} ORDER BY path DESC"


def damage(daemon: Daemon) -> None:
    """Write noise over pages of sent emails and of events, as a failing disk does."""
    write_noise(daemon, LEAVES.format("('outbox', 'events')"), DAMAGED_PAGES)


def write_noise(daemon: Daemon, pages: str, count: int) -> None:
    """Write noise over so many of the *pages* that SQLite names."""
    file = daemon.folder / "judge.db"
    with closing(sqlite3.connect(file)) as connection:
        found = [number for (number,) in connection.execute(pages)]
        chosen = Random(40).sample(found, count)  # noqa: S311 - no secret
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

    def offer(number: int) -> bool:
        return daemon.offer(player.answering(start, f"A Par-Bur\n\nFor the {number}th time.\n"))

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
    status_names(daemon, "the database file is damaged: database disk image is malformed")
    assert daemon.judge("status", code=1).count("TROUBLE") == 1

    save_what_can_be_read(daemon.folder)
    verified = daemon.judge("log", "verify", code=1)
    assert "baltic: event" in verified
    daemon.start()
    daemon.come_to_rest()
    emails_are_kept_once(daemon)  # The game may be damaged.
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
    [filling] = [line for line in page.splitlines() if line.startswith(FILLING)]
    store = "/var/lib/judge/judge.db"
    filling = filling.replace("runuser -u judge -- ", "").replace(store, str(folder / "judge.db"))
    subprocess.run(filling, shell=True, check=True, cwd=damaged)  # noqa: S602 - likewise


def test_status_names_damage_that_a_start_has_found_where_status_does_not_look(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        last = LEAVES.format("('tokens')")
        write_noise(daemon, f"{last} LIMIT 1", 1)
        assert "damaged" not in daemon.judge("status", code=1)  # it does not run

        daemon.launch("judge")

        assert daemon.reap() == os.EX_UNAVAILABLE
        status_names(daemon, "the database file is damaged")


def test_a_start_without_games_where_a_judge_has_been_says_so_first(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        daemon.judge("backup", "saved.gz")
        for file in tmp_path.glob("judge.db*"):
            file.unlink()

        daemon.start()

        [line] = [each for each in daemon.log().splitlines() if "store.empty" in each]
        assert "the store has no games, but there are sent emails in outgoing" in line
        assert "the backup saved.gz" in line
        assert "restore a backup" in line
        assert daemon.stop() == 0
    with Daemon(tmp_path / "new") as first:
        (tmp_path / "new").mkdir()
        first.start()
        assert first.stop() == 0
        assert "store.empty" not in first.log()


def test_a_table_that_is_away_is_the_one_cause_that_everything_names(
    begun: Path, tmp_path: Path
) -> None:
    metrics = free_door()
    settings = {"JUDGE_SMTP": free_door(), "JUDGE_METRICS": metrics}
    with copied(begun, tmp_path, **settings) as daemon:
        daemon.start()
        player, start = seated(daemon, "FRANCE")
        move(daemon, "outbox", "away")
        order = player.answering(start, "A Par-Bur\n")
        taken = daemon.offer(order)  # refused if a tick has met the fault before
        wait_until(lambda: FAILS in daemon.log(), "nothing is said")

        with pytest.raises(smtplib.SMTPDataError, match="451"):
            player.answer(start, "A Par-Pic\n")
        assert logged(daemon, "mail.not_stored") >= {"no such table: outbox", WORDS}
        status_names(daemon, "no such table: ", code=69)
        for command, code in (("check", 1), ("doctor", 1)):
            assert "no such table: " in daemon.judge(command, code=code)
        assert "is in use by the running judge" in daemon.judge("doctor", code=1)
        assert "stop the program" not in daemon.judge("doctor", code=1)
        with pytest.raises(HTTPError) as refused, urlopen(f"http://{metrics}/healthz"):
            pass
        with refused.value:
            page = refused.value.read().decode()
        assert "no such table: outbox (correct that" in page
        assert WORDS in page
        assert logged(daemon, "store.fails") >= {"no such table: outbox", WORDS}
        assert daemon.log().count(FAILS) == 1
        assert daemon.log().count('"event": "turn.failed"') <= 1

        move(daemon, "away", "outbox")
        if not taken:
            wait_until(lambda: daemon.offer(order), "it goes on refusing")
        assert "A Par-Bur" in text_of(player.wait_for("receipt"))
        everything_counts_once(daemon, "Army Paris -> Burgundy")
        assert daemon.stop() == 0


def logged(daemon: Daemon, event: str) -> set[object]:
    """Return the facts in the first line of the log about *event*."""
    lines = (json.loads(line) for line in daemon.log().splitlines())
    return {*next(line.values() for line in lines if line["event"] == event)}


def move(daemon: Daemon, table: str, to: str) -> None:
    with closing(sqlite3.connect(daemon.folder / "judge.db")) as connection:
        connection.execute("PRAGMA legacy_alter_table = ON")
        connection.execute(f"ALTER TABLE {table} RENAME TO {to}")
