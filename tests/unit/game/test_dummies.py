"""Dummies: powers without a player that the game does not wait for."""

from __future__ import annotations

from judge.game.clock import ProcessNow
from judge.game.decision import Why
from judge.game.future_orders import PlanOrders
from judge.game.game_state import Game, SeatState
from judge.game.house_rules import Dummies, Entry, HouseRules
from judge.game.moderator_tasks import AsksToJoin, command_for_answer, moderator_tasks
from judge.game.phases import PhaseClosed
from judge.game.players.joining import AdmitPlayer, Resign
from judge.game.players.seats import CivilDisorderDeclared, MakeDummy, PowerVacated
from judge.game.players.standbys import JoinGame
from judge.game.submission import SubmitOrders
from judge.game.voting import GameEnded
from judge.rules.types import Phase
from tests.unit.game.table import (
    BOARD,
    MONDAY,
    created,
    draw,
    given,
    happened,
    in_phase,
    orders,
    refused,
    started,
)

ORDERED = HouseRules(dummies=Dummies.MODERATOR)
DUMMY = MakeDummy("ITALY", "mod")


def order(text: str, person: str = "mod", power: str = "ITALY") -> SubmitOrders:
    return SubmitOrders(power, person, orders(text), MONDAY, "mail", "nonce", "evidence")


def with_dummy(rules: HouseRules = ORDERED) -> Game:
    return given(started(rules), DUMMY)


def test_a_player_is_replaced_by_a_dummy_that_is_not_waited_for() -> None:
    vacated, declared = happened(started(), DUMMY)

    assert isinstance(vacated, PowerVacated)
    assert vacated.reason == "ejected"
    assert declared == CivilDisorderDeclared("ITALY", "S1901M")


def test_a_vacant_power_made_a_dummy_is_not_waited_for() -> None:
    assert happened(given(started(), Resign("italy")), DUMMY) == (
        CivilDisorderDeclared("ITALY", "S1901M"),
    )


def test_these_powers_cannot_become_dummies() -> None:
    assert refused(created(), DUMMY) is Why.NOT_STARTED
    assert refused(with_dummy(), DUMMY) is Why.NOTHING_CHANGED
    assert refused(started(), MakeDummy("SPAIN", "mod")) is Why.UNKNOWN_POWER


def test_removing_the_last_player_abandons_the_game() -> None:
    game = in_phase("S1905M", {"FRANCE": "A PAR", "ITALY": "A ROM"})
    game = given(game, MakeDummy("FRANCE", "mod"))

    assert happened(game, DUMMY)[-1] == GameEnded("S1905M", "abandoned", ())


def test_removing_a_player_may_complete_a_vote() -> None:
    game = given(started(), *(draw(power) for power in BOARD.powers if power != "ITALY"))

    assert happened(game, DUMMY)[-1] == GameEnded("S1901M", "draw", BOARD.powers)


def test_the_moderator_orders_for_dummies_where_the_rules_say_so() -> None:
    game = given(with_dummy(), order("A Ven-Tri"))

    assert game.phase
    assert game.phase.standing["ITALY"] == ("A VEN - TRI",)
    closed = happened(game, ProcessNow("operator"))[0]
    assert isinstance(closed, PhaseClosed)
    assert closed.orders["ITALY"] == ("A VEN - TRI",)


def test_the_moderator_gives_future_orders_for_dummies() -> None:
    later = PlanOrders("ITALY", "mod", Phase.parse("F1901M"), (), MONDAY, "mail", "nonce")

    assert refused(with_dummy(HouseRules()), later) is Why.NOT_A_PLAYER
    assert refused(with_dummy(), later) is not Why.NOT_A_PLAYER


def test_only_the_moderator_orders_for_dummies_and_only_for_them() -> None:
    assert refused(with_dummy(HouseRules()), order("A Ven-Tri")) is Why.NOT_A_PLAYER
    assert refused(with_dummy(), order("A Ven-Tri", "italy")) is Why.NOT_A_PLAYER
    assert refused(with_dummy(), order("A Par-Bur", power="FRANCE")) is Why.NOT_A_PLAYER
    assert refused(with_dummy(), order("A Par-Bur", power="SPAIN")) is Why.UNKNOWN_POWER
    assert refused(created(ORDERED), order("A Ven-Tri")) is Why.NOT_STARTED


def test_a_playing_moderator_does_not_order_for_dummies() -> None:
    game = given(with_dummy(), Resign("france"), JoinGame("mod", (), "seed", "FRANCE"))

    assert game.seats["FRANCE"].state is SeatState.PLAYED
    assert refused(game, order("A Ven-Tri")) is Why.NOT_A_PLAYER


def test_an_eliminated_dummy_gets_no_orders() -> None:
    game = in_phase("S1905M", {"FRANCE": "A PAR", "TURKEY": "A CON"}, rules=ORDERED)

    assert refused(given(game, DUMMY), order("A Ven-Tri")) is Why.ELIMINATED


def test_an_applicant_for_a_dummy_waits_for_the_moderator() -> None:
    rules = HouseRules(entry=Entry.APPROVAL)
    asked = given(created(rules), JoinGame("anna", (), "seed"))

    assert moderator_tasks(BOARD, asked) == (AsksToJoin("anna", None),)
    for yes in (True, False):
        assert command_for_answer(AsksToJoin("anna", None), "mod", "seed", yes=yes) == AdmitPlayer(
            "anna", yes, "mod", "seed"
        )
