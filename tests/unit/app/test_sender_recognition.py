"""The recognition of senders: token, thread, subject tag, password, From."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from urllib.parse import unquote

import pytest
from sqlalchemy import Engine, event

from judge.game.game_state import SeatState
from tests.support.table import FIRST_DEADLINE, JUDGE, MODERATOR, Mail, Table, address_of

FRANCE, GERMANY = address_of("FRANCE"), address_of("GERMANY")
LOOKER = "olga@watchers.example"
HOME = "pierre@home.example"  # not a registered address
LAST_MINUTE = FIRST_DEADLINE + timedelta(hours=47, minutes=59)  # the first spring is extended
ORDER = "A Par-Bur"
UNDERSTOOD = "\nA Par-Bur\n"
WELCOME = "The judge runs games of Diplomacy by email."


def with_password(table: Table, power: str = "FRANCE", word: str = "ratatouille") -> None:
    table.send(power, f"SET PASSWORD {word}")


def asked(mails: tuple[Mail, ...]) -> Mail:
    """Return the only email, a question to a player at their registered address."""
    [confirm] = mails
    assert (confirm.kind, confirm.recipient) == ("confirm_mail", FRANCE)
    return confirm


def test_a_token_with_a_registered_address_is_proof(table: Table) -> None:
    receipt = table.send("FRANCE", ORDER)

    assert UNDERSTOOD in receipt.text
    assert receipt.answers


def test_case_of_addresses_does_not_matter(table: Table) -> None:
    answered = table.latest("FRANCE")

    [receipt] = table.mail(
        FRANCE.upper(), ORDER, answered.reply_to.upper().replace("JUDGE", "judge")
    )

    assert UNDERSTOOD in receipt.text


def test_an_address_with_a_lookalike_character_is_another_address(table: Table) -> None:
    alike = "ru\u017fsia@players.example"

    [confirm] = table.reply(table.latest("RUSSIA"), "A Mos H", sender=alike)

    assert (confirm.kind, confirm.recipient) == ("confirm_mail", address_of("RUSSIA"))
    assert table.current_orders("RUSSIA") == ()


def test_a_token_from_another_address_takes_no_effect_until_the_player_says_yes(
    table: Table,
) -> None:
    confirm = asked(table.reply(table.latest("FRANCE"), ORDER, sender=HOME))
    assert f"| {ORDER}" in confirm.text
    assert table.current_orders("FRANCE") == ()

    [receipt] = table.reply(confirm, confirm.yes)

    assert UNDERSTOOD in receipt.text
    assert receipt.recipient == FRANCE
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_no_takes_no_effect_and_is_answered(table: Table) -> None:
    confirm = asked(table.reply(table.latest("FRANCE"), ORDER, sender=HOME))

    [settled] = table.reply(confirm, "NO")

    assert "you answered NO" in settled.text
    assert table.current_orders("FRANCE") == ()


def test_the_yes_of_another_player_takes_no_effect(table: Table) -> None:
    confirm = asked(table.reply(table.latest("FRANCE"), ORDER, sender=HOME))

    table.reply(confirm, "YES", sender=GERMANY)

    assert table.current_orders("FRANCE") == ()


def test_a_confirmed_mail_counts_from_when_it_arrived(table: Table) -> None:
    table.all_hold(but=("TURKEY",))
    table.wait_until(LAST_MINUTE)
    confirm = asked(table.reply(table.latest("FRANCE"), ORDER, sender=HOME))
    table.pass_time(minutes=2)  # past the deadline; the game waits for Turkey

    frozen = table.send("FRANCE", "A Par-Pic")
    [receipt] = table.reply(confirm, confirm.yes)

    assert "The deadline has passed" in frozen.words
    assert UNDERSTOOD in receipt.text
    assert "A PAR - BUR" in table.current_orders("FRANCE")


def test_a_confirmed_email_does_not_undo_later_ones(table: Table) -> None:
    confirm = asked(table.reply(table.latest("FRANCE"), ORDER, sender=HOME))
    table.pass_time(minutes=1)
    table.send("FRANCE", "A Par-Pic")

    [receipt] = table.reply(confirm, confirm.yes)

    assert "refused" in receipt.text
    assert table.current_orders("FRANCE") == ("A PAR - PIC",)


def test_questions_need_no_proof_and_get_public_answers(table: Table) -> None:
    table.send("FRANCE", ORDER)

    [answer] = table.reply(table.latest("FRANCE"), "STATUS baltic", sender=HOME)

    assert answer.recipient == HOME
    assert "France: Army Paris." in answer.text
    assert "Burgundy" not in answer.text


def test_a_token_used_by_another_player_is_revoked(table: Table) -> None:
    leaked = table.latest("FRANCE")

    asked(table.reply(leaked, ORDER, sender=GERMANY))

    again = table.mail(FRANCE, ORDER, leaked.reply_to, In_Reply_To="<lost@x>")
    asked(again)  # even from France
    assert table.current_orders("FRANCE") == ()


def test_after_a_leak_new_tokens_work(table: Table) -> None:
    leaked = table.latest("FRANCE")
    confirm = asked(table.reply(leaked, ORDER, sender=GERMANY))
    table.reply(confirm, "NO")
    confirm = asked(table.reply(leaked, ORDER))

    [receipt] = table.reply(confirm, confirm.yes)

    assert receipt.token != leaked.token
    assert "\nA Par-Pic\n" in table.send("FRANCE", "A Par-Pic").text


def test_a_token_shown_to_other_recipients_is_revoked(
    table: Table,
) -> None:
    shared = table.latest("FRANCE")

    [receipt] = table.reply(shared, ORDER, Cc=f"A friend <{HOME}>, {JUDGE}, {FRANCE}")

    assert UNDERSTOOD in receipt.text  # the player's own email
    assert "your reply address in it, so it has changed" in receipt.words
    assert receipt.token != shared.token
    asked(table.mail(FRANCE, "A Par-Pic", shared.reply_to))
    assert "\nA Par-Pic\n" in table.reply(receipt, "A Par-Pic")[0].text


def test_where_the_server_vouches_a_shared_address_still_counts_for_its_player(
    table: Table,
) -> None:
    table.judge = replace(table.judge, authserv_id="mx.judge.example")
    table.way_in = "lmtp"
    shared = table.latest("FRANCE")

    [receipt] = vouched(table, FRANCE, ORDER, shared, Cc=HOME)

    assert "so it has changed" not in receipt.words
    assert receipt.token != shared.token
    for answered in (shared, receipt):
        assert UNDERSTOOD in vouched(table, FRANCE, ORDER, answered)[-1].text
    asked(vouched(table, HOME, "A Par-Pic", shared))


def vouched(
    table: Table, sender: str, text: str, answered: Mail, **headers: str
) -> tuple[Mail, ...]:
    """Send a reply whose From the mail server vouches for."""
    before, domain = len(table.outbox()), sender.partition("@")[2]
    headers |= {"In_Reply_To": answered.message_id}
    mail = table.compose(sender, text, answered.reply_to, **headers)
    checked = f"Authentication-Results: mx.judge.example; dmarc=pass header.from={domain}\r\n"
    table.store_email(checked.encode() + mail.as_bytes(), sender, answered.reply_to)
    table.run_once()
    return table.outbox()[before:]


def test_a_question_says_that_an_email_has_shown_the_reply_address_to_others(table: Table) -> None:
    shared = table.latest("FRANCE")
    table.play()

    question = asked(table.reply(shared, ORDER, Cc=HOME))

    assert "so the address has changed" in question.words
    assert table.latest("FRANCE").token != shared.token
    again = asked(table.reply(shared, ORDER))
    assert "so the address has changed" not in again.words


@pytest.mark.parametrize("text", ["HISTORY", "LIST", "Fine with me.", "A Par-Bur"])
def test_whatever_a_shared_email_says_its_answer_names_the_changed_address(
    table: Table, text: str
) -> None:
    table.send("GERMANY", "PRESS TO F\nShall we share Belgium?\nENDPRESS")
    letter = table.emails_to(FRANCE, "letter")[-1]
    answered = letter if text == "Fine with me." else table.latest("FRANCE")

    sent = table.reply(answered, text, Cc=HOME)

    [answer] = [each for each in sent if each.recipient == FRANCE]
    assert answer.words.count("your reply address in it, so it has changed") == 1
    assert "\nA Par-Pic\n" in table.reply(answer, "ORDERS\nA Par-Pic\nENDORDERS")[-1].text


def test_copying_an_email_to_oneself_shares_no_token(table: Table) -> None:
    answered = table.latest("FRANCE")

    table.reply(answered, ORDER, Cc=FRANCE)

    assert "\nA Par-Pic\n" in table.reply(answered, "A Par-Pic")[0].text


def test_the_thread_identifies_the_sender_without_a_token(table: Table) -> None:
    answered = table.latest("FRANCE")

    [receipt] = table.mail(FRANCE, ORDER, JUDGE, In_Reply_To=answered.message_id)

    assert UNDERSTOOD in receipt.text


def test_a_thread_of_strangers_identifies_nobody(table: Table) -> None:
    [answer] = table.mail(HOME, ORDER, JUDGE, References="<a@x.example> <b@y.example>")

    assert WELCOME in answer.words


def test_the_subject_tag_identifies_the_game_where_addresses_have_no_token(table: Table) -> None:
    answered = table.latest("FRANCE")

    [receipt] = table.mail(FRANCE, ORDER, subject=f"Re: orders [#{answered.token}]")

    assert UNDERSTOOD in receipt.text


def test_without_a_delimiter_our_subjects_have_the_tag(table: Table) -> None:
    table.judge = replace(table.judge, delimiter="")

    receipt = table.send("FRANCE", ORDER)

    assert receipt.reply_to == JUDGE
    assert "[#" in receipt.subject
    [again] = table.mail(FRANCE, "A Par-Pic", subject=receipt.subject)
    assert "\nA Par-Pic\n" in again.text


def test_a_from_alone_is_confirmed(table: Table) -> None:
    confirm = asked(table.mail(FRANCE, ORDER))

    [receipt] = table.reply(confirm, confirm.yes)

    assert UNDERSTOOD in receipt.text


def test_an_unknown_token_is_ignored(table: Table) -> None:
    asked(table.mail(FRANCE, ORDER, "judge+aaaabbbbccccdddd@judge.example"))
    [answer] = table.mail(HOME, ORDER, "judge+aaaabbbbccccdddd@judge.example")

    assert WELCOME in answer.words


def test_a_player_of_two_games_is_asked_which_one_and_answers_with_a_tap(table: Table) -> None:
    table.open("adriatic")
    table.reply(table.latest("FRANCE"), "JOIN adriatic")
    confirm = asked(table.mail(FRANCE, ORDER))

    [answer] = table.reply(confirm, confirm.yes)
    before = table.current_orders("FRANCE")
    tapped = unquote(answer.text.partition("body=GAME%20baltic")[2].partition(">")[0])
    table.reply(answer, f"GAME baltic{tapped}")

    assert "You take part in adriatic and baltic." in answer.words
    assert f"| {ORDER}" in answer.text
    assert before == ()
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_email_of_a_player_of_two_games_is_about_the_one_that_it_mentions(
    table: Table,
) -> None:
    table.open("adriatic")
    table.reply(table.latest("FRANCE"), "JOIN adriatic")
    confirm = asked(table.mail(FRANCE, f"{ORDER}\n\nThat is for my units in the game baltic."))

    [receipt] = table.reply(confirm, confirm.yes)

    assert UNDERSTOOD in receipt.text
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_somebody_who_is_in_no_game_any_more_gets_the_door(table: Table) -> None:
    table.open("adriatic")
    [confirm] = table.mail("zoe@players.example", "JOIN adriatic")
    *_, joined = table.confirm(confirm)
    *_, question = table.reply(joined, "RESIGN")
    table.confirm(question)
    [question] = table.mail("zoe@players.example", "Hello")

    [answer] = table.confirm(question)

    assert "JOIN%20adriatic" in answer.text


def test_a_password_signs_on_from_a_registered_address(table: Table) -> None:
    with_password(table)

    [receipt] = table.mail(FRANCE, f"SIGNON Fbaltic ratatouille\n{ORDER}")

    assert "You are signed on." in receipt.text
    assert UNDERSTOOD in receipt.text
    assert receipt.recipient == FRANCE


@pytest.mark.parametrize(
    "signon",
    [
        pytest.param("SIGNON Fbaltic cassoulet", id="wrong password"),
        pytest.param("SIGNON Gbaltic ratatouille", id="another power"),
        pytest.param("SIGNON Fnowhere ratatouille", id="no such game"),
        pytest.param("SIGNON Mbaltic ratatouille", id="moderator"),
        pytest.param("SIGNON baltic ratatouille", id="no power"),
    ],
)
def test_failed_signons_are_all_answered_alike(table: Table, signon: str) -> None:
    with_password(table)

    [answer] = table.mail(HOME, f"{signon}\n{ORDER}")

    assert (answer.kind, answer.recipient) == ("unknown", HOME)
    assert "Your SIGNON was not accepted" in answer.words
    assert table.current_orders("FRANCE") == table.current_orders("GERMANY") == ()


REFUSED = "Its SIGNON has a wrong password. YES signs you on anyway"


def test_a_wrong_password_from_a_registered_address_gets_a_confirmation(table: Table) -> None:
    with_password(table)

    confirm = asked(table.mail(FRANCE, f"SIGNON Fbaltic cassoulet\n{ORDER}"))
    [receipt] = table.reply(confirm, confirm.yes)

    assert REFUSED in confirm.words
    assert "cassoulet" not in confirm.text
    assert "You are signed on." in receipt.text
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize(
    "signon",
    [
        pytest.param("SIGNON Fbaltic", id="no password"),
        pytest.param("SIGNON Gbaltic cassoulet", id="another power"),
        pytest.param("SIGNON Fnowhere cassoulet", id="no such game"),
        pytest.param("SET WAIT", id="no signon"),
    ],
)
def test_no_other_email_mentions_a_refused_password(table: Table, signon: str) -> None:
    with_password(table)

    assert REFUSED not in asked(table.mail(FRANCE, f"{signon}\n{ORDER}")).words


def test_two_failed_signons_are_answered_once(table: Table) -> None:
    [answer] = table.mail(HOME, f"SIGNON Fbaltic x\n{ORDER}\nSIGNON Gbaltic y\nA Mun H")

    assert "there is no such game, the password is wrong" in answer.words
    assert table.current_orders("FRANCE") == table.current_orders("GERMANY") == ()


def test_a_known_player_is_told_that_the_signon_failed(table: Table) -> None:
    receipt = table.send("FRANCE", f"{ORDER}\nSIGNON Gbaltic wrong\nA Mun H")

    assert UNDERSTOOD in receipt.text
    assert "The SIGNON on line 2 failed: SIGNON Gbaltic ***" in receipt.words
    assert table.current_orders("GERMANY") == ()


def test_signon_beats_the_token_it_is_sent_with_once_its_owner_confirms(table: Table) -> None:
    with_password(table)

    sent = table.reply(table.latest("GERMANY"), f"SIGNON Fbaltic ratatouille\n{ORDER}")
    assert table.current_orders("FRANCE") == table.current_orders("GERMANY") == ()

    [asked] = [mail for mail in sent if mail.kind == "confirm_mail"]
    assert asked.recipient == FRANCE
    table.reply(asked, "YES")
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_the_moderator_signs_on_with_master(table: Table) -> None:
    confirm = table.mail(MODERATOR, "SET PASSWORD chairman")
    table.reply(confirm[0], confirm[0].yes)

    [receipt] = table.mail(MODERATOR, "SIGNON Mbaltic chairman\nPRESS TO F\nBonjour\nENDPRESS")[:1]

    assert receipt.kind == "letter"
    assert receipt.recipient == FRANCE


def test_before_the_start_a_password_signs_on_too(judge: Table) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(FRANCE, "JOIN baltic ratatouille")
    judge.reply(confirm, confirm.yes)

    [receipt] = judge.mail(FRANCE, "SIGNON Fbaltic ratatouille\nPREFER F")

    assert "Your power preferences are set." in receipt.text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("SIGNON Fbaltic hush123\nA Par H", id="a failed signon"),
        pytest.param("SET PASSWORD hush123", id="password set"),
        pytest.param("JOIN adriatic hush123", id="joined"),
        pytest.param("SIGNON Fbaltic hush123 please", id="too many words"),
        pytest.param("PRESS TO G\nHello\nSIGNON Fbaltic hush123", id="in press that never ends"),
        pytest.param("SIGNOFF\nSET PASSWORD hush123", id="after signoff"),
        pytest.param("RESIGN\nSET PASSWORD hush123", id="resigning"),
    ],
)
def test_no_password_is_ever_shown_back(table: Table, text: str) -> None:
    table.open("adriatic")
    table.send("FRANCE", text)
    table.reply(table.latest("FRANCE"), text, sender=HOME)
    table.mail(GERMANY, text)
    table.mail("stranger@x.example", text)

    assert not [mail for mail in table.outbox() if "hush123" in mail.text + mail.subject]
    assert not table.query("SELECT 1 FROM events WHERE payload LIKE '%hush123%'")
    assert "hush123" not in str(table.operator_log.lines)


@pytest.fixture
def two(table: Table) -> Table:
    """Return a judge with the games `dogger` and `baltic`, of the same players."""
    table.start("dogger", moderator=MODERATOR)
    table.run_once()
    return table


def test_lines_below_the_name_of_ones_other_game_are_for_that_game(two: Table) -> None:
    receipt = two.send(
        "FRANCE", "A Par-Bur\n\nIn game dogger:\nA Par-Pic\nWAIT\n\nbaltic:\nA Mar H"
    )

    assert two.current_orders("FRANCE") == ("A PAR - BUR", "A MAR H")
    assert two.current_orders("FRANCE", "dogger") == ("A PAR - PIC",)
    assert "dogger" in receipt.text
    two.send("FRANCE", "Hello,\nGame: baltic\nF Bre H", "dogger")
    assert two.current_orders("FRANCE") == ("A PAR - BUR", "A MAR H", "F BRE H")


def test_a_subject_that_names_ones_other_game_is_for_that_game(two: Table) -> None:
    to = two.latest("FRANCE", "dogger").reply_to

    [receipt] = two.mail(FRANCE, "A Par-Bur", to, subject="[baltic] orders")

    assert two.current_orders("FRANCE") == ("A PAR - BUR",)
    assert two.current_orders("FRANCE", "dogger") == ()
    assert "JUDGE:baltic" in receipt.subject


def test_a_game_that_needs_more_proof_cannot_be_addressed_from_another(table: Table) -> None:
    table.start("dogger", "proof=strict")
    table.run_once()

    receipt = table.send("FRANCE", "A Par-Bur\ndogger:\nA Par-Pic\nA Mar H")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert table.current_orders("FRANCE", "dogger") == ()
    assert "Line 2 names game dogger, but this email does not prove" in receipt.words
    [answer] = table.mail(FRANCE, "A Par-Pic", table.latest("FRANCE").reply_to, subject="[dogger]")
    assert "The subject names game dogger" in answer.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_orders_for_a_game_of_others_are_for_no_other_game(table: Table) -> None:
    table.open("dogger")

    receipt = table.send("FRANCE", "A Par-Bur\nGame dogger:\nA Mar H")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "ORDERS: refused. The game has not started yet." in receipt.words


def test_a_from_accepted_by_one_game_does_not_count_in_another(table: Table) -> None:
    table.start("dogger", "proof=loose")
    table.run_once()

    table.mail(FRANCE, "Game baltic:\nA Par-Bur", subject="JUDGE:dogger")
    table.mail(FRANCE, "SIGNON Fbaltic\nA Par-Bur", subject="JUDGE:dogger")
    assert table.current_orders("FRANCE") == ()
    table.send("FRANCE", "Game dogger:\nA Par-Bur")
    assert table.current_orders("FRANCE", "dogger") == ("A PAR - BUR",)


def test_a_wish_to_resign_is_for_the_game_named_above_it_when_it_is_confirmed(two: Table) -> None:
    *_, confirm = two.reply(two.latest("FRANCE"), "dogger:\nRESIGN")

    two.reply(confirm, confirm.yes)

    states = [two.game(name).seats["FRANCE"].state for name in ("dogger", "baltic")]
    assert states == [SeatState.VACANT, SeatState.PLAYED]


def test_a_moderator_acting_for_a_player_cannot_switch_games(two: Table) -> None:
    [to] = {mail.reply_to for mail in two.emails_to(MODERATOR)[-1:]}

    two.mail(MODERATOR, "BECOME F\nA Par-Bur\nGame baltic:\nA Mar H", to)

    assert two.current_orders("FRANCE", "dogger") == ("A PAR - BUR",)
    assert two.current_orders("FRANCE") == ()


def test_an_email_costs_the_same_among_many_games(judge: Table) -> None:
    judge.start("baltic", "proof=loose")
    [confirm] = judge.mail(LOOKER, "OBSERVE baltic")
    judge.reply(confirm, confirm.yes)
    queries_for(judge)
    among_one = queries_for(judge)
    for number in range(8):
        judge.start(f"other{number}")
    queries_for(judge)

    assert "INSERT INTO outbox" in " ".join(among_one)
    assert queries_for(judge) == among_one


def queries_for(table: Table) -> list[str]:
    """Return the SQL queries for an unthreaded email from a player of one game."""
    asked: list[str] = []

    def note(*told: object) -> None:
        asked.append(str(told[2]))

    event.listen(Engine, "before_cursor_execute", note)
    [answer] = table.mail(LOOKER, "baltic:\nSTATUS")
    event.remove(Engine, "before_cursor_execute", note)
    assert "baltic" in answer.text
    return asked
