"""The status that operator and monitoring see of a running judge, and of one that is down."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import urllib.request
from contextlib import closing
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import pytest

from judge.adapters.web.servers import METRICS
from judge.reports.render import trouble_texts
from judge.resources import folder
from tests.support.daemon import PATIENCE_SECONDS, Daemon, copied, seated, wait_until
from tests.support.mail_server import listening
from tests.support.servers import free_port

ROOT = folder("templates").parent
DOCUMENT = (ROOT / "docs/operators/running.md").read_text(encoding="utf-8")
TROUBLE, NO_DATABASE = 1, 69
POSTPONED = "SELECT count(*) FROM outbox WHERE state = 'queued' AND attempts = 1"
SECRETS = {
    "orders": "A Par-Bur",
    "press": "Let us share Belgium, bananafish",
    "password": "hunter2swordfish",
}


def status(daemon: Daemon, code: int = 0) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(daemon.judge("status", "--json", code=code))
    return shown


def test_a_healthy_judge_reports_no_trouble_and_the_next_deadline(daemon: Daemon) -> None:
    shown = status(daemon)

    assert (shown["ok"], shown["troubles"]) == (True, [])
    assert shown["inbox"]["processed"] == 14
    assert shown["outbox"]["oldest_queued"] is None
    (coming,) = shown["next"]
    assert (coming["game"], coming["phase"]) == ("baltic", "S1901M")
    assert coming["look"] <= coming["deadline"]
    told = daemon.judge("status")
    assert "next " in told
    assert "TROUBLE" not in told


def test_a_stopped_judge_reports_its_troubles_and_a_missing_store_is_an_error(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        daemon.change("UPDATE pulse SET beat_utc = '2020-01-01 00:00:00.000000'")
        daemon.change("UPDATE agenda SET due_utc = '2020-01-01 00:00:00.000000'")
        daemon.change(
            "UPDATE inbox SET state = 'received', received_utc = '2020-01-01 00:00:00.000000'"
        )
        daemon.change("UPDATE outbox SET state = 'queued', due_utc = '2020-01-01 00:00:00.000000'")

        others = {"mailbox_unread", "mail_refused", "mail_given_up", "mail_quarantined"}
        others |= {"template_fails", "template_replaced"}
        others |= {
            "store_fails",
            "store_damaged",
            "clock_behind",
            "witness_silent",
            "log_not_extended",
            "game_damaged",
        }
        others |= {"disk_full", "disk_filling", "mailbox_login", "email_withheld"}
        assert set(status(daemon, TROUBLE)["troubles"]) == trouble_texts().keys() - others
        told = daemon.judge("status", code=TROUBLE)
        assert told.count("TROUBLE") == 4
    with Daemon(tmp_path / "data") as nothing:
        (tmp_path / "data").mkdir()
        assert "no database" in nothing.judge("status", code=NO_DATABASE)


def test_failing_deliveries_are_counted(begun: Path, tmp_path: Path) -> None:
    with listening() as peer:
        peer.refused += ["451 4.2.1 later"]
        with copied(begun, tmp_path, JUDGE_SMARTHOST=f"127.0.0.1:{peer.port}") as daemon:
            daemon.start()
            player, start = seated(daemon, "FRANCE")
            player.answer(start, "A Par-Bur\n")
            wait_until(lambda: daemon.ask(POSTPONED) == [(1,)], "nobody counted")
            deliveries = status(daemon)["deliveries"]
            assert (deliveries["retried"], deliveries["refused_since_yesterday"]) == (1, 0)
            (failure,) = deliveries["failures"]
            assert failure["reason"] == f"127.0.0.1:{peer.port}: 451 4.2.1 later"
            assert (failure["emails"], failure["ours"]) == (1, False)
            assert failure["since"] == failure["last"]
            assert failure["reason"] in daemon.judge("status")
            assert failure["reason"] in daemon.log()
            peer.refused += ["550 5.1.1 nobody"]
            player.answer(start, "A Par-Pic\n")
            wait_until(
                lambda: status(daemon)["deliveries"]["refused_since_yesterday"] == 1, "not counted"
            )
            assert daemon.stop() == 0


@pytest.mark.parametrize("form", ["json", "console"])
def test_s6_s8_nothing_that_a_player_keeps_secret_is_in_log_metrics_or_status(
    begun: Path, tmp_path: Path, form: str
) -> None:
    port = free_port()
    settings = {"JUDGE_METRICS": f"127.0.0.1:{port}", "JUDGE_LOG_FORMAT": form}
    with copied(begun, tmp_path, **settings, JUDGE_LOG_LEVEL="debug") as daemon:
        (tmp_path / "daemon.log").unlink()
        daemon.start()
        player, start = seated(daemon, "FRANCE")
        token = str(start["Reply-To"]).partition("+")[2].partition("@")[0]
        hostile = "\x1b[31mred\x07"
        player.answer(
            start,
            f"{SECRETS['orders']}\nSET PASSWORD {SECRETS['password']}\n{hostile}\n"
            f"PRESS TO G\n{SECRETS['press']}\nENDPRESS\nSIGNON Fbaltic {SECRETS['password']}\n",
        )
        player.wait_for("receipt")
        daemon.come_to_rest()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            metrics = answer.read().decode()
        outputs = [metrics, daemon.judge("status"), daemon.judge("status", "--json")]
        daemon.judge("backup", str(tmp_path / "backup.gz"))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            after_backup = answer.read().decode()
        assert daemon.stop() == 0
        log = daemon.log()

    for output in (*outputs, log):
        for secret in (*SECRETS.values(), token, "Bur", "players.example", "\x1b"):
            assert secret.lower() not in output.lower()
    assert "mail.answered" in log
    for line in log.splitlines():
        if form == "json":
            assert isinstance(json.loads(line), dict)
        else:
            assert re.match(r"\d{4}-\S+ (info|error|debug|warning) +[a-z._]+", line)
    names = set(re.findall(r"^(judge_\w+)", metrics, re.MULTILINE))
    assert names == set(METRICS)
    assert "judge_backup_age_seconds +Inf" in metrics
    assert 0 <= value(after_backup, "judge_backup_age_seconds") < 600


def value(metrics: str, name: str) -> float:
    """Return the value of the metric *name*, labels included."""
    [line] = [each for each in metrics.splitlines() if each.startswith(f"{name} ")]
    return float(line.split()[-1])


def page(port: int, path: str) -> tuple[int, str]:
    """Return status and text of a page of the metrics."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    with closing(connection):
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_healthz_reports_the_troubles_and_other_paths_are_not_found(
    begun: Path, tmp_path: Path
) -> None:
    port = free_port()
    with copied(begun, tmp_path, JUDGE_METRICS=f"127.0.0.1:{port}") as daemon:
        daemon.start()
        assert page(port, "/healthz") == (200, "ok\n")
        for unknown in ("/", "/health", "/healthz/", "/metrics/x"):
            assert page(port, unknown)[0] == 404

        assert daemon.stop() == 0
        daemon.change("UPDATE inbox SET state = 'quarantined' WHERE id = 1")
        daemon.start()
        status, why = page(port, "/healthz")
        assert (status, why.count("\n")) == (503, 1)
        assert why.startswith("mail_quarantined: ")
        assert daemon.stop() == 0


def test_the_daily_check_ends_a_judge_whose_file_is_damaged_while_it_runs(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        daemon.start("tests.faults.hurrying")
        assert "store_damaged" not in status(daemon)["troubles"]
        with closing(sqlite3.connect(tmp_path / "judge.db")) as store:
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [(page,)] = daemon.ask("SELECT rootpage FROM sqlite_schema WHERE name = 'outbox_sender'")
        [(size,)] = daemon.ask("PRAGMA page_size")
        assert isinstance(page, int)
        assert isinstance(size, int)
        with (tmp_path / "judge.db").open("r+b") as store_file:
            store_file.seek((page - 1) * size)
            store_file.write(b"\xff" * size)

        assert daemon.reap() == os.EX_IOERR
        assert "store.damaged" in daemon.log()
        assert "a-damaged-database" in daemon.log()
        assert "store_damaged" in status(daemon, TROUBLE)["troubles"]


def test_counters_games_and_sizes_are_metrics(begun: Path, tmp_path: Path) -> None:
    port = free_port()
    with copied(begun, tmp_path, JUDGE_METRICS=f"127.0.0.1:{port}") as daemon:
        daemon.start()
        metrics = page(port, "/metrics")[1]
        for kind in ("kept", "answered"):
            assert value(metrics, f"judge_emails_{kind}_total") == 14
        [sent] = daemon.ask("SELECT count(*) FROM outbox WHERE state = 'sent'")
        assert sent == (value(metrics, "judge_emails_sent_total"),)
        assert value(metrics, "judge_emails_given_up_total") == 0
        assert value(metrics, "judge_phases_closed_total") == 0
        assert value(metrics, 'judge_games{stage="playing"}') == 1
        assert value(metrics, 'judge_games{stage="ended"}') == 0
        assert value(metrics, "judge_store_bytes") > 100_000
        build = (
            f'judge_build_info{{python="{python_version()}",version="{version("pbem-judge")}"}}'
        )
        assert value(metrics, build) == 1

        daemon.judge("game", "process", "baltic")
        daemon.judge("game", "terminate", "baltic")
        metrics = page(port, "/metrics")[1]
        assert value(metrics, "judge_phases_closed_total") == 1
        assert value(metrics, 'judge_games{stage="playing"}') == 0
        assert value(metrics, 'judge_games{stage="ended"}') == 1
        assert daemon.stop() == 0


@pytest.mark.parametrize("name", [*METRICS, *trouble_texts()])
def test_every_metric_and_trouble_is_documented(name: str) -> None:
    assert f"`{name}`" in DOCUMENT
