"""Outbox entries: the delivery state of each email, without its content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

import pytest

from judge.app.ports.outbox import DeliveryState, Failure, OutgoingMail, SentMail
from tests.support.table import MONDAY, Table

REFUSED = "550 no such mailbox"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Return a judge with an email in every delivery state, named after its state."""
    table = Table(tmp_path)
    for way in DeliveryState:
        queue(
            table,
            way,
            "baltic" if way in (DeliveryState.CAME_BACK, DeliveryState.DEFERRED) else "adria",
        )
    with table.database.write() as transaction:
        outbox = transaction.outbox
        outbox.postpone("deferred", MONDAY + timedelta(minutes=1), Failure("451 later", MONDAY))
        outbox.sent(["sent"], MONDAY)
        outbox.sent(["came_back"], MONDAY)
        outbox.bounced("came_back", MONDAY + timedelta(hours=1))
        outbox.give_up("given_up", Failure(REFUSED, MONDAY))
        outbox.enclose("enclosed", "sent")
    yield table
    table.close()


def queue(table: Table, way: DeliveryState, game: str) -> None:
    name = way.value
    raw = b"Subject: marked\n\nA PAR - BUR\n"
    mail = OutgoingMail(name, "judge@x.example", "a@x.example", raw, MONDAY, name, game)
    with table.database.write() as transaction:
        if way is DeliveryState.HELD_BACK:
            transaction.outbox.hold_back(mail)
        else:
            transaction.outbox.put(mail)


def entries(
    table: Table, game: str | None = None, way: DeliveryState | None = None
) -> list[SentMail]:
    with table.database.read() as transaction:
        return list(transaction.outbox.entries(game, way))


def test_each_email_shows_its_delivery_state(table: Table) -> None:
    assert [(mail.kind, mail.way) for mail in entries(table)] == [
        (way.value, way) for way in reversed(DeliveryState)
    ]


@pytest.mark.parametrize("way", DeliveryState)
def test_emails_in_one_state_are_listed(table: Table, way: DeliveryState) -> None:
    assert [mail.kind for mail in entries(table, way=way)] == [way.value]


def test_emails_of_one_game_are_listed(table: Table) -> None:
    assert [mail.kind for mail in entries(table, "baltic")] == ["came_back", "deferred"]
    assert entries(table, "nowhere") == []


def test_the_reason_of_a_refused_email_is_shown(table: Table) -> None:
    [mail] = entries(table, way=DeliveryState.GIVEN_UP)

    assert (mail.attempts, mail.reason) == (1, REFUSED)


def test_no_content_of_an_email_is_listed() -> None:
    assert "raw" not in {each.name for each in fields(SentMail)}
