"""A daemon killed at each step of closing a phase closes it once and reports it once.

The fault lasts as long as no judge runs, so `judge status` names no cause.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.daemon import POWERS, copied, header_of, seated, text_of
from tests.support.final_count import emails_are_answered_once, results_came_once

ORDERED = "SELECT raw FROM inbox WHERE instr(raw, CAST('SET WAIT' AS BLOB))"
OPENED = "SELECT count(*) FROM events WHERE type = 'phase_opened'"
AT_LENGTH = pytest.mark.slow  # one step of each part of the way is tried at every change
STEPS = [
    pytest.param(
        "judge.app.game.apply - apply_command before 1",
        id="due, nothing done",
        marks=AT_LENGTH,
    ),
    pytest.param(
        "judge.adapters.store.transactions SqlEventStore append after 1",
        id="closed, not committed",
    ),
    pytest.param(
        "judge.adapters.store.sql_outbox SqlOutbox put after 1",
        id="results not committed",
        marks=AT_LENGTH,
    ),
    pytest.param("judge.app.game.apply - apply_command after 1", id="about to commit"),
    pytest.param(
        "judge.adapters.outputs Maildir deliver before 1",
        id="no results sent",
        marks=AT_LENGTH,
    ),
    pytest.param("judge.adapters.outputs Maildir deliver after 3", id="some results sent"),
    pytest.param(
        "judge.adapters.store.sql_outbox SqlOutbox sent after 1",
        id="some records not committed",
        marks=AT_LENGTH,
    ),
]


@pytest.mark.parametrize("step", STEPS)
def test_a_phase_closes_once_and_everybody_has_its_results_once(
    due: Path, tmp_path: Path, step: str
) -> None:
    with copied(due, tmp_path) as daemon:
        players = {power: seated(daemon, power)[0] for power in POWERS}
        ordered = [header_of(raw, "Message-ID") for (raw,) in daemon.ask(ORDERED)]
        assert len(ordered) == len(POWERS)
        daemon.start_to_die("tests.faults.dying", *step.split())
        daemon.start()
        results = {power: player.wait_for("phase_results") for power, player in players.items()}
        daemon.come_to_rest()

        emails_are_answered_once(daemon, ordered)
        results_came_once(daemon, "Army Paris -> Burgundy.  (*bounce*)")
        assert all("Burgundy.  (*bounce*)" in text_of(mail) for mail in results.values())
        assert all(player.unread("phase_results") == [] for player in players.values())
        assert daemon.ask(OPENED) == [(2,)]
