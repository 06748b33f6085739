"""Text that is too long gets a reply, and reading never hangs."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation import parser
from judge.notation.clause_reader import read_clause
from judge.notation.clauses import LINE_CHARACTERS_MAX, LINES_MAX, Clause
from judge.notation.grammar import OrderReader
from judge.notation.parser import CLAUSES_MAX, parse
from judge.notation.readings import (
    NotUnderstood,
    Prose,
    Reading,
    Understood,
    WhyNotUnderstood,
    describe_defect,
)
from judge.rules.types import PhaseKind

BOARD = load_map()


def test_lines_past_the_limit_are_not_read() -> None:
    readings = parse("A Par H\n" * (LINES_MAX + 100), BOARD)

    last = readings[-1]
    assert len(readings) == LINES_MAX + 1
    assert isinstance(last, NotUnderstood)
    assert (last.why, last.line) == (WhyNotUnderstood.TOO_MANY, LINES_MAX + 1)


def test_clauses_past_the_limit_are_not_read() -> None:
    readings = parse(("A Par H;" * 100 + "\n") * 6, BOARD)

    last = readings[-1]
    assert len(readings) == CLAUSES_MAX + 1
    assert isinstance(last, NotUnderstood)
    assert (last.why, last.line) == (WhyNotUnderstood.TOO_MANY, 6)


def test_a_line_past_the_limit_is_not_read() -> None:
    long, short = parse("A Par H " * LINE_CHARACTERS_MAX + "\nA Mar H", BOARD)

    assert isinstance(long, NotUnderstood)
    assert long.why is WhyNotUnderstood.TOO_LONG
    assert isinstance(short, Understood)


def test_a_clause_of_too_many_words_is_prose() -> None:
    (reading,) = parse("A Par " + "- Bur " * 50, BOARD)

    assert isinstance(reading, Prose)


HOSTILE = [
    pytest.param("(" * 999, id="parentheses"),
    pytest.param("F Nor S F Nor-Nor, " * 50, id="ambiguous", marks=pytest.mark.gate),
    pytest.param("A Viena xuports ttt - Pais, " * 34, id="misspelt"),
    pytest.param("- > " * 249, id="arrows"),
    pytest.param("F Nor S F Nor Nor x " * 50, id="cuts"),
]


@pytest.mark.parametrize("line", HOSTILE)
def test_the_worst_text_comes_to_an_end(line: str) -> None:
    readings = parse(f"{line}\n" * LINES_MAX, BOARD)

    assert len(readings) <= LINES_MAX + 1, "clauses past the limit are not read one by one"


@pytest.mark.parametrize("line", ["- retreat to Gas", "- retreats 1)", "* - retreat: Mun"])
@pytest.mark.parametrize("kind", PhaseKind)
def test_an_item_of_a_list_that_names_no_unit_costs_nothing(line: str, kind: PhaseKind) -> None:
    readings = parse(f"{line}\nA Par H", BOARD, kind)

    assert isinstance(readings[-1], Understood)
    assert not any(getattr(each, "defect", "") for each in readings)


def test_a_clause_on_which_our_code_fails_is_not_understood_and_costs_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(clause: Clause, reader: OrderReader) -> Reading:
        if clause.text.startswith("F Bre"):
            raise ZeroDivisionError("a text with F Bre in it")
        return read_clause(clause, reader)

    monkeypatch.setattr(parser, "read_clause", failing)

    first, second, third = parse("A Par H, F Bre-Mao, A Mar S A Par", BOARD)

    assert isinstance(first, Understood)
    assert isinstance(second, NotUnderstood)
    assert isinstance(third, Understood)
    assert (second.text, second.why) == ("F Bre-Mao", WhyNotUnderstood.FAILED)
    assert second.defect.startswith("ZeroDivisionError in failing, line ")
    assert "Bre" not in second.defect


def test_an_exception_that_was_never_raised_has_a_kind_alone() -> None:
    assert describe_defect(ValueError("A Par H")) == "ValueError"
