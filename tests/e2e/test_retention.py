"""The daemon deletes the text of old emails when it starts, and daily."""

from __future__ import annotations

from pathlib import Path

from tests.support.daemon import CONFIGURED, Daemon, Player, wait_until

TEXTS = "SELECT length(raw) FROM inbox ORDER BY id"
A_YEAR_AGO = "UPDATE inbox SET received_utc = datetime(received_utc, '-1 year') || '.000000'"


def test_a_daemon_lets_the_text_of_old_emails_go_and_keeps_that_of_new_ones(
    tmp_path: Path,
) -> None:
    with Daemon(tmp_path, {**CONFIGURED, "JUDGE_KEEP_MAIL_DAYS": "30"}) as daemon:
        daemon.start()
        player = Player(daemon, "anne@players.example")
        player.write("HELP\n")
        player.wait_for("help")
        assert daemon.stop() == 0
        daemon.change(A_YEAR_AGO)

        daemon.start()
        Player(daemon, "bob@players.example").write("HELP\n")
        wait_until(lambda: daemon.ask(TEXTS)[0] == (0,), "the text is still there")

        assert daemon.stop() == 0
        [_, (kept,)] = daemon.ask(TEXTS)
        assert kept
        assert "mail.emptied" in daemon.log()
