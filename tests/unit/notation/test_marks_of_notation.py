"""Notation is told from sentences by its marks; sentences are left to `judge.reading`."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.clauses import is_notation
from judge.notation.parser import parse
from judge.notation.readings import Understood

NOTATION = [
    *("A Par-Bur", "Par - Bur", "a par-bur", "Par \u2192 Bur", "FAnk H", "Kie h", "Mun S Ber"),
    *("par bur", "Army Paris holds", "Fleet Aegean Sea to the south coast of Bulgaria"),
    "Paris moves to Burgundy with A Mar",
]
SENTENCES = [
    *("Paris moves to Burgundy", "The army in Paris holds", "Kiel: Denmark", "A Mun, A Ber: hold"),
    *("Liverpool heads east to Yorkshire", "la flotte de Brest prend la Manche", "c'est Paris"),
]


@pytest.mark.parametrize("text", NOTATION)
def test_notation_has_a_dash_a_letter_or_only_short_names(text: str) -> None:
    assert is_notation(text)


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_have_no_marks_of_notation(text: str) -> None:
    assert not is_notation(text)


def test_another_power_may_head_orders_within_a_line() -> None:
    readings = parse("AUSTRIA: A Vie-Bud. ITALY: A Ven-Tri", load_map())

    powers = [each.power for each in readings if isinstance(each, Understood)]
    assert powers == ["AUSTRIA", "ITALY"]
