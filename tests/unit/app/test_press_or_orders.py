"""Replies to press that may be orders: the judge asks before it sends anything on."""

from __future__ import annotations

import pytest

from judge.game.game_state import SeatState
from judge.game.press import PressSent
from judge.game.submission import OrdersSubmitted
from tests.emails.press.generated import press_messages
from tests.support.table import MODERATOR, Mail, Table, address_of

ORDERS = "A Mun-Ruh\nF Kie-Den"


def press_emails(table: Table, power: str) -> tuple[Mail, ...]:
    return table.emails_to(address_of(power), "letter")


def press_to_germany(table: Table, sender: str = "ENGLAND", opening: str = "PRESS TO G") -> Mail:
    table.reply(table.latest(sender), f"{opening}\nWhat are your plans?\nENDPRESS")
    return press_emails(table, "GERMANY")[-1]


def ask_about(table: Table, reply: str = ORDERS) -> Mail:
    """Reply as Germany to press with *reply*; return the question that the judge asks."""
    [question] = table.reply(press_to_germany(table), reply)
    assert question.kind == "press_or_orders"
    assert question.recipient == address_of("GERMANY")
    return question


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("A Mun-Ruh", "These lines look like orders for your own units: | A Mun-Ruh"),
        ("Agreed!\nMunich to Ruhr", "orders for your own units: | Munich to Ruhr"),
        (
            "My orders, if I may. Munich goes to Ruhr, and Kiel stays put.",
            "orders for your own units: | My orders, if I may.",
        ),
        ("Nos ordres :\nMunich va à la Ruhr.", "orders for your own units: | Munich va"),
        ("RESIGN", "These are commands: | RESIGN"),
        ("Agreed.\nSET DRAW", "These are commands: | SET DRAW"),
        ("PRESS TO AUSTRIA: he lies", "These lines are for others: | PRESS TO AUSTRIA: he lies"),
        ("To Austria:\nHe lies", "These lines are for others: | To Austria:"),
        ("PRESS TO AUSTRIA\nHe lies", "These lines are for others: | PRESS TO AUSTRIA"),
    ],
)
def test_a_reply_to_press_with_orders_commands_or_press_to_others_is_asked_about(
    table: Table, reply: str, shown: str
) -> None:
    question = ask_about(table, reply)

    assert question.subject == "JUDGE:baltic - Press to England, or orders?"
    assert shown in question.words
    assert "PRESS sends all of it to England, as you wrote it." in question.words
    assert "ORDERS carries it out as of the time it arrived" in question.words
    assert not press_emails(table, "ENGLAND")
    assert not press_emails(table, "AUSTRIA")
    assert table.current_orders("GERMANY") == ()
    assert table.inbox()[-1] == "held"


@pytest.mark.parametrize("opening", ["Automatic reply", "Out of Office", "Abwesenheitsnotiz"])
def test_an_auto_reply_that_only_its_subject_shows_is_not_sent_on(
    table: Table, opening: str
) -> None:
    press = press_to_germany(table)

    text, subject = "I am away until Monday.", f"{opening}: {press.subject}"
    [question] = table.mail(address_of("GERMANY"), text, press.reply_to, subject=subject)

    assert question.kind == "press_or_orders"
    assert not press_emails(table, "ENGLAND")


@pytest.mark.parametrize(
    "note",
    [
        "Thank you for your message. I am out of the office until Monday.",
        "Hi,\n\nI'm currently on vacation with limited access to email.\n\nJo",
        "Ich bin bis zum 3. Januar im Urlaub und antworte danach.",
        "Je suis en vacances jusqu'au 3 janvier.",
        "I will reply to your email when I am back on 3 January.",
    ],
)
def test_an_unmarked_vacation_note_is_shown_and_asked_about(table: Table, note: str) -> None:
    press = press_to_germany(table)

    [question] = table.reply(press, note)

    assert question.kind == "press_or_orders"
    assert max(note.split("\n"), key=len) in question.text
    assert not press_emails(table, "ENGLAND")
    table.reply(question, "PRESS")
    [letter] = press_emails(table, "ENGLAND")
    assert note in letter.text


@pytest.mark.parametrize(
    "letter",
    [
        "Thank you for your message. I agree to all of it.",
        "Merci pour votre message !",
        "Ich war im Urlaub und habe das nicht gesehen.",
        "I'm on vacation next week, so let us settle Burgundy now.",
    ],
)
def test_a_letter_that_thanks_or_tells_of_an_absence_is_sent(table: Table, letter: str) -> None:
    table.reply(press_to_germany(table), letter)

    assert letter in press_emails(table, "ENGLAND")[-1].text


@pytest.mark.parametrize(
    "word", ["PRESS", "Press to England", "press, please", "Nachricht", "Presse."]
)
def test_one_word_sends_it_all_as_it_was_written(table: Table, word: str) -> None:
    question = ask_about(table, "Deal.\n\nA Mun-Ruh\n  F Kie-Den")

    table.reply(question, word)

    [letter] = press_emails(table, "ENGLAND")
    assert "Deal.\n\nA Mun-Ruh\n  F Kie-Den\n" in letter.text
    [echo] = table.emails_to(address_of("GERMANY"), "press_echo")
    assert "Sent: | Deal." in echo.words
    assert table.current_orders("GERMANY") == ()


@pytest.mark.parametrize(
    "word", ["ORDERS", "orders.", "Not press, orders!", "Befehle", "ordres", "USE THESE"]
)
def test_one_word_carries_it_out_and_sends_nothing(table: Table, word: str) -> None:
    question = ask_about(table)

    receipt = table.reply(question, word)[-1]

    assert receipt.kind == "receipt"
    assert "A Mun-Ruh" in receipt.text
    assert table.current_orders("GERMANY") == ("A MUN - RUH", "F KIE - DEN")
    assert not press_emails(table, "ENGLAND")
    assert table.count_events(PressSent) == 1


def test_no_forgets_it(table: Table) -> None:
    question = ask_about(table)

    [told] = table.reply(question, "NO")

    assert "has dropped your reply of" in told.words
    assert "has dropped" in table.reply(question, "ORDERS")[-1].words
    assert table.current_orders("GERMANY") == ()


def test_an_answer_that_is_neither_is_asked_again(table: Table) -> None:
    [again] = table.reply(ask_about(table), "Yes, of course")
    assert "Your answer was not understood." in again.words

    table.reply(again, "ORDERS")

    assert table.current_orders("GERMANY") == ("A MUN - RUH", "F KIE - DEN")


def test_the_first_answer_counts(table: Table) -> None:
    question = ask_about(table)
    table.reply(question, "PRESS")

    [told] = table.reply(question, "ORDERS")

    assert "was press. Nothing more was done." in told.words
    assert table.current_orders("GERMANY") == ()
    assert len(press_emails(table, "ENGLAND")) == 1


def test_the_same_answer_twice_acts_once(table: Table) -> None:
    question = ask_about(table)
    table.reply(question, "ORDERS")

    [told] = table.reply(question, "ORDERS")

    assert "carried out your reply" in told.words
    assert table.count_events(OrdersSubmitted) == 1


def test_orders_of_a_reply_count_from_its_arrival(table: Table) -> None:
    question = ask_about(table)
    table.pass_time(minutes=5)
    table.send("GERMANY", "A Ber-Kie")

    receipt = table.reply(question, "ORDERS")[-1]

    assert "ORDERS: refused." in receipt.words
    assert table.current_orders("GERMANY") == ("A BER - KIE",)


def test_orders_of_a_reply_that_arrived_in_time_count_after_the_deadline(table: Table) -> None:
    table.all_hold(but=("GERMANY", "TURKEY"))
    letter = press_to_germany(table)
    table.pass_time(hours=24 * 7 + 7)  # an hour before the deadline
    [question] = table.reply(letter, ORDERS)

    table.reply(question, "ORDERS")

    assert table.current_orders("GERMANY") == ("A MUN - RUH", "F KIE - DEN")


def test_orders_of_a_reply_whose_phase_has_closed_are_offered_for_the_next(table: Table) -> None:
    letter = press_to_germany(table)
    [question] = table.reply(letter, ORDERS)
    table.play("baltic")
    assert table.phase() == "F1901M"

    [receipt] = [mail for mail in table.reply(question, "ORDERS") if mail.kind == "receipt"]

    assert "Your email is for S1901M, but F1901M is open." in receipt.words
    assert table.current_orders("GERMANY") == ()
    table.reply(receipt, "USE THESE")
    assert table.current_orders("GERMANY") == ("A MUN - RUH", "F KIE - DEN")


def test_orders_in_a_reply_to_press_of_an_earlier_phase_are_for_the_open_one(table: Table) -> None:
    letter = press_to_germany(table)
    table.play("baltic")
    [asked] = table.reply(letter, ORDERS)  # unverified sender, and its phase is over
    [question] = table.reply(asked, "YES")

    table.reply(question, "ORDERS")

    assert table.current_orders("GERMANY") == ("A MUN - RUH", "F KIE - DEN")


def test_resign_in_a_reply_to_press_is_still_confirmed(table: Table) -> None:
    question = ask_about(table, "A Mun-Ruh\nRESIGN")

    mails = table.reply(question, "ORDERS")
    [confirm] = [mail for mail in mails if mail.kind == "confirm_mail"]
    assert table.game().seats["GERMANY"].state is SeatState.PLAYED
    table.reply(confirm, confirm.yes)

    assert table.game().seats["GERMANY"].state is SeatState.VACANT
    assert table.count_events(OrdersSubmitted) == 1
    assert not press_emails(table, "ENGLAND")


def test_explicit_blocks_are_obeyed_whatever_they_answer(table: Table) -> None:
    letter = press_to_germany(table, opening="BROADCAST")

    mails = table.reply(
        letter,
        "PRESS TO AUSTRIA\nBeware of England\nENDPRESS\nORDERS\nA Mun-Ruh\nENDORDERS\nBest,\nHans",
    )

    assert "Beware of England" in press_emails(table, "AUSTRIA")[-1].text
    assert table.current_orders("GERMANY") == ("A MUN - RUH",)
    assert not press_emails(table, "ENGLAND")
    assert [mail.kind for mail in mails if mail.recipient == address_of("GERMANY")] == ["receipt"]


def test_text_around_a_block_is_asked_about_and_the_block_never_sent(
    table: Table,
) -> None:
    letter = press_to_germany(table, opening="BROADCAST")
    mails = table.reply(letter, "PRESS TO AUSTRIA\nBeware!\nENDPRESS\nI am with you.")
    [question] = [mail for mail in mails if mail.kind == "press_or_orders"]
    assert "This is outside the blocks: | I am with you." in question.words

    table.reply(question, "PRESS")

    [to_england] = press_emails(table, "ENGLAND")
    assert "I am with you." in to_england.text
    assert "Beware" not in to_england.text
    assert len([mail for mail in press_emails(table, "AUSTRIA") if "Beware" in mail.text]) == 1


def test_blocks_are_not_obeyed_again_when_the_rest_turns_out_to_be_orders(table: Table) -> None:
    letter = press_to_germany(table)
    mails = table.reply(letter, "PRESS TO AUSTRIA\nBeware!\nENDPRESS\nA Mun-Ruh")
    [question] = [mail for mail in mails if mail.kind == "press_or_orders"]

    receipt = table.reply(question, "ORDERS")[-1]

    assert receipt.kind == "receipt"
    assert table.current_orders("GERMANY") == ("A MUN - RUH",)
    assert len(press_emails(table, "AUSTRIA")) == 1
    assert not press_emails(table, "ENGLAND")


def test_orders_written_in_answer_to_the_question_are_taken(table: Table) -> None:
    question = ask_about(table)

    table.reply(question, "A Mun-Bur")

    assert table.current_orders("GERMANY") == ("A MUN - BUR",)
    assert not press_emails(table, "ENGLAND")


def test_a_question_about_press_that_nobody_signed_names_nobody(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey", moderator=MODERATOR)
    letter = press_to_germany(judge, opening="PRESS GREY TO G")

    [question] = judge.reply(letter, "Dear England,\nA Mun-Ruh")

    assert question.subject == "JUDGE:baltic - Press, or orders?"
    assert "PRESS sends it unchanged to the writer of the press you answered" in question.words
    judge.reply(question, "PRESS")
    assert "A Mun-Ruh" in press_emails(judge, "ENGLAND")[-1].text


def test_a_greeting_never_tells_who_wrote_unsigned_press(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey")
    letter = press_to_germany(judge, opening="PRESS GREY TO G")

    guesses = [judge.reply(letter, f"Dear {who},\nagreed.")[0] for who in ("England", "Russia")]

    assert {guess.kind for guess in guesses} == {"press_or_orders"}


def test_a_question_is_in_the_thread_of_the_press(table: Table) -> None:
    letter = press_to_germany(table)

    [question] = table.reply(letter, ORDERS)

    raw = dict(table.query("SELECT message_id, raw FROM outbox"))
    threads = [raw[each.message_id].split(b"References: ")[1] for each in (letter, question)]
    assert threads[1].startswith(threads[0].split(b"\r\n")[0])


def test_the_moderator_who_answers_press_with_a_command_is_asked(table: Table) -> None:
    table.reply(table.latest("GERMANY"), "PRESS TO M\nMay I have more time?\nENDPRESS")
    [question] = table.emails_to(MODERATOR, "letter")

    [asked] = table.reply(question, "SET DEADLINE 2026-12-02 20:00")

    assert asked.kind == "press_or_orders"
    assert "Press to Germany, or orders?" in asked.subject


def test_a_reply_that_waits_is_mentioned_in_the_next_receipt(table: Table) -> None:
    question = ask_about(table)
    told = "to press is on hold: answer the judge's question about it with"

    assert told in table.send("GERMANY", "A Ber-Kie").words
    table.reply(question, "PRESS")
    assert told not in table.send("GERMANY", "A Ber H").words


def test_a_very_long_reply_to_press_is_asked_about(table: Table) -> None:
    [question] = table.reply(press_to_germany(table), "chat\n" * 600 + "A Mun-Ruh")

    assert "it may not be meant as press" in question.words
    table.reply(question, "PRESS")
    assert press_emails(table, "ENGLAND")[-1].text.count("chat") == 600


def test_talk_of_players_is_sent_and_changes_nothing(table: Table) -> None:
    press = press_to_germany(table)
    messages = (each for each in press_messages(400) if each.board.name == "standard")
    talk = [each.text for each in messages if each.power == "GERMANY"]
    own_board = (each for each in press_messages(400, seed=2) if each.board.name == "standard")
    asking = [each.text for each in own_board if each.asks]
    before = len(table.log())

    for text in (*talk[:6], *asking[:6]):
        table.reply(press, text)

    added = [each.event for each in table.log()[before:]]
    assert {type(each) for each in added} == {PressSent}
    assert len(press_emails(table, "ENGLAND")) == len(added) == len((*talk[:6], *asking[:6]))
    assert table.current_orders("GERMANY") == ()


def test_a_reply_that_greets_another_player_by_name_is_asked_about(table: Table) -> None:
    table.reply(table.latest("ITALY"), "SET HANDLE Nora")

    question = ask_about(table, "Dear Nora,\nI will help you into Tyrolia. Tell nobody.")

    assert "These lines are for others: | Dear Nora," in question.words
    assert not press_emails(table, "ENGLAND")
