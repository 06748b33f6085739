"""The end of a game, and players who leave: votes, RESIGN, takeover by JOIN."""

from __future__ import annotations

from datetime import timedelta

from judge.game.submission import OrdersSubmitted
from tests.support.table import FIRST_DEADLINE, MODERATOR, POWERS, Mail, Table, address_of

BOB = "bob@stranger.example"


def resign(table: Table, power: str) -> tuple[Mail, ...]:
    *_, confirm = table.reply(table.latest(power), "RESIGN")
    return table.reply(confirm, confirm.yes)


def take_over(table: Table, power: str = "FRANCE") -> tuple[Mail, ...]:
    [confirm] = table.mail(BOB, f"JOIN baltic {power}")
    return table.reply(confirm, confirm.yes)


# Votes


def test_a_vote_for_a_draw_is_secret(table: Table) -> None:
    before = len(table.outbox())

    receipt = table.send("FRANCE", "SET DRAW")

    assert "You would accept a draw of all survivors." in receipt.words
    assert table.outbox()[before:] == (receipt,)
    status = table.send("GERMANY", "STATUS")
    told = status.text.partition("To answer with one tap")[0]
    assert "draw" not in told.lower()


def test_the_last_vote_for_a_draw_ends_the_game_and_everybody_is_told(table: Table) -> None:
    table.all_send("SET DRAW", but=("TURKEY",))
    assert not table.game().ending

    table.send("TURKEY", "SET DRAW")

    for address in (MODERATOR, *(address_of(power) for power in POWERS)):
        [over] = table.emails_to(address, "game_over")
        assert "The game was declared a draw between Austria, England," in over.words
        assert "The game is over. Thank you for playing." in over.words


def test_a_vote_can_be_taken_back(table: Table) -> None:
    table.all_send("SET DRAW", but=("TURKEY",))
    assert "You no longer accept a draw." in table.send("FRANCE", "SET NODRAW").text

    table.send("TURKEY", "SET DRAW")

    assert not table.game().ending


def test_a_vote_lasts_one_movement_phase(table: Table) -> None:
    table.all_send("SET DRAW", but=("TURKEY",))
    table.play()

    table.send("TURKEY", "SET DRAW")

    assert not table.game().ending


def test_a_game_is_conceded_by_all_the_others(table: Table) -> None:
    table.all_send("SET CONCEDE R", but=("RUSSIA", "TURKEY"))
    assert not table.emails_to(address_of("RUSSIA"), "game_over")

    receipt = table.send("TURKEY", "SET CONCEDE RUSSIA")

    assert "You would concede the game. (Russia)" in receipt.text
    assert "The game was conceded to Russia." in table.emails_to(address_of("FRANCE"))[-1].text


def test_a_concession_can_be_taken_back(table: Table) -> None:
    table.send("FRANCE", "CONCEDE R")

    receipt = table.send("FRANCE", "SET NOCONCEDE")

    assert "You no longer concede the game." in receipt.text
    assert not table.game().concessions


def test_a_finished_game_takes_no_more_orders(table: Table) -> None:
    table.all_send("SET DRAW")

    receipt = table.send("FRANCE", "A Par-Bur\nSET WAIT\nJOIN baltic")

    assert "ORDERS: refused. The game is over." in receipt.text
    assert "WAIT: refused. The game is over." in receipt.text
    assert "JOIN: refused. The game is over." in receipt.text


def test_the_status_of_a_game_that_is_over_says_how_it_ended(table: Table) -> None:
    table.all_send("SET DRAW")

    [status] = table.mail("somebody@x.example", "STATUS baltic")

    assert "The game was declared a draw" in status.text
    assert "Orders are due" not in status.words


# RESIGN


def test_a_resignation_is_confirmed_first(table: Table) -> None:
    receipt, confirm = table.reply(table.latest("FRANCE"), "RESIGN")

    assert "judge has just sent you." in receipt.words
    assert confirm.recipient == address_of("FRANCE")
    assert "Resignations must always be confirmed" in confirm.words
    assert "reply NO or ignore this email" in confirm.words
    assert table.game().seats["FRANCE"].state.value == "played"


def test_a_confirmed_resignation_leaves_the_power_to_others(table: Table) -> None:
    mails = resign(table, "FRANCE")

    told = {mail.recipient for mail in mails if mail.kind == "vacancy"}
    assert told == {MODERATOR, *(address_of(power) for power in POWERS)}
    [receipt] = [mail for mail in mails if mail.kind == "receipt"]
    assert receipt.recipient == address_of("FRANCE")
    assert "You have left the game." in receipt.text
    assert "The player of France has resigned" in mails[0].text
    offers = [mail.recipient for mail in mails if "JOIN baltic France" in mail.text]
    assert set(offers) == told - {address_of("FRANCE")}


def test_other_commands_of_the_same_email_happen_at_once_and_only_once(table: Table) -> None:
    _, confirm = table.reply(table.latest("FRANCE"), "A Par-Bur\nSET DRAW\nRESIGN")
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    table.send("FRANCE", "A Par-Pic\nSET NODRAW")

    table.reply(confirm, confirm.yes)

    assert table.current_orders("FRANCE") == ("A PAR - PIC",)
    assert not table.game().draw_votes
    assert table.count_events(OrdersSubmitted) == 2


def test_no_leaves_everything_as_it_was(table: Table) -> None:
    _, confirm = table.reply(table.latest("FRANCE"), "RESIGN")

    table.reply(confirm, "NO")

    paris = table.game().seats["FRANCE"].person
    assert paris
    assert table.game().power_of(paris) == "FRANCE"


def test_resign_after_signon_is_confirmed(table: Table) -> None:
    table.send("GERMANY", "SET PASSWORD kartoffel")

    *_, confirm = table.mail(address_of("GERMANY"), "SIGNON Gbaltic kartoffel\nRESIGN")
    assert confirm.recipient == address_of("GERMANY")
    table.reply(confirm, confirm.yes)

    assert table.game().seats["GERMANY"].state.value == "vacant"
    assert table.game().seats["FRANCE"].state.value == "played"


def test_resign_may_name_the_game(table: Table) -> None:
    table.start("adriatic")
    start = table.emails_to(address_of("FRANCE"), "game_start")[0]

    *_, confirm = table.reply(start, "RESIGN adriatic")
    table.reply(confirm, confirm.yes)

    assert table.game("adriatic").seats["FRANCE"].state.value == "vacant"
    assert table.game("baltic").seats["FRANCE"].state.value == "played"


def test_resigning_from_a_hidden_game_reveals_nothing(table: Table) -> None:
    table.open("adriatic", "listed=no")

    [receipt] = table.reply(table.latest("FRANCE"), "RESIGN adriatic")

    assert "RESIGN: refused. There is no game of that name." in receipt.words


def test_a_player_who_resigned_can_do_nothing_more(table: Table) -> None:
    start = table.latest("FRANCE")
    resign(table, "FRANCE")

    [receipt] = table.reply(start, "A Par-Bur\nSET WAIT\nPRESS TO G\nHello\nENDPRESS")

    assert "ORDERS: refused. You are not a player of this game." in receipt.text
    assert "SET WAIT: refused. You are not a player of this game." in receipt.text
    assert "Your press was not sent. You are not a player of this game." in receipt.words


# A takeover


def test_join_takes_a_vacant_power_over(table: Table) -> None:
    resign(table, "FRANCE")
    assert "JOIN baltic France" in table.emails_to(address_of("GERMANY"), "vacancy")[0].text

    mails = take_over(table)

    his = [mail for mail in mails if mail.recipient == BOB]
    assert [mail.kind for mail in his] == ["takeover", "receipt"]
    assert "You now play France. Reply to this email with your orders." in his[0].words
    others = [mail for mail in mails if mail.recipient == address_of("GERMANY")]
    assert "France has a new player." in others[0].text
    table.reply(his[0], "A Par-Bur")
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_new_player_gets_the_orders_of_the_power_and_no_press(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")
    table.reply(table.latest("GERMANY"), "PRESS TO F\nA secret\nENDPRESS")
    resign(table, "FRANCE")

    mails = take_over(table)

    his = "".join(mail.text for mail in mails if mail.recipient == BOB)
    assert "A Par-Bur" in his
    assert "A secret" not in his


def test_a_power_that_is_played_is_not_taken_over(table: Table) -> None:
    resign(table, "FRANCE")

    [receipt] = take_over(table, "GERMANY")

    assert "JOIN: refused. That power has a player." in receipt.words


def test_a_vacant_power_is_listed(table: Table) -> None:
    resign(table, "FRANCE")

    [listed] = table.mail(BOB, "LIST")

    assert "vacant: France" in listed.text


def test_a_takeover_late_in_a_phase_gets_time_and_everybody_is_told(table: Table) -> None:
    table.pass_time(hours=48)
    resign(table, "FRANCE")
    table.wait_until(FIRST_DEADLINE - timedelta(hours=1))

    mails = take_over(table)

    moved = [mail for mail in mails if mail.kind == "deadline_change"]
    assert {mail.recipient for mail in moved} == {
        BOB,
        MODERATOR,
        *(address_of(power) for power in POWERS if power != "FRANCE"),
    }
    assert "a power has a new player." in moved[0].words


def test_a_game_that_everybody_has_left_is_abandoned(table: Table) -> None:
    for power in POWERS:
        resign(table, power)
    assert not table.emails_to(MODERATOR, "game_over")

    table.pass_time(hours=169)

    [over] = table.emails_to(MODERATOR, "game_over")
    assert "The game ended without a result." in over.words
