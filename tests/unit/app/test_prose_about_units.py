"""Prose about the writer's own units is reported as not understood; other prose is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase, read_orders
from judge.app.commands.situation import Situation
from judge.mail.body import Line
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Understood
from judge.rules.types import PhaseKind, Position
from tests.support.table import Table
from tests.unit.game.table import in_phase

BOARD = load_map()


def not_understood_in(
    text: str, power: str = "FRANCE", position: Position = BOARD.start
) -> list[str]:
    """Return the parts of *text* that are reported as not understood."""
    lines = tuple(Line(number, line) for number, line in enumerate(text.split("\n"), 1))
    readings = read_orders(Situation(BOARD, position, power), lines).readings
    return [each.text for each in readings if isinstance(each, NotUnderstood)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ich zöge mit A Par nach Bur.", ["Ich zöge mit A Par nach Bur"]),
        ("Beide halten", ["Beide halten"]),
        ("A Par-Bur and F Bre", ["F Bre"]),
        ("Maybe Paris goes to Burgundy.", ["Maybe Paris goes to Burgundy"]),
        ("The fleet in Brest does the usual", ["The fleet in Brest does the usual"]),
    ],
)
def test_prose_about_an_own_unit_is_reported(text: str, told: list[str]) -> None:
    assert not_understood_in(text) == told


@pytest.mark.parametrize("text", ["Ok: A Mar H", "ok: a mar h", "A Mar-Spa\nNo, wait: A Mar H"])
def test_an_order_behind_a_word_and_a_colon_is_an_order(text: str) -> None:
    *_, last = (each for each in read_for_phase(text, BOARD) if isinstance(each, Understood))

    assert write_order(last.order) == "A MAR H"


@pytest.mark.parametrize(
    "text",
    [
        "A Par-Bur, my army in Paris is brave",  # The army has an order.
        "I see A Mun. A Par-Bur",  # another power's unit
        "Thanks, it was a par for us.",
        "Army Paris, No Order Processed.",
        "A Par-Bur (so that A Mar is free)\nA Mar H",
        "A Par-Bur (to bounce A Mun)",
        "A Mar H (retreat: Gas, Spa)",
        "A Par-Bur (*bounce*)",
        "A Par, A Mar, F Bre H",  # All three hold.
        "Both of us hope for the best, and all my friends in Paris do",
        "Your armies are strong.",
        "Greetings from Paris and Brest",
        "All units hold",
        "A Par-Bur, A Mar-Spa, F Bre-Mao; all armies hold on",  # All units have orders.
    ],
)
def test_other_prose_is_ignored(text: str) -> None:
    assert not_understood_in(text) == []


def test_its_a_war_names_no_army() -> None:
    assert not_understood_in("Well, it is a war", "RUSSIA") == []


def test_prose_about_units_is_ignored_in_adjustments() -> None:
    phase = replace(BOARD.start.phase, kind=PhaseKind.ADJUSTMENTS)

    assert (
        not_understood_in("My A Par and I thank you", position=replace(BOARD.start, phase=phase))
        == []
    )


def test_the_receipt_quotes_prose_about_units(table: Table) -> None:
    receipt = table.send("FRANCE", "I'd like A Par to be in the news.")

    assert "Line 1 was not understood: I'd like A Par" in receipt.words


def test_a_wish_for_a_unit_is_an_order_and_all_others_hold(table: Table) -> None:
    table.send("FRANCE", "I'd like A Par to go to Bur.\nAll others hold")

    assert set(table.current_orders("FRANCE")) == {"A PAR - BUR", "A MAR H", "F BRE H"}


def test_a_unit_in_unreadable_prose_is_none_of_the_others_that_hold(table: Table) -> None:
    table.send("FRANCE", "I'd like A Par to be in the news.\nAll others hold")

    assert set(table.current_orders("FRANCE")) == {"A MAR H", "F BRE H"}


BUILDING = in_phase("W1901A", {"ITALY": "A TUN"}, {"ITALY": "ROM NAP VEN TUN"})


@pytest.mark.parametrize(
    "text",
    [
        "keep the build",
        "I keep my builds.",
        "Hold builds",
        "We'll keep back our builds",
        "skip builds until 1903",
    ],
)
def test_a_player_who_keeps_builds_is_asked_about_waiving(text: str) -> None:
    assert BUILDING.position
    assert not_understood_in(text, "ITALY", BUILDING.position) == [text.rstrip(".")]
    assert not_understood_in(text, "TURKEY", BUILDING.position) == []
    assert not_understood_in(text, "ITALY") == []


@pytest.mark.parametrize(
    "text",
    ["keep up the good builds", "Keep in touch", "Builds keep coming", "keep Rome", "Hold on"],
)
def test_keep_with_anything_else_asks_nothing(text: str) -> None:
    assert BUILDING.position
    assert not_understood_in(text, "ITALY", BUILDING.position) == []


LONG_LETTER = "The weather is fine here and I went for a walk with my dog today.\n" * 120


def test_orders_at_the_end_of_a_long_letter_count(table: Table) -> None:
    receipt = table.send("FRANCE", f"{LONG_LETTER}\nA Par-Bur\nall others hold")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "all others hold" in receipt.words


def test_a_letter_without_end_says_where_reading_ended(table: Table) -> None:
    receipt = table.send("FRANCE", f"A Par-Bur\n{LONG_LETTER * 5}\nF Bre H")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "not read" in receipt.words
