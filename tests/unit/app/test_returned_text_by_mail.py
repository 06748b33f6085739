"""Our own emails that come back are no orders of the player, wherever a program puts them."""

from __future__ import annotations

from judge.app.admin.inbox_admin import MailDescription, describe_mail
from tests.support.table import Mail, Table, address_of

ORDERS = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao"
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
