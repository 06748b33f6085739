"""Text that is never executed: prose, conditions, doubts, and sentences about others."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Reading, Understood, WhyNotUnderstood

BOARD = load_map()

PROSE = [
    "I will attack Munich tomorrow, what do you think?",
    "Thanks, see you in Berlin",
    "Germany",
    "Hi all",
    "SIGNON Fgarnet secret",
    "On Mon, 3 Mar 2025 at 20:00 the judge wrote:",
    "-- ",
    "Paris",
    "London, Paris",
    "Norway Sweden Denmark",
    "A bird in the hand is worth two in the bush",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_left_alone(text: str) -> None:
    assert read_for_phase(text, BOARD) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("A Bud xxx Ser", "A Par goto Bur"),
        *("A Mar S A Par -", "A Mar S A Par \u2013", "A Ser to H"),
    ],
)
def test_a_move_from_place_to_place_is_meant_as_an_order(text: str) -> None:
    assert {type(each) for each in read_for_phase(text, BOARD)} == {NotUnderstood}


@pytest.mark.parametrize(
    "text",
    [
        "Venice to Trieste would be rude",
        "Munich and Burgundy",
        "to Paris",
    ],
)
def test_text_that_only_names_places_is_not(text: str) -> None:
    assert read_for_phase(text, BOARD) == ()


DOUBTFUL = [
    "A Par-Bur unless you object",
    "A Par-Bur?",
    "maybe A Par-Bur",
    "A Par-Bur, perhaps",
    "If he moves to Bur, A Mar S A Par",
    "A Par-Bur if Germany agrees",
    "A Par-Bur (if Germany agrees)",
    "A Par-Bur or Pic",
    "A Par-Bur, otherwise A Par-Pic",
    "Should he move to Bur, A Mar S A Par",
    "A Par-Bur, assuming that Germany agrees",
    "Sollte Deutschland ziehen, A Par-Bur",
    "do not A Par-Bur",
    "don't A Par-Bur",
    "If Germany takes Burgundy:\nA Par S A Mar\nA Mar-Gas",
    "IF A MUN THEN\nA Par S A Mar\n\nELSE\nA Par-Bur\nENDIF",
]


@pytest.mark.parametrize("text", DOUBTFUL)
def test_a_doubtful_order_is_not_executed(text: str) -> None:
    assert not any(isinstance(each, Understood) for each in read_for_phase(text, BOARD))


@pytest.mark.parametrize("text", ["A Par-Bur?", "maybe A Par-Bur", "A Par-Bur if Germany agrees"])
def test_a_doubtful_order_is_asked_about(text: str) -> None:
    assert WhyNotUnderstood.DOUBTFUL in whys(read_for_phase(text, BOARD))


def test_a_doubt_ends_with_its_sentence() -> None:
    *_, certain = read_for_phase("A Par-Bur?; A Mar H", BOARD)

    assert isinstance(certain, Understood)


def test_a_denial_ends_with_its_clause() -> None:
    readings = read_for_phase("A Par-Bur, not A Mar-Bur, or A Mar-Gas", BOARD)

    orders = [write_order(each.order) for each in readings if isinstance(each, Understood)]
    assert not any("MAR" in each for each in orders)


def test_a_condition_with_its_order_is_over_at_the_end_of_the_line() -> None:
    *_, last = read_for_phase("If he moves to Bur, A Mar S A Par\nA Bre H", BOARD)

    assert isinstance(last, Understood)


@pytest.mark.parametrize("text", ["Germany will move A Mun-Bur", "He moves A Mun-Bur"])
def test_what_another_does_is_not_executed(text: str) -> None:
    assert not any(isinstance(each, Understood) for each in read_for_phase(text, BOARD))


def whys(readings: tuple[Reading, ...]) -> list[WhyNotUnderstood]:
    return [each.why for each in readings if isinstance(each, NotUnderstood)]
