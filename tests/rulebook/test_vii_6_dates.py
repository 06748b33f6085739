"""VII.6: orders are dated Spring 1901, Fall 1901, Spring 1902, and so on."""

from __future__ import annotations

from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import BOARD


def test_a_game_begins_in_spring_1901() -> None:
    assert BOARD.start.phase.code == "S1901M"


def test_each_year_has_a_spring_and_a_fall() -> None:
    dates = [BOARD.start.phase]
    for _ in range(10):
        dates.append(BOARD.calendar.following(dates[-1]))

    assert [date.code for date in dates] == [
        *("S1901M", "S1901R", "F1901M", "F1901R", "W1901A"),
        *("S1902M", "S1902R", "F1902M", "F1902R", "W1902A"),
        "S1903M",
    ]


def test_where_nobody_retreats_or_builds_fall_follows_spring(rulebook: Rulebook) -> None:
    dates, position = [], BOARD.start
    for _ in range(4):
        dates.append(position.phase.code)
        position = adjudicate(BOARD, position, {}, rulebook).after

    assert dates == ["S1901M", "F1901M", "S1902M", "F1902M"]
