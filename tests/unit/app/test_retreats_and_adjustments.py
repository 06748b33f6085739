"""Retreat and adjustment orders that can be read only against the position."""

from __future__ import annotations

import pytest

from judge.app.commands.order_lines import read_on_board
from judge.game.game_state import Game
from judge.mail.body import Line
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Understood
from judge.reading.world import world_of
from tests.unit.game.table import BOARD, in_phase

RETREATING = in_phase(
    "F1901R", {"AUSTRIA": "A TRI"}, dislodged={"ITALY": {"A VEN": ("TRI", "TUS ROM")}}
)
BUILDING = in_phase("W1901A", {"ITALY": "A TUN"}, {"ITALY": "ROM NAP VEN TUN"})
REMOVING = in_phase("W1901A", {"ITALY": "A VEN, A ROM, F NAP"}, {"ITALY": "ROM NAP"})


def orders_in(game: Game, text: str) -> list[str]:
    assert game.position is not None
    lines = tuple(Line(number, each) for number, each in enumerate(text.split("\n"), 1))
    readings = read_on_board(world_of(BOARD, game.position, "ITALY"), lines).readings
    assert not any(isinstance(each, NotUnderstood) for each in readings)
    return [write_order(each.order) for each in readings if isinstance(each, Understood)]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("I retreat to Tuscany", "A VEN R TUS"),
        ("to Tuscany", "A VEN R TUS"),
        ("Retreat: Tus", "A VEN R TUS"),
        ("retreat my army to Tus", "A VEN R TUS"),
        ("we'll withdraw to Rome or Tuscany", "A VEN R ROM"),
        ("disband it", "A VEN D"),
        ("I disband the army", "A VEN D"),
        ("remove it", "A VEN D"),
    ],
)
def test_the_one_dislodged_unit_need_not_be_named(text: str, order: str) -> None:
    assert orders_in(RETREATING, text) == [order]


@pytest.mark.parametrize(
    "text",
    ["To Tuscany with love", "to whom it may concern", "To Germany:", "I retreat from talks"],
)
def test_a_retreat_that_leads_nowhere_is_not_read(text: str) -> None:
    assert orders_in(RETREATING, text) == []


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("I build nothing", ["WAIVE", "WAIVE", "WAIVE"]),
        ("waive 2", ["WAIVE", "WAIVE"]),
        ("Waive the rest; A Ven", ["WAIVE", "WAIVE", "A VEN B"]),
        ("A Ven, A Rom, F Nap\nno more builds", ["A VEN B", "A ROM B", "F NAP B"]),
        ("waive one, A Ven, waive the rest", ["WAIVE", "A VEN B", "WAIVE"]),
    ],
)
def test_as_many_builds_are_waived_as_are_left(text: str, orders: list[str]) -> None:
    assert orders_in(BUILDING, text) == orders


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Ven", ["A VEN D"]),
        ("Ven A and Nap F", ["A VEN D", "F NAP D"]),
        ("Build A Ven, A Rom", ["A VEN B", "A ROM B"]),  # which the game then refuses
        ("BUILDS:\nA Ven", ["A VEN B"]),
    ],
)
def test_a_bare_unit_is_read_as_the_adjustment_that_is_due(text: str, orders: list[str]) -> None:
    assert orders_in(REMOVING, text) == orders
