"""Unsigned, forged, postal and anonymous press by mail, and press by observers."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from judge.app.admin import erase_person, game_admin
from judge.app.outbound.queue import ReplyMeaning, token_for
from judge.app.ports.people import Purpose
from judge.game.press import PressSent
from tests.support.table import MODERATOR, POWERS, Mail, Table, address_of

SECRET = "Let us share Belgium"
OLGA = "olga@watchers.example"


def press_emails(mails: tuple[Mail, ...]) -> dict[str, Mail]:
    return {mail.recipient: mail for mail in mails if mail.kind == "letter"}


def write(table: Table, power: str, line: str, text: str = SECRET) -> dict[str, Mail]:
    """Send press as *power*; return the press emails by recipient."""
    return press_emails(table.reply(table.latest(power), f"{line}\n{text}\nENDPRESS"))


def references(table: Table, mail: Mail) -> set[str]:
    """Return the message ids in the References of *mail*."""
    raw = dict(table.query("SELECT message_id, raw FROM outbox"))[mail.message_id]
    return set(str(message_from_bytes(raw)["References"]).split())


def close_phase(table: Table) -> tuple[Mail, ...]:
    """Close the phase; return the results."""
    before = len(table.outbox())
    game_admin.close_phase_now(table.judge, "baltic", None)
    return tuple(mail for mail in table.outbox()[before:] if mail.kind == "phase_results")


def observe(table: Table) -> Mail:
    """Have Olga observe; return her email to reply to."""
    [confirm] = table.mail(OLGA, "OBSERVE baltic")
    return table.reply(confirm, confirm.yes)[-1]


def test_unsigned_press_names_its_readers_and_nobody_else(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey")

    letter = write(judge, "FRANCE", "PRESS GREY TO E,G")[address_of("GERMANY")]

    assert letter.subject == "JUDGE:baltic - S1901M Unsigned press to England, Germany"
    assert "Unsigned message to England and Germany in 'baltic':" in letter.words
    assert "France" not in letter.text
    assert "FRANCE" not in letter.text


def test_an_unsigned_broadcast_names_nobody(judge: Table) -> None:
    judge.start("baltic", "signing=grey")

    sent = write(judge, "FRANCE", "BROADCAST")

    assert sent.keys() == {address_of(power) for power in POWERS if power != "FRANCE"}
    letter = sent[address_of("GERMANY")]
    assert letter.subject.endswith("S1901M Unsigned broadcast")
    assert "Unsigned broadcast in 'baltic':" in letter.text
    assert not any(power.capitalize() in letter.text for power in POWERS)


def test_the_writer_is_told_that_nobody_learns_who_wrote(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey")

    receipt = judge.send("FRANCE", f"PRESS GREY TO E\n{SECRET}\nENDPRESS")

    assert "Your press went to England. It is unsigned." in receipt.words
    assert f"| {SECRET}" in receipt.text


def test_a_reply_to_unsigned_press_reaches_its_unknown_writer(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey")
    letter = write(judge, "FRANCE", "PRESS GREY TO G")[address_of("GERMANY")]

    mails = judge.reply(letter, "Who are you?")

    assert press_emails(mails).keys() == {address_of("FRANCE")}
    [echo] = [mail for mail in mails if mail.kind == "press_echo"]
    assert "France" not in echo.text
    assert "Your press goes to the writer of the press you answer" in echo.words


def test_a_conversation_begun_unsigned_stays_unsigned(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey")
    letter = write(judge, "FRANCE", "PRESS GREY TO G")[address_of("GERMANY")]
    question = press_emails(judge.reply(letter, "Who are you?"))[address_of("FRANCE")]

    answer = press_emails(judge.reply(question, "A friend."))[address_of("GERMANY")]

    assert "Unsigned" in answer.words
    assert "France" not in answer.text
    assert references(judge, letter) == references(judge, answer)


def test_no_address_or_thread_reveals_the_writer_of_unsigned_press(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey")
    grey = write(judge, "FRANCE", "PRESS GREY TO G")[address_of("GERMANY")]
    white = write(judge, "FRANCE", "PRESS TO G")[address_of("GERMANY")]

    assert grey.token != white.token
    assert not references(judge, grey) & references(judge, white)


def test_an_answer_does_not_tell_that_the_unknown_writer_has_left(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey")
    letter = write(judge, "FRANCE", "PRESS GREY TO G")[address_of("GERMANY")]
    [before] = [m for m in judge.reply(letter, "Who?") if m.kind == "press_echo"]
    judge.confirm(judge.reply(judge.latest("FRANCE"), "RESIGN")[-1])

    [after] = [m for m in judge.reply(letter, "Who are you?") if m.kind == "press_echo"]

    assert before.text.replace("Who?", "Who are you?") == after.text


def test_replies_to_press_form_one_thread(table: Table) -> None:
    first = write(table, "FRANCE", "PRESS TO G")[address_of("GERMANY")]
    answer = press_emails(table.reply(first, "Agreed."))[address_of("FRANCE")]
    back = press_emails(table.reply(answer, "Good."))[address_of("GERMANY")]
    other = write(table, "FRANCE", "PRESS TO G", "By the way")[address_of("GERMANY")]

    assert references(table, first) == references(table, back)
    assert references(table, first) != references(table, other)
    assert not references(table, first) & references(table, answer)


def test_forged_press_looks_like_genuine_press(judge: Table) -> None:
    judge.start("baltic", "fakes=sender")
    forged = write(judge, "FRANCE", "BROADCAST FAKE FROM ITALY")
    true = write(judge, "ITALY", "BROADCAST")

    receipt = judge.send("FRANCE", f"PRESS TO G FROM ITALY\n{SECRET}\nENDPRESS")

    assert forged[address_of("GERMANY")].text == true[address_of("GERMANY")].text
    assert "Broadcast message from Italy" in forged[address_of("GERMANY")].text
    assert "the signature may be false" in forged[address_of("GERMANY")].words
    assert "It is signed by Italy." in receipt.words


def test_a_reply_to_forged_press_goes_to_the_named_sender(judge: Table) -> None:
    judge.start("baltic", "fakes=sender")
    forged = write(judge, "FRANCE", "PRESS TO G FROM ITALY")[address_of("GERMANY")]

    assert press_emails(judge.reply(forged, "Agreed.")).keys() == {address_of("ITALY")}


def test_press_may_name_recipients_who_do_not_get_it(judge: Table) -> None:
    judge.start("baltic", "fakes=readers")

    sent = write(judge, "FRANCE", "PRESS TO G FAKE BROADCAST")
    receipt = judge.latest("FRANCE")

    assert sent.keys() == {address_of("GERMANY")}
    assert "Broadcast message from France" in sent[address_of("GERMANY")].text
    assert "recipients shown may be false" in sent[address_of("GERMANY")].words
    assert "It says that it is for Austria, England, Germany" in receipt.words


def test_press_against_the_rules_goes_to_nobody(table: Table) -> None:
    for line in ("PRESS GREY TO G", "PRESS TO G FROM ITALY", "PRESS TO G FAKE TO E,G"):
        assert write(table, "FRANCE", line) == {}
        assert "do not allow press of this kind" in table.latest("FRANCE").words


def test_the_moderator_is_never_deceived(judge: Table) -> None:
    judge.start("baltic", "fakes=both", "signing=white_grey", moderator=MODERATOR)

    sent = write(judge, "FRANCE", "PRESS GREY TO G,M")

    assert "Unsigned" in sent[address_of("GERMANY")].words
    assert "Message from France to Germany and Moderator" in sent[MODERATOR].words


def test_postal_press_comes_with_the_next_results(table: Table) -> None:
    assert write(table, "FRANCE", "POSTAL PRESS") == {}
    assert "goes to Austria, England, Germany" in table.latest("FRANCE").words

    results = close_phase(table)

    readers = {mail.recipient for mail in results if SECRET in mail.text}
    assert readers == {address_of(power) for power in POWERS if power != "FRANCE"}
    [told] = [mail for mail in results if mail.recipient == address_of("GERMANY")]
    assert "Broadcast message from France in 'baltic':" in told.text
    assert "A reply to this mail goes to France" not in told.words
    assert not any(SECRET in mail.text for mail in close_phase(table))


def test_postal_press_is_no_history_before_it_is_read(table: Table) -> None:
    write(table, "FRANCE", "POSTAL PRESS")

    before = table.send("GERMANY", "HISTORY BROAD")
    close_phase(table)
    after = table.send("GERMANY", "HISTORY BROAD")

    assert SECRET not in before.text
    assert SECRET in after.text


def test_postal_press_is_read_at_the_end_at_the_latest(table: Table) -> None:
    write(table, "FRANCE", "POSTAL PRESS")
    table.all_send("DRAW")

    [over] = table.emails_to(address_of("GERMANY"), "game_over")

    assert SECRET in over.text


def test_postal_press_of_an_erased_person_is_never_delivered(table: Table) -> None:
    write(table, "FRANCE", "POSTAL PRESS")
    told = erase_person.erase_person(
        table.judge, address_of("FRANCE"), from_games=True, really=True
    )
    assert isinstance(told, erase_person.Erasure)

    assert not any(SECRET in mail.text for mail in close_phase(table))


def test_an_old_press_address_without_a_thread_still_works(table: Table) -> None:
    with table.database.write() as transaction:
        hans = transaction.people.by_address(address_of("GERMANY"))
        assert hans
        meaning = ReplyMeaning(game="baltic", power="GERMANY", phase="S1901M", subject="FRANCE")
        token = token_for(transaction, Purpose.PRESS, hans, meaning)
        transaction.people.issue(token)

    sent = press_emails(
        table.mail(address_of("GERMANY"), "Agreed.", f"judge+{token.text}@judge.example")
    )

    assert sent.keys() == {address_of("FRANCE")}


def test_a_preview_shows_what_would_go_out_and_sends_nothing(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")

    receipt = judge.send("FRANCE", f"PREVIEW PRESS TO G\n{SECRET}\nJacques\nENDPRESS")

    assert "Your press would go to Germany. Nothing was sent." in receipt.words
    assert f"| {SECRET}" in receipt.text
    assert judge.count_events(PressSent) == 0
    assert not press_emails(judge.outbox())


def test_a_receipt_is_quiet_when_asked(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")

    receipt = judge.send("FRANCE", f"PRESS TO G QUIET\n{SECRET}\nENDPRESS")

    assert "Your press went to Germany." in receipt.words
    assert SECRET not in receipt.text


def test_unsigned_press_does_not_reveal_its_writer(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey", "fakes=both")
    judge.send("FRANCE", "SET HANDLE Jeanne")
    text = f"Jeanne here, {address_of('FRANCE')}.\nYours,\nJeanne"

    grey = write(judge, "FRANCE", "PRESS GREY TO G", text)[address_of("GERMANY")]
    fake = write(judge, "FRANCE", "PRESS TO G FROM ITALY", text)[address_of("GERMANY")]
    signed = write(judge, "FRANCE", "PRESS TO G", text)[address_of("GERMANY")]

    for letter in (grey, fake):
        assert "[...] here, [...]." in letter.text
        assert "Jeanne" not in letter.text
    assert "Jeanne here" in signed.text


@pytest.mark.parametrize(
    "closing", ["Best,\nJean Dupont", "-- Jean", "Yours, J.", "Cheers\nFrance"]
)
def test_a_name_at_the_end_is_removed_even_if_unknown(judge: Table, closing: str) -> None:
    judge.start("baltic", "signing=white_grey")
    mails = judge.reply(
        judge.latest("FRANCE"), f"PRESS GREY TO G\nHold Munich.\n\n{closing}\nENDPRESS"
    )

    [receipt] = [mail for mail in mails if mail.recipient == address_of("FRANCE")]
    name = closing.splitlines()[-1].removeprefix("-- ").removeprefix("Yours, ")
    letter = press_emails(mails)[address_of("GERMANY")]
    assert "Hold Munich." in letter.text
    assert "[...]" in letter.text
    assert name not in letter.text.partition("Hold Munich.")[2].partition("--------")[0]
    assert f"Removed because it may be your name: {name}" in receipt.words


def test_gunboat_press_has_names_and_addresses_removed(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")
    start = judge.latest("FRANCE")
    text = f"{SECRET}\nwrite to pierre@home.example\nJacques Dubois here\n-- \nJacques"

    mails = judge.reply(
        start,
        f"PRESS TO G\n{text.partition('-- ')[0]}Jacques\nENDPRESS",
        f"Jacques Dubois <{address_of('FRANCE')}>",
    )

    letter = press_emails(mails)[address_of("GERMANY")]
    assert SECRET in letter.text
    assert "[...] here" in letter.text
    assert "Jacques" not in letter.text
    assert "pierre@home.example" not in letter.text


def test_a_reply_in_gunboat_is_masked_as_well(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")
    letter = write(judge, "FRANCE", "PRESS TO G")[address_of("GERMANY")]

    mails = judge.reply(letter, "Agreed, Hans", f"Hans Meier <{address_of('GERMANY')}>")

    assert "Agreed, [...]" in press_emails(mails)[address_of("FRANCE")].text
    [echo] = [mail for mail in mails if mail.kind == "press_echo"]
    assert "Sent: | Agreed, [...]" in echo.words


def test_observers_write_if_the_rules_allow_and_are_answered_alone(judge: Table) -> None:
    judge.start("baltic", "observer_press=all")
    welcome = observe(judge)
    [other] = judge.mail("otto@watchers.example", "OBSERVE baltic")
    judge.reply(other, "YES")

    sent = press_emails(judge.reply(welcome, f"PRESS TO F\n{SECRET}\nENDPRESS"))
    answered = press_emails(judge.reply(sent[address_of("FRANCE")], "Thank you."))

    assert "Message from Observer (player-" in sent[address_of("FRANCE")].text
    assert answered.keys() == {OLGA}
    assert "Message from France to Observer in 'baltic'" in answered[OLGA].text


def test_observers_write_to_nobody_but_the_moderator_otherwise(table: Table) -> None:
    welcome = observe(table)

    refused = table.reply(welcome, f"PRESS TO F\n{SECRET}\nENDPRESS\nPRESS TO M\nHello\nENDPRESS")

    assert press_emails(refused).keys() == {MODERATOR}
    assert "may not write this to the players of this game" in refused[-1].words


def test_players_write_to_observers(table: Table) -> None:
    observe(table)

    assert write(table, "FRANCE", "PRESS TO O").keys() == {OLGA}
    assert OLGA in write(table, "FRANCE", "PRESS TO ALL")
    assert OLGA not in write(table, "FRANCE", "PRESS TO ALL BUT R")


def test_the_rules_sheet_names_the_kinds_of_press(judge: Table) -> None:
    judge.start("baltic", "signing=white_grey", "fakes=both", "must_order=yes")

    sheet = judge.send("FRANCE", "RULES")

    assert "Press may be unsigned (PRESS GREY)." in sheet.words
    assert "PRESS MAY BE FORGED" in sheet.words
    assert "you may write only to the moderator" in sheet.words
