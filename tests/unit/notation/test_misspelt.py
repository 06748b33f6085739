"""Misspelled orders are shown with the nearest match, and not executed."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.order_text import write_order
from judge.notation.parser import parse
from judge.notation.readings import NotUnderstood, WhyNotUnderstood

BOARD = load_map()

NEAREST = {
    "A Viena-Tri": "A VIE - TRI",
    "A Viena to Triste": "A VIE - TRI",
    "A Marsielles suports A Par-Bur": "A MAR S A PAR - BUR",
    "A Vie hodl": "A VIE H",
    "A Per-Bur": "A PAR - BUR",
    "F Norweigan Sea-Nwy": "F NWG - NWY",
    "F Gulf of Lyn - Mar": "F LYO - MAR",
    "A St Petersberg-Mos": "A STP - MOS",
    "F Lon-Norht Sea": "F LON - NTH",
    "A Viena - Munch": "A VIE - MUN",
}


@pytest.mark.parametrize(("text", "order"), NEAREST.items(), ids=NEAREST.keys())
def test_the_nearest_order_is_suggested(text: str, order: str) -> None:
    (reading,) = parse(text, BOARD)

    assert isinstance(reading, NotUnderstood)
    assert reading.why is WhyNotUnderstood.UNKNOWN_WORD
    assert reading.nearest
    assert write_order(reading.nearest) == order


def test_of_names_equally_near_none_is_chosen() -> None:
    (reading,) = parse("A Xar H", BOARD)

    assert isinstance(reading, NotUnderstood)
    assert reading.nearest is None


@pytest.mark.parametrize("text", ["A Xyzzyqwv-Par", "A Par-" + "x" * 40, "A aa bb cc dd - Par"])
def test_a_word_near_to_nothing_has_no_suggestion(text: str) -> None:
    (reading,) = parse(text, BOARD)

    assert isinstance(reading, NotUnderstood)
    assert reading.nearest is None


@pytest.mark.parametrize(
    "text",
    ["A Mun C", "F Stp(nc - Bar", "A Lon-Bel (via convoy", "A Mun - Par -", "A Mun H Par"],
)
def test_known_words_may_make_no_order(text: str) -> None:
    (reading,) = parse(text, BOARD)

    assert isinstance(reading, NotUnderstood)
    assert reading.why is WhyNotUnderstood.NOT_AN_ORDER
