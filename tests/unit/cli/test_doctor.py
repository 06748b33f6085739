"""`judge doctor`: findings about a judge and its machine, with advice."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import Mock
from zoneinfo import ZoneInfoNotFoundError

import pytest
import time_machine
from click.testing import CliRunner, Result

from judge.adapters import sandbox
from judge.adapters.service import set_up_logging
from judge.adapters.store import sqlite
from judge.adapters.store.database import StoreProblem, open_database
from judge.adapters.system_clock import SystemClock
from judge.app.admin.health import examine
from judge.app.ports.inbox import InboxState
from judge.cli.operator import machine_checks
from judge.cli.operator.check import doctor
from judge.cli.root import root
from judge.daemon import StoreWatch
from tests.support.certificates import certificates
from tests.support.dovecot import PASSWORD, USER, dovecot
from tests.support.mail_server import LOGIN, WORD, knows, listening
from tests.support.postgres import Postgres
from tests.support.table import Table

NOBODY = 65_534


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_SMTP", "127.0.0.1:0")
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(doctor, arguments)


def found(level: str, *arguments: str) -> dict[str, Any]:
    """Return the findings of *level* by setting; each that is not ok has advice."""
    lines = [json.loads(line) for line in run("--json", *arguments).stdout.splitlines()]
    assert all(bool(each["advice"]) == (each["level"] != "ok") for each in lines)
    return {each["setting"]: each["text"] for each in lines if each["level"] == level}


def beat(file: Path, instant: datetime) -> None:
    with closing(open_database(file)) as database, database.write() as transaction:
        transaction.agenda.record_heartbeat(instant)


def now() -> datetime:
    return SystemClock().now()


def test_a_healthy_judge_is_reported_as_such(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("baltic")
    table.close()
    beat(table.file, now())

    assert found("fail") == {}
    well = found("ok")
    assert "is sound, journal wal" in well["store"]
    assert "same as the file system" in well["clock"]
    assert well["mail"] == "the settings are consistent"
    assert well["games"] == "1; the logs of the 1 that are not over are intact"
    assert well["zones"].startswith("release ")
    assert "are private" in well["permissions"]
    assert run().exit_code == 0


def test_each_finding_that_is_not_ok_has_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TICK_SECONDS", "600")

    assert (
        "warn  tick_seconds: phases close up to 600 s after their deadline\n"
        "      do: set it to a few seconds\n"
    ) in run().stdout


def test_a_missing_store_is_ok() -> None:
    assert "none yet" in found("ok")["store"]


def test_a_stopped_judge_is_reported_with_its_waiting_mail(tmp_path: Path) -> None:
    Table(tmp_path).close()
    assert "never run" in found("ok")["judge"]
    beat(tmp_path / "judge.db", now() - timedelta(hours=1))

    assert "not been running" in found("warn")["judge"]


def test_a_port_in_use_by_the_running_judge_is_ok(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Table(tmp_path).close()
    with socket.create_server(("127.0.0.1", 0)) as door:
        monkeypatch.setenv("JUDGE_SMTP", f"127.0.0.1:{door.getsockname()[1]}")
        assert "smtp" in found("warn")
        beat(tmp_path / "judge.db", now())
        assert "by the running judge" in found("ok")["smtp"]


def test_a_clock_behind_the_last_turn_of_the_judge_is_a_fail(tmp_path: Path) -> None:
    Table(tmp_path).close()
    beat(tmp_path / "judge.db", now() + timedelta(days=1))

    assert "in the future" in found("fail")["clock"]


def test_a_clock_that_shows_the_time_of_a_machine_without_battery_is_a_fail() -> None:
    with time_machine.travel(datetime(1970, 1, 2, tzinfo=UTC), tick=False):
        assert found("fail")["clock"] == "it shows 1970-01-02"


def test_a_clock_that_the_file_system_does_not_share_is_a_warning() -> None:
    with time_machine.travel(now() + timedelta(minutes=5)):
        assert re.search(r"differs by -\d{3} s", found("warn")["clock"])


def test_files_that_others_can_read_are_a_fail_and_named(tmp_path: Path) -> None:
    Table(tmp_path).close()
    (tmp_path / "judge.db").chmod(0o640)

    assert found("fail")["database"] == f"other users can access {tmp_path / 'judge.db'}"
    assert f"do: chmod go= {tmp_path / 'judge.db'}" in run().stdout


def test_a_store_that_is_damaged_is_a_fail(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("baltic")
    table.close()
    pages = bytearray(table.file.read_bytes())
    pages[4096 * 3 : 4096 * 60] = os.urandom(4096 * 57)
    table.file.write_bytes(pages)

    assert "store" in found("fail")
    assert run().exit_code == 1


def test_every_page_of_the_store_is_checked(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("baltic")
    [(page,)] = table.query("SELECT rootpage FROM sqlite_schema WHERE name = 'outbox_sender'")
    [(size,)] = table.query("PRAGMA page_size")
    table.close()
    pages = bytearray(table.file.read_bytes())
    pages[(page - 1) * size] ^= 0xFF
    table.file.write_bytes(pages)

    assert "is damaged" in found("fail")["store"]


def test_a_tampered_log_is_a_fail_and_the_game_named(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("baltic")
    with table.database.write() as transaction:
        transaction.connection.exec_driver_sql("DROP TRIGGER events_never_change")
        transaction.connection.exec_driver_sql(
            "UPDATE events SET recorded_utc = '2026-11-23T12:00:00.000001Z' WHERE version = 3"
        )
    table.close()

    assert found("fail")["games"] == "baltic: event 3 of its log is altered"


def test_a_store_on_a_server_is_checked(postgres: Postgres) -> None:
    with closing(open_database(server := postgres.new())) as database, database.write() as mine:
        mine.agenda.record_heartbeat(now())

    assert "answers at" in found("ok", "--database", server.url)["database"]
    assert "active" in found("ok", "--database", server.url)["judge"]
    gone = "postgresql+psycopg://judge@127.0.0.1:1/judge"
    assert {"database", "store"} <= set(found("fail", "--database", gone))


def test_a_zone_that_the_machine_no_longer_knows_is_a_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)
    table.open("baltic", "zone=Europe/Berlin")
    table.close()
    beat(tmp_path / "judge.db", now())
    monkeypatch.setattr("judge.game.calendar.ZoneInfo", _no_zone)
    monkeypatch.setattr(machine_checks, "ZoneInfo", _no_zone)

    assert "Europe/Berlin" in found("fail")["zones"]


def _no_zone(name: str) -> None:
    raise ZoneInfoNotFoundError(name)


@pytest.mark.parametrize(
    ("release", "level"), [("2010a", "warn"), (f"{now().year}a", "ok"), (None, "ok")]
)
def test_zone_data_of_years_ago_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, release: str | None, level: str
) -> None:
    monkeypatch.setattr(machine_checks, "_released", lambda: release)

    assert "zones" in found(level)


@pytest.mark.parametrize(("package", "release"), [("2026.3", "2026c"), ("new", None)])
def test_without_zones_of_the_system_those_of_the_package_count(
    monkeypatch: pytest.MonkeyPatch, package: str, release: str | None
) -> None:
    monkeypatch.setattr(machine_checks, "TZPATH", ())
    monkeypatch.setattr(machine_checks, "version", lambda _name: package)

    assert machine_checks._released() == release


@pytest.mark.parametrize(
    ("free", "level"), [(10_000_000, "fail"), (10**10, "warn"), (2 * 10**10, "ok")]
)
def test_little_disk_space_is_reported(
    monkeypatch: pytest.MonkeyPatch, free: int, level: str
) -> None:
    total = 10**11 + 1
    usage = shutil.disk_usage("/")._replace(total=total, used=total - free, free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage)

    assert "disk" in found(level)


def test_running_as_root_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    assert "user" in found("warn")


def test_an_old_sqlite_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Table(tmp_path).close()
    monkeypatch.setattr(sqlite, "is_wal_safe", lambda _version: False)

    assert "slower" in found("warn")["store"]


TOGETHER: dict[str, tuple[dict[str, str], str, str]] = {
    "two doors are one": ({"SMTP": "127.0.0.1:8024", "LMTP": "127.0.0.1:8024"}, "fail", "smtp"),
    "mail is sent to ourselves": (
        {"SMTP": "127.0.0.1:8025", "SMARTHOST": "127.0.0.1:8025"},
        "fail",
        "smarthost",
    ),
    "anybody can write Received": (
        {"LMTP": "0.0.0.0:0", "RECEIVED_BY": "mx.example.org"},
        "fail",
        "received_by",
    ),
    "anybody can write results": (
        {"LMTP": "0.0.0.0:0", "AUTHSERV_ID": "mx.example.org"},
        "fail",
        "authserv_id",
    ),
    "answers go nowhere": ({"LMTP": "127.0.0.1:0"}, "warn", "smarthost"),
    "a password in clear": (
        {
            "SMARTHOST": "203.0.113.1:1",
            "SMARTHOST_SECURITY": "none",
            "SMARTHOST_USER": "judge",
        },
        "fail",
        "smarthost_security",
    ),
    "the delimiter is in the address": ({"ADDRESS": "a+b@example.org"}, "warn", "address"),
    "a domain that nobody knows": ({"ADDRESS": "judge@mail"}, "warn", "address"),
    "more than is read": ({"MESSAGE_BYTES_MAX": "5000000"}, "warn", "message_bytes_max"),
}


@pytest.mark.parametrize("why", TOGETHER)
def test_conflicting_mail_settings_are_reported(monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    settings, level, setting = TOGETHER[why]
    for name, value in settings.items():
        monkeypatch.setenv(f"JUDGE_{name}", value.replace("a+b", "a-b"))
    if why == "the delimiter is in the address":
        monkeypatch.setenv("JUDGE_RECIPIENT_DELIMITER", "-")

    assert setting in found(level)


@pytest.mark.parametrize("password", ["another", WORD])
def test_a_wrong_password_of_the_smarthost_is_a_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    (tmp_path / "certificates").mkdir()
    certs = certificates(tmp_path / "certificates")
    monkeypatch.setenv("SSL_CERT_FILE", str(certs.authority))
    monkeypatch.setenv("JUDGE_SMARTHOST_SECURITY", "starttls")
    monkeypatch.setenv("JUDGE_SMARTHOST_USER", LOGIN)
    monkeypatch.setenv("JUDGE_SMARTHOST_PASSWORD_FILE", "secret")
    (tmp_path / "secret").write_text(password)
    (tmp_path / "secret").chmod(0o600)
    wants = {"tls_context": certs.context(), "auth_required": True, "authenticator": knows}
    with listening(wants) as peer:
        monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
        if password == WORD:
            assert "smarthost" in found("ok")
        else:
            told = found("fail")["smarthost"]
            assert "the login is refused" in told
            assert password not in told


def test_a_wrong_password_of_the_mailbox_is_a_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text("swordfish")
    (tmp_path / "secret").chmod(0o600)
    with dovecot() as box:
        for name, value in {
            "IMAP": f"127.0.0.1:{box.port}",
            "IMAP_SECURITY": "none",
            "IMAP_USER": USER,
            "IMAP_PASSWORD_FILE": "secret",
        }.items():
            monkeypatch.setenv(f"JUDGE_{name}", value)
        told = found("fail")["imap"]

    assert "Authentication failed" in told
    assert "swordfish" not in told


class TestARoundTrip:
    def test_an_email_comes_back_through_smarthost_and_mailbox(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "secret").write_text(f"{PASSWORD}\n")
        (tmp_path / "secret").chmod(0o600)
        with dovecot() as box, listening(kept=box.deliver) as peer:
            for name, value in {
                "ADDRESS": "judge@judge.example",
                "SMARTHOST": f"127.0.0.1:{peer.port}",
                "IMAP": f"127.0.0.1:{box.port}",
                "IMAP_SECURITY": "none",
                "IMAP_USER": USER,
                "IMAP_PASSWORD_FILE": "secret",
            }.items():
                monkeypatch.setenv(f"JUDGE_{name}", value)
            told = found("warn", "--mail")
            assert "round trip" not in found("ok", "--mail")

        assert "arrived by imap after" in told["round trip"]
        assert "an email to judge+" in told["round trip"]

    def test_a_round_trip_ends_when_the_running_judge_has_answered(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = Table(tmp_path)

        def kept(raw: bytes) -> None:
            table.store_email(raw)
            table.run_once()

        with listening(kept=kept) as peer:
            monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
            told = found("ok", "--mail")
        table.close()

        assert "arrived by smtp after" in told["round trip"]
        assert "the judge has answered it" in told["round trip"]

    def test_a_stored_but_unanswered_email_is_no_round_trip(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = Table(tmp_path)
        with listening(kept=table.store_email) as peer:
            monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
            told = found("warn", "--mail", "--seconds", "0.1")
        table.close()

        assert "no judge has answered it" in told["round trip"]

    def test_an_email_that_the_judge_could_not_read_is_a_fail(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = Table(tmp_path)

        def kept(raw: bytes) -> None:
            table.store_email(raw)
            with table.database.write() as transaction:
                transaction.inbox.finish(1, InboxState.QUARANTINED, "the reader crashed")

        with listening(kept=kept) as peer:
            monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
            told = found("fail", "--mail")
        table.close()

        assert "could not read it: the reader crashed" in told["round trip"]

    def test_an_email_that_does_not_come_back_is_a_fail(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with listening() as peer:
            monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
            told = found("fail", "--mail", "--seconds", "0.1")
            assert "has not come back within" in told["round trip"]
            peer.refused.append("550 Not you")
            assert ": 550 Not you" in found("fail", "--mail")["round trip"]
        monkeypatch.delenv("JUDGE_SMARTHOST")
        assert "no smarthost" in found("fail", "--mail")["round trip"]

    def test_a_mailbox_that_cannot_be_read_is_a_fail(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "secret").write_text("x\n")
        monkeypatch.setenv("JUDGE_IMAP", "127.0.0.1:1")
        monkeypatch.setenv("JUDGE_IMAP_USER", USER)
        monkeypatch.setenv("JUDGE_IMAP_PASSWORD_FILE", "secret")
        with listening() as peer:
            monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
            assert "cannot be read" in found("fail", "--mail")["round trip"]


def test_doctor_says_what_the_kernel_lacks_to_confine_readers_of_email(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "confinement_here", lambda: (sandbox.Confinement.NETWORK,))

    assert "could reach the files" in found("warn")["Landlock"]
    assert "network" in found("ok")["seccomp"]


def test_doctor_tries_the_confinement_that_readers_get() -> None:
    program = "from judge.adapters.sandbox import confine; print(*confine())"
    tried = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert [str(each) for each in sandbox.confinement_here()] == tried.stdout.decode().split()


@contextmanager
def without_room(_: Path) -> Iterator[None]:
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, limit[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)


@contextmanager
def as_nobody(store: Path, mode: int) -> Iterator[None]:
    """Run the body as the user nobody, with *mode* on the store."""
    store.chmod(mode)
    if os.getuid() != 0:
        pytest.skip("needs-server: only root can be somebody else")
    run("--database", str(store))  # imports every module while root may still read them
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def locked(store: Path) -> Iterator[None]:
    with closing(sqlite.newest_library().connect(store)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.rollback()


@contextmanager
def damaged(store: Path) -> Iterator[None]:
    with store.open("r+b") as file:
        file.seek(4_096)
        file.write(b"\xff" * (store.stat().st_size - 4_096))
    yield


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that every user can enter, unlike pytest's."""
    with TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize(
    ("fault", "told", "advice"),
    [
        pytest.param(without_room, "no room on the disk", "free disk space", id="full"),
        pytest.param(
            partial(as_nobody, mode=0o444), "the user root", "as the judge's user", id="ro"
        ),
        pytest.param(partial(as_nobody, mode=0), "the user root", "as the judge's user", id="no"),
        pytest.param(locked, "locked", "end the process that keeps it", id="locked"),
        pytest.param(damaged, "is damaged", "restore a backup", id="damaged"),
    ],
)
def test_each_problem_of_the_store_gets_its_own_advice(
    open_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[Path], AbstractContextManager[None]],
    told: str,
    advice: str,
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)
    store = open_folder / "judge.db"
    with closing(open_database(store)):
        pass
    with fault(store):
        said = run("--json", "--database", str(store))
    lines = [json.loads(each) for each in said.stdout.splitlines()]

    [line] = [each for each in lines if each["setting"] == "store"]
    assert line["level"] == "fail"
    assert told in line["text"]
    assert advice in line["advice"]
    assert ("restore" in line["advice"]) is (fault is damaged or fault is without_room)
    assert fault is not without_room or "nothing needs to be restored" in line["advice"]


@pytest.mark.parametrize(
    ("why", "problem"),
    [
        ("database or disk is full", StoreProblem.FULL),
        ("File too large", StoreProblem.FULL),
        ("attempt to write a readonly database", StoreProblem.READ_ONLY),
        ("Read-only file system", StoreProblem.READ_ONLY),
        ("unable to open database file", StoreProblem.FORBIDDEN),
        ("Permission denied", StoreProblem.FORBIDDEN),
        ("database is locked", StoreProblem.LOCKED),
        ("database disk image is malformed", StoreProblem.DAMAGED),
        ("file is not a database", StoreProblem.DAMAGED),
        ("disk I/O error", StoreProblem.FAILING),
        ("no such table: games", StoreProblem.OTHER),
    ],
)
def test_problems_are_recognized_by_error_codes(why: str, problem: StoreProblem) -> None:
    assert StoreProblem.of(why) is problem


def test_a_store_found_damaged_by_the_daily_check_is_reported_and_ends_the_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended: list[int] = []
    monkeypatch.setattr("judge.adapters.store.sqlite.os._exit", ended.append)
    set_up_logging("info")
    with closing(Table(tmp_path)) as table:
        watch = StoreWatch(table.judge, table.file)
        watch.look()
        assert "store_damaged" not in examine(table.judge).troubles
        assert ended == []

        faults = iter(["row 7 missing from index", None])
        watch._check = Mock(fault=lambda: next(faults))
        watch.look()
        assert "store_damaged" in examine(table.judge).troubles
        assert '"event": "store.damaged"' in capsys.readouterr().err
        assert ended == [74]

        watch.look()
        assert "store_damaged" not in examine(table.judge).troubles


def test_a_daemon_does_not_start_on_a_damaged_store(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "judge.db")):
        pass
    with damaged(tmp_path / "judge.db"):
        refused = CliRunner().invoke(root, ["serve", "--smtp", "127.0.0.1:0"])

    assert refused.exit_code == 69
    told = r"judge: the database judge\.db is damaged \(.+\): restore a backup .*\n"
    assert re.fullmatch(told, refused.stderr)
