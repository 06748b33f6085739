"""The text of old emails is deleted; their receipt and outcome stay on record."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.app.admin import game_admin, inbox_admin
from judge.app.admin.inbox_admin import describe_mail, empty_old_mail, forget_ended_games
from judge.app.ports.inbox import InboxState
from judge.game.moderator_actions import Terminate
from judge.mail.envelope import Unreadable
from tests.support.table import MODERATOR, Table, address_of

AGE = timedelta(days=90)


INBOX, OUTBOX = "SELECT raw FROM inbox ORDER BY id", "SELECT raw FROM outbox ORDER BY id"


def texts(table: Table, asked: str) -> list[bool]:
    """Return whether the text of each email is still stored."""
    return [bool(raw) for (raw,) in table.query(asked)]


def send_all(table: Table) -> None:
    queued = table.query("SELECT message_id FROM outbox WHERE state = 'queued'")
    with table.database.write() as transaction:
        for (message_id,) in queued:
            transaction.outbox.sent([message_id], table.clock.now())


def awake(table: Table) -> None:
    with table.database.write() as transaction:
        transaction.agenda.record_heartbeat(table.clock.now())


def tidy(table: Table) -> int:
    awake(table)
    return empty_old_mail(table.judge, AGE, lambda: True)


def test_the_text_of_old_processed_emails_is_deleted(
    judge: Table,
) -> None:
    judge.mail("anne@players.example", "HELP")
    send_all(judge)
    judge.clock.time += AGE - timedelta(days=1)
    judge.mail("bob@players.example", "HELP")
    send_all(judge)

    assert tidy(judge) == 0
    judge.clock.time += timedelta(days=2)
    assert tidy(judge) == 2
    assert texts(judge, INBOX) == [False, True]
    assert texts(judge, OUTBOX) == [False, True]
    assert judge.inbox() == ["processed", "processed"]
    assert tidy(judge) == 0


def test_an_email_without_its_text_is_still_recognized_as_a_duplicate(judge: Table) -> None:
    raw = judge.compose("anne@players.example", "HELP").as_bytes()
    assert judge.store_email(raw, "anne@players.example")
    judge.run_once()
    judge.clock.time += AGE + timedelta(days=1)
    assert tidy(judge) == 1

    assert not judge.store_email(raw, "anne@players.example")


def test_nothing_is_deleted_while_the_clock_may_be_wrong(judge: Table) -> None:
    judge.mail("anne@players.example", "HELP")
    judge.clock.time += AGE + timedelta(days=1)

    assert empty_old_mail(judge.judge, AGE, lambda: True) == 0
    assert tidy(judge) == 1


def test_waiting_emails_keep_their_text(judge: Table) -> None:
    judge.mail("anne@players.example", "JOIN adriatic")  # held until she confirms it
    judge.store_email(b"x" * 3_000_000, "bob@players.example")  # too large: quarantined
    judge.run_once()
    judge.store_email(judge.compose("carl@players.example", "HELP").as_bytes())
    judge.clock.time += AGE + timedelta(days=1)

    assert tidy(judge) == 0
    assert judge.inbox() == ["held", "quarantined", "received"]
    assert all(texts(judge, INBOX))
    assert all(texts(judge, OUTBOX))  # not delivered yet


def test_many_emails_are_deleted_in_batches_that_can_be_stopped(
    judge: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.app.admin.inbox_admin.BATCH", 2)
    for number in range(5):
        judge.mail(f"{number}@players.example", "HELP")
    judge.clock.time += AGE + timedelta(days=1)
    awake(judge)
    rounds = iter([True, True, False, False])

    assert empty_old_mail(judge.judge, AGE, lambda: next(rounds)) == 4
    assert texts(judge, INBOX) == [False, False, False, False, True]
    assert tidy(judge) == 1


def test_a_game_continues_without_its_old_emails(table: Table) -> None:
    table.send("FRANCE", "A Par - Bur")
    receipt = table.latest("FRANCE")
    with table.database.write() as transaction:
        transaction.connection.exec_driver_sql("UPDATE inbox SET raw = x''")

    answers = table.reply(receipt, "NO\nUSE THESE\nF Bre - MAO")

    assert [mail.recipient for mail in answers] == [address_of("FRANCE")]
    assert "F BRE - MAO" in table.current_orders("FRANCE")
    assert table.emails_to(MODERATOR)


def test_an_email_without_its_text_is_not_retried(judge: Table) -> None:
    judge.mail("robot@players.example", "HELP", Auto_Submitted="auto-generated")
    assert judge.inbox() == ["ignored"]
    judge.clock.time += AGE + timedelta(days=1)
    tidy(judge)
    with judge.database.read() as transaction:
        mail = transaction.inbox.get(1)
    assert mail

    assert inbox_admin.retry_mail(judge.judge, mail) is InboxState.IGNORED
    assert describe_mail(judge.judge, mail, judge.judge.opener) == Unreadable("its text is gone")


def test_what_a_game_that_is_over_no_longer_needs_is_removed_after_a_while(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.app.admin.inbox_admin.BATCH", 5)
    table.start("opal")
    table.send("FRANCE", "A Par-Bur")
    game_admin.apply_operator_command(table.judge, "baltic", Terminate("operator"))
    table.run_once()
    send_all(table)
    table.mail("anne@players.example", "HELP")  # the last number of all is never free again
    rows = "SELECT game, count(*) FROM {} WHERE game IS NOT NULL GROUP BY game ORDER BY game"
    emails, tokens = rows.format("outbox"), rows.format("tokens")
    before = table.query(emails), table.query(tokens)
    assert [game for game, _ in before[0]] == ["baltic", "opal"]

    table.clock.time += AGE - timedelta(days=1)
    assert forget(table) == 0
    table.clock.time += timedelta(days=2)
    assert forget(table) > 10

    assert table.query(emails) == before[0][1:]
    assert table.query(tokens) == before[1][1:]
    assert table.log("baltic")
    table.reread_outbox()
    table.mail("bob@players.example", "LIST OVER")
    assert "baltic" in table.emails_to("bob@players.example")[-1].text
    assert forget(table) == 0


@pytest.mark.parametrize("way_in", ["smtp", "imap"])
def test_the_rows_of_received_emails_go_with_their_game_unless_a_mailbox_still_has_them(
    table: Table, way_in: str
) -> None:
    table.way_in = way_in
    table.start("opal")
    receipt = table.send("FRANCE", "A Par-Bur")
    table.send("FRANCE", "A Par-Pic", "opal")
    send_all(table)
    game_admin.apply_operator_command(table.judge, "baltic", Terminate("operator"))
    table.clock.time += AGE + timedelta(days=1)
    tidy(table)
    rows = "SELECT mail FROM evidence", "SELECT mail FROM letters", "SELECT id FROM inbox"
    assert [len(table.query(each)) for each in rows] == [2, 2, 2]

    forget(table)

    kept = 2 if way_in == "imap" else 1
    assert [len(table.query(each)) for each in rows] == [kept, kept, kept]
    assert table.reply(receipt, "NO\nUSE THESE\nA Par-Gas")  # an answer, and no failure


def test_an_email_to_two_games_keeps_its_evidence_until_the_last_is_over(table: Table) -> None:
    table.start("opal")
    table.send("FRANCE", "GAME baltic\nA Par-Bur\n\nGAME opal\nA Par-Pic\n\nJOIN opal")
    send_all(table)
    evidence = "SELECT count(*) FROM evidence JOIN inbox ON inbox.id = evidence.mail"
    [(recorded,)] = table.query(evidence)

    for ended, kept in (("baltic", recorded), ("opal", 0)):
        game_admin.apply_operator_command(table.judge, ended, Terminate("operator"))
        table.clock.time += AGE + timedelta(days=1)
        tidy(table)
        forget(table)
        assert table.query(evidence) == [(kept,)]


def forget(table: Table) -> int:
    awake(table)
    return forget_ended_games(table.judge, AGE, lambda: True)
