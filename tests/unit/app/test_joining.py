"""A stranger joins a game: JOIN, confirmation, YES."""

from __future__ import annotations

import pytest

from tests.support.table import POWERS, Table, address_of

BOB = "bob@stranger.example"


def test_a_join_waits_until_its_writer_confirms_it(judge: Table) -> None:
    judge.open("baltic")

    [confirm] = judge.mail(BOB, "JOIN baltic")

    assert confirm.recipient == BOB
    assert "reply to this email with the one word: YES" in confirm.words
    assert not judge.game("baltic").joined


def test_yes_takes_the_place_and_the_receipt_says_how_many_players_are_missing(
    judge: Table,
) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(BOB, "JOIN baltic PREFER FE")

    [receipt] = judge.reply(confirm, confirm.yes)

    assert len(judge.game("baltic").joined) == 1
    assert receipt.recipient == BOB
    assert "You have joined the game." in receipt.text
    assert "starts when 6 more players have joined" in receipt.words
    assert "Your preferences, best first: France, England." in receipt.words


@pytest.mark.parametrize(
    "answer",
    ["YES", "Yes!", "ok", "Yes, it is mine", "yes\n\n-- \nBob, from afar"],
)
def test_these_answers_confirm(judge: Table, answer: str) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(BOB, "JOIN baltic")

    judge.reply(confirm, answer)

    assert judge.game("baltic").joined


@pytest.mark.parametrize("answer", ["NO", "Who are you?", "I am away until Monday.", "", "> YES"])
def test_these_answers_do_not_confirm(judge: Table, answer: str) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(BOB, "JOIN baltic")

    judge.reply(confirm, answer)

    assert not judge.game("baltic").joined


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Auto_Submitted": "auto-replied"}, id="marked as automatic"),
        pytest.param({"Precedence": "bulk"}, id="in an older wording"),
        pytest.param({"X_Auto_Response_Suppress": "All"}, id="as Exchange says it"),
    ],
)
def test_a_vacation_reply_is_no_yes(judge: Table, headers: dict[str, str]) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(BOB, "JOIN baltic")

    [told] = judge.reply(confirm, "> It was you?", **headers)
    assert judge.reply(confirm, "YES", **headers) == (), "they are told once"
    assert not judge.game("baltic").joined
    assert "marked as automatic" in told.words

    judge.reply(told, told.yes, **headers)
    assert judge.game("baltic").joined, "some servers mark everything"


def test_no_is_final(judge: Table) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(BOB, "JOIN baltic")

    judge.reply(confirm, "NO")
    judge.reply(confirm, confirm.yes)

    assert not judge.game("baltic").joined


def test_a_yes_from_another_address_confirms_nothing(judge: Table) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(BOB, "JOIN baltic")

    judge.reply(confirm, "YES", sender="mallory@stranger.example")

    assert not judge.game("baltic").joined


def test_a_second_yes_does_nothing_and_says_so(judge: Table) -> None:
    judge.open("baltic")
    [confirm] = judge.mail(BOB, "JOIN baltic")
    judge.reply(confirm, confirm.yes)

    [told] = judge.reply(confirm, "YES, really")

    assert "You have already confirmed that email" in told.words
    assert len(judge.game("baltic").joined) == 1


def test_an_address_is_asked_once_a_day(judge: Table) -> None:
    judge.open("baltic")
    judge.mail(BOB, "JOIN baltic")

    [answer] = judge.mail(BOB.upper(), "JOIN baltic")

    assert "asked you today" in answer.words
    assert (answer.kind, judge.inbox()) == ("at_the_door", ["held", "processed"])
    judge.pass_time(hours=25)
    assert len(judge.mail(BOB, "JOIN baltic")) == 1


def test_an_email_without_a_sender_gets_no_question(judge: Table) -> None:
    judge.open("baltic")

    assert judge.mail("a@x.example, b@x.example", "JOIN baltic") == ()


def test_a_hidden_game_is_answered_like_an_unknown_one(judge: Table) -> None:
    judge.open("baltic", "listed=no")
    [of_none] = judge.mail("carol@stranger.example", "JOIN bothnic")

    [confirm] = judge.mail(BOB, "JOIN baltic")

    assert "No game called baltic is listed here." in confirm.words
    same = of_none.text.replace("bothnic", "baltic").replace(of_none.token, confirm.token)
    assert confirm.text == same


@pytest.mark.parametrize("name", ["baltic", "nowhere"])
def test_a_full_hidden_game_is_answered_like_an_unknown_one(judge: Table, name: str) -> None:
    judge.start("baltic", "listed=no")
    [confirm] = judge.mail(BOB, f"JOIN {name}\nThank you, Bob")

    [receipt] = judge.reply(confirm, confirm.yes)

    assert "JOIN: refused. There is no game of that name." in receipt.words
    assert "Game:" not in receipt.text
    assert "Deadline" not in receipt.text


def test_lines_below_a_join_of_an_unknown_game_are_not_read(judge: Table) -> None:
    orders = "A Par-Bur\nPRESS TO F\nHello\nENDPRESS\nSET PASSWORD secret\nRESIGN\nSET WAIT"
    [confirm] = judge.mail(BOB, f"JOIN nowhere\n{orders}")

    receipt = judge.reply(confirm, confirm.yes)[0]

    assert "There is no game of that name." in receipt.words


def test_an_unlisted_game_takes_those_who_know_its_name(judge: Table) -> None:
    judge.open("baltic", "listed=no")

    judge.join("baltic", "FRANCE")

    assert len(judge.game("baltic").joined) == 1


def test_preferences_and_a_password_may_follow_the_join(judge: Table) -> None:
    judge.open("baltic")
    for power in POWERS[:-1]:
        judge.join("baltic", power)
    [confirm] = judge.mail(BOB, "JOIN baltic\nPREFER T\nSET PASSWORD secret\n")

    judge.reply(confirm, confirm.yes)

    receipt = judge.mail(BOB, "SIGNON Tbaltic secret\nF Ank-Con")[-1]
    assert "F Ank-Con" in receipt.text
    assert receipt.recipient == BOB


def test_preferences_can_be_changed_until_the_start(judge: Table) -> None:
    judge.open("baltic")
    *_, receipt = judge.join("baltic", "FRANCE")

    [changed] = judge.reply(receipt, "SET PREFERENCE T")
    for number in range(6):
        [confirm] = judge.mail(f"{number}@stranger.example", "JOIN baltic")
        judge.reply(confirm, confirm.yes)

    assert "Your power preferences are set." in changed.text
    starts = judge.emails_to(address_of("FRANCE"), "game_start")
    assert [mail.subject for mail in starts] == ["JUDGE:baltic - Game Starting: you play Turkey"]


def test_the_seventh_player_starts_the_game_and_everybody_is_told(judge: Table) -> None:
    judge.open("baltic")
    for power in POWERS[:-1]:
        judge.join("baltic", power)
    assert judge.game("baltic").position is None

    judge.join("baltic", "TURKEY")

    for power in POWERS:
        [start] = judge.emails_to(address_of(power), "game_start")
        assert start.subject == f"JUDGE:baltic - Game Starting: you play {power.capitalize()}"
        assert "Deadline: Mon 30 Nov 2026 20:00 UTC." in start.words


def test_orders_in_the_last_players_join_count(judge: Table) -> None:
    judge.open("baltic")
    for power in POWERS[:-1]:
        judge.join("baltic", power)
    [confirm] = judge.mail(BOB, "JOIN baltic\nF Ank-Bla")

    judge.reply(confirm, confirm.yes)

    assert judge.current_orders("TURKEY") == ("F ANK - BLA",)


def test_nobody_joins_twice(judge: Table) -> None:
    judge.open("baltic")
    *_, receipt = judge.join("baltic", "FRANCE")

    [again] = judge.reply(receipt, "JOIN baltic")

    assert "You are already in this game" in again.words
    assert len(judge.game("baltic").joined) == 1


def test_a_known_player_joins_another_game_by_replying(judge: Table) -> None:
    judge.open("baltic")
    judge.open("adriatic")
    *_, receipt = judge.join("baltic", "FRANCE")

    [joined] = judge.reply(receipt, "JOIN adriatic")

    assert "Game: adriatic" in joined.text
    assert "You have joined the game." in joined.text
    assert judge.game("adriatic").joined.keys() == judge.game("baltic").joined.keys()


def test_resign_before_the_start_frees_the_place(judge: Table) -> None:
    judge.open("baltic")
    *_, receipt = judge.join("baltic", "FRANCE")

    asked, confirm = judge.reply(receipt, "RESIGN")
    [gone] = judge.reply(confirm, confirm.yes)

    assert "judge has just sent you." in asked.words
    assert "You have left the game." in gone.text
    assert not judge.game("baltic").joined


@pytest.mark.parametrize("said", ["SET WAIT", "READY", "DRAW", "CONCEDE F", "CLEAR"])
def test_commands_for_a_power_are_refused_before_the_start(judge: Table, said: str) -> None:
    judge.open("baltic")
    *_, receipt = judge.join("baltic", "FRANCE")

    [answer] = judge.reply(receipt, f"{said}\nA Par-Bur\nPRESS TO G\nHello\nENDPRESS")

    assert f"{said}: refused. The game has not started yet." in answer.text
    assert "ORDERS: refused. The game has not started yet." in answer.text
    assert "Your press was not sent. The game has not started yet." in answer.text
