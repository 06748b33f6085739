"""Actions of the operator, and what players notice of them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.app.admin import game_admin
from judge.app.game.apply import OPERATOR, CommandResult
from judge.app.ports.judge import GAMES_KEPT_MAX
from judge.event_log import Head
from judge.game.decision import Accepted, Refused, Why
from judge.game.house_rules import from_pairs
from judge.game.moderator_actions import ViewOrders
from judge.rules.rulebook import DATC
from tests.support.table import FIRST_DEADLINE, MODERATOR, POWERS, Table, address_of


def why(result: CommandResult) -> Why:
    assert isinstance(result.decision, Refused)
    return result.decision.why


def test_a_new_game_waits_for_players(judge: Table) -> None:
    result = game_admin.create_game(
        judge.judge, game_admin.NewGame("baltic", from_pairs(()), DATC, moderator=MODERATOR)
    )

    assert result.game
    assert [game.name for game in game_admin.list_games(judge.judge)] == ["baltic"]
    assert judge.game("baltic").moderator
    assert {mail.recipient for mail in judge.outbox()} == {MODERATOR}


def test_a_game_is_created_once(table: Table) -> None:
    again = game_admin.create_game(table.judge, game_admin.NewGame("baltic", from_pairs(()), DATC))

    assert why(again) is Why.GAME_EXISTS


def test_a_deadline_that_is_moved_is_told_with_the_reason(table: Table) -> None:
    later = FIRST_DEADLINE + timedelta(days=2)

    game_admin.move_deadline(table.judge, "baltic", later, "Christmas")

    for address in (MODERATOR, *map(address_of, POWERS)):
        [told] = table.emails_to(address, "deadline_change")
        assert "is now Wed 02 Dec 2026 20:00 UTC" in told.words
        assert "It was Mon 30 Nov 2026 20:00 UTC." in told.words
        assert "Reason: Christmas" in told.text
    table.all_hold()
    table.send("FRANCE", "SET WAIT")
    table.wait_until(FIRST_DEADLINE)
    assert table.phase() == "S1901M"


def test_a_command_for_one_phase_is_not_applied_in_the_next(table: Table) -> None:
    table.play()
    later = FIRST_DEADLINE + timedelta(days=9)

    late = game_admin.move_deadline(table.judge, "baltic", later, "Christmas", "S1901M")
    again = game_admin.roll_back(table.judge, "baltic", "S1901M", "oops", only_in="S1901M")

    assert (why(late), why(again)) == (Why.OTHER_PHASE, Why.OTHER_PHASE)
    assert table.phase() == "F1901M"
    assert isinstance(
        game_admin.move_deadline(table.judge, "baltic", later, "Christmas", "F1901M").decision,
        Accepted,
    )


def test_a_phase_is_closed_with_the_orders_received(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")

    game_admin.close_phase_now(table.judge, "baltic", "S1901M")

    results = table.emails_to(address_of("TURKEY"), "phase_results")[0]
    assert "France: Army Paris -> Burgundy." in results.text
    assert table.phase() == "F1901M"


def test_r42_a_phase_is_not_closed_twice_by_the_same_command(table: Table) -> None:
    game_admin.close_phase_now(table.judge, "baltic", "S1901M")

    assert why(game_admin.close_phase_now(table.judge, "baltic", "S1901M")) is Why.OTHER_PHASE
    assert table.phase() == "F1901M"


def test_orders_that_are_looked_at_stay_in_the_log_and_in_the_results(table: Table) -> None:
    game_admin.apply_operator_command(
        table.judge, "baltic", ViewOrders(OPERATOR, "to settle a dispute")
    )
    game_admin.close_phase_now(table.judge, "baltic", None)
    game_admin.close_phase_now(table.judge, "baltic", None)

    first, second = table.emails_to(address_of("FRANCE"), "phase_results")
    assert "viewed the orders of this phase before it closed: to settle a dispute" in first.words
    assert "looked at" not in second.words


def test_the_operator_writes_to_all_and_answers_go_to_the_moderator(table: Table) -> None:
    game_admin.broadcast(table.judge, "baltic", "The judge moves house on Sunday.\n")

    letters = [table.emails_to(address_of(power), "letter")[0] for power in POWERS]
    assert all("The judge moves house on Sunday." in letter.text for letter in letters)
    assert "Broadcast from Moderator" in letters[0].subject
    mails = table.reply(letters[2], "Thank you.")
    assert [mail.recipient for mail in mails if mail.kind == "letter"] == [MODERATOR]


def test_without_a_moderator_an_answer_to_the_operator_goes_to_nobody(judge: Table) -> None:
    judge.start("baltic")
    game_admin.broadcast(judge.judge, "baltic", "The judge moves house on Sunday.")

    [echo] = judge.reply(judge.emails_to(address_of("FRANCE"), "letter")[0], "Thank you.")

    assert "Your press was not sent." in echo.words


def test_a_broadcast_is_sealed_in_the_log(table: Table) -> None:
    game_admin.broadcast(table.judge, "baltic", "Sunday")

    assert "Sunday" not in str(table.query("SELECT payload FROM events"))


@pytest.mark.parametrize("name", ["nowhere"])
def test_commands_for_an_unknown_game_are_refused(table: Table, name: str) -> None:
    judge = table.judge

    assert why(game_admin.move_deadline(judge, name, FIRST_DEADLINE, "why")) is Why.NO_SUCH_GAME
    assert why(game_admin.close_phase_now(judge, name, None)) is Why.NO_SUCH_GAME
    assert (
        why(game_admin.apply_operator_command(judge, name, ViewOrders(OPERATOR, "why")))
        is Why.NO_SUCH_GAME
    )
    assert why(game_admin.broadcast(judge, name, "why")) is Why.NO_SUCH_GAME
    assert game_admin.load_game(judge, name) is None
    assert game_admin.read_log(judge, name) == ()


def test_the_log_of_a_game_begins_with_its_creation(table: Table) -> None:
    log = game_admin.read_log(table.judge, "baltic")

    assert [each.version for each in log] == list(range(1, len(log) + 1))
    assert type(log[0].event).__name__ == "GameCreated"


def test_no_phase_is_processed_before_an_earlier_email(table: Table) -> None:
    start = table.latest("FRANCE")
    table.store_email(
        f"From: {address_of('FRANCE')}\r\n\r\nA Par-Bur\r\n".encode(),
        address_of("FRANCE"),
        start.reply_to,
    )

    assert why(game_admin.close_phase_now(table.judge, "baltic", None)) is Why.MAIL_WAITING

    table.run_once()
    game_admin.close_phase_now(table.judge, "baltic", None)
    assert any(
        "Army Paris -> Burgundy." in mail.text for mail in table.emails_to(address_of("ITALY"))
    )


def test_a_judge_of_very_many_games_forgets_some_and_finds_them_again(table: Table) -> None:
    histories, game = table.judge.game_cache, table.game()
    histories.kept.clear()
    histories.kept.update({f"game-{n}": (Head(), game) for n in range(GAMES_KEPT_MAX)})

    assert table.game() == game
    assert len(histories.kept) == GAMES_KEPT_MAX
    assert "game-0" not in histories.kept, "it was not asked for in the longest time"
