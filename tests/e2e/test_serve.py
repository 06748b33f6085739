"""`judge serve` without configuration, beside another daemon, and with broken settings."""

from __future__ import annotations

import ctypes
import signal
import smtplib
import socket
import stat
from pathlib import Path

import pytest

from tests.support.daemon import CONFIGURED, Daemon, Player, new_email, seated, text_of

UNAVAILABLE, CONFIGURATION = 69, 78


def test_an_unconfigured_judge_creates_its_store_and_a_maildir(tmp_path: Path) -> None:
    any_port = {"JUDGE_SMTP": "127.0.0.1:0"}  # so that tests can run side by side
    with Daemon(tmp_path, any_port, forked=False) as daemon:
        daemon.start()
        player = Player(daemon, "anne@players.example")
        player.write("HELP\n", to="judge@localhost")

        assert "JOIN" in text_of(player.wait_for("help"))
        assert stat.S_IMODE((tmp_path / "judge.db").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "outgoing").stat().st_mode) == 0o700
        assert daemon.stop() == 0


def test_r64_a_second_daemon_on_the_same_store_refuses_and_names_the_first(
    daemon: Daemon,
) -> None:
    assert daemon.process
    first = daemon.process.pid

    said = daemon.judge("serve", code=UNAVAILABLE)

    assert said.count("\n") == 1
    assert f"another judge (process {first})" in said


@pytest.mark.parametrize("how", ["a symlink", "a hard link"])
def test_a_second_daemon_cannot_run_on_the_same_store_through_a_link(
    daemon: Daemon, tmp_path: Path, how: str
) -> None:
    assert daemon.process
    link, store = tmp_path / "other.db", daemon.folder / "judge.db"
    link.symlink_to(store) if how == "a symlink" else link.hardlink_to(store)
    other = Daemon(tmp_path, {**daemon.environment, "JUDGE_DATABASE": str(link)})

    said = other.judge("serve", code=UNAVAILABLE)

    link.unlink()
    assert said.count("\n") == 1
    fix = "find / -xdev -samefile" if how == "a hard link" else f"(process {daemon.process.pid})"
    assert fix in said


def test_a_port_in_use_is_reported_on_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        door = f"127.0.0.1:{taken.getsockname()[1]}"

        said = Daemon(tmp_path).judge("serve", "--smtp", door, code=UNAVAILABLE)

    assert f"listens on {door}: " in said
    assert "another port with --smtp" in said
    assert said.count("\n") == 1


def test_a_port_of_the_metrics_in_use_is_told_apart_from_that_of_the_mail(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"

        said = Daemon(tmp_path, {"JUDGE_METRICS": where}).judge("serve", code=UNAVAILABLE)

    assert f"listens on {where}: " in said
    assert "another port with the setting metrics" in said


def test_a_wrong_setting_is_reported_on_one_line(tmp_path: Path) -> None:
    daemon = Daemon(tmp_path, {"JUDGE_TICK_SECONDS": "often"})

    said = daemon.judge("serve", code=CONFIGURATION)

    assert said.startswith("judge: JUDGE_TICK_SECONDS = 'often': expected ")
    assert said.count("\n") == 1


def test_a_maildir_that_cannot_be_created_is_reported_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "outgoing").write_text("a file is in the way")

    said = Daemon(tmp_path).judge("serve", code=UNAVAILABLE)

    assert said == "judge: outgoing: Not a directory\n"


def test_a_reply_in_html_counts_without_the_email_that_it_quotes(daemon: Daemon) -> None:
    player, start = seated(daemon, "FRANCE")
    mail = player.answering(start, "")
    mail.set_content(
        '<div dir="ltr">A Par - Bur<br></div><div class="gmail_quote">The judge wrote:'
        "<blockquote>A Par - Pic<br>A Mar - Spa</blockquote></div>",
        subtype="html",
    )
    daemon.send(mail)

    receipt = text_of(player.wait_for("receipt"))
    assert "A Par-Bur" in receipt
    assert "Picardy" not in receipt
    assert "Marseilles -> Spain" not in receipt


def test_an_email_to_another_address_is_refused_at_the_door(daemon: Daemon) -> None:
    with daemon.smtp() as client:
        refused = new_email("anne@players.example", "HELP\n", to="postmaster@elsewhere.example")

        with pytest.raises(smtplib.SMTPRecipientsRefused) as told:
            client.send_message(refused)

    assert [code for code, _ in told.value.recipients.values()] == [550]


def test_a_daemon_ended_by_the_disk_or_a_crash_in_c_logs_where(tmp_path: Path) -> None:
    with Daemon(tmp_path, CONFIGURED) as daemon:
        daemon.start()
        assert daemon.process
        main = daemon.process.pid  # as of its main thread: the kernel may choose any for a process
        assert ctypes.CDLL(None).tgkill(main, main, signal.SIGBUS) == 0

        assert daemon.reap() == -signal.SIGBUS
        assert "Fatal Python error: Bus error" in daemon.log()
        assert "judge/cli/operator/serve.py" in daemon.log()
