"""A daemon whose machine's clock is changed while it runs: R61."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.daemon import copied, seated, wait_until

CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed'"


def test_r61_a_daemon_closes_no_phase_while_the_clock_is_ahead_and_continues_afterwards(
    begun: Path, tmp_path: Path
) -> None:
    ahead = tmp_path / "ahead"
    ahead.write_text("0")
    with copied(begun, tmp_path) as daemon:
        daemon.start("tests.faults.jumping", str(ahead))
        deadline = datetime.now(UTC) + timedelta(hours=1)
        daemon.judge("game", "extend", "baltic", deadline.isoformat(), "--reason", "a test")
        daemon.come_to_rest()

        ahead.write_text("7200")
        wait_until(lambda: "clock.jumped" in daemon.log(), "nobody noticed")
        player, start = seated(daemon, "FRANCE")
        player.answer(start, "A Par-Bur\n")
        player.wait_for("receipt")
        assert daemon.ask(CLOSED) == [(0,)]
        ahead.write_text("0")
        wait_until(lambda: "clock.steady" in daemon.log(), "it does not go on")

        assert daemon.ask(CLOSED) == [(0,)]
        assert daemon.stop() == 0
