"""`All others hold`: units without an order hold, and orders already given are kept."""

from __future__ import annotations

import pytest

from judge.app.commands.order_lines import OrdersRead, read_orders
from judge.app.commands.orders import situation_of
from judge.app.commands.situation import Situation
from judge.game.game_state import Game
from judge.mail.body import Line
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood
from judge.reports.emails.receipts import OtherUnitsHold
from tests.unit.game.table import BOARD, given, started, submit


def orders_in(game: Game, text: str) -> tuple[list[str], tuple[OtherUnitsHold, ...]]:
    found = read(situation_of(BOARD, game, "FRANCE"), text)
    return [write_order(each) for each in found.orders("FRANCE")], found.rest


def read(situation: Situation, text: str) -> OrdersRead:
    lines = tuple(Line(number, line) for number, line in enumerate(text.split("\n"), 1))
    return read_orders(situation, lines)


def test_each_unit_that_is_not_named_holds() -> None:
    assert orders_in(started(), "A Par-Bur, all others hold") == (
        ["A PAR - BUR", "F BRE H", "A MAR H"],
        (),
    )


def test_an_earlier_order_is_kept_and_mentioned() -> None:
    game = given(started(), submit("FRANCE", "A Mar-Spa, F Bre H"))

    assert orders_in(game, "A Par-Bur\nrest holds") == (
        ["A PAR - BUR"],
        (OtherUnitsHold(2, "rest holds", ("A Mar-Spa",)),),
    )


@pytest.mark.parametrize("line", ["A Mar - Bergundi", "F Nor - Edi or so"])
def test_with_an_unreadable_line_no_unit_is_ordered_to_hold(line: str) -> None:
    found = read(Situation(BOARD, BOARD.start, "FRANCE"), f"{line}\nall hold")

    assert found.orders("FRANCE") == ()
    assert [each.text for each in found.readings if isinstance(each, NotUnderstood)] == [
        *(line, "all hold")
    ]
    assert found.rest == ()


def test_a_line_that_only_begins_with_all_adds_no_order() -> None:
    assert orders_in(started(), "A Par-Bur\nAll the best") == (["A PAR - BUR"], ())


@pytest.mark.parametrize("text", ["hold all units", "Everything holds.", "Alle Einheiten halten"])
def test_all_units_hold_replaces_earlier_orders(text: str) -> None:
    game = given(started(), submit("FRANCE", "A Mar-Spa, F Bre H"))

    orders, told = orders_in(game, text)

    assert set(orders) == {"A PAR H", "F BRE H", "A MAR H"}
    assert told == ()


def test_an_order_in_the_same_email_is_kept() -> None:
    game = given(started(), submit("FRANCE", "A Mar-Spa"))

    assert orders_in(game, "A Par-Bur, all hold") == (["A PAR - BUR", "F BRE H", "A MAR H"], ())


@pytest.mark.parametrize(
    "said",
    [
        "Other orders stay the same.",
        "The other orders remain unchanged.",
        "Die anderen Befehle bleiben unverändert.",
        "Les autres ordres restent inchangés.",
    ],
)
def test_other_orders_that_stay_as_they_are_order_nothing(said: str) -> None:
    game = given(started(), submit("FRANCE", "A Mar-Spa"))

    assert orders_in(game, f"A Par-Bur. {said}") == (["A PAR - BUR"], ())
