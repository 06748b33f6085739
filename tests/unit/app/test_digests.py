"""Digests: non-urgent emails to one reader, from all their games, are sent as one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.utils import parsedate_to_datetime
from urllib.parse import quote, urlsplit

import pytest

from judge.app.admin.restored_backup import begin_epoch
from judge.app.outbound import digest
from judge.app.outbound.delivery import Failed, Outcome, record
from judge.app.ports.people import MailForm, MailPace, TracedPerson, TraceSearch, TraceShare
from tests.support.table import JUDGE, MODERATOR, MONDAY, Mail, Table, address_of

SIX = datetime(2026, 11, 23, 18, tzinfo=UTC)
BELGIUM = "PRESS TO G\nLet us share Belgium.\nENDPRESS"
SWEDEN = "PRESS TO G\nYou may have Sweden.\nENDPRESS"


@pytest.fixture
def form() -> MailForm:
    return MailForm.PICTURES


@pytest.fixture
def table(table: Table) -> Table:
    """Return a judge where Germany plays two games, one anonymous, and reads a daily digest."""
    table.start("garnet", "anonymous=on", moderator=MODERATOR)
    table.run_once()
    table.send("GERMANY", "SET MAILS DAILY")
    return table


def at_six(table: Table) -> tuple[Mail, ...]:
    return tuple(mail for mail in table.wait_until(SIX) if mail.recipient == address_of("GERMANY"))


def headers(table: Table, mail: Mail) -> dict[str, str]:
    raws = dict(table.query("SELECT message_id, raw FROM outbox"))
    return dict(message_from_bytes(raws[mail.message_id]).items())


def state(table: Table, mail: Mail) -> str:
    return str(dict(table.query("SELECT message_id, state FROM outbox"))[mail.message_id])


def test_waiting_emails_of_two_games_come_as_one(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")

    [digest] = at_six(table)

    assert digest.subject == "JUDGE - 2 messages from 2 games"
    first, second = digest.text.index("share Belgium"), digest.text.index("have Sweden")
    assert (
        digest.text.index("JUDGE:baltic - ")
        < digest.text.index("JUDGE:garnet - ")
        < first
        < second
    )
    assert "Let us share Belgium." in digest.html
    assert "You may have Sweden." in digest.html
    assert digest.html.count("</body>") == 1
    went = table.query(
        "SELECT kind, state FROM outbox WHERE due_utc >= '2026-11-23 18' ORDER BY id"
    )
    assert went == [("letter", "enclosed"), ("letter", "enclosed"), ("digest", "queued")]
    assert at_six(table) == ()


def test_urgent_emails_do_not_wait_for_a_digest(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    mails = table.wait_until(MONDAY + timedelta(hours=1))
    table.send("RUSSIA", SWEDEN, "garnet")
    receipt = table.send("GERMANY", "A Mun H", "garnet")

    assert mails == ()
    assert receipt.kind == "receipt"
    assert len(at_six(table)) == 1


def test_press_in_a_digest_has_its_own_reply_address_and_the_digest_reaches_no_player(
    table: Table,
) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    letters = table.emails_to(address_of("GERMANY"), "letter")
    [digest] = at_six(table)

    links = [f"mailto:{quote(each.reply_to, safe='@')}?" for each in letters]
    assert [link in digest.text and link in digest.html for link in links] == [True, True]
    assert "A reply to this mail goes to" not in digest.text
    table.reply(letters[1], "Agreed.\n")
    assert "Agreed." in table.emails_to(address_of("RUSSIA"), "letter")[-1].text
    assert all(
        each.recipient == address_of("GERMANY") for each in table.reply(digest, "Agreed, too.\n")
    )


def test_a_digest_belongs_to_no_thread_and_says_how_to_get_less_mail(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    [digest] = at_six(table)

    told = headers(table, digest)
    assert "References" not in told
    assert "List-Id" not in told
    link = urlsplit(told["List-Unsubscribe"].strip("\r\n <>"))
    assert link.query == "subject=unsubscribe"
    table.mail(address_of("GERMANY"), "x", link.path, subject="unsubscribe")
    with table.database.read() as transaction:
        reader = transaction.people.by_address(address_of("GERMANY"))
    assert reader
    assert reader.pace is MailPace.CRITICAL


def test_mail_settings_can_be_changed_in_reply_to_a_digest(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    [digest] = at_six(table)

    [receipt] = table.reply(digest, "SET MAILS HOURLY\nSET ZONE Europe/Berlin\n")

    assert "every hour." in receipt.words
    assert "Europe/Berlin" in receipt.words


def test_a_digest_of_one_game_is_in_its_thread_and_accepts_orders(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", "PRESS TO G\nDo not trust France.\nENDPRESS")
    [digest] = at_six(table)

    assert digest.subject == "JUDGE:baltic - 2 messages"
    assert headers(table, digest)["List-Id"] == "<baltic.judge.example>"
    assert headers(table, digest)["References"]
    table.reply(digest, "A Mun H\n")
    assert table.current_orders("GERMANY") == ("A MUN H",)


def test_a_single_waiting_email_is_sent_unchanged(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    [letter] = table.emails_to(address_of("GERMANY"), "letter")

    assert at_six(table) == ()
    assert state(table, letter) == "queued"


def test_what_has_waited_is_written_as_the_reader_wants_it_when_the_digest_is_sent(
    table: Table,
) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    table.send("GERMANY", "SET LANGUAGE GERMAN\nSET MAILS TEXT")

    [digest] = at_six(table)

    assert digest.html == ""
    assert "Frankreich" in digest.text
    assert "Press from" not in digest.text
    assert "Let us share Belgium." in digest.text


def test_press_in_a_digest_is_answered_with_the_newest_token(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    old = [mail.reply_to for mail in table.emails_to(address_of("GERMANY"), "letter")]
    renew_tokens(table)

    [digest] = at_six(table)
    table.reread_outbox()
    to_france, to_russia = table.emails_to(address_of("GERMANY"), "letter")

    assert not any(quote(each, safe="@") in digest.text for each in old)
    for each in (to_france, to_russia):
        assert f"mailto:{quote(each.reply_to, safe='@')}?" in digest.text
    table.reply(to_france, "Agreed.\n")
    assert "Agreed." in table.emails_to(address_of("FRANCE"), "letter")[-1].text


def test_an_email_that_waited_alone_has_the_newest_token_too(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    [letter] = table.emails_to(address_of("GERMANY"), "letter")
    renew_tokens(table)
    at_six(table)
    table.render()
    table.reread_outbox()

    [again] = table.emails_to(address_of("GERMANY"), "letter")

    assert again.message_id == letter.message_id
    assert again.reply_to != letter.reply_to
    table.reply(again, "Agreed.\n")
    assert "Agreed." in table.emails_to(address_of("FRANCE"), "letter")[-1].text


def renew_tokens(table: Table) -> None:
    with table.database.write() as transaction:
        reader = transaction.people.by_address(address_of("GERMANY"))
        assert reader
        transaction.people.raise_key_version(reader.id)


def test_after_a_restored_backup_waiting_emails_keep_their_names_and_dates(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    [letter] = table.emails_to(address_of("GERMANY"), "letter")
    with table.database.write() as transaction:
        begin_epoch(table.judge, transaction, table.clock.now())
    at_six(table)
    table.render()

    raws = dict(table.query("SELECT message_id, raw FROM outbox"))
    sent = message_from_bytes(raws[letter.message_id])
    assert sent["Message-ID"] == letter.message_id
    assert parsedate_to_datetime(sent["Date"]) == MONDAY


def test_asking_for_mail_at_once_sends_what_has_waited(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    table.send("GERMANY", "SET MAILS AT ONCE")

    assert [mail.kind for mail in table.emails_to(address_of("GERMANY"))][-1] == "digest"


def test_each_reader_gets_only_their_own_digest(table: Table) -> None:
    table.send("AUSTRIA", "SET MAILS DAILY")
    table.send("FRANCE", BELGIUM)
    table.send("FRANCE", BELGIUM.replace("TO G", "TO A"), "garnet")
    table.send("RUSSIA", SWEDEN, "garnet")
    table.send("RUSSIA", "PRESS TO A\nGalicia is yours.\nENDPRESS")
    mails = table.wait_until(SIX)

    assert sorted(mail.recipient for mail in mails) == [
        address_of("AUSTRIA"),
        address_of("GERMANY"),
    ]
    told = {mail.recipient: mail.text + mail.html for mail in mails}
    assert "Sweden" not in told[address_of("AUSTRIA")]
    assert "Galicia" not in told[address_of("GERMANY")]
    for mail in mails:
        others = {address_of(power) for power in ("AUSTRIA", "FRANCE", "GERMANY", "RUSSIA")}
        assert not any(each in mail.text + mail.html for each in others - {mail.recipient})


def test_a_large_digest_is_split(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "MAILS_MAX", 2)
    for number in range(5):
        table.send("FRANCE", f"PRESS TO G\nLetter {number}.\nENDPRESS")

    digests = at_six(table)

    assert [mail.kind for mail in digests] == ["digest", "digest"]
    last = table.emails_to(address_of("GERMANY"), "letter")[-1]
    assert state(table, last) == "queued"


def test_the_moderators_of_all_games_in_an_undelivered_digest_are_told(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    [digest] = at_six(table)
    with table.database.write() as transaction:
        mail = transaction.outbox.find(digest.message_id)
        assert mail
        record(table.judge, transaction, [Outcome(mail, Failed("550 no such mailbox"))])

    notices = table.emails_to(MODERATOR, "undelivered")
    assert sorted(each.subject.partition(" - ")[0] for each in notices) == [
        "JUDGE:baltic",
        "JUDGE:garnet",
    ]


def test_a_reader_of_plain_text_gets_it_as_plain_text(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    table.send("GERMANY", "SET MAILS TEXT")
    [digest] = at_six(table)

    assert digest.html == ""
    assert "You may have Sweden." in digest.text


def test_a_digest_goes_to_the_address_of_its_emails(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    [digest] = at_six(table)

    assert digest.recipient == address_of("GERMANY")
    assert digest.reply_to != JUDGE


def test_an_erased_person_is_erased_from_the_digests_of_others(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    table.send("RUSSIA", SWEDEN, "garnet")
    [digest] = at_six(table)
    with table.database.write() as transaction:
        transaction.outbox.sent([digest.message_id], SIX)
        gone = transaction.people.by_address(address_of("FRANCE"))
        assert gone
        reading = TraceSearch(TracedPerson((address_of("FRANCE"),), gone.id))
        transaction.personal_data.read(reading)
        transaction.personal_data.erase(reading, TraceShare(games=("baltic",)))

    raws = dict(table.query("SELECT message_id, raw FROM outbox"))
    assert raws[digest.message_id] == b""
    assert not any(b"share Belgium" in raw for raw in raws.values())


def test_held_emails_are_kept_however_long_they_wait(table: Table) -> None:
    table.send("FRANCE", BELGIUM)
    with table.database.write() as transaction:
        transaction.outbox.empty(SIX + timedelta(days=400), 0, 1_000)

    [letter] = table.emails_to(address_of("GERMANY"), "letter")
    assert "Let us share Belgium." in letter.text
