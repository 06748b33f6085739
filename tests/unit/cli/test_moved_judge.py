"""`judge backup` and `restore --moved`, alias `log export` and `log import`: moving a judge."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import stat
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.store.database import open_database
from judge.app.ports.inbox import Envelope
from judge.cli.operator.backup import backup, export, import_, restore
from judge.cli.root import root
from judge.cli.terminal import DAMAGE_SAVED
from judge.event_log import Head, Row
from judge.settings import DatabaseServer
from tests.support.next_migration import add_next_step
from tests.support.postgres import Postgres
from tests.support.table import Table, address_of


def run(database: Path | DatabaseServer, *arguments: str) -> Result:
    where = database.url if isinstance(database, DatabaseServer) else str(database)
    return CliRunner().invoke(root, ["log", *arguments, "--database", where])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a judge with two games, emails in both directions, and encrypted press."""
    table = Table(tmp_path_factory.mktemp("played"))
    table.start("baltic")
    table.start("garnet")
    table.send("FRANCE", "A Par - Bur\nPRESS TO GERMANY\nGrüße aus Paris.\nENDPRESS")
    table.mail("stranger@players.example", "HELP")
    table.play("baltic")
    table.close()
    return table.file


@pytest.fixture
def played(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path))


def exported(database: Path | DatabaseServer, file: Path) -> str:
    file.unlink(missing_ok=True)
    assert run(database, "export", str(file)).exit_code == 0
    return unpacked(file.read_bytes())


def unpacked(backup: bytes) -> str:
    """Return the lines of *backup* without its time and with the digest of those lines."""
    lines = re.sub(r'"made":"[^"]*"', '"made":null', gzip.decompress(backup).decode())
    digest = sha256("".join(lines.splitlines(keepends=True)[:-1]).encode()).hexdigest()
    return re.sub(r'"sha256":"\w+"\}\n$', f'"sha256":"{digest}"}}\n', lines)


def logs(database: Path | DatabaseServer) -> dict[str, tuple[Head, Sequence[Row]]]:
    with closing(open_database(database)) as opened, opened.read() as transaction:
        log = transaction.events
        return {game: (log.head(game), log.rows(game)) for game in log.games()}


def test_r50_a_judge_moves_to_a_server_and_back_with_the_same_heads(
    played: Path, tmp_path: Path, postgres: Postgres
) -> None:
    server, back = postgres.empty(), tmp_path / "back.db"
    there = exported(played, tmp_path / "there")
    imported = run(server, "import", "--moved", str(tmp_path / "there"))
    assert imported.exit_code == 0, imported.output
    assert imported.output.startswith("restored: 2 games, ")
    assert exported(server, tmp_path / "from there") == there
    assert run(back, "import", "--moved", str(tmp_path / "from there")).exit_code == 0

    assert logs(played) == logs(server) == logs(back)
    assert len(logs(server)["baltic"][1]) > 10
    for moved in (server, back):
        verified = run(moved, "verify", "baltic")
        assert verified.exit_code == 0
        assert "baltic: sound" in verified.output


def test_a_moved_judge_continues_where_it_was(
    played: Path, tmp_path: Path, postgres: Postgres
) -> None:
    server = postgres.empty()
    exported(played, tmp_path / "there")
    run(server, "import", "--moved", str(tmp_path / "there"))

    with closing(open_database(server)) as database, database.write() as transaction:
        anna = transaction.people.by_address(address_of("FRANCE"))
        assert anna
        assert transaction.people.key(anna.id)
        last = max(entry.id for entry in transaction.inbox.entries())
        when = transaction.inbox.entries()[0].received_utc
        assert transaction.inbox.keep([(Envelope(b"new", "anna@x", ("judge@y",), "smtp"), when)])
        assert transaction.inbox.waiting() == [last + 1]


def test_an_export_is_private_and_replaces_nothing(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "there"
    exported(played, file)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = run(played, "export", str(file))
    assert (again.exit_code, again.stderr) == (69, f"judge: {file}: File exists\n")


def rows(text: str) -> list[str]:
    """Return the lines of an export without the time of the last one and the digest."""
    return [line for line in text.splitlines()[:-1] if '"name":"backup"' not in line]


def test_without_a_file_it_is_written_to_standard_output(played: Path, tmp_path: Path) -> None:
    file = exported(played, tmp_path / "there")
    written = run(played, "export")

    assert rows(unpacked(written.stdout_bytes)) == rows(file)
    assert written.stderr == ""
    moved = CliRunner().invoke(
        root,
        ["log", "import", "-", "--moved", "--database", str(tmp_path / "new.db")],
        input=written.stdout_bytes,
    )
    assert moved.exit_code == 0


def test_a_missing_database_is_not_exported(tmp_path: Path) -> None:
    missing = run(tmp_path / "none.db", "export")

    assert (missing.exit_code, missing.stderr) == (
        69,
        f"judge: there is no database {tmp_path / 'none.db'}: name it with --database\n",
    )


def test_nothing_is_imported_into_a_store_in_use(played: Path, tmp_path: Path) -> None:
    exported(played, tmp_path / "there")
    refused = run(played, "import", str(tmp_path / "there"))

    assert refused.exit_code == 69
    assert "the database is not empty" in refused.stderr


def changed(line: str, **fields: object) -> str:
    read = json.loads(line)
    read.get("row", read).update(fields)
    return json.dumps(read, ensure_ascii=False, separators=(",", ":")) + "\n"


def resealed(first: str, lines: list[str]) -> list[str]:
    """Return the *lines* with another *first* line and a digest that matches."""
    kept = [first, *lines[1:-1]]
    digest = sha256("".join(kept).encode()).hexdigest()
    return [*kept, changed(lines[-1], sha256=digest)]


DAMAGES: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "the end is missing": (lambda lines: lines[:-1], "its end is missing"),
    "a line is missing": (lambda lines: [*lines[:5], *lines[6:]], "damaged"),
    "a line is another": (lambda lines: [*lines[:3], "Dear Anna,\n"], "no judge wrote"),
    "a table is unknown": (
        lambda lines: [lines[0], '{"table":"x","row":{}}\n', *lines[1:]],
        "no judge wrote",
    ),
    "of another step": (lambda lines: [changed(lines[0], step="9999")], "a newer version"),
    "in another form": (lambda lines: [changed(lines[0], form=1)], "another form"),
    "a head is another": (lambda lines: resealed(changed(lines[0], heads={}), lines), "end"),
    "a column is none": (
        lambda lines: [lines[0], changed(lines[1], nothing=1), *lines[2:]],
        "damaged",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_export_is_not_imported(played: Path, tmp_path: Path, damage: str) -> None:
    spoil, why = DAMAGES[damage]
    lines = exported(played, tmp_path / "there").splitlines(keepends=True)
    (tmp_path / "damaged").write_text("".join(spoil(lines)))

    refused = run(tmp_path / "new.db", "import", str(tmp_path / "damaged"))

    assert refused.exit_code == 69, refused.output
    assert why in refused.stderr
    assert logs(tmp_path / "new.db") == {}


def test_a_log_that_was_changed_by_hand_is_not_imported(played: Path, tmp_path: Path) -> None:
    with closing(open_database(played)) as opened, opened.write() as transaction:
        transaction.connection.exec_driver_sql("DROP TRIGGER events_never_change")
        transaction.connection.exec_driver_sql(
            "UPDATE events SET recorded_utc = '2026-11-23T12:00:00.000001Z'"
            " WHERE game = 'garnet' AND version = 3"
        )
    assert run(played, "export", str(tmp_path / "there")).exit_code == DAMAGE_SAVED

    refused = run(tmp_path / "new.db", "import", str(tmp_path / "there"))

    assert refused.exit_code == 1
    assert refused.stderr == "judge: garnet: event 3 is altered; nothing was restored\n"
    assert logs(tmp_path / "new.db") == {}


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    refused = run(tmp_path / "new.db", "import", str(tmp_path / "nothing"))

    assert (refused.exit_code, refused.stderr) == (
        69,
        f"judge: {tmp_path / 'nothing'}: No such file or directory\n",
    )


def test_r46_an_export_of_an_earlier_version_is_upgraded(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported(played, tmp_path / "there")
    add_next_step(monkeypatch, tmp_path)

    imported = run(tmp_path / "new.db", "import", "--moved", str(tmp_path / "there"))

    assert imported.exit_code == 0, imported.output
    assert logs(tmp_path / "new.db") == logs(played)
    with closing(open_database(tmp_path / "new.db")) as database, database.read() as transaction:
        sizes = transaction.connection.exec_driver_sql("SELECT shoe_size FROM people").scalars()
        assert set(sizes) == {42}
        anna = transaction.people.by_address(address_of("FRANCE"))
        assert anna
        assert transaction.summaries.names_of(anna.id) == ["baltic", "garnet"]


def test_export_and_import_of_logs_are_other_names_of_backup_and_restore() -> None:
    shown = CliRunner().invoke(root, ["log", "--help"]).output
    assert "export" not in shown
    assert "import" not in shown
    assert (export.callback, import_.callback) == (backup.callback, restore.callback)
    assert {each.name for each in import_.params} == {each.name for each in restore.params}
