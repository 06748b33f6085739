"""`judge backup` and `judge restore`."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import stat
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy.engine.interfaces import DBAPIConnection

from judge.adapters import age
from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.store import sqlite
from judge.adapters.store.database import DaemonLock, open_database
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.system_clock import SystemClock
from judge.adapters.whole_files import creating_file
from judge.app.ports.inbox import Envelope
from judge.cli.root import root
from judge.settings import DatabaseServer
from tests.support.postgres import Postgres
from tests.support.table import Table, address_of

MAILS = 50  # stored before the backup begins
PAGES_OF_AN_EMPTY_STORE = 66


def run(command: str, database: Path | DatabaseServer, *arguments: str) -> Result:
    where = database.url if isinstance(database, DatabaseServer) else str(database)
    return CliRunner().invoke(root, [*command.split(), *arguments, "--database", where])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a judge with a game, emails in both directions, and encrypted press."""
    table = Table(tmp_path_factory.mktemp("played"))
    table.start("baltic")
    table.send("FRANCE", "A Par - Bur\nPRESS TO GERMANY\nGrüße aus Paris.\nENDPRESS")
    table.play("baltic")
    table.close()
    return table.file


@pytest.fixture
def played(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path))


@pytest.fixture(params=["sqlite", "postgresql"])
def store(
    request: pytest.FixtureRequest, played: Path, tmp_path: Path
) -> tuple[Path | DatabaseServer, Path | DatabaseServer]:
    """Return a store with a game, and an empty one of the same kind."""
    if request.param == "sqlite":
        return played, tmp_path / "restored.db"
    server: Postgres = request.getfixturevalue("postgres")
    first = server.empty()
    moved = tmp_path / "moved.gz"
    assert run("backup", played, str(moved)).exit_code == 0
    assert run("restore", first, str(moved)).exit_code == 0
    return first, server.empty()


@contextmanager
def incoming_mail(database: SqlDatabase) -> Iterator[None]:
    """Store emails in a loop while the body runs."""
    done, many = threading.Event(), threading.Event()
    keeper = GroupCommit(database, SystemClock(), kept=lambda: None)

    def store_emails() -> None:
        number = 0
        while not done.is_set():
            number += 1
            raw = f"Subject: {number}\r\n\r\nA Par - Bur\r\n".encode()
            envelope = Envelope(raw, f"{number}@players.example", ("judge@judge.example",), "smtp")
            keeper.submit(envelope).result()
            if number == MAILS:
                many.set()

    sender = threading.Thread(target=store_emails)
    sender.start()
    many.wait()
    try:
        yield
    finally:
        done.set()
        sender.join()
        keeper.close()


def senders(database: Path | DatabaseServer) -> Sequence[str]:
    with closing(open_database(database)) as opened, opened.read() as transaction:
        entries = transaction.inbox.entries(limit=100_000)
        mails = (transaction.inbox.get(entry.id) for entry in entries)
        return [mail.sender for mail in mails if mail and mail.sender[0].isdigit()]


def test_r48_a_backup_under_load_restores_one_moment(
    store: tuple[Path | DatabaseServer, Path | DatabaseServer], tmp_path: Path
) -> None:
    source, target = store
    file = tmp_path / "backup.gz"
    with closing(open_database(source)) as database, incoming_mail(database):
        saved = run("backup", source, str(file))
    assert saved.exit_code == 0, saved.output

    restored = run("restore", target, str(file))

    assert restored.exit_code == 0, restored.output
    assert restored.output.startswith("restored: 1 game, ")
    came = senders(target)
    assert len(came) >= MAILS
    assert came == [f"{number}@players.example" for number in range(1, len(came) + 1)]
    assert senders(source)[: len(came)] == came
    verified = run("log verify", target)
    assert verified.exit_code == 0, verified.output
    with closing(open_database(target)) as opened, opened.read() as transaction:
        anna = transaction.people.by_address(address_of("FRANCE"))
        assert anna
        assert transaction.people.key(anna.id)


def test_a_backup_prints_its_digest_and_its_contents(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.gz"
    told = json.loads(run("backup", played, str(file), "--json").stdout)

    assert told["sha256"] == sha256(file.read_bytes()).hexdigest()
    assert (told["games"], told["bytes"]) == (1, file.stat().st_size)
    with gzip.open(file, "rt") as unpacked:
        first = json.loads(unpacked.readline())
    with closing(open_database(played)) as opened, opened.read() as transaction:
        head = transaction.events.head("baltic")
    assert first["heads"] == {"baltic": [head.version, head.hash]}
    assert first["made"] == told["made"]
    assert "SHA-256" in run("backup", played, str(tmp_path / "another.gz")).stdout


def test_a_backup_is_private_and_replaces_nothing(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.gz"
    assert run("backup", played, str(file)).exit_code == 0
    before = file.read_bytes()

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = run("backup", played, str(file))
    assert (again.exit_code, again.stderr) == (69, f"judge: {file}: File exists\n")
    assert file.read_bytes() == before


def test_an_unfinished_backup_leaves_no_file(tmp_path: Path) -> None:
    def stopped() -> None:
        with creating_file(tmp_path / "backup.gz") as written:
            written.write(b"half of it")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()

    assert [*tmp_path.iterdir()] == []


def test_a_file_created_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError), creating_file(tmp_path / "backup.gz"):
        (tmp_path / "backup.gz").write_text("of somebody else")

    assert (tmp_path / "backup.gz").read_text() == "of somebody else"


def test_a_backup_can_be_tried_without_a_store(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.gz"
    run("backup", played, str(file))

    tried = run("restore", tmp_path / "none.db", str(file), "--check")

    assert tried.exit_code == 0
    assert re.fullmatch(r"could be restored: 1 game, [1-9]\d* events\n", tried.output)
    as_json = run("restore", tmp_path / "none.db", str(file), "--check", "--json")
    told = json.loads(as_json.output)
    assert (told["restored"], told["games"]) == (False, 1)
    assert not (tmp_path / "none.db").exists()


def test_backup_and_restore_use_standard_output_and_input(played: Path, tmp_path: Path) -> None:
    written = run("backup", played, "-").stdout_bytes

    into = ["restore", "-", "--database", str(tmp_path / "new.db")]
    restored = CliRunner().invoke(root, into, input=written)

    assert restored.output.startswith("restored: 1 game, "), restored.output
    assert run("log verify", tmp_path / "new.db").exit_code == 0


def test_nothing_is_restored_into_a_store_that_holds_anything_or_is_in_use(
    played: Path, tmp_path: Path
) -> None:
    file = tmp_path / "backup.gz"
    run("backup", played, str(file))

    assert "the database is not empty" in run("restore", played, str(file)).stderr
    with DaemonLock(tmp_path / "new.db"):
        assert "another judge" in run("restore", tmp_path / "new.db", str(file)).stderr
    nowhere = run("restore", tmp_path / "no folder" / "new.db", str(file))
    assert nowhere.exit_code == 69
    assert "No such file or directory" in nowhere.stderr


@pytest.mark.parametrize("kept", [0.5, 0.999])
def test_a_backup_that_was_cut_short_is_refused_whole(
    played: Path, tmp_path: Path, kept: float
) -> None:
    file, target = tmp_path / "backup.gz", tmp_path / "new.db"
    run("backup", played, str(file))
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * kept)])

    refused = run("restore", target, str(file))

    assert refused.exit_code == 69
    assert "damaged" in refused.stderr
    file.write_bytes(whole)
    assert run("restore", target, str(file)).exit_code == 0


def test_a_changed_byte_is_noticed(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.gz"
    run("backup", played, str(file))
    spoiled = bytearray(file.read_bytes())
    spoiled[len(spoiled) // 2] ^= 1
    file.write_bytes(spoiled)

    assert run("restore", tmp_path / "new.db", str(file)).exit_code == 69


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep stores from growing beyond the size of an empty one."""
    set_up = sqlite._set_up

    def small(connection: DBAPIConnection, journal: str) -> None:
        set_up(connection, journal)
        connection.cursor().execute(f"PRAGMA max_page_count = {PAGES_OF_AN_EMPTY_STORE}")

    monkeypatch.setattr(sqlite, "_set_up", small)


def test_a_sound_backup_for_which_there_is_no_room_is_not_called_damaged(
    played: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file = tmp_path / "judge.gz"
    assert run("backup", played, str(file)).exit_code == 0
    request.getfixturevalue("full")

    for words in (("restore",), ("restore", "--check")):
        told = run(words[0], tmp_path / "restored.db", str(file), *words[1:])
        assert told.exit_code == 69
        assert told.stderr.endswith("cannot be used: database or disk is full\n")


@pytest.mark.usefixtures("full")
def test_a_command_that_finds_no_room_in_the_store_says_so_in_one_line(
    played: Path, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("A line of many.\n" * 4_000)

    told = run("game press baltic", played, str(letter))

    assert told.exit_code == 69
    assert (
        told.stderr == f"judge: the database {played} cannot be used: database or disk is full\n"
    )


def test_a_backup_needs_a_store_and_a_target_folder(played: Path, tmp_path: Path) -> None:
    missing = run("backup", tmp_path / "none.db", str(tmp_path / "backup.gz"))
    assert (missing.exit_code, missing.stderr) == (
        69,
        f"judge: there is no database {tmp_path / 'none.db'}: name it with --database\n",
    )
    nowhere = run("backup", played, str(tmp_path / "no folder" / "backup.gz"))
    assert nowhere.exit_code == 69
    assert "No such file or directory" in nowhere.stderr


def test_a_tampered_log_is_restored_only_on_request(played: Path, tmp_path: Path) -> None:
    file, target = tmp_path / "backup.gz", tmp_path / "new.db"
    with closing(open_database(played)) as opened, opened.write() as transaction:
        transaction.connection.exec_driver_sql("DROP TRIGGER events_never_change")
        transaction.connection.exec_driver_sql(
            "UPDATE events SET recorded_utc = '2026-11-23T12:00:00.000001Z' WHERE version = 3"
        )
    run("backup", played, str(file))

    refused = run("restore", target, str(file))
    assert (refused.exit_code, refused.stderr) == (
        1,
        "judge: baltic: event 3 is altered; nothing was restored\n",
    )

    restored = run("restore", target, str(file), "--damaged-too")
    assert restored.exit_code == 0
    assert "baltic: event 3 is altered\n" in restored.stderr
    assert run("log verify", target).exit_code == 1
    assert "game_restored" in run("log show baltic", target).output


def test_a_game_that_lost_events_comes_back_as_it_is_and_its_players_are_told_by_hand(
    played: Path, tmp_path: Path
) -> None:
    file, target = tmp_path / "backup.gz", tmp_path / "new.db"
    with closing(open_database(played)) as opened, opened.write() as transaction:
        transaction.connection.exec_driver_sql("DROP TRIGGER events_never_go")
        transaction.connection.exec_driver_sql("DELETE FROM events WHERE version = 3")
    run("backup", played, str(file))

    restored = run("restore", target, str(file), "--damaged-too")

    assert restored.exit_code == 0
    assert restored.stderr == (
        "judge: baltic: event 3 is missing\njudge: baltic: its players must be told by hand\n"
    )


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "backup.key"
    assert CliRunner().invoke(root, ["backup-key", str(file)]).output.startswith("age1")
    return file


@pytest.fixture
def passphrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(age, "SCRYPT_LOG_N", 10)
    file = tmp_path / "passphrase"
    file.write_text("correct horse battery\n")
    return file


@pytest.mark.parametrize("kind", ["key", "passphrase"])
def test_a_backup_is_encrypted_for_a_key_or_with_a_passphrase_from_a_file(
    played: Path, tmp_path: Path, request: pytest.FixtureRequest, kind: str
) -> None:
    lock, file = request.getfixturevalue(kind), tmp_path / "backup.age"

    saved = run("backup", played, str(file), "--encrypt", str(lock))
    assert saved.exit_code == 0, saved.output
    assert file.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert b"anna" not in file.read_bytes()

    back = run("restore --moved", tmp_path / "back.db", str(file), "--decrypt", str(lock))
    assert back.exit_code == 0, back.output
    assert run("log verify", tmp_path / "back.db").exit_code == 0


@pytest.mark.skipif(not shutil.which("age"), reason="needs-server: there is no age")
def test_age_reads_our_backups_and_the_judge_restores_what_age_encrypted(
    played: Path, tmp_path: Path, key: Path
) -> None:
    ours, theirs = tmp_path / "ours.age", tmp_path / "theirs.age"
    run("backup", played, str(ours), "--encrypt", str(key))
    plain = subprocess.run(["age", "-d", "-i", key, ours], capture_output=True, check=True).stdout
    public = key.read_text().split()[3]
    subprocess.run(["age", "-r", public, "-o", theirs], input=plain, check=True)

    assert gzip.decompress(plain).startswith(b'{"form"')
    back = run("restore --check", tmp_path / "none.db", str(theirs), "--decrypt", str(key))
    assert back.exit_code == 0, back.output


def test_the_setting_encrypts_the_nightly_backup_and_lets_it_be_checked(
    played: Path, tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_BACKUP_KEY_FILE", str(key))
    file = tmp_path / "backup.age"

    assert run("backup", played, str(file)).exit_code == 0
    assert file.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert run("restore --check", played, str(file)).exit_code == 0


def test_public_keys_encrypt_but_cannot_restore(played: Path, tmp_path: Path, key: Path) -> None:
    public, file = tmp_path / "public", tmp_path / "backup.age"
    public.write_text(key.read_text().split()[3])
    run("backup", played, str(file), "--encrypt", str(public))

    refused = run("restore", tmp_path / "new.db", str(file), "--decrypt", str(public))

    assert refused.stderr == (
        f"judge: {file}: the key file has public keys only: the secret one decrypts\n"
    )


@pytest.mark.parametrize("fault", ["no key", "another key", "cut", "changed", "armored"])
def test_a_failed_decryption_is_one_line_and_stores_nothing(
    played: Path, tmp_path: Path, key: Path, fault: str
) -> None:
    file, other = tmp_path / "backup.age", tmp_path / "other.key"
    CliRunner().invoke(root, ["backup-key", str(other)])
    run("backup", played, str(file), "--encrypt", str(key))
    whole = bytearray(file.read_bytes())
    if fault == "cut":
        del whole[-100:]
    if fault == "changed":
        whole[len(whole) // 2] ^= 1
    if fault == "armored":
        whole[:0] = b"-----BEGIN AGE ENCRYPTED FILE-----\n"
    file.write_bytes(whole)
    words = (
        [] if fault == "no key" else ["--decrypt", str(other if fault == "another key" else key)]
    )

    refused = run("restore", tmp_path / "new.db", str(file), *words)

    told = {
        "no key": "it is encrypted: name its secret key or passphrase with --decrypt FILE",
        "another key": "it is encrypted for another key, or its header is damaged",
        "cut": "it is damaged, or its end is missing",
        "changed": "it is damaged, or its end is missing",
        "armored": "it is in age's text form: decrypt it with age, or leave out -a",
    }
    assert (refused.exit_code, refused.stderr) == (69, f"judge: {file}: {told[fault]}\n")
    assert not list(tmp_path.glob("new.db*"))


def test_a_backup_that_is_not_encrypted_is_refused_if_a_key_is_named_for_it(
    played: Path, tmp_path: Path, key: Path
) -> None:
    file, target = tmp_path / "backup.gz", tmp_path / "new.db"
    run("backup", played, str(file))

    refused = run("restore", target, str(file), "--decrypt", str(key))

    assert refused.exit_code == 69
    assert "it is not encrypted" in refused.stderr
    assert not target.exists()
    assert run("restore", target, str(file)).exit_code == 0


def test_a_restore_that_fails_leaves_no_store_behind_and_keeps_an_older_one(
    tmp_path: Path,
) -> None:
    new, older = tmp_path / "new.db", tmp_path / "older.db"
    open_database(older).close()

    missing = run("restore", new, str(tmp_path / "none.gz"))
    assert (missing.exit_code, "No such file" in missing.stderr) == (69, True)
    assert run("restore", older, str(tmp_path / "none.gz")).exit_code == 69

    assert (new.exists(), older.exists()) == (False, True)


def test_a_store_that_no_judge_has_used_is_not_backed_up(tmp_path: Path) -> None:
    store, backup = tmp_path / "judge.db", tmp_path / "backup.gz"
    store.touch()

    refused = run("backup", store, str(backup))

    assert refused.exit_code == 69
    assert "there is nothing to back up" in refused.stderr
    assert not backup.exists()


def test_a_wrong_passphrase_is_one_line(played: Path, tmp_path: Path, passphrase: Path) -> None:
    file, wrong = tmp_path / "backup.age", tmp_path / "wrong"
    wrong.write_text("incorrect horse\n")
    run("backup", played, str(file), "--encrypt", str(passphrase))

    refused = run("restore", tmp_path / "new.db", str(file), "--decrypt", str(wrong))

    assert (refused.exit_code, refused.stderr) == (
        69,
        f"judge: {file}: the passphrase is wrong, or its header is damaged\n",
    )


def test_judge_check_reads_the_key_file_that_encrypts_backups(
    played: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_BACKUP_KEY_FILE", str(key))
    assert f"backup_key_file: {key} encrypts backups" in run("check", played).output

    monkeypatch.setenv("JUDGE_BACKUP_KEY_FILE", str(tmp_path / "none"))
    checked = run("check", played)
    assert checked.exit_code == 1
    assert f"{tmp_path / 'none'}: No such file or directory" in checked.output


def test_a_key_file_is_private_and_replaces_none(key: Path) -> None:
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    before = key.read_text()

    again = CliRunner().invoke(root, ["backup-key", str(key)])

    assert (again.exit_code, again.stderr) == (69, f"judge: {key}: File exists\n")
    assert key.read_text() == before


def test_a_key_file_with_a_mistake_is_named(played: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("two\nlines\n")

    refused = run("backup", played, str(tmp_path / "x"), "--encrypt", str(wrong))

    assert refused.exit_code == 65
    assert refused.stderr == (
        f"judge: the key file: {wrong}: it has neither an age key nor one line with a passphrase\n"
    )
