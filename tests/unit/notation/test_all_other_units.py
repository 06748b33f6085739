"""Orders for all units not named otherwise ("all others hold")."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.parser import parse
from judge.notation.readings import NotUnderstood, Prose, Understood, WhyNotUnderstood
from judge.rules.types import PhaseKind
from tests.support.emails_of_orders import carried_out

BOARD = load_map()
HOLDS = [
    *("All hold", "ALL OTHERS HOLD", "Hold everything!", "Everyone else holds", "others: H"),
    *("The rest holds.", "my other units hold", "all else stands", "Hold all units", "rest h"),
    *("Der Rest hält", "Alle anderen halten", "Toutes les autres tiennent", "The rest will hold"),
    *("Alle anderen bleiben stehen", "Der Rest bleibt stehen", "Toutes les unités tiennent"),
]
TALK = [
    *("All stand together", "The rest holds true", "Hold the line", "hold", "All is well"),
    *("I hold everything dear", "Hold everything you have", "All the best", "the rest follows"),
    *("Alle bleiben gesund", "Alle bleiben stehen und warten", "Hold hold", "S", "stehen bleiben"),
    *("Everyone else holds their breath", "others", "What holds?", "Nothing else"),
]


@pytest.mark.parametrize("text", HOLDS)
def test_all_others_may_hold(text: str) -> None:
    assert [(type(each), getattr(each, "hold", None)) for each in parse(text, BOARD)] == [
        (Prose, True)
    ]


@pytest.mark.parametrize("text", [f"A Par-Bur{between} All others hold" for between in ",;."])
def test_so_they_may_behind_an_order(text: str) -> None:
    order, rest = parse(text, BOARD)

    assert isinstance(order, Understood)
    assert isinstance(rest, Prose)
    assert rest.hold


@pytest.mark.parametrize(
    "text", ["A Par-Bur and all others hold", "A Par-Bur and the rest holds.", "A Par-Bur, rest H"]
)
def test_and_between_them_parts_them(text: str) -> None:
    assert [type(each) for each in parse(text, BOARD)] == [Understood, Prose]


@pytest.mark.parametrize("text", TALK)
def test_a_sentence_that_says_more_is_talk(text: str) -> None:
    assert not any(isinstance(each, Prose) and each.hold for each in parse(text, BOARD))


@pytest.mark.parametrize(
    "text", ["If Italy attacks, all others hold", "Perhaps all hold", "all hold?", "not all hold"]
)
def test_nothing_is_held_in_doubt(text: str) -> None:
    readings = parse(text, BOARD)

    assert not any(isinstance(each, Prose) and each.hold for each in readings)


def test_or_else_stays_in_doubt() -> None:
    assert all(
        isinstance(each, NotUnderstood) and each.why is WhyNotUnderstood.DOUBTFUL
        for each in parse("A Par-Bur, or else A Par-Pic", BOARD)
    )


@pytest.mark.parametrize("kind", [PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS])
def test_units_hold_in_movement_only(kind: PhaseKind) -> None:
    assert not any(
        isinstance(each, Prose) and each.hold for each in parse("All hold", BOARD, kind)
    )


@pytest.mark.parametrize("text", ["same as last time", "Same orders", "Please repeat my orders"])
def test_orders_of_another_phase_are_asked_for_again(text: str) -> None:
    assert [type(each) for each in parse(text, BOARD)] == [NotUnderstood]


@pytest.mark.parametrize("text", ["same here", "the same to you", "A Par-Bur (same as before)"])
def test_a_similar_sentence_is_talk(text: str) -> None:
    assert not any(isinstance(each, NotUnderstood) for each in parse(text, BOARD))


@pytest.mark.parametrize(
    "text",
    [
        "same orders but Munich to Tyrolia",
        "Same orders as before, but Munich to Tyrolia",
        "same orders, Munich - Tyrolia",
        "gleiche Befehle, nur München nach Tirol",
    ],
)
def test_the_same_orders_but_one_are_that_one_and_what_is_repeated(text: str) -> None:
    repeated, *_ = parse(text, BOARD)

    assert isinstance(repeated, NotUnderstood)
    assert repeated.why is WhyNotUnderstood.REPEATED
    assert carried_out(text, ["A MUN - TYR"]) == {"MUN - TYR"}


@pytest.mark.parametrize(("text", "every"), [("Hold all units", True), ("The rest holds", False)])
def test_all_units_are_told_from_the_others(text: str, every: bool) -> None:  # noqa: FBT001
    (reading,) = parse(text, BOARD)

    assert isinstance(reading, Prose)
    assert reading.every is every
