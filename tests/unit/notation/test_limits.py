"""Text that is too long gets a reply, and reading never hangs."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.readings import (
    NotUnderstood,
    Understood,
    WhyNotUnderstood,
    describe_defect,
)
from judge.rules.types import PhaseKind

BOARD = load_map()
LINES, LINES_AT_LENGTH = 4, 500
READINGS_MAX = 5_000


def test_what_lies_beyond_the_limit_is_named() -> None:
    *_, last = read_for_phase("A Par H\n" * 2000, BOARD)

    assert isinstance(last, NotUnderstood)
    assert last.why is WhyNotUnderstood.TOO_MANY


def test_a_route_of_too_many_places_is_no_order() -> None:
    readings = read_for_phase("A Par " + "- Bur " * 50, BOARD)

    assert not any(isinstance(each, Understood) for each in readings)


HOSTILE = [
    pytest.param("(" * 999, id="parentheses", marks=pytest.mark.gate),
    pytest.param("F Nor S F Nor-Nor, " * 50, id="ambiguous", marks=pytest.mark.gate),
    pytest.param("A Viena xuports ttt - Pais, " * 34, id="misspelt"),
    pytest.param("- > " * 249, id="arrows", marks=pytest.mark.gate),
    pytest.param("F Nor S F Nor Nor x " * 50, id="cuts", marks=pytest.mark.gate),
]


@pytest.mark.parametrize(
    "lines", [LINES, pytest.param(LINES_AT_LENGTH, marks=pytest.mark.slow)], ids=["some", "many"]
)
@pytest.mark.parametrize("line", HOSTILE)
def test_the_worst_text_comes_to_an_end(line: str, lines: int) -> None:
    assert len(read_for_phase(f"{line}\n" * lines, BOARD)) < READINGS_MAX


@pytest.mark.parametrize("line", ["- retreat to Gas", "- retreats 1)", "* - retreat: Mun"])
@pytest.mark.parametrize("kind", [PhaseKind.MOVEMENT, PhaseKind.RETREATS])
def test_an_item_of_a_list_that_names_no_unit_costs_nothing(line: str, kind: PhaseKind) -> None:
    readings = read_for_phase(f"{line}\nA Par R Gas\nA Par H", BOARD, kind)

    assert any(isinstance(each, Understood) for each in readings)


def test_an_exception_that_was_never_raised_has_a_kind_alone() -> None:
    assert describe_defect(ValueError("A Par H")) == "ValueError"


def test_a_defect_is_told_by_its_kind_and_the_line_of_our_code_alone() -> None:
    def fail() -> None:
        int("A Par H")

    with pytest.raises(ValueError, match="A Par H") as caught:
        fail()

    assert describe_defect(caught.value).startswith("ValueError in fail, line ")
