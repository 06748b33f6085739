"""Orders for all units not named otherwise ("all others hold"), where nobody knows them."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.readings import NotUnderstood, Reading, Understood, WhyNotUnderstood
from judge.rules.types import PhaseKind
from tests.support.emails_of_orders import carried_out

BOARD = load_map()
HOLDS = [
    *("All hold", "ALL OTHERS HOLD", "Hold everything!", "Everyone else holds"),
    *("The rest holds.", "my other units hold", "all else stands", "Hold all units", "rest h"),
    *("Der Rest hält", "Alle anderen halten", "Toutes les autres tiennent", "The rest will hold"),
    *("Alle anderen bleiben stehen", "Der Rest bleibt stehen", "Toutes les unités tiennent"),
]
TALK = [
    *(
        "Hold the line",
        "hold",
        "All is well",
        "All the best",
        "the rest follows",
        "Hold hold",
        "S",
    ),
    *("stehen bleiben", "others", "What holds?", "Nothing else"),
]


def holds_all(readings: tuple[Reading, ...]) -> bool:
    unread = (each.why for each in readings if isinstance(each, NotUnderstood))
    return WhyNotUnderstood.ALL_UNITS in unread


@pytest.mark.parametrize("text", HOLDS)
def test_all_others_may_hold(text: str) -> None:
    assert holds_all(read_for_phase(text, BOARD))
    assert carried_out(text, ["A PAR H", "F BRE H"]) == {"PAR H", "BRE H"}


@pytest.mark.parametrize(
    "text",
    [
        *(f"A Par-Bur{between} All others hold" for between in ",;."),
        *("A Par-Bur and all others hold", "A Par-Bur and the rest holds.", "A Par-Bur, rest H"),
    ],
)
def test_so_they_may_behind_an_order(text: str) -> None:
    readings = read_for_phase(text, BOARD)

    assert [type(each) for each in readings] == [Understood, NotUnderstood]
    assert holds_all(readings)


@pytest.mark.parametrize("text", TALK)
def test_a_sentence_that_says_more_is_talk(text: str) -> None:
    assert not holds_all(read_for_phase(text, BOARD))


@pytest.mark.parametrize(
    "text", ["If Italy attacks, all others hold", "Perhaps all hold", "all hold?", "not all hold"]
)
def test_nothing_is_held_in_doubt(text: str) -> None:
    assert carried_out(text, ["A PAR H", "F BRE H"]) == set()


@pytest.mark.parametrize("kind", [PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS])
def test_units_hold_in_movement_only(kind: PhaseKind) -> None:
    assert not holds_all(read_for_phase("All hold", BOARD, kind))


@pytest.mark.parametrize("text", ["same as last time", "Same orders", "Please repeat my orders"])
def test_orders_of_another_phase_are_asked_for_again(text: str) -> None:
    assert carried_out(text, ["A PAR H"]) == set()


@pytest.mark.parametrize("text", ["same here", "the same to you", "A Par-Bur (same as before)"])
def test_a_similar_sentence_is_talk(text: str) -> None:
    assert not any(isinstance(each, NotUnderstood) for each in read_for_phase(text, BOARD))


@pytest.mark.parametrize(
    "text",
    [
        "same orders but Munich to Tyrolia",
        "Same orders as before, but Munich to Tyrolia",
        "same orders, Munich - Tyrolia",
    ],
)
def test_the_same_orders_but_one_are_that_one_and_what_is_repeated(text: str) -> None:
    repeated, *_ = read_for_phase(text, BOARD)

    assert isinstance(repeated, NotUnderstood)
    assert carried_out(text, ["A MUN - TYR"]) == {"MUN - TYR"}
