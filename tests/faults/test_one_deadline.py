"""A daemon killed at each step of a closing: it closes once, and everybody is told once."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.serving import POWERS, copied, seated, text_of

SECONDS_LEFT = 8
CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed'"
OPENED = "SELECT count(*) FROM events WHERE type = 'phase_opened'"
ORDERS = {
    "AUSTRIA": "A Vie H; A Bud H; F Tri H",
    "ENGLAND": "F Lon H; F Edi H; A Lvp H",
    "FRANCE": "A Par-Bur; A Mar H; F Bre H",
    "GERMANY": "A Ber H; A Mun-Bur; F Kie H",
    "ITALY": "A Rom H; A Ven H; F Nap H",
    "RUSSIA": "A Mos H; A War H; F Sev H; F Stp(sc) H",
    "TURKEY": "A Con H; A Smy H; F Ank H",
}
AT_LENGTH = pytest.mark.slow  # one step of each part of the way is tried at every change
STEPS = [
    pytest.param(
        "judge.app.close_due - conduct before 1", id="due, nothing done", marks=AT_LENGTH
    ),
    pytest.param(
        "judge.adapters.event_store SqlEventStore append after 1", id="closed, not committed"
    ),
    pytest.param(
        "judge.adapters.outbox SqlOutbox put after 4",
        id="some results not committed",
        marks=AT_LENGTH,
    ),
    pytest.param(
        "judge.app.close_due - conduct after 1", id="all said, not committed", marks=AT_LENGTH
    ),
    pytest.param("judge.app.close_due - _look_once after 1", id="about to commit"),
    pytest.param(
        "judge.adapters.maildir_out Maildir deliver before 1",
        id="no results sent",
        marks=AT_LENGTH,
    ),
    pytest.param("judge.adapters.maildir_out Maildir deliver after 3", id="some results sent"),
    pytest.param(
        "judge.adapters.outbox SqlOutbox sent after 5",
        id="some records not committed",
        marks=AT_LENGTH,
    ),
]


@pytest.fixture(scope="session")
def due(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge that was stopped just before a deadline; all orders are in."""
    daemon = copied(begun, tmp_path_factory.mktemp("due"))
    daemon.start()
    for power in POWERS:
        player, start = seated(daemon, power)
        player.answer(start, f"{ORDERS[power]}\nSET WAIT\n")
        player.wait_for("receipt")
    deadline = datetime.now(UTC) + timedelta(seconds=SECONDS_LEFT)
    daemon.judge("game", "extend", "baltic", deadline.isoformat(), "--reason", "a test")
    daemon.come_to_rest()
    daemon.stop()
    assert daemon.ask(CLOSED) == [(0,)], "the machine was too slow to stop before the deadline"
    time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 0.1)
    return daemon.folder


@pytest.mark.parametrize("step", STEPS)
def test_a_phase_closes_once_and_everybody_has_its_results_once(
    due: Path, tmp_path: Path, step: str
) -> None:
    with copied(due, tmp_path) as daemon:
        players = {power: seated(daemon, power)[0] for power in POWERS}
        daemon.start_to_die("tests.faults.dying", *step.split())
        daemon.start()
        results = {power: player.wait_for("phase_results") for power, player in players.items()}
        daemon.come_to_rest()

        assert all("Burgundy.  (*bounce*)" in text_of(mail) for mail in results.values())
        assert daemon.ask(CLOSED) == [(1,)]
        assert all(player.unread("phase_results") == [] for player in players.values())
        assert daemon.ask(OPENED) == [(2,)]
