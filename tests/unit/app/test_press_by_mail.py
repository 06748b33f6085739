"""Press by mail: recipients, quoting, redaction and replies."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from judge.game.press import PressSent
from tests.support.table import JUDGE, MODERATOR, POWERS, Mail, Table, address_of

SECRET = "Let us share Belgium"


def press_emails(mails: tuple[Mail, ...]) -> dict[str, Mail]:
    return {mail.recipient: mail for mail in mails if mail.kind == "letter"}


def write(table: Table, power: str, to: str, text: str = SECRET) -> dict[str, Mail]:
    """Send press as *power*; return the press emails by recipient."""
    return press_emails(table.reply(table.latest(power), f"PRESS TO {to}\n{text}\nENDPRESS"))


def write_as_it_is(table: Table, power: str, text: str) -> dict[str, Mail]:
    return press_emails(table.reply(table.latest(power), text))


def headers(table: Table, mail: Mail) -> EmailMessage:
    """Return *mail* as sent, with all its headers."""
    raw = dict(table.query("SELECT message_id, raw FROM outbox"))[mail.message_id]
    return message_from_bytes(raw, policy=default)


def sender_of(table: Table, mail: Mail) -> tuple[str, str]:
    """Return the name and address in From."""
    [sender] = headers(table, mail)["From"].addresses
    return sender.display_name, sender.addr_spec


def thread_of(table: Table, mail: Mail) -> set[str]:
    return set(str(headers(table, mail)["References"]).split())


@pytest.mark.parametrize(
    ("to", "readers"),
    [
        ("G", ("GERMANY",)),
        ("ENGLAND, GERMANY", ("ENGLAND", "GERMANY")),
        ("ALL", tuple(power for power in POWERS if power != "FRANCE")),
        ("ALL BUT R", tuple(power for power in POWERS if power not in ("FRANCE", "RUSSIA"))),
    ],
)
def test_press_reaches_exactly_its_recipients(
    table: Table, to: str, readers: tuple[str, ...]
) -> None:
    sent = write(table, "FRANCE", to)

    assert sent.keys() == {address_of(power) for power in readers}
    assert all(SECRET in letter.text for letter in sent.values())


@pytest.mark.parametrize(("to", "repeated"), [("G", True), ("G QUIET", False)])
def test_the_receipt_repeats_press_as_it_was_sent_unless_quiet(
    table: Table, to: str, *, repeated: bool
) -> None:
    receipt = table.send("FRANCE", f"PRESS TO {to}\n{SECRET}\n> so you said\nENDPRESS")

    assert (f"Sent: | {SECRET} | > so you said" in receipt.words) is repeated
    assert (SECRET in receipt.text) is repeated


def test_lines_marked_as_quotes_between_press_and_endpress_belong_to_the_press(
    table: Table,
) -> None:
    text = (
        "> an old mail\nPRESS TO G\nOn Monday you wrote:\n> Burgundy is yours\n"
        f"> if you want it\n{SECRET}\nENDPRESS\n> A Par-Bur\nA Mar H"
    )
    letter = write_as_it_is(table, "FRANCE", text)[address_of("GERMANY")]

    assert f"On Monday you wrote: > Burgundy is yours > if you want it {SECRET}" in letter.words
    assert "old mail" not in letter.text
    assert "A Par-Bur" not in letter.text
    assert table.current_orders("FRANCE") == ("A MAR H",)


def test_a_quoted_email_below_press_without_endpress_is_no_press(table: Table) -> None:
    text = f"PRESS TO G\n{SECRET}\n> A Par-Bur\n> ENDPRESS"
    mails = table.reply(table.latest("FRANCE"), text)

    assert not press_emails(mails)
    assert "ENDPRESS is missing." in mails[-1].words


def test_press_comes_from_the_power_that_signs_it(table: Table) -> None:
    letter = write(table, "FRANCE", "G")[address_of("GERMANY")]

    assert sender_of(table, letter) == ("France (baltic)", JUDGE)
    assert sender_of(table, table.latest("GERMANY")) == ("JUDGE judge", JUDGE)


def test_grey_press_comes_from_press_and_press_of_the_moderator_from_the_moderator(
    judge: Table,
) -> None:
    judge.start("baltic", "signing=white_grey", moderator=MODERATOR)
    grey = write(judge, "FRANCE", "G GREY")[address_of("GERMANY")]
    start = judge.emails_to(MODERATOR, "game_start")[0]
    master = press_emails(judge.reply(start, "PRESS TO G\nHello\nENDPRESS"))[address_of("GERMANY")]

    assert sender_of(judge, grey) == ("Press (baltic)", JUDGE)
    assert sender_of(judge, master) == ("Moderator (baltic)", JUDGE)


def test_press_names_its_sender_in_the_language_of_its_reader(table: Table) -> None:
    table.send("GERMANY", "SET LANGUAGE DEUTSCH")
    letter = write(table, "AUSTRIA", "G")[address_of("GERMANY")]

    assert sender_of(table, letter) == ("Österreich (baltic)", JUDGE)


def test_press_is_never_in_the_thread_of_the_results(table: Table) -> None:
    letter = write(table, "FRANCE", "G")[address_of("GERMANY")]
    mails = table.reply(letter, "Agreed.")
    table.play("baltic")
    results = table.emails_to(address_of("GERMANY"), "phase_results")[0]

    [echo] = [mail for mail in mails if mail.kind == "press_echo"]
    assert not thread_of(table, letter) & thread_of(table, results)
    assert not thread_of(table, echo) & thread_of(table, results)
    assert letter.subject != results.subject
    assert thread_of(table, letter) <= thread_of(table, echo)


def test_the_sender_is_told_who_read_it(table: Table) -> None:
    receipt = table.send("FRANCE", f"A Par-Bur\nPRESS TO E,G\n{SECRET}\nENDPRESS\nA Mar H")

    assert "Your press went to England and Germany." in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR", "A MAR H")


def test_press_in_other_words_goes_to_nobody_and_orders_nothing(table: Table) -> None:
    mails = table.reply(
        table.latest("FRANCE"), f"Message to Germany:\n{SECRET}\nF Bre-Mao\n/message\nA Par-Bur"
    )

    [receipt] = mails
    assert "This looks like press." in receipt.words
    assert "the lines PRESS TO GERMANY and ENDPRESS" in receipt.words
    assert f"| Message to Germany: | {SECRET} | F Bre-Mao A Par-Bur" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_greeting_to_ones_own_power_is_no_press(table: Table) -> None:
    table.reply(table.latest("FRANCE"), "Dear France,\nA Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_subject_makes_an_email_press(table: Table) -> None:
    [receipt] = table.reply(table.latest("FRANCE"), "hi\nA Par-Bur", Subject="To Germany")

    assert "This looks like press." in receipt.words
    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize(
    ("opening", "end"),
    [
        ("BROADCAST: hello all", "ENDBROADCAST"),
        ("SEND PRESS TO G", "ENDPRESS"),
        ("G:", "ENDPRESS"),
    ],
)
def test_an_endpress_without_a_beginning_is_quoted(table: Table, opening: str, end: str) -> None:
    mails = table.reply(
        table.latest("FRANCE"), f"WAIT\n{opening}\n{SECRET}\nF Bre-Mao\n{end}\nA Par-Bur"
    )

    [receipt] = mails
    assert f": | {opening} | {SECRET} | F Bre-Mao" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_block_that_a_signature_ends_is_sent_without_it(table: Table) -> None:
    text = f"PRESS TO G\n{SECRET}\n-- \nJeanne\nENDPRESS\nA Par-Bur"
    mails = table.reply(table.latest("FRANCE"), text)

    letter = press_emails(mails)[address_of("GERMANY")]
    assert SECRET in letter.text
    assert all("Jeanne" not in mail.text for mail in mails)
    assert "Sent:" in mails[-1].text
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_press_in_the_line_of_its_recipients_is_quoted(table: Table) -> None:
    [receipt] = table.reply(table.latest("FRANCE"), f"PRESS TO GERMANY: {SECRET}\nA Par-Bur")

    assert f"the line ENDPRESS is missing. | {SECRET} | A Par-Bur" in receipt.words
    assert table.current_orders("FRANCE") == ()


def test_press_names_powers_and_no_addresses(table: Table) -> None:
    letter = write(table, "FRANCE", "G")[address_of("GERMANY")]

    assert letter.subject == "JUDGE:baltic - S1901M Press from France to Germany"
    assert "Message from France to Germany in 'baltic'" in letter.text
    assert address_of("FRANCE") not in letter.text
    assert "A reply to this email goes to France only." in letter.words


def test_quotes_signatures_and_our_addresses_are_removed(table: Table) -> None:
    token = table.latest("FRANCE").reply_to
    text = f"{SECRET}\nWrite to {token} or {token.upper()}\n-- \nJeanne of Orleans"

    letter = write(table, "FRANCE", "G", text)[address_of("GERMANY")]

    assert token.lower() not in letter.text.lower()
    assert f"Write to {JUDGE}" in letter.text
    assert "Orleans" not in letter.text


def test_orders_in_press_are_not_carried_out(table: Table) -> None:
    write(table, "FRANCE", "G", "A Par-Bur\nSET DRAW\nRESIGN")

    assert table.current_orders("FRANCE") == ()
    assert not table.game().draw_votes


def test_text_outside_the_block_reaches_nobody(table: Table) -> None:
    mails = table.reply(
        table.latest("FRANCE"), f"Do as I say!\nPRESS TO G\n{SECRET}\nENDPRESS\nHe is a fool."
    )

    letter = press_emails(mails)[address_of("GERMANY")]
    assert "Do as I say" not in letter.text
    assert "fool" not in letter.text


def test_press_that_is_not_closed_goes_nowhere_and_nothing_after_it_counts(
    table: Table,
) -> None:
    receipt = table.send("FRANCE", f"A Mar H\nPRESS TO G\n{SECRET}\nA Par-Bur\nSET WAIT")

    assert not press_emails(table.outbox())
    assert table.current_orders("FRANCE") == ("A MAR H",)
    assert "after it was read: the line ENDPRESS is missing." in receipt.words
    assert f"| {SECRET}" in receipt.text
    assert "| A Par-Bur" in receipt.text


@pytest.mark.parametrize("opening", ["PRESS -F TO E", "PRESS TO E -R"])
def test_press_to_some_and_to_all_but_some_goes_to_nobody(table: Table, opening: str) -> None:
    table.send("GERMANY", f"{opening}\n{SECRET}\nENDPRESS")

    assert not press_emails(table.outbox())


def test_press_to_somebody_unknown_goes_to_nobody(table: Table) -> None:
    receipt = table.send("FRANCE", f"PRESS TO G, Spain\n{SECRET}\nENDPRESS")

    assert not press_emails(table.outbox())
    assert "unknown recipient SPAIN" in receipt.words
    assert f"| {SECRET}" in receipt.text


@pytest.mark.parametrize(
    ("to", "reader"),
    [
        pytest.param("Anna", "GERMANY", id="a handle"),
        pytest.param("anna, weber", "GERMANY", id="two names of one person"),
        pytest.param("ANNA", "GERMANY", id="a handle in capitals"),
        pytest.param("Ines", "ITALY", id="a handle of which only some letters are powers"),
    ],
)
def test_press_goes_to_a_player_by_name(table: Table, to: str, reader: str) -> None:
    table.send("GERMANY", "SET HANDLE Anna")
    table.send("ITALY", "SET HANDLE Ines-Lopez")
    to = to.replace(", weber", ", GERMANY")

    assert write(table, "FRANCE", to).keys() == {address_of(reader)}


def test_letters_that_are_a_name_too_reach_nobody_unless_written_as_a_name(table: Table) -> None:
    table.send("ITALY", "SET HANDLE Tig")

    assert not write(table, "FRANCE", "TIG")
    assert not write(table, "FRANCE", "tig")
    assert write(table, "FRANCE", "Tig").keys() == {address_of("ITALY")}
    assert write(table, "FRANCE", "tie").keys() == {
        address_of(power) for power in ("TURKEY", "ITALY", "ENGLAND")
    }


@pytest.mark.parametrize(
    ("handle", "opening", "readers"),
    [
        ("Quiet", "PRESS TO G QUIET", ("GERMANY",)),
        ("Everyone", "PRESS TO EVERYONE", tuple(each for each in POWERS if each != "FRANCE")),
    ],
)
def test_no_name_gets_what_is_for_others(
    table: Table, handle: str, opening: str, readers: tuple[str, ...]
) -> None:
    table.send("ITALY", f"SET HANDLE {handle}")
    sent = press_emails(table.reply(table.latest("FRANCE"), f"{opening}\n{SECRET}\nENDPRESS"))

    assert sent.keys() == {address_of(power) for power in readers}


def test_a_player_called_like_a_province_takes_no_orders_from_others(table: Table) -> None:
    table.send("ITALY", "SET HANDLE Paris")

    table.send("FRANCE", "Paris, A Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize(
    "text",
    [
        "Dear Anna,\n\nshall we go for Russia? I move to Burgundy.\n\nBest, Bob",
        "Hi Anna, let us leave Burgundy empty.",
        "Salut Anna ! On laisse la Bourgogne vide ?",
        "@Anna: leave Burgundy empty!",
        "Anna,\n\nI leave Burgundy empty if you do. Deal?",
        "Hello Germany, let us leave Burgundy empty.",
        "Cher Allemand, laissons la Bourgogne vide cette ann\xe9e.",
    ],
)
def test_a_letter_to_a_player_is_offered_as_press_and_orders_nothing(
    table: Table, text: str
) -> None:
    table.send("GERMANY", "SET HANDLE Anna")
    [receipt] = table.reply(table.latest("FRANCE"), text)
    assert "PRESS TO GERMANY" in receipt.words
    assert not press_emails(table.outbox())
    assert table.current_orders("FRANCE") == ()

    table.reply(receipt, "PRESS")

    letter = press_emails(table.outbox())[address_of("GERMANY")]
    assert text.rsplit(maxsplit=1)[-1] in letter.text


def test_names_that_gunboat_hides_open_no_letter(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")
    judge.send("GERMANY", "SET HANDLE Nelly")

    receipt = judge.send("FRANCE", "Dear Nelly,\nshall we go for Russia?")

    assert "PRESS TO" not in receipt.words
    assert not write(judge, "FRANCE", "Nelly")


def test_a_greeting_above_orders_for_the_judge_opens_no_letter(table: Table) -> None:
    receipt = table.send("FRANCE", "Hi Germany, thanks for the chat!\nA Par-Bur")

    assert "PRESS TO" not in receipt.words
    assert "A Par-Bur" in receipt.words


@pytest.mark.parametrize("to", ["", "F"], ids=["nobody", "oneself"])
def test_press_to_oneself_is_quoted(table: Table, to: str) -> None:
    receipt = table.send("FRANCE", f"PRESS TO {to}\n{SECRET}\nENDPRESS")

    assert not press_emails(table.outbox())
    assert "Your press was not sent." in receipt.words
    assert f"| {SECRET}" in receipt.text


def test_press_to_a_power_without_a_player_is_quoted(table: Table) -> None:
    table.confirm(table.reply(table.latest("GERMANY"), "RESIGN")[-1])

    receipt = table.send("FRANCE", f"PRESS TO G\n{SECRET}\nENDPRESS\nPRESS TO G,E\nHi\nENDPRESS")

    assert "Your press was not sent." in receipt.words
    assert "Your press went to England." in receipt.words


def test_a_reply_to_press_goes_to_its_sender_only(table: Table) -> None:
    letter = write(table, "FRANCE", "ALL")[address_of("GERMANY")]

    mails = table.reply(letter, "Agreed.\n> " + SECRET)

    [answer] = [mail for mail in mails if mail.kind == "letter"]
    [echo] = [mail for mail in mails if mail.kind == "press_echo"]
    assert answer.recipient == address_of("FRANCE")
    assert "Message from Germany to France" in answer.text
    assert "Agreed." in answer.text
    assert SECRET not in answer.text
    assert echo.recipient == address_of("GERMANY")
    assert "Your press went to France." in echo.text
    assert "To give orders, reply to results, a reminder or a receipt." in echo.words


def test_a_reply_to_press_from_elsewhere_waits_even_if_it_signs_on(table: Table) -> None:
    table.send("GERMANY", "SET PASSWORD kartoffel")
    letter = write(table, "FRANCE", "G")[address_of("GERMANY")]

    [confirm] = table.reply(
        letter, "SIGNON Gbaltic kartoffel\nA Mun-Ruh", sender="hans@home.example"
    )
    assert confirm.kind == "confirm_mail"
    assert "kartoffel" not in confirm.text
    [question] = table.reply(confirm, confirm.yes)

    assert question.kind == "press_or_orders"
    assert "kartoffel" not in question.text
    assert table.current_orders("GERMANY") == ()
    assert table.count_events(PressSent) == 1


def test_a_reply_to_press_that_comes_twice_goes_once(table: Table) -> None:
    letter = write(table, "FRANCE", "G")[address_of("GERMANY")]
    mail = table.compose(address_of("GERMANY"), "Agreed.", letter.reply_to)
    table.deliver(mail, None, letter.reply_to)
    mail["Received"] = "by another way"
    table.deliver(mail, None, letter.reply_to)

    table.run_once()

    assert len(table.emails_to(address_of("FRANCE"), "letter")) == 1
    assert "The judge already received" in table.emails_to(address_of("GERMANY"))[-1].text


def test_a_reply_to_a_player_who_has_left_goes_to_nobody(table: Table) -> None:
    letter = write(table, "FRANCE", "G")[address_of("GERMANY")]
    table.confirm(table.reply(table.latest("FRANCE"), "RESIGN")[-1])

    [echo] = table.reply(letter, "Agreed.")

    assert "Your press was not sent." in echo.words


def test_press_is_sealed_in_the_log(table: Table) -> None:
    write(table, "FRANCE", "G")
    letter = write(table, "GERMANY", "F", "Only if you leave Munich")[address_of("FRANCE")]
    table.reply(letter, "Never")

    log = str(table.query("SELECT payload FROM events"))
    assert table.count_events(PressSent) == 3
    assert "Belgium" not in log
    assert "Munich" not in log
    assert "Never" not in log


def test_press_follows_the_rules_of_the_game(judge: Table) -> None:
    judge.start("baltic", "press=none", moderator=MODERATOR)

    receipt = judge.send("FRANCE", f"PRESS TO G\n{SECRET}\nENDPRESS")

    assert "The rules of this game do not allow this press in this phase." in receipt.words
    assert f"| {SECRET}" in receipt.text


def test_players_and_the_moderator_exchange_press(judge: Table) -> None:
    judge.start("baltic", "press=none", moderator=MODERATOR)
    question = write(judge, "FRANCE", "MASTER", "May I have more time?")[MODERATOR]

    mails = judge.reply(question, "You may.")

    assert question.subject.endswith("Press from France to Moderator")
    [answer] = press_emails(mails).values()
    assert answer.recipient == address_of("FRANCE")
    assert "Message from Moderator to France" in answer.text
    assert write(judge, "FRANCE", "M", "Thank you.").keys() == {MODERATOR}


def test_the_moderator_writes_to_all(table: Table) -> None:
    start = table.emails_to(MODERATOR, "game_start")[0]

    mails = table.reply(start, "PRESS TO ALL\nBe kind to each other.\nENDPRESS")

    assert press_emails(mails).keys() == {address_of(power) for power in POWERS}
    assert "Broadcast from Moderator" in press_emails(mails)[address_of("FRANCE")].subject


def test_a_moderator_who_plays_gets_press_for_the_moderator(judge: Table) -> None:
    judge.start("baltic", moderator=address_of("TURKEY"))

    assert write(judge, "FRANCE", "M").keys() == {address_of("TURKEY")}


def test_without_a_moderator_there_is_nobody_to_write_to(judge: Table) -> None:
    judge.start("baltic")

    receipt = judge.send("FRANCE", f"PRESS TO M\n{SECRET}\nENDPRESS")

    assert "Your press was not sent." in receipt.words


def test_a_late_player_writes_only_to_the_moderator(table: Table) -> None:
    table.all_hold(but=("FRANCE",))
    table.pass_time(hours=24 * 10)  # past the extended deadline, within grace
    assert table.emails_to(address_of("FRANCE"), "late_notice")

    receipt = table.send("FRANCE", f"PRESS TO G\n{SECRET}\nENDPRESS\nPRESS TO M\nSorry\nENDPRESS")

    assert "Your orders are late. Send them first" in receipt.words
    assert "Your press went to Moderator." in receipt.words


def test_in_gunboat_the_writer_sees_all_that_was_sent(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")
    receipt = judge.send("FRANCE", f"PRESS TO G\n{SECRET}\nJacques\nENDPRESS")

    assert f"| {SECRET} | Jacques" in receipt.words
    assert "in it reveals who you are:" in receipt.words


OFFERED = "If these are orders, reply: USE THESE"


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("Dear Germany,\nA Par-Bur", ("A PAR - BUR",)),
        ("Germany, A Par-Bur", ("A PAR - BUR",)),
        ("A Par-Bur\nENDPRESS", ("A PAR - BUR",)),
    ],
)
def test_held_press_is_offered_as_orders(
    table: Table, text: str, standing: tuple[str, ...]
) -> None:
    [answer] = table.reply(table.latest("FRANCE"), text)
    assert OFFERED in answer.words
    assert table.current_orders("FRANCE") == ()

    table.reply(answer, "USE THESE")

    assert table.current_orders("FRANCE") == standing


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Dear Germany,\nlet us be friends", id="no orders"),
        pytest.param("A Mar-Spa\nDear Germany,\nA Par-Bur", id="orders beside it"),
        pytest.param("PRESS TO G\nA Par-Bur\nENDPRESS", id="press"),
    ],
)
def test_other_press_is_not_offered_as_orders(table: Table, text: str) -> None:
    assert OFFERED not in table.send("FRANCE", text).words


@pytest.mark.parametrize("opening", ["Message to Germany:", "Draft:"])
def test_held_or_previewed_orders_can_be_used(table: Table, opening: str) -> None:
    [answer] = table.reply(table.latest("FRANCE"), f"{opening}\nA Par-Bur")
    assert table.current_orders("FRANCE") == ()

    table.reply(answer, "USE THESE")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize("word", ["PRESS", "YES", "Press, please."])
def test_a_one_line_message_is_offered_as_press_and_sent_by_one_word(
    table: Table, word: str
) -> None:
    [receipt] = table.reply(table.latest("FRANCE"), "To Austria: shall we attack Italy?")
    assert "To send this to Austria as press, reply: PRESS" in (receipt.words)
    assert not press_emails(table.outbox())

    told = table.reply(receipt, word)[-1]

    letter = press_emails(table.outbox())[address_of("AUSTRIA")]
    assert letter.text.count("shall we attack Italy?") == 1
    assert "To Austria:" not in letter.text
    assert "Your press went to Austria. Sent: | shall we attack" in told.words


@pytest.mark.parametrize("word", ["oui, envoyez-le", "Ja, schick es ab", "yes, send it please"])
def test_offered_press_is_sent_as_written_when_its_writer_agrees(table: Table, word: str) -> None:
    table.send("GERMANY", "SET HANDLE Anna")
    [receipt] = table.reply(table.latest("FRANCE"), "Hi Anna,\n\nshall we?\n\n\nBest,\nBea")

    table.reply(receipt, word)

    letter = press_emails(table.outbox())[address_of("GERMANY")]
    assert "Hi Anna,\n\nshall we?\n\n" in letter.text


@pytest.mark.parametrize(
    "greeting",
    ["Dear Near East,\n\n", "Hi Near East, ", "Lieber Naher Osten,\n", "To Near East: "],
)
def test_a_letter_to_a_power_of_several_words_is_offered_as_press(
    judge: Table, greeting: str
) -> None:
    judge.start("globe", variant="world")
    text = f"{greeting}sorry about Iran, nothing personal! Want to talk?"

    [receipt] = judge.reply(judge.latest("INDIA", "globe"), text)
    assert "PRESS TO NEAR-EAST" in receipt.words
    judge.reply(receipt, "yes, send it")

    assert address_of("NEAR-EAST") in press_emails(judge.outbox())


@pytest.mark.parametrize("word", ["PRESS", "Yes, send it", "ja, schick es ab", "oui, envoyez-le"])
def test_offered_press_is_sent_from_another_receipt_if_it_is_the_only_one(
    table: Table, word: str
) -> None:
    for _ in range(2):
        table.reply(table.latest("FRANCE"), "Dear Austria,\nshall we?")
    receipt = table.send("FRANCE", "A Par-Bur")
    table.reply(receipt, "Yes")
    assert table.count_events(PressSent) == 0

    table.reply(receipt, word)

    assert "shall we?" in press_emails(table.outbox())[address_of("AUSTRIA")].text
    again = table.reply(receipt, "PRESS")[-1]
    assert table.count_events(PressSent) == 1
    assert "Your press went" not in again.words


def test_press_of_another_receipt_is_not_sent_if_there_are_two(table: Table) -> None:
    table.reply(table.latest("FRANCE"), "Dear Austria,\nshall we?")
    table.reply(table.latest("FRANCE"), "Dear Italy,\nshall we not?")

    [told] = table.reply(table.send("FRANCE", "A Par-Bur"), "PRESS")

    assert table.count_events(PressSent) == 0
    assert "Several messages of yours were held back." in told.words


def test_a_yes_that_sends_means_the_orders_that_its_receipt_offers(table: Table) -> None:
    table.reply(table.latest("FRANCE"), "Dear Austria,\nshall we?")
    receipt = table.send("FRANCE", "A Mar-Spa\nParis to Burgundy, maybe")
    assert "Reply YES" in receipt.words

    table.reply(receipt, "Yes, send it")

    assert table.count_events(PressSent) == 0


def test_offered_press_is_sent_once(table: Table) -> None:
    [receipt] = table.reply(table.latest("FRANCE"), "Dear Austria,\nshall we?")
    table.reply(receipt, "PRESS")

    [told] = table.reply(receipt, "PRESS")

    assert "PRESS: refused." in told.words
    assert "Dear Austria,\nshall we?" in press_emails(table.outbox())[address_of("AUSTRIA")].text
    assert table.count_events(PressSent) == 1


def test_a_message_with_orders_is_not_offered_as_press(table: Table) -> None:
    [receipt] = table.reply(table.latest("FRANCE"), "A Par-Bur\nTo Austria: shall we?")

    assert "To send this to Austria as press" not in receipt.words
    table.reply(receipt, "YES")
    assert not press_emails(table.outbox())


def test_press_may_hold_what_looks_like_an_email(table: Table) -> None:
    text = "Deadline: Mon 30 Nov 2026 20:00\nFrom: <otto@players.example>\nHello"

    sent = press_emails(table.reply(table.latest("FRANCE"), f"PRESS TO G\n{text}\nENDPRESS"))

    assert "Hello" in sent[address_of("GERMANY")].words


def test_an_open_block_of_press_is_not_closed_by_one_in_an_older_email(table: Table) -> None:
    older = "From: <f@players.example>\nSent: 28.11.2026\n\nPRESS TO G\nOld.\nENDPRESS"

    assert press_emails(table.reply(table.latest("FRANCE"), f"PRESS TO G\nNew.\n\n{older}")) == {}


def test_press_to_the_moderator_of_a_game_without_one_says_so(judge: Table) -> None:
    judge.start("lepanto")

    receipt = judge.send("FRANCE", "PRESS TO M\nHello.\nENDPRESS", "lepanto")

    assert "This game has no moderator." in receipt.words


@pytest.mark.parametrize("answer", ["PRESS", "Yes, please send it to all.\n\nJacques", "yes send"])
def test_press_that_nothing_closes_is_sent_by_a_yes(table: Table, answer: str) -> None:
    receipt = table.send("FRANCE", f"BROADCAST\n\nDear friends,\n\n{SECRET}\n\nJacques")
    assert "reply: PRESS" in receipt.words
    assert "body=PRESS" in receipt.text
    assert not table.emails_to(address_of("GERMANY"), "letter")

    table.reply(receipt, answer)

    assert SECRET in table.emails_to(address_of("GERMANY"), "letter")[-1].words


def test_press_with_orders_that_nothing_closes_is_not_offered(table: Table) -> None:
    receipt = table.send("FRANCE", f"PRESS TO G\n{SECRET}\n\nA Par-Bur")

    assert "reply: PRESS" not in receipt.words


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("Message for Germany only:\n", "GERMANY"),
        ("hey Nora, france here. ", "ITALY"),
        ("Kannst du bitte Nora ausrichten: ", "ITALY"),
        ("Dis à Nora : ", "ITALY"),
        ("Nur für Nora:\n", "ITALY"),
        ("Could you tell Nora that ", "ITALY"),
        ("could you tell Italy we ", "ITALY"),
        ("Könnten Sie Nora bitte ausrichten, dass ", "ITALY"),
        ("Bitte sag Italien, dass ", "ITALY"),
        ("Pourriez-vous dire à l'Italie que ", "ITALY"),
        ("pouvez-vous transmettre ceci à l'Italie s'il vous plaît ?\n\n", "ITALY"),
        ("Can you forward this to Italy please?\n\nDear Nora,\n", "ITALY"),
    ],
)
def test_a_letter_in_everyday_words_is_offered_and_not_forwarded(
    table: Table, text: str, reader: str
) -> None:
    table.reply(table.latest("ITALY"), "SET HANDLE Nora")

    receipt = table.send("FRANCE", f"{text}{SECRET}")

    assert "reply: PRESS" in receipt.words
    assert "moderator gets a copy" not in receipt.words
    assert "ENDPRESS Sends press" not in receipt.words  # the page of HELP
    table.reply(receipt, "ok, send it")
    assert SECRET in table.emails_to(address_of(reader), "letter")[-1].words


def test_orders_below_what_a_player_should_hear_are_carried_out(table: Table) -> None:
    table.send("FRANCE", "Could you tell Germany that I agree?\n\nA Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_what_a_moderator_wants_all_to_know_is_sent_by_a_yes(table: Table) -> None:
    said = "Please tell everyone: fall orders are due on Thursday."
    receipt = table.reply(table.emails_to(MODERATOR)[-1], said)[-1]

    table.reply(receipt, "Yes please\n\nSimon")

    assert "due on Thursday" in table.emails_to(address_of("GERMANY"), "letter")[-1].words
