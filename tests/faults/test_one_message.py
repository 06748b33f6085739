"""A daemon killed at each step of handling an email loses nothing and repeats nothing.

The fault lasts as long as no judge runs, so `judge status` names no cause.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.daemon import copied, seated, text_of
from tests.support.final_count import everything_counts_once

AT_LENGTH = pytest.mark.slow  # one step of each part of the way is tried at every change
STEPS = [
    pytest.param(
        "judge.adapters.store.sql_inbox SqlInbox keep before",
        id="before the email is stored",
        marks=AT_LENGTH,
    ),
    pytest.param("judge.adapters.store.sql_inbox SqlInbox keep after", id="stored, not committed"),
    pytest.param(
        "judge.adapters.inputs.group_commit GroupCommit _store after", id="committed, no 250 yet"
    ),
    pytest.param(
        "judge.adapters.store.sql_inbox SqlInbox begin_attempt after",
        id="attempt not committed",
        marks=AT_LENGTH,
    ),
    pytest.param(
        "judge.adapters.mail_sandbox MailSandbox open before",
        id="attempt committed",
        marks=AT_LENGTH,
    ),
    pytest.param(
        "judge.adapters.store.transactions SqlEventStore append after",
        id="events not committed",
        marks=AT_LENGTH,
    ),
    pytest.param(
        "judge.adapters.store.sql_outbox SqlOutbox put after",
        id="receipt not committed",
        marks=AT_LENGTH,
    ),
    pytest.param(
        "judge.adapters.store.sql_inbox SqlInbox finish after", id="answer not committed"
    ),
    pytest.param(
        "judge.adapters.outputs Maildir deliver before", id="answer not sent", marks=AT_LENGTH
    ),
    pytest.param("judge.adapters.outputs Maildir deliver after", id="sent, not recorded"),
    pytest.param(
        "judge.adapters.store.sql_outbox SqlOutbox sent after",
        id="record not committed",
        marks=AT_LENGTH,
    ),
]


@pytest.mark.parametrize("step", STEPS)
def test_an_email_has_one_effect_and_one_receipt(begun: Path, tmp_path: Path, step: str) -> None:
    with copied(begun, tmp_path) as daemon:
        player, start = seated(daemon, "FRANCE")
        daemon.start("tests.faults.dying", *step.split(), "1")

        mail = player.answering(start, "A Par-Bur\n")
        promised = daemon.offer(mail)
        daemon.reap()
        daemon.start()
        if not promised:
            assert daemon.offer(mail)  # as a mail server does with what was not taken
        receipt = player.wait_for("receipt")
        everything_counts_once(daemon, "Army Paris -> Burgundy")

        assert "A Par-Bur" in text_of(receipt)
        assert daemon.ask("SELECT count(*) FROM events WHERE type = 'orders_submitted'") == [(1,)]
        assert len(player.unread("receipt")) == 0, "one mail has one receipt"


def test_an_email_is_executed_once_though_its_daemon_is_killed_ten_times(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        player, start = seated(daemon, "FRANCE")
        mail = player.answering(start, "A Par-Bur\n")
        in_hand = (
            "tests.faults.dying",
            "judge.adapters.store.sql_inbox",
            "SqlInbox",
            "finish",
            "after",
            "1",
        )
        daemon.start(*in_hand)
        assert daemon.offer(mail)
        daemon.reap()
        for _ in range(9):
            daemon.start_to_die(*in_hand)
        daemon.start()
        receipt = player.wait_for("receipt")
        everything_counts_once(daemon, "Army Paris -> Burgundy")

        assert "A Par-Bur" in text_of(receipt)
        assert daemon.ask("SELECT count(*) FROM events WHERE type = 'orders_submitted'") == [(1,)]
        assert len(player.unread("receipt")) == 0, "one mail has one receipt"
        last = "SELECT state, deaths FROM inbox ORDER BY id DESC LIMIT 1"
        assert daemon.ask(last) == [("processed", 10)]
