"""Misspelled orders are shown with the nearest match, and not executed."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood

BOARD = load_map()

NEAREST = {
    "A Viena to Triste": "VIE - TRI",
    "F Norweigan Sea-Nwy": "F NWG - NWY",
    "F Lon-Norht Sea": "F LON - NTH",
}


@pytest.mark.parametrize(("text", "order"), NEAREST.items(), ids=NEAREST.keys())
def test_the_nearest_order_is_suggested(text: str, order: str) -> None:
    (reading,) = read_for_phase(text, BOARD)

    assert isinstance(reading, NotUnderstood)
    assert reading.nearest
    assert write_order(reading.nearest).removeprefix("A ") == order.removeprefix("A ")


@pytest.mark.parametrize(
    "text", ["A Marsielles suports A Par-Bur", "A Vie hodl", "A Per-Bur", "A St Petersberg-Mos"]
)
def test_what_is_misspelled_is_asked_about(text: str) -> None:
    asked, *_ = read_for_phase(text, BOARD)

    assert isinstance(asked, NotUnderstood)


@pytest.mark.parametrize("text", ["A Xyzzyqwv-Par", "A Par-" + "x" * 40, "A aa bb cc dd - Par"])
def test_a_word_near_to_nothing_has_no_suggestion(text: str) -> None:
    (reading,) = read_for_phase(text, BOARD)

    assert isinstance(reading, NotUnderstood)
    assert reading.nearest is None


def test_known_words_may_make_no_order() -> None:
    assert [type(each) for each in read_for_phase("A Mun C", BOARD)] == [NotUnderstood]
