"""Emails from newcomers: free wording, confirmations, floods and forgeries."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest

from judge.app.gamemaster import emails
from judge.app.inbound.questions import LISTED_MAX, QUESTIONS_A_DAY_MAX
from judge.app.inbound.unverified_senders import (
    ANSWERS_A_DAY_MAX,
    JOIN_PAUSE,
    JOINS_MAX,
    STRANGERS_MAX,
)
from judge.game.game_state import SeatState
from tests.support.table import JUDGE, MODERATOR, Mail, Table, address_of

BOB = "bob@stranger.example"
FRANCE = address_of("FRANCE")


def confirmed_by(judge: Table, answer: str) -> bool:
    """Return whether *answer* confirms a JOIN."""
    judge.open("lepanto")
    [confirm] = judge.mail(BOB, "JOIN lepanto")
    judge.reply(confirm, answer)
    return bool(judge.game("lepanto").joined)


# Names in any case


@pytest.mark.parametrize("command", ["Join Lepanto", "join LEPANTO", "JOIN lepanto FRANCE"])
def test_join_is_read_in_any_case(judge: Table, command: str) -> None:
    judge.open("lepanto")

    [confirm] = judge.mail(BOB, command)
    judge.reply(confirm, confirm.yes)

    assert len(judge.game("lepanto").joined) == 1


def test_every_command_that_names_a_game_is_read_in_any_case(table: Table) -> None:
    table.send("FRANCE", "SET PASSWORD ratatouille")

    signed = table.mail(address_of("FRANCE"), "Signon FBaltic ratatouille\na par-BUR")[-1]
    for command in ("status Baltic", "LIST BALTIC", "WhoGame Baltic", "SUMMARY BALTIC"):
        [answer] = table.mail(f"{command[:3]}@stranger.example", command)
        assert answer.subject.startswith("JUDGE:baltic"), command
        assert "not understood" not in answer.subject

    assert "You are signed on." in signed.text
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


# Checks before a confirmation is requested


def test_a_name_is_checked_before_a_confirmation_is_asked_for(judge: Table) -> None:
    judge.open("lepanto")

    [answer] = judge.mail(BOB, "JOIN Lepnato")

    assert "No game called lepnato is listed here. Did you mean lepanto?" in answer.words
    assert "reply with the line: JOIN lepanto" in answer.words


def test_the_right_name_in_answer_to_that_joins_at_once(judge: Table) -> None:
    judge.open("lepanto")
    [answer] = judge.mail(BOB, "JOIN Lepnato")

    [receipt] = judge.reply(answer, "JOIN lepanto")

    assert "You have joined" in receipt.words
    assert len(judge.game("lepanto").joined) == 1


def test_the_right_name_from_another_address_joins_nobody(judge: Table) -> None:
    judge.open("lepanto")
    [answer] = judge.mail(BOB, "JOIN Lepnato")

    judge.reply(answer, "JOIN lepanto", sender="mallory@stranger.example")

    assert not judge.game("lepanto").joined


def test_an_invalid_game_name_triggers_no_confirmation(judge: Table) -> None:
    [answer] = judge.mail(BOB, "JOIN a_name_that_no_game_can_have")

    assert "There is no game called a_name_that_no_game_can_have here." in answer.words
    assert judge.inbox() == ["processed"]


# Requests in sentences

WISHES = (
    "I would love to join lepanto",
    "I would love to join Lepanto some day, how does it work?",
    "Hello,\n\nJOIN lepanto\n\nBest regards,\nBob",
    "Dear judge,\nplease join me to the game lepanto.\nThanks, Bob",
    "JOIN lepanto, please!",
    "JOIN the game Lepanto please",
    "Bonjour, je voudrais participer à Lepanto.",
    "Hallo, ich würde gern bei Lepanto mitspielen!\n\n-- \nBob",
)


@pytest.mark.parametrize("text", WISHES)
def test_a_wish_to_join_is_asked_about_and_taken(judge: Table, text: str) -> None:
    judge.open("lepanto")
    judge.open("blitz")

    [confirm] = judge.mail(BOB, text)

    assert confirm.kind == "confirm_join"
    assert not judge.game("lepanto").joined
    judge.reply(confirm, confirm.yes)
    assert len(judge.game("lepanto").joined) == 1


@pytest.mark.parametrize("text", [*WISHES, "Hello judge,\nJOIN lepanto"])
def test_the_answer_says_nothing_but_that_you_are_in_whatever_surrounds_the_wish(
    judge: Table, text: str
) -> None:
    judge.open("lepanto")
    [confirm] = judge.mail(BOB, text)

    [answer] = judge.reply(confirm, confirm.yes)

    assert answer.kind == "joined"
    joined = ("You have joined the game.", "Du spielst mit.", "Vous êtes inscrit à la partie.")
    assert answer.text.split("\n\n")[1].startswith(joined)
    assert "does not name its sender" not in answer.words


def test_a_greeting_above_the_join_of_a_player_is_no_email_to_their_other_game(
    table: Table,
) -> None:
    table.open("lepanto")

    answer = table.send("FRANCE", "Hello judge,\n\nJOIN lepanto\n\nBest regards,\nPierre")

    assert "You have joined" in answer.words
    assert "no orders" not in answer.words
    assert len(table.game("lepanto").joined) == 1


@pytest.mark.parametrize("text", ["I do not want to join lepanto", "Is lepanto nice to look at?"])
def test_other_sentences_join_nothing(judge: Table, text: str) -> None:
    judge.open("lepanto")

    [answer] = judge.mail(BOB, text)

    assert answer.kind == "door"


def test_a_request_of_a_known_player_is_quoted_with_its_command(table: Table) -> None:
    table.open("lepanto")

    receipt = table.send("FRANCE", "I would love to join lepanto")

    assert "JOIN lepanto (join a game)" in receipt.words
    assert not table.game("lepanto").joined


def test_a_wish_never_names_a_hidden_game(judge: Table) -> None:
    judge.open("lepanto", "listed=no")

    [hidden] = judge.mail(BOB, "I would love to join lepanto")
    [unknown] = judge.mail("bea@newcomers.example", "I would love to join nowhere")

    assert hidden.text == unknown.text
    assert "lepanto" not in hidden.text


# Confirmations


@pytest.mark.parametrize(
    "answer",
    [
        *("Yeah", "Y", "yep!", "Sure", "Yes please.", "Hello judge,\n\nyes, that was me.\n\nBob"),
        *("Ja", "Ja, das war ich.", "Jawohl!", "Das war ich.", "ich bestätige"),
        *("Oui", "Oui, c\u2019était moi.", "D'accord", "je confirme", "\U0001f44d"),
    ],
)
def test_yes_is_understood_as_people_write_it(judge: Table, answer: str) -> None:
    assert confirmed_by(judge, answer)


@pytest.mark.parametrize(
    "answer",
    [
        *("Nope", "No thanks", "Yes, but I did not write this", "yes, but is it safe?"),
        *("Nein", "Nein, das war ich nicht.", "Ja, aber das war ich nicht"),
        *("Non", "Non merci", "Ce n\u2019était pas moi", "Not me", "No idea what this is"),
    ],
)
def test_no_and_unclear_answers_confirm_nothing(judge: Table, answer: str) -> None:
    assert not confirmed_by(judge, answer)


def test_a_confirmation_that_is_not_understood_is_answered_about_that_confirmation(
    judge: Table,
) -> None:
    judge.open("lepanto")
    [confirm] = judge.mail(BOB, "JOIN lepanto")

    [again] = judge.reply(confirm, "What is this about?")
    [receipt] = judge.reply(again, "Ah. Yes!")

    assert "neither a clear yes nor a clear no" in again.words
    assert "| JOIN lepanto" in again.text
    assert "You have joined" in receipt.words


def test_a_confirmation_of_orders_that_is_not_understood_shows_them(table: Table) -> None:
    [confirm] = table.mail(FRANCE, "A Par-Bur")

    [again] = table.reply(confirm, "hm")
    [receipt] = table.reply(again, "oui")

    assert "| A Par-Bur" in again.text
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert receipt.kind == "receipt"


def test_a_question_is_asked_again_a_few_times_a_day_only(judge: Table) -> None:
    judge.open("lepanto")
    [confirm] = judge.mail(BOB, "JOIN lepanto")

    answers = [judge.reply(confirm, f"hm {number}") for number in range(10)]

    assert sum(map(len, answers)) == ANSWERS_A_DAY_MAX


def test_confirming_from_another_address_is_answered_with_the_right_one(table: Table) -> None:
    [confirm] = table.mail(FRANCE, "A Par-Bur")

    [told] = table.reply(confirm, "YES", sender="pierre@home.example")

    assert "Please answer from the address at which you got the question." in told.words
    assert FRANCE not in told.text
    assert table.current_orders("FRANCE") == ()


# Strangers


def test_every_stranger_gets_an_answer(judge: Table) -> None:
    judge.open("lepanto")

    answers = [judge.mail(BOB, f"xyzzy {number}") for number in range(5)]

    assert [len(each) for each in answers] == [1, 1, 1, 0, 0]
    [first], [second], [third] = answers[:3]
    assert second.subject != first.subject
    assert "lepanto" in first.text
    assert "SIGNON Fname password" in second.text
    assert "last answer" in third.words
    assert "the last" not in second.words


def test_a_day_later_a_stranger_is_answered_again(judge: Table) -> None:
    for number in range(5):
        judge.mail(BOB, f"xyzzy {number}")
    judge.pass_time(hours=25)

    assert len(judge.mail(BOB, "Hello?")) == 1


def test_a_stranger_who_has_had_all_answers_can_still_join(judge: Table) -> None:
    judge.open("lepanto")
    for number in range(5):
        judge.mail(BOB, f"xyzzy {number}")

    [confirm] = judge.mail(BOB, "JOIN lepanto")

    assert confirm.kind == "confirm_join"


def test_seventy_strangers_do_not_close_the_judge_to_newcomers(judge: Table) -> None:
    judge.open("lepanto")
    for number in range(STRANGERS_MAX + 10):
        judge.mail(f"{number}@elsewhere.example", "HELP")

    [confirm] = judge.mail(BOB, "JOIN lepanto")
    judge.reply(confirm, confirm.yes)

    assert len(judge.game("lepanto").joined) == 1


def test_a_join_that_the_judge_may_not_ask_about_yet_is_held_and_asked_about_later(
    judge: Table,
) -> None:
    judge.open("lepanto")
    for number in range(JOINS_MAX):
        judge.mail(f"{number}@elsewhere.example", "JOIN lepanto")

    assert judge.mail(BOB, "JOIN lepanto") == ()
    assert judge.inbox()[-1] == "held"
    judge.clock.time += JOIN_PAUSE
    judge.run_once()

    assert [mail.kind for mail in judge.emails_to(BOB)] == ["confirm_join"]


# Forged emails in the name of a player


def forged(table: Table, number: int) -> EmailMessage:
    return table.compose(FRANCE, f"A Par-Pic {number}")


def many_forged(table: Table) -> Mail:
    """Receive more forged emails than France gets questions about; return the announcements."""
    for number in range(QUESTIONS_A_DAY_MAX - 1):
        table.deliver(forged(table, number), "x@elsewhere.example", JUDGE)
    table.run_once()
    [announced] = table.mail(FRANCE, "A Par-Bur")
    return announced


def test_ten_forged_emails_do_not_mute_a_player(table: Table) -> None:
    announced = many_forged(table)

    assert table.inbox()[-1] == "held"
    assert announced.recipient == FRANCE
    assert "| A Par-Bur" in announced.text
    table.reply(announced, "YES")
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_waiting_emails_are_announced_in_one_email(table: Table) -> None:
    many_forged(table)

    later = [table.mail(FRANCE, f"A Par-Gas\n{number}") for number in range(5)]

    assert later == [()] * 5
    assert set(table.inbox()[-5:]) == {"held"}


def test_the_player_chooses_among_several_waiting_emails(table: Table) -> None:
    announced = many_forged(table)
    table.mail(FRANCE, "A Par-Gas")
    [listed] = table.reply(announced, "YES")
    assert table.current_orders("FRANCE") == ()
    assert "| A Par-Gas" in listed.text
    number = listed.text.split("| A Par-Gas")[0].rsplit("Email ", 1)[1].split(",")[0]

    table.reply(listed, f"Yes {number}")

    assert table.current_orders("FRANCE") == ("A PAR - GAS",)


def test_the_list_of_waiting_emails_shows_none_of_our_own_text(table: Table) -> None:
    start = table.latest("FRANCE")
    announced = many_forged(table)
    ours = [start.subject, *(line for line in start.text.split("\n") if line[:2] != "::")]
    table.mail(FRANCE, "\n".join(["A Par-Gas", "", *ours]))

    [listed] = table.reply(announced, "YES")

    assert "| A Par-Gas" in listed.text
    assert f"| {start.subject}" not in listed.text
    assert "more line" not in listed.text


def test_yes_all_confirms_no_email_that_the_list_did_not_show(table: Table) -> None:
    announced = many_forged(table)
    for number in range(LISTED_MAX + 4):
        table.mail(FRANCE, f"A Par-Gas\n{number}")
    [listed] = table.reply(announced, "YES")
    assert table.inbox().count("held") >= LISTED_MAX + 4
    beyond = table.query("SELECT id FROM inbox WHERE reason = 'not asked yet' ORDER BY id")[20:]

    *_, more = (each for each in table.reply(listed, "YES ALL") if each.kind == listed.kind)

    still = table.query("SELECT id FROM inbox WHERE reason = 'not asked yet' AND state = 'held'")
    assert sorted(still) == beyond
    assert all(f"Email {number}," in more.text for (number,) in beyond)


def test_only_the_player_chooses_among_waiting_emails(table: Table) -> None:
    announced = many_forged(table)

    table.reply(announced, "YES ALL", sender=address_of("GERMANY"))

    assert table.current_orders("FRANCE") == ()


def test_a_question_of_a_player_is_not_ignored_because_of_strangers(table: Table) -> None:
    for number in range(STRANGERS_MAX + 5):
        table.mail(f"{number}@elsewhere.example", "HELP")
    for number in range(ANSWERS_A_DAY_MAX + 2):
        assert table.mail(FRANCE, f"STATUS baltic\n{'STATUS baltic ' * number}"), number
        assert table.inbox()[-1] != "ignored"
    assert MODERATOR not in {mail.recipient for mail in table.outbox()[-5:]}


# Questions, unknown words and waiting emails


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("How do I propose a draw?", "PROPOSE DRAW"),
        ("Can I concede to Turkey?", "SET CONCEDE TURKEY"),
        ("Could we have an extension please?", "EXTENSION 24"),
        ("How can I resign?", "RESIGN"),
        ("How do I write to England? Is there a press command?", "PRESS TO"),
        ("What are the rules here?", "forwarded to the"),
        ("When is the deadline?", "Deadline: Mon 30 Nov 2026 20:00 UTC."),
        ("Who is the moderator?", "PRESS TO M"),
        ("Kann ich die Sprache auf Deutsch stellen?", "Frankreich"),
        ("Where can I see the map?", "Naples, Rome, Venice"),
        ("I need help!", "HELP"),
    ],
)
def test_a_question_of_a_player_is_answered(table: Table, question: str, page: str) -> None:
    answer = table.send("FRANCE", f"Hello judge,\n\n{question}\n\nThanks, Pierre")

    assert page in answer.text
    assert "Your email has no orders and no commands." not in answer.text


def test_a_question_beside_orders_is_answered_and_the_orders_count(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\n\nHow do I propose a draw?")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "PROPOSE DRAW" in receipt.text
    assert not table.game().draw_votes


def test_only_a_subject_with_orders_is_reported_to_have_orders(table: Table) -> None:
    advice = "Write them in the body, not in the subject."
    to = table.latest("FRANCE").reply_to

    [of_prose] = table.mail(FRANCE, "Good morning.", to, subject="Good morning")
    [of_subject] = table.mail(FRANCE, "As above.", to, subject="A Par-Bur")

    assert "no orders and no commands" in of_prose.words
    assert advice not in of_prose.words
    assert advice in of_subject.words


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A Par-Bur\nFOOBAR\nA Mar-Spa", "Line 2 was not understood: FOOBAR"),
        ("WIBBLE g1", "Line 1 was not understood: WIBBLE g1"),
    ],
)
def test_an_unknown_command_is_quoted(table: Table, text: str, named: str) -> None:
    assert named in table.send("FRANCE", text).words


@pytest.mark.parametrize("word", ["STANDINGS g1", "FOOBAR"])
def test_an_unknown_command_of_a_stranger_is_quoted(judge: Table, word: str) -> None:
    [answer] = judge.mail(BOB, word)

    first = word.split(maxsplit=1)[0]
    assert f"{first} is not a command. HELP lists the commands." in answer.words


@pytest.mark.parametrize("text", ["FRANCE\nA Par-Bur\nPIERRE", "HELLO judge\nA Par-Bur"])
def test_a_name_or_a_greeting_in_capitals_is_no_command(table: Table, text: str) -> None:
    assert "not understood" not in table.send("FRANCE", text).text


def test_the_answer_to_a_join_says_first_that_you_are_in(judge: Table) -> None:
    judge.open("lepanto")
    [confirm] = judge.mail(BOB, "JOIN lepanto")

    [receipt] = judge.reply(confirm, confirm.yes)

    said = receipt.text.split("\n\n")[1]
    assert said.startswith("You have joined the game.")


def test_an_email_that_waits_is_mentioned_in_the_next_receipt_and_in_the_reminder(
    table: Table,
) -> None:
    table.mail(FRANCE, "A Par-Bur\nA Mar-Spa\nF Bre-Mao")

    receipt = table.send("FRANCE", "F Bre H")
    told = "Your email of Mon 23 Nov 2026 12:00 UTC with 3 orders is on hold"
    assert told in receipt.words
    assert told not in table.send("GERMANY", "A Ber H").words
    deadline = table.game().phase
    assert deadline is not None
    table.wait_until(deadline.deadline - timedelta(hours=3))

    [reminder, *_] = table.emails_to(FRANCE, "reminder")
    assert told in reminder.words


def test_replies_to_press_that_wait_never_hide_orders_that_do(table: Table) -> None:
    table.send("ENGLAND", "PRESS TO FRANCE\nShall we?\nENDPRESS")
    [letter] = table.emails_to(FRANCE, "letter")
    for text in ("A Par-Bur", "A Par-Pic", "A Par-Gas", "A Par H"):
        table.reply(letter, f"Fine.\n{text}")
    table.mail(FRANCE, "A Par-Bur\nA Mar-Spa")

    receipt = table.send("FRANCE", "F Bre H")

    assert "with 2 orders is on hold" in receipt.words
    assert (
        receipt.words.count(
            "to press is on hold: answer the judge's question about it with PRESS or ORDERS."
        )
        == 1
    )


def test_a_reply_to_press_is_on_hold_until_its_phase_closes_or_its_writer_leaves(
    table: Table,
) -> None:
    table.send("ENGLAND", "PRESS TO FRANCE, ITALY\nShall we?\nENDPRESS")
    for power, unit in (("FRANCE", "A Par"), ("ITALY", "A Ven")):
        [letter] = table.emails_to(address_of(power), "letter")
        table.reply(letter, f"Fine.\n{unit} H")
    told = "to press is on hold"
    assert told in table.send("FRANCE", "A Par H").words
    question = table.reply(table.latest("ITALY"), "RESIGN")[-1]

    left = table.confirm(question)[-1]
    table.pass_time(minutes=1)
    table.close_phase()

    assert "You have left the game." in left.words
    assert told not in left.words
    after = table.send("FRANCE", "A Par H").words
    assert told not in after
    assert "to press was neither sent nor executed" in after
    assert "to press was neither sent nor executed" not in table.send("FRANCE", "A Par H").words


def test_a_reply_that_nobody_decided_about_is_sent_by_press_after_the_close(table: Table) -> None:
    table.send("ENGLAND", "PRESS TO FRANCE\nShall we?\nENDPRESS")
    [letter] = table.emails_to(FRANCE, "letter")
    [question] = table.reply(letter, "Fine.\nA Par H")
    table.close_phase()
    table.send("FRANCE", "A Par H")

    table.reply(question, "PRESS")

    assert "Fine." in table.emails_to(address_of("ENGLAND"), "letter")[-1].words


def test_a_removed_player_is_told_the_truth(table: Table) -> None:
    [to] = {mail.reply_to for mail in table.emails_to(MODERATOR)[-1:]}
    table.mail(MODERATOR, "EJECT FRANCE", to)

    answer = table.reply(table.emails_to(FRANCE)[0], "A Par-Bur")[-1]

    told = answer.text if answer.kind == "receipt" else ""
    if not told:
        [answer] = table.reply(answer, "YES")
        told = answer.text
    assert "You no longer play in this game" in " ".join(told.split())
    assert table.game().seats["FRANCE"].state is SeatState.VACANT


def test_the_desk_shows_an_email_that_waits(table: Table) -> None:
    table.mail(FRANCE, "A Par-Bur", subject="My orders")
    number = len(table.inbox())

    mail = emails.find_mail(table.judge, number)
    assert mail is not None
    shown, lines = emails.incoming_mail(table.judge, mail), emails.mail_text(table.judge, mail)

    assert (shown.sender, shown.subject) == (FRANCE, "My orders")
    assert (shown.game, shown.power) == ("baltic", "France")
    assert lines is not None
    assert lines.parts["new"] == ("A Par-Bur",)


def test_the_player_whose_join_starts_the_game_has_a_name_in_its_first_email(
    judge: Table,
) -> None:
    judge.open("lepanto")
    for name in ("Ann", "Bert", "Cleo", "Dora", "Emil", "Fay", "Gus"):
        [confirm] = judge.mail(f"{name} Smith <{name.lower()}@players.example>", "JOIN lepanto")
        judge.confirm(confirm)

    starts = [mail for mail in judge.outbox() if mail.kind == "game_start"]
    assert len(starts) == 7
    assert all("Gus" in mail.text and "player-" not in mail.text for mail in starts)
