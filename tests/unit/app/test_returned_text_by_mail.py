"""Our own emails that come back are no orders of the player, wherever a program puts them."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from judge.app.admin.inbox_admin import MailDescription, describe_mail
from judge.app.ports.people import MailForm
from tests.emails.mail_programs import Ours, as_text
from tests.support.table import Mail, Table, address_of

ORDERS = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao"
CALENDAR = "BEGIN:VCALENDAR\r\nEND:VCALENDAR"
GIVEN = ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
HEADING = "Qrax: JUDGE judge <judge@judge.example>\nVilm: 28.11.2026 04:06\nTend: garnet\n"


def marked(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.split("\n"))


def test_an_old_receipt_that_is_sent_on_does_not_give_its_orders_again(table: Table) -> None:
    old = table.send("FRANCE", ORDERS)
    table.send("FRANCE", "A Par-Pic\nA Mar H\nF Bre H")

    table.mail(address_of("FRANCE"), old.text, old.reply_to, subject=old.subject)

    assert table.current_orders("FRANCE") == ("A PAR - PIC", "A MAR H", "F BRE H")


def test_a_forward_that_names_no_email_under_an_unknown_heading_gives_only_what_is_new(
    table: Table,
) -> None:
    old = table.send("FRANCE", ORDERS)

    table.mail(
        address_of("FRANCE"),
        f"F Bre-Eng\n\n{HEADING}\n{old.text}",
        old.reply_to,
        subject=f"Fwd: {old.subject}",
    )

    assert table.current_orders("FRANCE") == (*GIVEN[:2], "F BRE - ENG")


def test_a_forwarded_conversation_that_names_its_last_email_gives_only_what_is_new(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path, form=MailForm.HTML)
    table.start()
    start = table.latest("FRANCE")
    receipt = table.send("FRANCE", ORDERS)
    shown = "".join(
        f"----------\n{HEADING}\n{as_text(Ours.of(each.raw).body)}\n\n"
        for each in (start, receipt)
    )

    table.reply(receipt, f"F Bre-Eng\n\n---------- Forwarded Conversation ----------\n{shown}")

    assert table.current_orders("FRANCE") == (*GIVEN[:2], "F BRE - ENG")
    assert "not understood" not in table.latest("FRANCE").words
    assert "Ignored" not in table.latest("FRANCE").words


def test_orders_typed_between_the_heading_and_the_quote_are_given(table: Table) -> None:
    start = table.latest("FRANCE")

    table.reply(
        start, f'"JUDGE judge" <judge@judge.example> writes:\n\n{ORDERS}\n{marked(start.text)}'
    )

    assert table.current_orders("FRANCE") == GIVEN


def test_an_order_changed_within_the_quote_is_given(table: Table) -> None:
    receipt = table.send("FRANCE", ORDERS)

    table.reply(receipt, marked(receipt.text.replace("F Bre-Mao", "F Bre-Eng")))

    assert table.current_orders("FRANCE") == (*GIVEN[:2], "F BRE - ENG")


def test_our_own_lines_are_not_offered(table: Table) -> None:
    table.play(FRANCE=ORDERS, GERMANY="A Mun-Bur\nF Kie H\nA Ber H")
    results = table.emails_to(address_of("FRANCE"), "phase_results")[0]

    receipt = table.reply(results, f"Thanks!\n\nOn Monday you wrote:\n{marked(results.text)}")[-1]

    assert "USE THESE" not in receipt.words


def test_orders_of_an_ally_in_press_may_be_given_as_they_are(table: Table) -> None:
    press = press_from_germany(table, f"Please do this:\n{ORDERS}")

    table.mail(address_of("FRANCE"), ORDERS, table.latest("FRANCE").reply_to)

    assert press.kind == "letter"
    assert table.current_orders("FRANCE") == GIVEN


def test_press_in_our_words_does_not_make_a_players_orders_old(table: Table) -> None:
    start = table.latest("FRANCE")
    sentences = "You can change your orders until the deadline. Each email gets a receipt."
    press_from_germany(table, f"{sentences}\n{ORDERS}")

    table.mail(address_of("FRANCE"), f"JUDGE: {sentences}\n{ORDERS}", start.reply_to)

    assert table.current_orders("FRANCE") == GIVEN


def test_an_email_to_somebody_else_is_not_compared(table: Table) -> None:
    theirs = table.send("GERMANY", "A Mun-Bur\nF Kie-Den\nA Ber-Kie")
    text = f"A Par-Bur\n\n{theirs.text}"

    receipt = table.reply(table.latest("FRANCE"), text, References=theirs.message_id)[-1]

    assert "A Mun-Bur" in receipt.words


def test_the_operator_sees_what_was_new_and_what_was_returned(table: Table) -> None:
    old = table.send("FRANCE", ORDERS)
    table.mail(address_of("FRANCE"), f"F Bre-Eng\n\n{old.text}", old.reply_to)
    with table.database.read() as transaction:
        number = max(entry.id for entry in transaction.inbox.entries())
        mail = transaction.inbox.get(number)
    assert mail

    described = describe_mail(table.judge, mail, table.judge.opener)

    assert isinstance(described, MailDescription)
    assert described.lines["new"] == ("F Bre-Eng",)
    assert "A Par-Bur" in described.lines["quoted"]


def press_from_germany(table: Table, text: str) -> Mail:
    table.send("GERMANY", f"PRESS TO F\n{text}\nENDPRESS")
    return table.emails_to(address_of("FRANCE"), "letter")[-1]


def test_a_note_in_the_diary_may_repeat_our_words(table: Table) -> None:
    receipt = table.send("FRANCE", ORDERS)

    table.reply(receipt, f"DIARY\nThis came today:\n{marked(receipt.text)}ENDDIARY")
    note = table.reply(receipt, "DIARY READ")[-1]

    assert "All 3 orders received" in note.words


def test_the_receipt_names_no_attachments_of_our_own_email(table: Table) -> None:
    old = table.send("FRANCE", ORDERS)
    forward = table.compose(
        address_of("FRANCE"),
        f"F Bre-Eng\n\n{old.text}",
        old.reply_to,
        subject=f"Fwd: {old.subject}",
    )
    raw = dict(table.query("SELECT message_id, raw FROM outbox"))[old.message_id]
    forward.add_attachment(message_from_bytes(raw, policy=default))
    table.deliver(forward, None, old.reply_to)
    table.run_once()

    assert "attachments" not in table.latest("FRANCE").words
    assert table.current_orders("FRANCE") == (*GIVEN[:2], "F BRE - ENG")


def test_orders_in_the_answer_to_an_invitation_are_offered_and_not_carried_out(
    table: Table,
) -> None:
    start = table.latest("FRANCE")
    answer = table.compose(address_of("FRANCE"), ORDERS, start.reply_to, subject="Accepted: due")
    answer.add_alternative(CALENDAR, subtype="calendar", params={"method": "REPLY"})
    table.deliver(answer, None, start.reply_to)
    table.run_once()

    receipt = table.latest("FRANCE")
    assert "3 quoted lines were not read" in receipt.words
    assert "A Par-Bur" in receipt.words
    assert table.current_orders("FRANCE") == ()
    table.reply(receipt, "USE THESE")
    assert table.current_orders("FRANCE") == GIVEN


def test_an_answer_to_an_invitation_without_orders_gets_no_receipt(table: Table) -> None:
    start = table.latest("FRANCE")
    answer = table.compose(address_of("FRANCE"), "See you then.", start.reply_to)
    answer.add_alternative(CALENDAR, subtype="calendar", params={"method": "REPLY"})
    table.deliver(answer, None, start.reply_to)
    before = table.outbox()
    table.run_once()

    assert table.outbox() == before


PICTURE = '<img src="cid:1@players.example" alt="">'


def test_a_picture_in_the_new_text_is_named_unless_all_orders_are_there(table: Table) -> None:
    start = table.latest("FRANCE")

    assert "orders.png" in with_picture(table, start, f"<p>A Par-Bur</p>{PICTURE}").words
    assert (
        "orders.png"
        not in with_picture(
            table, start, f"<p>A Par-Bur</p><blockquote type='cite'>{PICTURE}</blockquote>"
        ).words
    )
    everything = ORDERS.replace("\n", "<br>")
    assert "orders.png" not in with_picture(table, start, f"<p>{everything}</p>{PICTURE}").words


def with_picture(table: Table, answered: Mail, html: str) -> Mail:
    mail = table.compose(address_of("FRANCE"), "", answered.reply_to)
    mail.set_content(html, subtype="html")
    mail.add_related(b"PNG", "image", "png", cid="<1@players.example>", filename="orders.png")
    table.deliver(mail, None, answered.reply_to)
    table.run_once()
    return table.latest("FRANCE")


def test_an_ally_who_sends_my_orders_as_press_makes_none_of_them_old(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Pic\nA Mar H\nF Bre H")
    ours = "\n".join(line for line in receipt.text.split("\n") if line[:1] not in (":", "F", ""))
    press = press_from_germany(table, f"{ours}\n{ORDERS}")

    for text in (
        ORDERS,
        f"JUDGE: these are my own.\n{ORDERS}",
        f"{ORDERS}\n\nOn Monday, Germany (baltic) wrote:\n{marked(press.text)}",
    ):
        table.reply(receipt, text, References=press.message_id)
        assert table.current_orders("FRANCE") == GIVEN
        table.reply(receipt, "A Par-Pic\nA Mar H\nF Bre H")


def test_a_stranger_learns_nothing_by_naming_the_message_id_of_another(table: Table) -> None:
    secret = table.send("FRANCE", ORDERS)

    told = []
    for number, guess in enumerate((secret.text, secret.text.replace("Bur", "Pic"))):
        mails = table.mail(f"s{number}@elsewhere.example", guess, In_Reply_To=secret.message_id)
        words = " ".join(mail.words for mail in mails).replace("Pic", "Bur")
        told.append(re.sub(r"\S*(?:@|%40)\S*", "", words))
        assert all(mail.recipient != address_of("FRANCE") for mail in mails)

    assert told[0] == told[1]
    assert table.current_orders("FRANCE") == GIVEN


def test_orders_of_a_friend_below_a_heading_in_any_language_are_only_offered(table: Table) -> None:
    heading = "Kimden: Ali <ali@x.test>\nTarih: 28.11.2026\nKonu: Emirler"

    receipt = table.reply(table.latest("FRANCE"), f"Look:\n\n{heading}\n\n{ORDERS}")[-1]

    assert table.current_orders("FRANCE") == ()
    table.reply(receipt, "USE THESE")
    assert table.current_orders("FRANCE") == GIVEN


def test_what_seems_quoted_is_only_offered_where_the_emails_that_were_sent_are_gone(
    table: Table,
) -> None:
    old = table.send("FRANCE", ORDERS)
    table.send("FRANCE", "CLEAR")
    with table.database.write() as transaction:
        transaction.connection.exec_driver_sql("UPDATE outbox SET raw = x''")

    text = f"Hello!\n\nOn Monday you wrote:\n{marked(old.text)}"
    receipt = table.mail(address_of("FRANCE"), text, old.reply_to)[-1]

    assert table.current_orders("FRANCE") == ()
    assert "These look like orders: A Par-Bur A Mar S A Par-Bur" in receipt.words
