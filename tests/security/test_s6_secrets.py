"""S6: no one else sees a password or a token, and no password is stored in clear text."""

from __future__ import annotations

import pytest

from tests.support.table import Table, address_of

SECRET = "open-sesame"


def everything(table: Table) -> bytes:
    names = [name for (name,) in table.query("SELECT name FROM sqlite_master WHERE type='table'")]
    rows = [row for name in names for row in table.query(f'SELECT * FROM "{name}"')]  # noqa: S608 - our own tables
    return "\n".join(map(repr, rows)).encode() + "\n".join(table.operator_log.lines).encode()


@pytest.mark.parametrize("encoding", ["7bit", "base64", "quoted-printable"])
def test_s6_no_password_is_kept_in_clear(table: Table, encoding: str) -> None:
    table.send("FRANCE", f"SET PASSWORD {SECRET}")
    message = table.compose(address_of("FRANCE"), "x")
    message.set_content(f"SIGNON Fbaltic {SECRET}\nA Par-Bur\n", cte=encoding)
    table.deliver(message, None, "judge@judge.example")
    table.run_once()

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert SECRET.encode() not in everything(table)
    raws = [raw for (raw,) in table.query("SELECT raw FROM inbox ORDER BY id")]
    from email import message_from_bytes  # noqa: PLC0415 - only here

    last = message_from_bytes(raws[-1]).get_payload(decode=True)
    assert SECRET.encode() not in bytes(last)
    assert b"Par-Bur" in bytes(last)


def test_s6_a_quoted_password_is_blanked_out(table: Table) -> None:
    table.send("FRANCE", f"A Par-Bur\n\nOn Monday anna wrote:\n> SIGNON Fbaltic {SECRET}")

    assert SECRET.encode() not in everything(table)


@pytest.mark.parametrize("end", ["expires", "is denied"])
def test_s6_a_held_email_loses_its_password_once_dropped(table: Table, end: str) -> None:
    table.send("FRANCE", f"SET PASSWORD {SECRET}")
    table.mail(address_of("FRANCE"), f"SIGNON Fbaltic not-{SECRET}\nA Par-Bur")
    assert table.inbox()[-1] == "held"
    assert SECRET.encode() in everything(table), "it is needed if he confirms"

    if end == "expires":
        table.pass_time(hours=24 * 15)
    else:
        table.reply(table.emails_to(address_of("FRANCE"), "confirm_mail")[-1], "NO")

    assert "ignored" in table.inbox()
    assert SECRET.encode() not in everything(table)
    [[raw]] = table.query("SELECT raw FROM inbox WHERE state = 'ignored'")
    assert b"A Par-Bur" in raw


def test_s6_a_redelivery_of_an_email_without_its_password_is_still_known(table: Table) -> None:
    table.send("FRANCE", f"SET PASSWORD {SECRET}")
    raw = table.compose("anna@elsewhere.example", f"SIGNON Fbaltic {SECRET}\nA Par H").as_bytes()
    assert table.store_email(raw)
    table.run_once()

    assert not table.store_email(raw)


@pytest.mark.parametrize("delimiter", ["+", ""])
def test_s6_no_token_goes_out_in_press(table: Table, delimiter: str) -> None:
    from dataclasses import replace  # noqa: PLC0415 - only here

    table.judge = replace(table.judge, delimiter=delimiter)
    table.all_hold()
    mail = table.latest("ENGLAND")
    with table.database.read() as transaction:
        sent = transaction.outbox.find(mail.message_id)
    assert sent
    assert sent.token
    table.reply(
        mail,
        f"PRESS TO F\nsee {mail.reply_to} and {mail.subject}\nENDPRESS",
    )

    letter = table.emails_to(address_of("FRANCE"), "letter")[-1]
    assert sent.token not in letter.text + letter.html
    assert "see judge@judge.example" in letter.words


def test_s6_empty_press_is_answered_and_not_sent(table: Table) -> None:
    receipt = table.send("ENGLAND", "PRESS TO F\n\nENDPRESS")

    assert "Your press was not sent" in receipt.words
    assert table.emails_to(address_of("FRANCE"), "letter") == ()


def test_s6_an_email_sends_press_ten_times_at_most(table: Table) -> None:
    receipt = table.send("ENGLAND", "PRESS TO F\nHello.\nENDPRESS\n" * 11)

    assert len(table.emails_to(address_of("FRANCE"), "letter")) == 10
    assert "was not read" in receipt.words
