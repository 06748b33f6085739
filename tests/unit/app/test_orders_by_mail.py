"""Orders by mail: which orders are recorded, and what the receipt says about each line."""

from __future__ import annotations

import re

import pytest

from judge.mail.proofs import commitments_in
from tests.support.table import JUDGE, Mail, Table, address_of

FRANCE, HOME = address_of("FRANCE"), "pierre@home.example"


def test_a_later_email_replaces_unit_by_unit(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur, A Mar-Spa")

    receipt = table.send("FRANCE", "A Par-Pic; F Bre-Mao")

    assert table.current_orders("FRANCE") == ("A PAR - PIC", "A MAR - SPA", "F BRE - MAO")
    assert "All 3 orders received" in receipt.text


def test_units_without_orders_are_named_with_the_deadline_in_the_zone_and_utc(
    judge: Table,
) -> None:
    judge.start("baltic", "zone=Europe/Berlin")

    receipt = judge.send("FRANCE", "A Par-Bur")

    assert "1 of 3 orders received." in receipt.text
    assert "Missing: F Bre, A Mar." in receipt.text
    assert "Mon 30 Nov 2026 20:00 Europe/Berlin (19:00 UTC)" in receipt.words


def test_builds_are_replaced_as_a_whole(table: Table) -> None:
    table.play(FRANCE="A Mar-Spa, A Par-Gas, F Bre-Mao")
    table.play(FRANCE="A Spa H, A Gas H, F Mao-Por")
    assert table.phase() == "W1901A"
    table.send("FRANCE", "Build A Par; Build F Bre")
    assert table.current_orders("FRANCE") == ("A PAR B", "F BRE B")

    receipt = table.send("FRANCE", "Build A Mar")

    assert table.current_orders("FRANCE") == ("A MAR B",)
    assert "1 of 2 orders received." in receipt.text

    receipt = table.send("FRANCE", "REMOVALS:\nA Gas")

    assert table.current_orders("FRANCE") == ("A MAR B",)
    assert "Disband A Gas Rejected: no removal is due" in receipt.words


def test_two_orders_for_one_unit_are_a_conflict_in_the_first_line(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\nA Mar-Spa\nA Par-Pic")

    assert "\nCONFLICT: your email has two orders for one unit." in receipt.text
    assert receipt.subject.endswith("CONFLICT")
    assert "your email also orders A Par-Bur" in receipt.words
    assert "A PAR - PIC" in table.current_orders("FRANCE")


@pytest.mark.parametrize("between", ["S1901M", "Spring 1901:", "HELP", "WAIT"])
def test_a_line_between_two_orders_for_one_unit_hides_no_conflict(
    table: Table, between: str
) -> None:
    table.send("FRANCE", f"A Par-Bur\n{between}\nA Mar-Spa\nA Par-Pic")
    receipt = table.emails_to(FRANCE, "receipt")[-1]

    assert receipt.subject.endswith("CONFLICT")
    assert "A PAR - PIC" in table.current_orders("FRANCE")


def test_orders_after_clear_are_no_conflict(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\nCLEAR\nA Par-Pic")

    assert "CONFLICT" not in receipt.subject


def test_an_order_that_is_read_as_another_is_shown_as_it_is_read(table: Table) -> None:
    receipt = table.send("FRANCE", "F Par-Pic\nMar H\nF Bre H")

    assert "F Par-Pic Read as A Par-Pic." in receipt.words
    assert receipt.words.count("Read as") == 1
    assert "A PAR - PIC" in table.current_orders("FRANCE")


def test_an_order_for_a_unit_and_none_to_help_is_taken_with_a_warning(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par S A Gas-Bur")

    assert "Impossible: there is no unit in Gascony" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR S A GAS - BUR",)


def test_an_impossible_order_is_taken_with_a_warning(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Mun\nA Mar H\nF Bre H")

    assert "Impossible: the army cannot reach it" in receipt.words
    assert "3 orders received, of which 1 cannot be carried out" in receipt.text
    assert "A PAR - MUN" in table.current_orders("FRANCE")


def test_an_impossible_order_is_refused_where_the_rules_say_so(judge: Table) -> None:
    judge.start("baltic", "impossible_orders=refuse")
    judge.send("FRANCE", "A Par-Bur")

    receipt = judge.send("FRANCE", "A Par-Mun")

    assert "Rejected: the army cannot reach it" in receipt.words
    assert judge.current_orders("FRANCE") == ("A PAR - BUR",)


def test_the_unit_of_another_power_is_not_taken(table: Table) -> None:
    receipt = table.send("FRANCE", "A Mun-Kie\nGERMANY: A Ber H\nFRANCE: A Par-Bur")

    assert receipt.text.count("Rejected: the unit belongs to another power") == 1
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert table.current_orders("GERMANY") == ()


def test_an_unreadable_line_changes_nothing_and_gets_the_nearest_reading(
    table: Table,
) -> None:
    table.send("FRANCE", "A Par-Bur")

    receipt = table.send("FRANCE", "Dear judge,\nA Par-Pikardry\n")

    assert "Line 2 was not understood: A Par-Pikardry" in receipt.words
    assert "Did you mean: A Par-Pic" in receipt.text
    assert "A Par-Bur" in receipt.text


def test_one_slip_in_a_line_that_is_plain_otherwise_is_corrected_until_its_writer_says_no(
    table: Table,
) -> None:
    table.send("FRANCE", "A Par-Bur")

    receipt = table.send("FRANCE", "A Par-Picradie")

    assert '"A Par-Picradie", was read as the next order; reply NO to undo it.' in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - PIC",)

    table.reply(receipt, "NO")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_ambiguous_order_is_asked_about(table: Table) -> None:
    receipt = table.send("RUSSIA", "A Mos-Nor")

    assert "Line 1 is ambiguous:" in receipt.words
    assert 'By "Nor", do you mean A Mos-Naf or A Mos-Nwy?' in receipt.words
    assert table.current_orders("RUSSIA") == ()


def test_an_order_that_only_one_own_unit_can_mean_is_not_asked_about(table: Table) -> None:
    table.play(ENGLAND="F Edi-Nwg, F Lon H, A Lvp H")

    table.send("ENGLAND", "F Nor H")

    assert table.current_orders("ENGLAND") == ("F NWG H",)


def test_a_coast_that_a_province_does_not_have_is_asked_about(table: Table) -> None:
    table.play(TURKEY="A Con-Bul, F Ank-Con, A Smy H")

    receipt = table.send("TURKEY", "F Con-Bul(wc)\nA Bul-Rum")

    assert "do you mean F Con-Bul(ec) or F Con-Bul(sc)?" in receipt.words
    assert table.current_orders("TURKEY") == ("A BUL - RUM",)


def test_a_reply_to_results_is_for_the_phase_that_they_open(table: Table) -> None:
    table.play(FRANCE="A Par-Bur, A Mar-Spa, F Bre-Mao")

    table.send("FRANCE", "A Bur-Bel")

    assert table.current_orders("FRANCE") == ("A BUR - BEL",)


def test_prose_is_not_mentioned(table: Table) -> None:
    receipt = table.send("FRANCE", "Good morning.\nIf Italy moves I may go home.\n\nPierre")

    assert "Your email has no orders and no commands." in receipt.text
    assert "not understood" not in receipt.text


def test_an_empty_mail_gets_a_receipt(table: Table) -> None:
    assert "Your email has no orders and no commands." in table.send("FRANCE", "").text


def test_a_misspelled_command_is_answered_with_the_nearest(table: Table) -> None:
    receipt = table.send("FRANCE", "SET WIAT")

    assert "Did you mean: SET WAIT" in receipt.text


def test_one_email_may_address_several_games(table: Table) -> None:
    table.start("adriatic")
    table.reply(table.emails_to(FRANCE, "game_start")[0], "SET PASSWORD one")
    table.reply(table.emails_to(FRANCE, "game_start")[1], "SET PASSWORD two")

    [receipt] = table.mail(
        FRANCE, "SIGNON Fbaltic one\nA Par-Bur\nSIGNOFF\nSIGNON Fadriatic two\nA Par-Pic\nSIGNOFF"
    )

    assert table.current_orders("FRANCE", "baltic") == ("A PAR - BUR",)
    assert table.current_orders("FRANCE", "adriatic") == ("A PAR - PIC",)
    assert "A Par-Bur" in receipt.text
    assert "A Par-Pic" in receipt.text


def test_a_wrong_password_next_to_a_right_one_is_reported(table: Table) -> None:
    table.start("adriatic")
    table.reply(table.emails_to(FRANCE, "game_start")[0], "SET PASSWORD one")

    [receipt] = table.mail(
        FRANCE, "SIGNON Fadriatic one\nA Par-Pic\nSIGNON Fbaltic one\nA Par-Bur"
    )

    assert receipt.recipient == FRANCE
    assert "A Par-Bur" in receipt.text
    assert "The SIGNON on line 1 failed: SIGNON Fadriatic ***" in receipt.words
    assert "There is no such game, or the password is" in receipt.words
    assert table.current_orders("FRANCE", "adriatic") == ()


def test_a_known_player_is_told_that_the_password_is_wrong(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\nSIGNON Fnowhere one\nA Par-Pic")

    assert "The SIGNON on line 2 failed: SIGNON Fnowhere ***" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_email_from_an_unregistered_address_acts_for_nobody(table: Table) -> None:
    table.send("FRANCE", "SET PASSWORD one")
    table.send("GERMANY", "SET PASSWORD two")

    receipts = table.mail(FRANCE, "SIGNON Fbaltic one\nA Par-Bur\nSIGNON Gbaltic two\nA Mun-Ruh")

    assert [mail.recipient for mail in receipts] == [FRANCE]
    assert "The SIGNON on line 3 failed" in receipts[0].words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert table.current_orders("GERMANY") == ()


def test_orders_after_signoff_are_ignored_and_the_receipt_says_so(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\nSIGNOFF\nA Mar-Spa")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "You are signed off. The judge read nothing after that line." in receipt.words


def test_signoff_at_the_end_is_not_mentioned(table: Table) -> None:
    assert "signed off" not in table.send("FRANCE", "A Par-Bur\nSIGNOFF\n").text


def test_orders_that_name_a_later_phase_are_kept_and_use_these_takes_them_now(
    table: Table,
) -> None:
    offer = table.send("FRANCE", "F1902M\nA Par-Bur\nA Mar-Spa")
    assert "Saved for F1902M, not for the open phase" in offer.words
    assert "To use them for S1901M too" in offer.words
    assert table.current_orders("FRANCE") == ()

    [receipt] = table.reply(offer, "USE THESE")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "A MAR - SPA")
    assert "A Par-Bur" in receipt.text


def test_orders_in_reply_to_a_closed_phase_are_offered(table: Table) -> None:
    start = table.latest("FRANCE")
    table.play(FRANCE="A Par-Bur, A Mar-Spa, F Bre H")

    [asked] = table.reply(start, "A Bur-Mun")
    [offer] = table.reply(asked, "YES")
    assert "Your email is for S1901M, but F1901M is open." in offer.words
    assert table.current_orders("FRANCE") == ()

    table.mail(FRANCE, "USE THESE FOR F1901M", JUDGE, In_Reply_To=offer.message_id)
    assert table.current_orders("FRANCE") == ("A BUR - MUN",)


def test_use_these_for_another_later_phase_keeps_them_for_that(table: Table) -> None:
    offer = table.send("FRANCE", "F1902M\nA Par-Bur")

    [again] = table.reply(offer, "USE THESE FOR F1901M")

    assert "Saved for F1901M, not for the open phase" in again.words
    assert table.current_orders("FRANCE") == ()


def test_use_these_without_an_offer_does_nothing(table: Table) -> None:
    start = table.emails_to(FRANCE, "game_start")[0]

    [receipt] = table.reply(start, "USE THESE")

    assert "USE THESE: refused." in receipt.text


def test_a_complete_set_with_an_unreadable_line_asks_for_attention(table: Table) -> None:
    table.send("FRANCE", "A Par H; F Bre H; A Mar H")

    receipt = table.send("FRANCE", "A Par-Bur\nF Bre-Maoo\nA Nor H")

    said = "All 3 orders received. With YES also: F Bre-Mao. 2 lines were not understood: see"
    assert said in receipt.words


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A Par/Bur/Pic", "Line 1 was not understood: A Par/Bur/Pic"),
        ("A Par xxx Bur", "Line 1 was not understood: A Par xxx Bur"),
        ("Paris zigzags Burgundy", "was not understood: Paris zigzags"),
        (
            "IF Ger A Mun THEN A Par-Bur",
            "The judge ignores orders with an if, a",
        ),
        ("A Xyz-Bur\nall hold", "Line 2 was not understood: all hold"),
        ("ABSENT soon", "ABSENT 24 Dec TO 2 Jan tells the judge that you are away"),
    ],
)
def test_every_meaningful_line_is_mentioned(table: Table, line: str, said: str) -> None:
    assert said in table.send("FRANCE", line).words
    assert table.current_orders("FRANCE") == ()


def test_all_others_is_expanded_to_single_orders(table: Table) -> None:
    words = table.send("FRANCE", "A Par-Bur, all others hold").words

    assert "received. A Par-Bur F Bre H A Mar H Deadline" in words
    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE H", "A MAR H")


def test_nmr_alone_takes_orders_back(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")

    table.send("FRANCE", "(NMR)")

    assert table.current_orders("FRANCE") == ()


def test_prose_for_another_phase_is_not_offered(table: Table) -> None:
    assert (
        "The list of decisions has changed"
        not in table.send("FRANCE", "F1902M\nSee you there!").text
    )


def test_an_email_that_names_the_open_phase_counts_for_it(table: Table) -> None:
    table.send("FRANCE", "PHASE SPRING 1901 MOVEMENT\nA Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_reply_to_results_counts_for_the_phase_that_they_open(table: Table) -> None:
    table.play(FRANCE="A Par-Bur, A Mar-Spa, F Bre H")

    table.reply(table.emails_to(FRANCE, "phase_results")[0], "A Bur-Mun")

    assert table.current_orders("FRANCE") == ("A BUR - MUN",)


def test_quoted_orders_are_shown_and_not_executed(table: Table) -> None:
    receipt = table.send("FRANCE", "WAIT\n\n> A Par-Bur\n> A Mun-Kie\n> F Bre")

    assert table.current_orders("FRANCE") == ()
    assert "3 quoted lines were not read. These look like orders" in receipt.words
    assert "A Par-Bur" in receipt.text
    assert "A Mun-Kie" not in receipt.text


def test_quoted_orders_are_used_on_request(table: Table) -> None:
    offer = table.send("FRANCE", "Yes, those.\n\n> A Par-Bur\n> A Mun-Kie\n> F Bre - MAO")
    assert "reply: USE THESE" in offer.words

    table.reply(offer, "USE THESE")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE - MAO")


def test_orders_in_a_signature_are_offered(table: Table) -> None:
    offer = table.send("FRANCE", "Bonjour!\n-- \nFrank\nA Par-Bur")
    assert "The judge does not read signatures. Yours" in offer.words
    assert table.current_orders("FRANCE") == ()

    table.reply(offer, "USE THESE")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_orders_in_a_signature_are_mentioned_next_to_others(table: Table) -> None:
    receipt = table.send("FRANCE", "A Mar-Spa\n-- \nFrank\nA Par-Bur")

    assert "The judge does not read signatures. Yours" in receipt.words
    assert "USE THESE" not in receipt.words  # Its orders are already recorded.
    assert table.current_orders("FRANCE") == ("A MAR - SPA",)


def test_a_signature_without_orders_is_only_counted(table: Table) -> None:
    receipt = table.send("FRANCE", "A Mar-Spa\n-- \nFrank, who is in Paris and Burgundy")

    assert "Greeting and signature: 1 line." in receipt.words
    assert (
        "The judge does not read signatures. Yours contains what look like orders:"
        not in receipt.words
    )


def subject_alone(table: Table, subject: str, text: str = "") -> Mail:
    """Reply as France with a subject of her own and hardly any text."""
    answered = table.latest("FRANCE")
    to, of_answer = answered.reply_to, answered.message_id
    return table.mail(address_of("FRANCE"), text, to, subject=subject, In_Reply_To=of_answer)[-1]


@pytest.mark.parametrize("text", ["", "\n \n", "Sent from my iPhone\n", "-- \nFrank"])
def test_orders_in_the_subject_alone_are_read(table: Table, text: str) -> None:
    subject_alone(table, "A Par-Bur, A Mar-Spa", text)

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "A MAR - SPA")


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("READY [#tag]", "READY is set"),
        ("WAIT", "WAIT is set"),
        ("status", "Status"),
    ],
)
def test_a_command_in_the_subject_alone_is_read(table: Table, subject: str, said: str) -> None:
    answer = subject_alone(table, subject)

    assert said in answer.subject + answer.words


@pytest.mark.parametrize(
    "subject",
    [
        pytest.param("Re: A Par-Bur", id="an answer"),
        pytest.param("AW: A Par-Bur", id="an answer in German"),
        pytest.param("Fwd: A Par-Bur", id="forwarded"),
        pytest.param("JUDGE:baltic - A Par-Bur", id="ours"),
        pytest.param("A Par-Bur?", id="a question"),
        pytest.param("maybe A Par-Bur", id="a doubt"),
        pytest.param("A Par-Bur and thanks for the fish", id="more than orders"),
        pytest.param("DRAW", id="a vote"),
        pytest.param("CLEAR", id="a command that clears orders"),
        pytest.param("SET PASSWORD secret", id="a secret"),
        pytest.param("Orders", id="a word"),
        pytest.param("x" * 400, id="long"),
    ],
)
def test_another_subject_alone_does_nothing_and_explains_where_to_write(
    table: Table, subject: str
) -> None:
    table.send("FRANCE", "F Bre-Mao")

    words = subject_alone(table, subject).words

    assert "no orders and no commands. Write them in the body" in words
    assert table.current_orders("FRANCE") == ("F BRE - MAO",)
    assert not table.game().draw_votes


def test_a_subject_above_a_quoted_mail_is_not_read(table: Table) -> None:
    subject_alone(table, "A Par-Bur", "> A Mar-Spa\n> F Bre-Mao")

    assert table.current_orders("FRANCE") == ()


def test_no_in_the_subject_of_a_confirm_mail_is_no(table: Table) -> None:
    [asked] = table.mail(address_of("FRANCE"), "A Par-Bur")

    table.mail(address_of("FRANCE"), "", asked.reply_to, subject="NO")

    assert table.current_orders("FRANCE") == ()


def test_the_subject_of_a_reply_to_press_is_no_press(table: Table) -> None:
    table.send("GERMANY", "PRESS TO F\nHello.\nENDPRESS")
    letter = table.emails_to(address_of("FRANCE"), "letter")[-1]
    before = len(table.emails_to(address_of("GERMANY"), "letter"))

    table.mail(address_of("FRANCE"), "", letter.reply_to, subject="A Par-Bur")

    assert len(table.emails_to(address_of("GERMANY"), "letter")) == before
    assert table.current_orders("FRANCE") == ()


def test_struck_text_is_quoted(table: Table) -> None:
    answered = table.latest("FRANCE")
    mail = table.compose(
        address_of("FRANCE"), "", answered.reply_to, In_Reply_To=answered.message_id
    )
    mail.set_content("<p>A Par-Bur</p><p><s>A Mar-Spa</s></p>", subtype="html")

    table.deliver(mail, address_of("FRANCE"), answered.reply_to)
    table.run_once()

    receipt = table.latest("FRANCE")
    assert "Struck-through or invisible text was not read: | A Mar-Spa" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_orders_offered_again_can_be_used(table: Table) -> None:
    first = table.send("FRANCE", "F1902M\nA Par-Bur")
    [second] = table.reply(first, "USE THESE FOR F1901M")
    [third] = table.reply(second, "USE THESE FOR F1903M")

    table.reply(third, "USE THESE")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_attachments_are_named_and_not_opened(table: Table) -> None:
    start = table.latest("FRANCE")
    mail = table.compose(FRANCE, "My orders are attached.", start.reply_to)
    mail.add_attachment("A Par-Bur", filename="../../etc/orders.txt")
    mail.add_attachment(b"PK\x03\x04", maintype="application", subtype="zip", filename="m.zip")
    table.deliver(mail, None, start.reply_to)
    table.run_once()

    receipt = table.emails_to(FRANCE, "receipt")[-1]
    assert "The judge did not open 2 attachments: ../../etc/orders.txt, m.zip." in receipt.words
    assert table.current_orders("FRANCE") == ()


def test_html_with_too_many_tags_is_named_beside_the_text_that_was_read(table: Table) -> None:
    deep = f"{'<div>' * 3_000}A Par-Pic{'</div>' * 3_000}"

    receipt = two_parts(table, "A Par-Bur", deep)

    assert "did not open 1 attachment: text/html." in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def two_parts(table: Table, plain: str, html: str) -> Mail:
    """Send an email with a text and an HTML part; return its receipt."""
    start = table.latest("FRANCE")
    mail = table.compose(FRANCE, plain, start.reply_to)
    mail.add_alternative(html, subtype="html")
    table.deliver(mail, None, start.reply_to)
    table.run_once()
    return table.emails_to(FRANCE, "receipt")[-1]


def test_a_difference_between_text_and_html_orders_is_reported(table: Table) -> None:
    receipt = two_parts(table, "A Par-Bur\nA Mar-Spa", "<p>A Par-Gas<br>A Mar-Spa</p>")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "A MAR - SPA")
    assert "The judge read the plain text." in receipt.words
    assert "Only in the version that was read: | A Par-Bur" in receipt.words
    assert "and ignored: | A Par-Gas" in receipt.words


def test_orders_only_in_the_html_part_are_read_and_reported(table: Table) -> None:
    receipt = two_parts(table, "A Par-Bur", "<p>A Par-Bur<br>A Mar-Spa</p>")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "A MAR - SPA")
    assert "The judge read the HTML." in receipt.words


def test_a_difference_between_text_and_html_press_is_reported(table: Table) -> None:
    receipt = two_parts(
        table,
        "PRESS TO ITALY\nPeace?\nENDPRESS\nA Par-Bur\nI wonder",
        "PRESS TO ITALY<br>War!<br>ENDPRESS<br>A Par-Bur<br>You wonder",
    )

    assert "The judge read the plain text." in receipt.words


WRAPPED = "France: A Mar S A Par - Bur, F Bre - Mao; A Mun S A Ber - Kie, F Kie - Hol,\nA Par H"
LETTER = (
    "PRESS TO ITALY\nWe meet where the long road from Rome to Venice ends and\nstay\n"
    "ENDPRESS\nA Par-Bur"
)


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("A Par-Bur", "<p><b>A Par-Bur</b></p>"),
        ("A Par-Bur", "<p>A Par-Bur</p><blockquote>A Mar-Spa</blockquote>"),
        (WRAPPED, WRAPPED.replace("\n", " ")),
        (LETTER, LETTER.replace("and\n", "and ").replace("\n", "<br>")),
    ],
    ids=["bold", "quote", "wrapped orders", "wrapped press"],
)
def test_parts_that_agree_are_not_mentioned(table: Table, plain: str, html: str) -> None:
    receipt = two_parts(table, plain, html)

    assert "differ" not in receipt.words
    assert table.current_orders("FRANCE")


def test_quoted_text_below_orders_is_only_counted(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\n> A Mar-Spa\n")

    assert "1 quoted line was not read." in receipt.text
    assert "look like orders" not in receipt.words


def test_quoted_text_below_a_complete_set_is_not_mentioned(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\nA Mar-Spa\nF Bre-MAO\n> A Par-Gas\n")

    assert "quoted" not in receipt.text


@pytest.mark.parametrize(
    "quoted",
    [
        "> Hello Frank,\n> how are you?",  # no order
        "> A Par-Bur",  # already recorded, as in a quoted receipt
        "> A Mun-Bur",  # another power's order
    ],
)
def test_quoted_lines_without_new_orders_are_not_mentioned(table: Table, quoted: str) -> None:
    receipt = table.send("FRANCE", f"A Par-Bur\n{quoted}\n")

    assert "quoted" not in receipt.text


def test_history_prints_the_line_of_the_log_in_the_results(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Par H")
    table.play(FRANCE="A Par H; A Mar H; F Bre H")
    [results] = table.emails_to(FRANCE, "phase_results")

    table.send("FRANCE", "HISTORY")

    page = table.emails_to(FRANCE)[-1]
    line = re.search(r"^Log: \d+ [A-Za-z0-9+/]{43}=$", results.text, re.MULTILINE)
    assert line
    assert line[0] in page.text


def test_clear_takes_back_one_order_or_some_or_all(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur, A Mar-Spa, F Bre-Mao")

    one = table.send("FRANCE", "CLEAR A Par")
    assert "Orders canceled. (A Par)" in one.text
    assert table.current_orders("FRANCE") == ("A MAR - SPA", "F BRE - MAO")
    table.send("FRANCE", "A Par-Bur\nclear Brest, A Mar")
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    table.send("FRANCE", "CLEAR")
    assert table.current_orders("FRANCE") == ()


def test_a_unit_on_a_coast_is_cleared_with_it_or_without(table: Table) -> None:
    table.send("RUSSIA", "F Stp(sc)-Bot, A Mos-Ukr")
    table.send("RUSSIA", "CLEAR F Stp(sc), Moscow")

    assert table.current_orders("RUSSIA") == ()


def test_clear_of_an_unknown_province_changes_nothing(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")

    receipt = table.send("FRANCE", "CLEAR A Xyz")

    assert "Line 1 was not understood: CLEAR A Xyz" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_clear_in_the_answer_to_a_closed_phase_clears_nothing(table: Table) -> None:
    start = table.latest("FRANCE")
    table.play(FRANCE="A Par-Bur, A Mar-Spa, F Bre H")
    table.send("FRANCE", "A Bur-Mun")

    [asked] = table.reply(start, "CLEAR")
    [receipt] = table.reply(asked, "YES")

    assert "CLEAR: refused. That is for a phase that is not open." in receipt.text
    assert table.current_orders("FRANCE") == ("A BUR - MUN",)


def test_wait_ready_and_their_opposites_are_confirmed(table: Table) -> None:
    said = table.send("FRANCE", "SET WAIT\nREADY")
    assert "WAIT is set: this phase stays open until its deadline." in said.words
    assert "READY is set" in said.text

    said = table.send("FRANCE", "SET NOWAIT\nNOT READY")
    assert "WAIT is canceled:" in said.text
    assert "READY is canceled." in said.text


def test_changing_orders_after_ready_says_that_ready_still_counts(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur, A Mar H, F Bre-Mao\nREADY")

    changed = table.send("FRANCE", "A Par-Pic")
    assert (
        "Your earlier READY also covers the changed orders. NOT READY cancels it." in changed.words
    )

    table.send("FRANCE", "NOT READY")
    assert "READY" not in table.send("FRANCE", "A Par-Bur").text


def test_a_player_without_builds_has_nothing_to_order(table: Table) -> None:
    table.play(FRANCE="A Mar-Spa, A Par-Gas, F Bre H")
    table.play(FRANCE="A Spa H, A Gas H, F Bre H")

    receipt = table.send("TURKEY", "Build F Ank")

    assert "ORDERS: refused. Your power has nothing to order in this phase." in receipt.words


def test_orders_by_somebody_without_a_power_are_refused(table: Table) -> None:
    [confirm] = table.mail("moderator@players.example", "A Par-Bur\nThank you")

    receipt = table.reply(confirm, confirm.yes)[-1]

    assert "ORDERS: refused. You are not a player of this game." in receipt.text


def test_an_email_that_is_too_long_is_read_to_its_limit(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\n" + "Dear diary,\n" * 600 + "A Mar-Spa")

    assert "not read from line 501 on: the limit is 500" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_each_receipt_commits_to_the_orders_adjudicated(table: Table) -> None:
    table.want_proofs()
    [first] = commitments_in(table.send("FRANCE", "A Par-Bur").proof.encode())
    [second] = commitments_in(table.send("FRANCE", "A Par-Pic").proof.encode())

    assert (first.orders, second.orders) == (("A PAR - BUR",), ("A PAR - PIC",))
    assert first.holds
    assert second.holds
    assert first.nonce != second.nonce


def test_no_receipt_has_a_hash_in_its_text(table: Table) -> None:
    table.want_proofs()
    receipt = table.send("FRANCE", "A Par-Bur")

    assert not re.search(r"[0-9a-f]{32}", receipt.text)


@pytest.mark.parametrize(
    "text", ["A Mar-Spa\n(NMR)", "(NMR)\nF Bre-Mao", "Italy is late:\n(NMR)", "READY\n(NMR)"]
)
def test_a_quoted_nmr_clears_nothing(table: Table, text: str) -> None:
    table.send("FRANCE", "A Par-Bur")

    table.send("FRANCE", text)

    assert "A PAR - BUR" in table.current_orders("FRANCE")


@pytest.mark.parametrize(
    ("power", "orders", "told"),
    [
        ("FRANCE", "A Mar S A Par-Bur; A Par-Pic; F Bre H", "A Par-Pic"),
        ("GERMANY", "A Ber S A Mun; A Mun-Bur; F Kie H", "A Mun-Bur"),
    ],
)
def test_a_support_that_contradicts_ones_own_orders_is_pointed_out(
    table: Table, power: str, orders: str, told: str
) -> None:
    receipt = table.send(power, orders)

    assert "One of your orders contradicts another: see below." in receipt.words
    assert receipt.words.count(f"Contradicts your order {told}.") == 1


def test_a_support_of_another_power_contradicts_nothing(table: Table) -> None:
    receipt = table.send("FRANCE", "A Mar S A Mun-Bur; A Par H; F Bre H")

    assert "ontradicts" not in receipt.text


def test_three_refused_lines_share_one_explanation(table: Table) -> None:
    receipt = table.send("FRANCE", "A Mun-Bur; A Par-Pic; A Ber-Sil; F Kie-Hol")

    assert receipt.words.count("the unit belongs to another power") == 1
    assert "A Mun-Bur A Ber-Sil F Kie-Hol Rejected" in receipt.words


def test_an_impossible_order_is_explained_once(table: Table) -> None:
    receipt = table.send("FRANCE", "F Bre-Par")

    assert receipt.words.count("Impossible:") == 1
    assert "of which 1 cannot be carried out" in receipt.words


def test_a_later_receipt_still_names_impossible_orders(table: Table) -> None:
    table.send("FRANCE", "F Bre-Par")

    receipt = table.send("FRANCE", "A Par H")

    assert receipt.words.count("Impossible:") == 1
