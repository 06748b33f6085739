"""Blind games: a power sees the provinces that it borders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game import visibility
from judge.game.decision import Accepted, Refused
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules
from judge.game.phases import missing_orders
from judge.game.visibility import (
    Moderator,
    Observer,
    Player,
    Reader,
    is_board_hidden,
    position_seen,
    view,
)
from judge.game.voting import GameEnded
from judge.rules.types import Position
from tests.unit.game.table import BOARD, after, ask, given, in_phase, standing, started, submit

BLIND = HouseRules(blind=True)
UNITS = {"FRANCE": "A BUR", "GERMANY": "A MUN, A BER", "RUSSIA": "A MOS, F SEV"}
CENTERS = {"FRANCE": "PAR", "GERMANY": "MUN BER", "RUSSIA": "MOS"}


def dark() -> Game:
    return in_phase("S1902M", UNITS, CENTERS, rules=BLIND)


def sees(game: Game, reader: Reader) -> Position:
    assert game.position
    return position_seen(BOARD, game, game.position, reader)


def test_a_power_sees_itself_and_what_it_borders() -> None:
    seen = sees(dark(), Player("FRANCE"))

    assert {f"{unit.power} {unit}" for unit in seen.units} == {"FRANCE A BUR", "GERMANY A MUN"}
    assert seen.owners == {"PAR": "FRANCE", "MUN": "GERMANY"}


def test_an_observer_sees_nothing_and_a_moderator_everything() -> None:
    game = dark()

    assert sees(game, Observer()).units == ()
    assert sees(game, Moderator()) == game.position
    assert not is_board_hidden(game, Moderator())
    assert view(game, Observer()).position is None
    assert view(game, Player("FRANCE"), BOARD).position == sees(game, Player("FRANCE"))


def test_when_the_game_is_over_everybody_sees_everything() -> None:
    game = after(dark(), GameEnded("S1902M", "draw", ("FRANCE",)))

    assert sees(game, Observer()) == game.position


def test_other_powers_retreats_are_hidden() -> None:
    dislodged = {"FRANCE": {"A MUN": ("BER", "RUH TYR")}, "GERMANY": {"A BUR": ("PAR", "BEL")}}
    units = {"FRANCE": "A PAR, A BUR", "GERMANY": "A BER, A MUN"}
    game = in_phase("S1902R", units, CENTERS, dislodged, rules=BLIND)

    seen = sees(game, Player("FRANCE"))

    assert {each.unit.power: each.retreats for each in seen.dislodged} == {
        "FRANCE": ("RUH", "TYR"),
        "GERMANY": (),
    }


def test_remarks_do_not_reveal_units_out_of_sight() -> None:
    game = dark()
    there = ask(game, submit("FRANCE", "A BUR S A BER - RUH"))
    nowhere = ask(game, submit("FRANCE", "A BUR S A KIE - RUH"))

    assert isinstance(there, Accepted)
    assert isinstance(nowhere, Accepted)
    assert (there.remarks, nowhere.remarks) == ((), ())
    for text in ("A BUR S A BER - RUH", "A BUR S A KIE - RUH"):
        needs = missing_orders(BOARD, given(game, submit("FRANCE", text)))
        assert needs
        assert needs.is_in("FRANCE")
    assert standing(given(game, submit("FRANCE", "A BUR H")), "FRANCE") == ("A BUR H",)


@pytest.mark.parametrize("order", ["A MUN S A BER", "A MOS S A SEV", "F KIE C A BER - DEN"])
def test_a_unit_of_another_power_is_not_ordered_about_one_out_of_sight(order: str) -> None:
    answer = ask(dark(), submit("FRANCE", order))

    assert isinstance(answer, Refused)
    assert [each.refused for each in answer.remarks] == [True]


def test_orders_about_visible_units_can_be_impossible() -> None:
    game = dark()
    refused = ask(game, submit("FRANCE", "A BUR - MOS"))
    wrong = ask(game, submit("FRANCE", "A BUR S A MUN - MOS"))

    assert isinstance(refused, Accepted)
    assert isinstance(wrong, Accepted)
    assert refused.remarks
    assert wrong.remarks


def test_a_game_that_is_not_blind_hides_no_board() -> None:
    game = started()
    assert game.position

    assert visibility.position_visible_to(BOARD, game, game.position, None) == game.position
    assert replace(game.position) == sees(game, Observer())
