"""Orders in words for a later phase, or in one line, of which nobody knows the units."""

from __future__ import annotations

from functools import partial

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.conditional_orders import (
    ReadConditionalOrder,
    read_plan,
    write_conditional_order,
)
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear, Understood
from judge.rules.types import PhaseKind, Waive

BOARD = load_map()
MOVEMENT = {
    "Paris goes to Burgundy, and Marseilles supports that.": ["PAR - BUR", "MAR S PAR - BUR"],
    "The fleet in Brest sails to the Channel.": ["F BRE - ENG"],
    "A Par-Bur. Marseilles helps Paris.": ["A PAR - BUR", "MAR S A PAR - BUR"],
    "Die Armee in München zieht nach Tirol.": ["A MUN - TYR"],
    "La flotte de Brest va en Manche.": ["F BRE - ENG"],
    "My fleet in the North Sea convoys the army in London to Norway": ["F NTH C A LON - NWY"],
    "The army in Paris supports the army in Munich moving to Burgundy": ["A PAR S A MUN - BUR"],
    "Attack Munich from Tyrolia": ["TYR - MUN"],
    "The army in London goes to Norway via the North Sea": ["A LON - NTH - NWY"],
    "A Marsielles suports A Par-Bur": [],
    "A Mar st. A Par-Bur": [],
}
RETREATS = {
    "Munich falls back to Kiel": ["MUN R KIE"],
    "The army in Munich retreats to Berlin": ["A MUN R BER"],
    "par bur": ["PAR R BUR"],
}
ADJUSTMENTS = {
    "Please build a fleet in Brest and an army in Paris": ["F BRE B", "A PAR B"],
    "I would like an army in Berlin": ["A BER B"],
    "Get rid of the army in Munich": ["A MUN D"],
    "waive both": ["WAIVE", "WAIVE"],
}
CASES = [
    *((text, orders, PhaseKind.MOVEMENT) for text, orders in MOVEMENT.items()),
    *((text, orders, PhaseKind.RETREATS) for text, orders in RETREATS.items()),
    *((text, orders, PhaseKind.ADJUSTMENTS) for text, orders in ADJUSTMENTS.items()),
]
TALK = [
    *("Thanks, see you in Berlin", "Munich and Burgundy", "to Paris", "I will write of Paris"),
    *("A bird in the hand is worth two in the bush", "Venice to Trieste would be rude"),
    *("If Italy agrees, Venice goes to Trieste", "Maybe Paris to Burgundy", "Paris to Burgundy?"),
    *("Germany moves Kiel to Holland", "All is well in Munich"),
]


def carried_out(text: str, kind: PhaseKind) -> list[str]:
    readings = read_for_phase(text, BOARD, kind)
    return [write_order(each.order) for each in readings if isinstance(each, Understood)]


@pytest.mark.parametrize(("text", "orders", "kind"), CASES, ids=[case[0] for case in CASES])
def test_a_unit_stands_where_words_order_one(
    text: str, orders: list[str], kind: PhaseKind
) -> None:
    assert carried_out(text, kind) == orders


@pytest.mark.parametrize("kind", PhaseKind)
@pytest.mark.parametrize("text", TALK)
def test_talk_and_doubts_order_no_unit(text: str, kind: PhaseKind) -> None:
    assert carried_out(text, kind) == []


@pytest.mark.parametrize("text", ["The army holds", "Both fleets go to the Channel"])
def test_words_for_any_unit_order_none(text: str) -> None:
    readings = read_for_phase(text, BOARD)

    assert not any(isinstance(each, Understood | Unclear) for each in readings)


def test_a_misspelled_place_is_asked_about() -> None:
    readings = read_for_phase("The army in Paris goes to Burgundi", BOARD)

    [asked] = [each for each in readings if isinstance(each, NotUnderstood)]
    assert asked.nearest
    assert write_order(asked.nearest) == "A PAR - BUR"


def test_what_depends_on_a_condition_may_be_in_words() -> None:
    plan = "IF A MUN\nThe army in Paris supports Burgundy\nELSE\nParis goes to Burgundy\nENDIF"

    planned = read_plan(plan, BOARD, PhaseKind.MOVEMENT, partial(read_for_phase, apart=True))

    orders = [each.wish for each in planned if isinstance(each, ReadConditionalOrder)]
    assert [write_conditional_order(each) for each in orders] == [
        "IF A MUN THEN A PAR S BUR",
        "IF NOT A MUN THEN PAR - BUR",
    ]


@pytest.mark.parametrize("text", ["save one build", "keep the build", "delay my builds"])
def test_builds_that_are_saved_are_waived_if_the_player_says_so(text: str) -> None:
    [asked] = read_for_phase(text, BOARD, PhaseKind.ADJUSTMENTS)

    assert isinstance(asked, NotUnderstood)
    assert asked.nearest == Waive()
