"""Text that is never executed: prose, conditions, doubts, and sentences about others."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.parser import parse
from judge.notation.readings import NotUnderstood, Prose, Reading, Understood, WhyNotUnderstood

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
    assert {type(each) for each in parse(text, BOARD)} <= {Prose}


@pytest.mark.parametrize(
    "text",
    [
        *("A Vie/Gal/Bud", "A Bud xxx Ser", "A Par goto Bur"),
        *("A Mar S A Par -", "A Mar S A Par \u2013", "A Mar to S A Par-Bur", "A Ser to H"),
    ],
)
def test_a_move_from_place_to_place_is_meant_as_an_order(text: str) -> None:
    assert {type(each) for each in parse(text, BOARD)} == {NotUnderstood}


@pytest.mark.parametrize(
    "text",
    [
        "Venice to Trieste would be rude",
        "Paris against Burgundy",
        "Munich and Burgundy",
        "to Paris",
    ],
)
def test_text_that_only_names_places_is_not(text: str) -> None:
    assert {type(each) for each in parse(text, BOARD)} <= {Prose}


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
def test_a_doubtful_order_is_listed_and_not_executed(text: str) -> None:
    readings = parse(text, BOARD)

    assert not any(isinstance(each, Understood) for each in readings)
    assert WhyNotUnderstood.DOUBTFUL in whys(readings)


def test_a_doubt_ends_with_its_sentence() -> None:
    doubtful, certain = parse("A Par-Bur?; A Mar H", BOARD)

    assert isinstance(doubtful, NotUnderstood)
    assert isinstance(certain, Understood)


def test_a_denial_ends_with_its_clause() -> None:
    certain, denied, other = parse("A Par-Bur, not A Mar-Bur, or A Mar-Gas", BOARD)

    assert isinstance(certain, Understood)
    assert isinstance(denied, NotUnderstood)
    assert isinstance(other, NotUnderstood)
    assert (denied.text, other.text) == ("not A Mar-Bur", "or A Mar-Gas")


@pytest.mark.parametrize("end", ["ENDIF", ""])
def test_a_conditional_block_ends(end: str) -> None:
    *_, last = parse(f"If he moves then\nA Par-Bur\n{end}\nA Mar H", BOARD)

    assert isinstance(last, Understood)


def test_a_condition_with_its_order_is_over_at_the_end_of_the_line() -> None:
    *_, last = parse("If he moves to Bur, A Mar S A Par\nA Bre H", BOARD)

    assert isinstance(last, Understood)


@pytest.mark.parametrize("text", ["Germany will move A Mun-Bur", "I move A Par to Bur tomorrow"])
def test_a_sentence_about_an_order_is_listed_and_not_executed(text: str) -> None:
    assert whys(parse(text, BOARD)) == [WhyNotUnderstood.UNKNOWN_WORD]


def test_a_quoted_order_is_not_executed() -> None:
    assert whys(parse("> A Par-Bur", BOARD)) == [WhyNotUnderstood.NOT_AN_ORDER]


def whys(readings: tuple[Reading, ...]) -> list[WhyNotUnderstood]:
    return [each.why for each in readings if isinstance(each, NotUnderstood)]
