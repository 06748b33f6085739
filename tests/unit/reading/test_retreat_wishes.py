"""Retreats wished for while units still move are read beside the orders, and order nothing."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.order_lines import read_orders
from judge.app.commands.situation import Situation
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import Understood

BOARD = load_map()
FRANCE = Situation(BOARD, BOARD.start, "FRANCE")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Marseilles holds. If dislodged, retreat to Gascony.", ["A MAR R GAS"]),
        ("Marseilles holds. If it's dislodged it retreats to Gascony.", ["A MAR R GAS"]),
        ("A Mar H, if dislodged retreat to Gas.", ["A MAR R GAS"]),
        ("A Mar H\nIf dislodged, retreat to Gascony or Burgundy.", ["A MAR R GAS", "A MAR R BUR"]),
        ("A Mar H. If kicked out, go to Gas, otherwise disband.", ["A MAR R GAS", "A MAR D"]),
        ("A Mar H. Should it be dislodged, retreat it to Spain.", ["A MAR R SPA"]),
        ("Marseilles holds. Retreat to Gascony if dislodged.", ["A MAR R GAS"]),
        ("Par to Pic. A Mar H. If Marseilles is dislodged, retreat to Gas", ["A MAR R GAS"]),
        ("Marseille hält. Falls es vertrieben wird, Rückzug nach Spanien", ["A MAR R SPA"]),
        ("Marseille tient. Si elle est délogée, elle se replie en Gascogne.", ["A MAR R GAS"]),
    ],
)  # fmt: skip
def test_a_retreat_wished_for_is_noted_beside_the_order_of_its_unit(
    text: str, wish: list[str]
) -> None:
    readings = read_orders(FRANCE, split(text).fresh).readings

    [holds] = [each for each in readings if isinstance(each, Understood) and each.retreats]
    assert [write_order(each) for each in holds.retreats] == wish
    assert write_order(holds.order) == "A MAR H"


@pytest.mark.parametrize(
    "text",
    [
        "Marseilles holds. If Marseilles is dislodged I'll be angry with Italy.",
        "If Paris is dislodged, retreat to Gascony.",
        "Paris to Picardy, Marseilles holds. If dislodged, retreat to Gascony.",
        "Marseilles holds. If dislodged, maybe retreat to Gascony.",
        "Marseilles holds. If dislodged, retreat to Kiel.",
        "Marseilles holds. If Italy is dislodged from Venice, retreat to Gascony.",
    ],
)
def test_a_wish_that_is_not_plain_is_not_noted_and_orders_nothing(text: str) -> None:
    readings = read_orders(FRANCE, split(text).fresh).readings

    assert not [each for each in readings if isinstance(each, Understood) and each.retreats]
    orders = {write_order(each) for each in read_email(FRANCE, split(text)).orders}
    assert orders <= {"A MAR H", "A PAR - PIC"}
