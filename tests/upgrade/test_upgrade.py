"""Every version opens what earlier ones wrote, plays on, and there is a way back.

`python -m tests.upgrade.make COMMIT` writes the samples of a version.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.migrations import REACHES_OLDEST
from judge.app.ports.outbox import OutgoingMail
from judge.cli.root import root
from tests.support.carriers import deliver
from tests.support.table import POWERS, Table
from tests.upgrade.make import ABOUT, BACKUP, HERE, LOG, ROOT, STORE, About, check_out

SAMPLES = sorted(path.parent for path in HERE.glob(f"*/{ABOUT}"))
BYTES_MAX = 300_000


@pytest.fixture(params=SAMPLES, ids=lambda folder: folder.name)
def sample(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


def about(sample: Path) -> About:
    read = json.loads((sample / ABOUT).read_text(encoding="utf-8"))
    return About(read["version"], read["commit"], datetime.fromisoformat(read["at"]))


def store_of(sample: Path, folder: Path) -> Path:
    """Unpack the store into *folder*."""
    file = folder / "judge.db"
    file.write_bytes(gzip.decompress((sample / STORE).read_bytes()))
    return file


def ask(file: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(question).fetchall()


def judge(*words: str | Path) -> Result:
    return CliRunner().invoke(root, [str(word) for word in words])


def play_on(file: Path, at: datetime) -> None:
    """Play two phases of the game in the store *file*; the log must be sound."""
    with closing(Table(file.parent, "afterwards")) as table:
        table.clock.time = at
        for phase in ("F1901M", "S1902M"):
            assert table.phase("baltic") == phase
            receipts = [table.send(power, "all hold") for power in POWERS]
            assert all(receipt.kind == "receipt" for receipt in receipts)
            while table.phase("baltic") == phase or table.phase("baltic").endswith(("R", "A")):
                table.close_phase()
    verified = judge("log", "verify", "--database", file)
    assert verified.exit_code == 0, verified.output
    assert "0 of 1 games wrong" in verified.output


def test_each_version_since_0_2_0_has_its_samples() -> None:
    news = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+)", news, re.MULTILINE)
    kept = versions[: versions.index("0.2.0") + 1]

    assert {path.name for path in SAMPLES} >= {*kept[1:], "0.2.0"}
    assert {path.name: about(path).version for path in SAMPLES} == {
        path.name: path.name for path in SAMPLES
    }


def test_samples_are_small(sample: Path) -> None:
    assert max(file.stat().st_size for file in sample.iterdir()) < BYTES_MAX


def test_a_store_opens_and_its_game_goes_on(sample: Path, tmp_path: Path) -> None:
    file = store_of(sample, tmp_path)

    assert judge("check", "--database", file, "--smtp", "127.0.0.1:0").exit_code == 0
    play_on(file, about(sample).at)


def test_emails_that_wait_go_out_once_as_they_were_written(sample: Path, tmp_path: Path) -> None:
    file = store_of(sample, tmp_path)
    written = ask(file, "SELECT message_id, raw FROM outbox WHERE state = 'queued'")
    assert written

    sent = list[OutgoingMail]()
    for name in ("afterwards", "restarted"):
        with closing(Table(tmp_path, name)) as table:
            table.clock.time = about(sample).at
            while mails := deliver(table):
                sent += mails

    assert sorted((mail.message_id, mail.raw) for mail in sent) == sorted(written)


@pytest.mark.parametrize("words", ["Write to =\r\nfrance@players=2Eexample.", "By Player-{id}."])
def test_a_person_is_forgotten_in_emails_that_an_earlier_version_wrote(
    sample: Path, tmp_path: Path, words: str
) -> None:
    file = store_of(sample, tmp_path)
    [(france, handle)] = ask(
        file,
        "SELECT folded, handle FROM people JOIN addresses ON person = id "
        "WHERE folded LIKE 'france@%'",
    )
    named = words.format(id=str(handle).rpartition("-")[2]).encode()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE outbox SET game = NULL, state = 'sent', raw = x'61'")
        connection.execute(
            "UPDATE outbox SET raw = ? WHERE id = (SELECT min(id) FROM outbox "
            "WHERE recipient LIKE 'germany@%')",
            (named,),
        )

    forgotten = judge("forget", str(france), "--from-games", "--yes", "--database", file)

    assert forgotten.exit_code == 0, forgotten.output
    germany = "SELECT raw FROM outbox WHERE recipient LIKE 'germany@%' AND state = 'sent'"
    first, *others = ask(file, germany)
    assert first == (b"",)
    assert {*others} == {(b"a",)}


def test_a_backup_is_restored_and_its_game_goes_on(sample: Path, tmp_path: Path) -> None:
    file = tmp_path / "judge.db"

    restored = judge("restore", "--moved", sample / BACKUP, "--database", file)

    assert restored.exit_code == 0, restored.output
    play_on(file, about(sample).at)


def test_a_running_game_can_be_read_and_played_on(sample: Path, tmp_path: Path) -> None:
    file = tmp_path / "judge.db"

    verified = judge("archive", "verify", sample / LOG)
    imported = judge("game", "import", sample / LOG, "--as", "again", "--database", file)

    assert (verified.exit_code, "0 differ" in verified.output) == (0, True)
    assert imported.exit_code == 0, imported.output
    assert "F1901M" in judge("game", "show", "again", "--database", file).output


def test_the_documented_way_back_leads_to_the_old_program(sample: Path, tmp_path: Path) -> None:
    """An upgraded store, moved away; the old program, and the backup made before."""
    if not (ROOT / ".git").exists():
        pytest.skip("old versions are in the repository, which is not here")
    file, tree = store_of(sample, tmp_path), tmp_path / "tree"
    tree.mkdir()
    play_on(file, about(sample).at)
    shutil.move(file, tmp_path / "after.db")
    check_out(about(sample).commit, tree)

    def old(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "judge", *words, "--database", str(file)],
            cwd=tree,
            env=os.environ | {"PYTHONPATH": str(tree)},
            capture_output=True,
            text=True,
            check=False,
        )

    restored = old("restore", str(sample / BACKUP))
    assert restored.returncode == 0, restored.stderr
    assert "0 of 1 games wrong" in old("log", "verify").stdout
    assert "F1901M" in old("game", "show", "baltic").stdout


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("0011", f"upgrade them with commit {REACHES_OLDEST} of the judge"),
        ("9999", "newer version of the judge (step 9999): install that version"),
    ],
)
def test_check_fails_on_a_store_that_this_version_cannot_open(
    tmp_path: Path, step: str, told: str
) -> None:
    file = store_of(SAMPLES[-1], tmp_path)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (step,))

    checked = judge("check", "--database", file, "--smtp", "127.0.0.1:0")
    opened = judge("status", "--database", file)

    assert checked.exit_code == 1
    assert told in checked.output
    assert (opened.exit_code, told in opened.output) == (69, True)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [(step,)]


def test_check_upgrades_nothing(tmp_path: Path) -> None:
    file = store_of(SAMPLES[0], tmp_path)
    before = file.read_bytes()

    assert judge("check", "--database", file, "--smtp", "127.0.0.1:0").exit_code == 0
    assert file.read_bytes() == before
