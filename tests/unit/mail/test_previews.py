"""What stands below a PREVIEW is looked at and never ordered, however the line is written."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.mail.body import Line, Text
from judge.mail.grammar import read_lines
from judge.mail.said import Preview

BOARD = load_map()


def read(*lines: str) -> list[object]:
    fresh = tuple(Line(number, text) for number, text in enumerate(lines, start=1))
    return list(read_lines(Text(fresh=fresh), BOARD))


@pytest.mark.parametrize(
    ("opening", "lines"),
    [
        ("PREVIEW", []),
        ("PREVIEW:", []),
        ("*PREVIEW*", []),
        ("PREVIEW, please:", []),
        ("Preview please", []),
        ("PREVIEW ORDERS:", []),
        ("PREDICT:", []),
        ("PREVIEW FRANCE", ["FRANCE"]),
        ("PREVIEW S1901M", ["S1901M"]),
        ("PREVIEW A Par-Bur", ["A Par-Bur"]),
        ("preview: A Par-Bur", ["A Par-Bur"]),
    ],
)
def test_nothing_below_a_preview_is_ordered(opening: str, lines: list[str]) -> None:
    (said,) = read(opening, "A Mar-Spa")

    assert isinstance(said, Preview)
    assert [each.text for each in said.lines] == [*lines, "A Mar-Spa"]
    assert not said.own


def test_a_preview_of_what_stands_may_be_written_so_too() -> None:
    (said,) = read("PREVIEW: mine.", "A Mar-Spa")

    assert isinstance(said, Preview)
    assert said.own


@pytest.mark.parametrize(
    "line", ["Preview of that game was fun, thank you.", "PREVIEW PRESS TO E", "previews"]
)
def test_a_sentence_and_the_preview_of_press_are_none(line: str) -> None:
    assert not [each for each in read(line, "A Mar-Spa") if isinstance(each, Preview)]
