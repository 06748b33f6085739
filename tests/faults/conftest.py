"""A judge just after a deadline, for the tests that kill it there."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.serving import POWERS, copied, seated

SECONDS_LEFT = 8
CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed'"
ORDERS = {
    "AUSTRIA": "A Vie H; A Bud H; F Tri H",
    "ENGLAND": "F Lon H; F Edi H; A Lvp H",
    "FRANCE": "A Par-Bur; A Mar H; F Bre H",
    "GERMANY": "A Ber H; A Mun-Bur; F Kie H",
    "ITALY": "A Rom H; A Ven H; F Nap H",
    "RUSSIA": "A Mos H; A War H; F Sev H; F Stp(sc) H",
    "TURKEY": "A Con H; A Smy H; F Ank H",
}


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
