"""A YES to a receipt accepts the reading that the receipt offers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.app.commands import order_offers
from judge.game.submission import OrdersSubmitted
from tests.support.table import Table, address_of

MINUTE = timedelta(minutes=1)


def test_yes_gives_the_order_that_the_receipt_offers(table: Table) -> None:
    table.send("FRANCE", "F Bre-Mao")
    table.clock.time += MINUTE
    receipt = table.send("FRANCE", "A Par-Bergundi")

    assert "Did you mean: A Par-Bur" in receipt.words
    assert "With YES also: A Par-Bur." in receipt.words
    [answer] = table.reply(receipt, "YES")

    assert "A Par-Bur" in answer.words
    assert set(table.current_orders("FRANCE")) == {"F BRE - MAO", "A PAR - BUR"}


def test_an_offer_names_the_owners_of_other_units_only(table: Table) -> None:
    receipt = table.send("FRANCE", "Brest supports Paris. Paris holds. Marseilles holds.")

    assert "With YES also: F Bre S A Par." in receipt.words


def test_yes_above_the_quoted_receipt_counts(table: Table) -> None:
    receipt = table.send("ENGLAND", "F Lon-Norht Sea")

    quoted = "\n".join(f"> {line}" for line in receipt.text.splitlines())
    table.reply(receipt, f"YES\n\n{quoted}")

    assert table.current_orders("ENGLAND") == ("F LON - NTH",)


@pytest.mark.parametrize(
    "note",
    [
        "Yes!\n\nI am out of the office until 3 January.",
        "Yes!\nThank you for your message. I will reply when I am back.",
        "Ja!\nIch bin bis 3.1. im Urlaub.",
        "Oui !\nJe suis en vacances jusqu'au 3 janvier.",
        "OK\nI'm currently on annual leave.",
    ],
)
def test_a_vacation_note_accepts_no_offer(table: Table, note: str) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi")

    table.reply(receipt, note)

    assert table.current_orders("FRANCE") == ()


def test_yes_below_the_subject_of_an_auto_reply_accepts_nothing(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi")

    subject = f"Automatic reply: {receipt.subject}"
    table.mail(address_of("FRANCE"), "Yes!", receipt.reply_to, subject=subject)

    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize(
    "answer",
    [
        *("YES\nI am back.", "Yes!\nSee you on holiday in Venice. Jo", "Ja!\nDanke."),
        *("YES, please", "Yes please!", "Yes, thank you.", "Ja bitte", "Ja, bitte.", "Oui, merci"),
        *("Yes, do that.", "Please do it", "Ja, mach das so", "Oui, allez-y", "That's right."),
    ],
)
def test_yes_with_some_talk_accepts_the_offer(table: Table, answer: str) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi")

    table.reply(receipt, answer)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize("answer", ["Yes?", "No, thanks", "Thanks!", "No problem.", "Nein, danke"])
def test_other_courtesies_accept_nothing(table: Table, answer: str) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi")

    table.reply(receipt, answer)

    assert table.current_orders("FRANCE") == ()


def test_yes_gives_all_that_the_receipt_offers(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi\nF Bre-Mao\nA Mar S")

    table.reply(receipt, "YES")

    assert set(table.current_orders("FRANCE")) == {"A PAR - BUR", "A MAR H", "F BRE - MAO"}


def test_yes_gives_nothing_for_a_unit_that_was_ordered_since(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi\nA Marr-Spa")
    table.send("FRANCE", "A Par-Pic")

    [answer] = table.reply(receipt, "YES")

    assert "YES came too late for this order" in answer.words
    assert set(table.current_orders("FRANCE")) == {"A PAR - PIC", "A MAR - SPA"}


def test_yes_gives_nothing_when_the_phase_is_over(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Pikardry")
    table.play(FRANCE="A Mar-Spa; A Par H; F Bre H")

    table.reply(receipt, "YES")

    assert table.current_orders("FRANCE") == ()


def test_yes_to_another_receipt_gives_only_what_that_one_offers(table: Table) -> None:
    table.send("FRANCE", "A Par-Bergundi")
    other = table.send("FRANCE", "F Bre-Mao")

    answer = table.reply(other, "YES")[-1]

    assert table.current_orders("FRANCE") == ("F BRE - MAO",)
    assert "Do you mean those? Your email of" in answer.words
    assert "reply USE THESE 1 A Par-Bur" in answer.words


def test_a_yes_that_may_mean_orders_or_a_vote_is_asked_about(table: Table) -> None:
    table.send("ENGLAND", "PROPOSE DRAW")
    table.send("FRANCE", "A Par-Bergundi")
    other = table.send("FRANCE", "F Bre-Mao")

    answer = table.reply(other, "Oui")[-1]

    for tap in ("VOTE%20YES", "USE%20THESE%201"):
        assert f"subject={tap}" in answer.text
    table.reply(answer, "USE THESE 1")
    assert set(table.current_orders("FRANCE")) == {"F BRE - MAO", "A PAR - BUR"}


def test_two_offers_for_one_unit_are_not_chosen_from(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi\nA Par-Pikardry")

    table.reply(receipt, "YES")

    assert table.current_orders("FRANCE") == ()


def test_orders_that_depend_on_an_unclear_line_are_not_offered(table: Table) -> None:
    receipt = table.send("FRANCE", "If Germany agrees, A Par-Bergundi")

    assert "Reply YES" not in receipt.words
    table.reply(receipt, "YES")

    assert table.current_orders("FRANCE") == ()


def test_another_powers_order_is_not_offered(table: Table) -> None:
    receipt = table.send("FRANCE", "GERMANY: A Munn-Bur")

    table.reply(receipt, "YES")

    assert table.current_orders("FRANCE") == ()
    assert table.current_orders("GERMANY") == ()


def test_a_build_that_is_offered_joins_those_that_were_read(table: Table) -> None:
    table.play(FRANCE="A Mar-Spa; A Par-Gas; F Bre-Mao")
    table.play(FRANCE="A Spa H; A Gas H; F Mao-Por")
    receipt = table.send("FRANCE", "Build A Par\nBuild A Marseiles")

    table.reply(receipt, "YES")

    assert set(table.current_orders("FRANCE")) == {"A PAR B", "A MAR B"}


def test_builds_that_were_changed_since_are_not_offered_any_longer(table: Table) -> None:
    table.play(FRANCE="A Mar-Spa; A Par-Gas; F Bre-Mao")
    table.play(FRANCE="A Spa H; A Gas H; F Mao-Por")
    receipt = table.send("FRANCE", "Build A Marseiles")
    table.send("FRANCE", "Build F Bre, build A Par")

    table.reply(receipt, "YES")

    assert set(table.current_orders("FRANCE")) == {"F BRE B", "A PAR B"}


def test_yes_to_a_receipt_that_offers_nothing_changes_nothing(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur")

    table.reply(receipt, "YES", address_of("FRANCE"))

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_the_receipt_shows_all_orders_as_yes_would_leave_them(table: Table) -> None:
    table.send("FRANCE", "F Bre-Mao\nA Mar H")
    table.clock.time += MINUTE
    receipt = table.send("FRANCE", "A Par-Bergundi\nA Marr-Spa")

    _, _, shown = receipt.text.partition("Reply YES, and your orders are:")
    assert [line.strip() for line in shown.split("\n\n")[0].splitlines() if line.strip()] == [
        "F Bre-Mao",
        "A Par-Bur",
        "A Mar-Spa",
    ]
    table.reply(receipt, "YES")

    assert set(table.current_orders("FRANCE")) == {"F BRE - MAO", "A PAR - BUR", "A MAR - SPA"}


def test_the_receipt_says_first_what_yes_would_add(table: Table) -> None:
    receipt = table.send("FRANCE", "F Bre-Mao\nA Par-Bergundi\nA Marr-Spa")

    top, _, _ = receipt.text.partition("Bergundi")
    assert "With YES also: A Par-Bur, A Mar-Spa." in " ".join(top.split())


@pytest.mark.parametrize("text", ["par bur, mar spaa", "Par - Burr\nBre - Mao\nMar - Spaa"])
def test_an_offer_is_asked_about_once_and_names_its_units_as_receipts_do(
    table: Table, text: str
) -> None:
    receipt = table.send("FRANCE", text)

    assert receipt.words.count("Reply YES") == 1
    top, _, _ = receipt.text.partition("Line ")
    assert "A Mar-Spa" in " ".join(top.split())
    table.reply(receipt, "Yes, please")

    assert {"A PAR - BUR", "A MAR - SPA"} <= set(table.current_orders("FRANCE"))


def test_yes_gives_what_was_offered_without_reading_the_email_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi\nF Bre-Mao")
    monkeypatch.setattr(order_offers, "read_orders", None)  # another version may read otherwise
    monkeypatch.setattr(order_offers, "read_ordered_lines", None)

    table.reply(receipt, "YES")

    assert set(table.current_orders("FRANCE")) == {"A PAR - BUR", "F BRE - MAO"}


def test_yes_to_a_receipt_of_an_older_judge_reads_the_email_again(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi\nA Marr-Spa")
    table.send("FRANCE", "A Mar-Pie")
    with table.database.write() as transaction:
        transaction.connection.exec_driver_sql("UPDATE inbox SET offer = NULL")

    [answer] = table.reply(receipt, "YES")

    assert "YES came too late for this order" in answer.words
    assert set(table.current_orders("FRANCE")) == {"A PAR - BUR", "A MAR - PIE"}


def test_a_second_yes_changes_nothing_and_is_not_too_late(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bergundi")
    table.reply(receipt, "YES")

    [answer] = table.reply(receipt, "Yes")

    assert "A Par-Bur" in answer.words
    assert "too late" not in answer.words
    assert table.count_events(OrdersSubmitted) == 1


def test_yes_to_a_receipt_with_a_wish_gives_the_orders(table: Table) -> None:
    receipt = table.send(
        "FRANCE", "A Par-Bergundi\n\nwho is still missing? can we have more time?"
    )

    table.reply(receipt, "YES")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert {type(each.event).__name__ for each in table.log()[-1:]} == {"OrdersSubmitted"}


def test_a_receipt_that_offers_nothing_names_no_yes(table: Table) -> None:
    assert "With YES" not in table.send("FRANCE", "Maybe A Par-Bur").words


def test_no_build_is_offered_to_a_power_that_is_due_none(table: Table) -> None:
    table.send("FRANCE", "A Mar-Spa")
    table.close_phase()
    table.close_phase()
    assert table.phase() == "W1901A"

    receipt = table.send("RUSSIA", "Aufbau: Flotte St. Petersburg")

    assert "Reply YES" not in receipt.words
    assert "Antworte YES" not in receipt.words
    assert "St. Petersburg" in receipt.words


@pytest.mark.parametrize("answer", ["So north coast please!", "Nordküste", "sur la côte nord"])
def test_a_coast_that_the_judge_asked_for_is_enough(judge: Table, answer: str) -> None:
    judge.start()
    judge.send("RUSSIA", "F Stp(sc)-Bot, F Sev-Rum")
    judge.close_phase()
    judge.close_phase()
    assert judge.phase() == "W1901A"
    asked = judge.send("RUSSIA", "Build F Stp")
    assert "Build F Stp(nc) or Build F Stp(sc)" in asked.words

    [offered] = judge.reply(asked, answer)
    assert "Build F Stp(nc)" in offered.words
    [done] = judge.reply(offered, "Yes.\n\nPiotr")

    assert judge.current_orders("RUSSIA") == ("F STP/NC B",)
    assert "CONFLICT" not in done.words


@pytest.mark.parametrize("answer", ["north coast", "An der Nordküste.", "côte nord"])
def test_a_coast_that_a_move_lacks_is_enough(judge: Table, answer: str) -> None:
    judge.start()
    judge.send("FRANCE", "F Bre-Mao")
    judge.close_phase()
    asked = judge.send("FRANCE", "F Mao-Spa")
    assert "F Mao-Spa(nc) or F Mao-Spa(sc)" in asked.words

    [offered] = judge.reply(asked, answer)
    assert "F Mao-Spa(nc)" in offered.words
    judge.reply(offered, "YES")

    assert judge.current_orders("FRANCE") == ("F MAO - SPA/NC",)


def test_a_no_to_an_offer_changes_nothing_and_says_so(judge: Table) -> None:
    judge.start()
    offered = judge.send("FRANCE", "I want to propose a draw to everyone")

    [told] = judge.reply(offered, "No, forget it.")

    assert "nothing has changed" in told.words
    assert "no orders and no commands" not in told.words
    assert not judge.game().proposals
