"""Many emails at once: the judge accepts and keeps each, and sends one receipt for each."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from tests.support.daemon import Daemon
from tests.support.order_emails import flood, order_emails

CONNECTIONS = 10


@pytest.mark.parametrize("count", [200, pytest.param(1_000, marks=pytest.mark.slow)])
def test_emails_arriving_together_are_all_stored_and_get_one_receipt_each(
    daemon: Daemon, count: int
) -> None:
    mails = order_emails(daemon, count)
    ids = sorted(mail["Message-ID"] for mail in mails)

    flood(daemon, mails, CONNECTIONS)

    assert sorted(set(kept(daemon)) & set(ids)) == ids, "what was promised is there at once"
    daemon.come_to_rest()
    assert sorted(each for each in kept(daemon) if each in set(ids)) == ids
    assert sorted(each for each in receipted(daemon) if each in set(ids)) == ids
    assert daemon.ask("SELECT count(*) FROM events WHERE type = 'orders_submitted'") == [(count,)]
    assert "baltic: sound" in daemon.judge("log", "verify")


def kept(daemon: Daemon) -> list[str]:
    """Return the Message-ID of every email in the inbox."""
    mails = (raw for (raw,) in daemon.ask("SELECT raw FROM inbox") if isinstance(raw, bytes))
    return [str(message_from_bytes(mail)["Message-ID"]) for mail in mails]


def receipted(daemon: Daemon) -> list[str]:
    """Return the Message-ID of each email that a receipt in the Maildir answers."""
    receipts = (mail for mail in daemon.mails() if mail["X-Judge-Kind"] == "receipt")
    return [mail["In-Reply-To"] for mail in receipts]
