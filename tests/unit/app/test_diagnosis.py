"""Each trouble has one text and one fix, which all who report it share."""

from __future__ import annotations

import resource
import shutil
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge import daemon
from judge.adapters.web.servers import _health_page
from judge.app.admin.health import FIXES, examine
from judge.app.ports.inbox import WithheldEmail
from judge.cli.root import root
from judge.daemon import TroubleWatch
from judge.reports.render import trouble_texts
from tests.support.table import Table

TOTAL = 10**11
OPERATOR = "operator@judge.example"


def fill(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    usage = shutil.disk_usage("/")._replace(total=TOTAL, used=TOTAL - free, free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage)


def test_each_trouble_has_a_text_and_a_fix() -> None:
    assert FIXES.keys() == trouble_texts().keys()


@pytest.mark.parametrize(("free", "trouble"), [(10**7, "disk_full"), (4 * 10**9, "disk_filling")])
def test_status_health_page_log_check_and_doctor_say_the_same_of_a_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, trouble: str
) -> None:
    with closing(Table(tmp_path)) as table:
        fill(monkeypatch, free)
        database = ("--database", str(table.file))
        said = {
            command: CliRunner().invoke(root, [command, *database]).stdout
            for command in ("status", "check", "doctor")
        }
        page = b"".join(_health_page(table.judge, {}, lambda *_: lambda _: None))
        TroubleWatch(table.judge, table.run_once).look()
        said |= {"page": page.decode(), "log": table.operator_log.lines[-1]}

    for where, text in said.items():
        assert trouble_texts()[trouble] in text, where
        assert FIXES[trouble] in text, where


def test_a_used_up_quota_is_a_full_disk(tmp_path: Path) -> None:
    with closing(Table(tmp_path)) as table:
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, limit[1]))
        try:
            troubles = examine(table.judge).troubles
            found = CliRunner().invoke(root, ["check", "--database", str(table.file)]).stdout
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)

    assert troubles == ("disk_full",)
    assert FIXES["disk_full"] in found


def test_a_full_disk_is_the_trouble_and_not_the_judge_that_cannot_write_its_ticks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Table(tmp_path)) as table:
        assert "not_running" in examine(table.judge).troubles
        fill(monkeypatch, 10**7)

        assert examine(table.judge).troubles == ("disk_full",)


def test_the_log_reports_a_trouble_once_and_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Table(tmp_path)) as table, monkeypatch.context() as filled:
        watch = TroubleWatch(table.judge, table.run_once)
        watch.look()
        assert table.operator_log.lines == []
        fill(filled, 10**7)
        watch.look()
        watch.look()
        filled.undo()
        watch.look()

        begun, over = table.operator_log.lines
    assert begun.startswith("trouble {'name': 'disk_full'")
    assert over == "trouble.over {'name': 'disk_full'}"


def test_a_note_a_day_tells_the_operator_what_is_wrong_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Table(tmp_path)) as table, monkeypatch.context() as filled:
        watch = TroubleWatch(replace(table.judge, operator_address=OPERATOR), table.run_once)
        watch.look()
        assert table.outbox() == ()
        fill(filled, 4 * 10**9)
        watch.look()
        table.clock.time += timedelta(hours=23)
        watch.look()
        [note] = table.outbox()
        table.clock.time += timedelta(hours=2)
        watch.look()
        assert len(table.outbox()) == 2
        with table.database.write() as transaction:
            sent = [each.message_id for each in table.outbox()]
            transaction.outbox.sent(sent, table.clock.now())
        filled.undo()
        table.clock.time += timedelta(days=2)
        watch.look()
        assert len(table.outbox()) == 2

    assert note.recipient == OPERATOR
    assert trouble_texts()["disk_filling"] in note.words
    assert FIXES["disk_filling"] in note.words
    assert "disk_filling" in note.subject


def test_a_look_that_fails_is_logged_and_the_next_one_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Table(tmp_path)) as table:
        watch = TroubleWatch(table.judge, lambda: None)
        monkeypatch.setattr(daemon, "WATCH_SECONDS", 0)
        with monkeypatch.context() as failing:
            failing.setattr(shutil, "disk_usage", lambda _folder: (tmp_path / "x").stat())
            watch.tick()
        fill(monkeypatch, 10**7)
        watch.tick()

    assert [line.partition(" ")[0] for line in table.operator_log.lines] == [
        "watch.failed",
        "trouble",
    ]


def test_the_note_gives_the_reason_of_a_store_that_fails(tmp_path: Path) -> None:
    with closing(Table(tmp_path)) as table:
        with table.database._engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE checkpoints RENAME TO away")

        TroubleWatch(replace(table.judge, operator_address=OPERATOR), table.run_once).look()

        [note] = table.outbox()
        assert f"{trouble_texts()['store_fails']}: no such table: checkpoints" in note.words


def test_the_note_names_an_email_that_a_mailbox_withholds_in_the_servers_words(
    tmp_path: Path,
) -> None:
    with closing(Table(tmp_path)) as table:
        now, reason = table.clock.now(), "imap.example:993: NO [SERVERBUG] cannot open message"
        with table.database.write() as transaction:
            transaction.mailboxes.set_aside(
                WithheldEmail("u@imap.example", 7, 3, reason, now, now)
            )

        TroubleWatch(replace(table.judge, operator_address=OPERATOR), table.run_once).look()

        [note] = table.outbox()
        assert f"UID 3 in u@imap.example: {reason}" in note.words


def test_without_an_address_no_note_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Table(tmp_path)) as table:
        fill(monkeypatch, 4 * 10**9)
        TroubleWatch(table.judge, table.run_once).look()

        assert table.outbox() == ()
