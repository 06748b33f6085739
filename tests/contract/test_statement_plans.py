"""The daemon finds emails of the outbox by an index, however many it has sent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from judge.adapters.store.transactions import SqlDatabase
from judge.app.ports.outbox import Failure, Outbox
from tests.support.plans import scans_in

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
QUESTIONS: dict[str, Callable[[Outbox], object]] = {
    "due": lambda outbox: outbox.due(NOW),
    "unrendered": lambda outbox: outbox.unrendered(NOW, 40, ["baltic", "<1@judge>"]),
    "unrendered_games": lambda outbox: outbox.unrendered_games(NOW, 200),
    "awaited": lambda outbox: outbox.awaited(NOW),
    "waiting": lambda outbox: outbox.waiting("anna", NOW),
    "next_due": lambda outbox: outbox.next_due(),
    "enclosed": lambda outbox: outbox.enclosed("<1@judge>"),
    "find": lambda outbox: outbox.find("<1@judge>"),
    "find_each": lambda outbox: outbox.find_each(["<1@judge>", "<2@judge>"]),
    "latest_to": lambda outbox: outbox.latest_to("anna", NOW, 30),
    "sent_from": lambda outbox: outbox.sent_from("judge+1@judge"),
    "entries of a game": lambda outbox: outbox.entries("baltic"),
    "emails of ended games": lambda outbox: outbox.of_ended_games(NOW, 0, 100),
    "is_unreachable": lambda outbox: outbox.is_unreachable("anna", NOW, NOW, bounces=True),
    "last_bounce": lambda outbox: outbox.last_bounce("anna"),
    "sent": lambda outbox: outbox.sent(["<1@judge>"], NOW),
    "rendered": lambda outbox: outbox.rendered("<1@judge>", b"bytes"),
    "not_rendered": lambda outbox: outbox.not_rendered("<1@judge>", NOW, Failure("why", NOW)),
    "postpone": lambda outbox: outbox.postpone("<1@judge>", NOW, Failure("why", NOW)),
    "bring_forward": lambda outbox: outbox.bring_forward(NOW),
    "reschedule": lambda outbox: outbox.reschedule("anna", ["letter"], NOW),
}


def test_no_statement_of_the_outbox_reads_all_emails(database: SqlDatabase) -> None:
    for name, ask in QUESTIONS.items():
        with scans_in(database) as scans, database.write() as transaction:
            ask(transaction.outbox)

        assert [text for scanned, text, _ in scans if scanned == "outbox"] == [], name


def test_a_statement_that_must_read_all_emails_is_found(database: SqlDatabase) -> None:
    with scans_in(database) as scans, database.read() as transaction:
        transaction.connection.exec_driver_sql("SELECT id FROM outbox WHERE reason = 'why'")

    assert [scanned for scanned, _, _ in scans] == ["outbox"]
