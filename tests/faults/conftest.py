"""A judge just after a deadline, for tests that kill it there."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.adapters.store.database import open_database
from judge.app.admin import game_admin
from judge.daemon import judge_of
from judge.game.decision import Accepted
from judge.settings import load
from tests.support.daemon import POWERS, copied, seated
from tests.support.table import ManualClock

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
    """Return the folder of a judge that rests, just after a deadline; all orders are in."""
    with copied(begun, tmp_path_factory.mktemp("due")) as daemon:
        daemon.start()
        for power in POWERS:
            player, start = seated(daemon, power)
            player.answer(start, f"{ORDERS[power]}\nSET WAIT\n")
            player.wait_for("receipt")
        daemon.come_to_rest()
        daemon.stop()
    deadline = end_phase(daemon.folder / "judge.db")
    daemon.change("UPDATE outbox SET state = 'sent'")  # the emails that tell of this deadline
    time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 0.1)
    return daemon.folder


def end_phase(file: Path) -> datetime:
    """Make the open phase end in a moment; return when."""
    with closing(open_database(file)) as database:
        judge = judge_of(load(None, {"database": str(file)}), database)
        now = judge.clock.now()
        deadline = now + timedelta(seconds=0.1)
        judge = replace(judge, clock=ManualClock(now))  # the deadline cannot pass meanwhile
        moved = game_admin.move_deadline(judge, "baltic", deadline, "a test")
    assert isinstance(moved.decision, Accepted)
    return deadline
