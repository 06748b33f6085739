"""The daemon deletes the text of old emails and unspent budgets when it starts, and daily."""

from __future__ import annotations

from pathlib import Path

from tests.support.daemon import CONFIGURED, Daemon, Player, wait_until

TEXTS = "SELECT length(raw) FROM inbox ORDER BY id"
UNSPENT_BUDGET = "INSERT INTO budgets VALUES ('answers', '2026-01-01 12:00:00.000000')"
UNSPENT = "SELECT name FROM budgets WHERE name = 'answers'"
A_YEAR_AGO = "UPDATE inbox SET received_utc = datetime(received_utc, '-1 year') || '.000000'"


def test_a_daemon_deletes_the_text_of_old_emails_and_keeps_that_of_new_ones(
    tmp_path: Path,
) -> None:
    with Daemon(tmp_path, {**CONFIGURED, "JUDGE_KEEP_MAIL_DAYS": "30"}) as daemon:
        daemon.start()
        player = Player(daemon, "anne@players.example")
        player.write("HELP\n")
        player.wait_for("help")
        assert daemon.stop() == 0
        daemon.change(A_YEAR_AGO)
        daemon.change(UNSPENT_BUDGET)
        assert daemon.ask(UNSPENT)

        daemon.start()
        Player(daemon, "bob@players.example").write("HELP\n")
        wait_until(lambda: daemon.ask(TEXTS)[0] == (0,), "the text is still there")

        assert daemon.stop() == 0
        [_, (kept,)] = daemon.ask(TEXTS)
        assert kept
        assert not daemon.ask(UNSPENT)
        assert "mail.emptied" in daemon.log()
