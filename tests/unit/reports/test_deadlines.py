"""Which deadlines a mail puts into a calendar, and which it takes out again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.reports.emails import game_history, game_news, notices
from judge.reports.emails.contexts import Context
from judge.reports.emails.phase_results import PhaseResults
from judge.rules.types import Phase
from tests.unit.reports.samples import BOARD, CENTERS, CODE, DEADLINE, OPENED, ended, game, samples

SAMPLES = samples()
HOUR = timedelta(hours=1)


def told(context: Context) -> list[tuple[str, bool]]:
    """Return phase, and whether its deadline is gone, of what is told an hour before it."""
    return [(each.phase, each.cancelled) for each in context.deadlines(DEADLINE - HOUR)]


def table_news(told_of: game_news.News) -> Context:
    return game_news.game_news(BOARD, game(), None, told_of, judge_code=CODE)


def test_results_take_back_a_deadline_that_never_came() -> None:
    results = SAMPLES["results_movement"]
    assert isinstance(results, PhaseResults)
    in_time = replace(results, shared=replace(results.shared, was_due=OPENED))

    assert told(results) == [("F1901M", True), ("F1901R", False)]
    assert told(in_time) == [("F1901R", False)]


def test_a_preview_leaves_the_deadline_in_the_calendar() -> None:
    assert told(SAMPLES["what_if"]) == []


def test_the_end_of_a_game_takes_back_the_deadline_of_the_open_phase() -> None:
    over = ended(game())
    open_still = game_history.game_over(BOARD, over, CENTERS, judge_code=CODE, was_due=DEADLINE)
    closed = game_history.game_over(BOARD, over, CENTERS, judge_code=CODE)

    assert told(open_still) == [("S1901M", True)]
    assert told(closed) == []


@pytest.mark.parametrize(
    "context",
    [
        SAMPLES["game_start"],
        notices.deadline_change(BOARD, game(), OPENED, "x", judge_code=CODE),
        notices.takeover(BOARD, game(), "TURKEY", "TURKEY", judge_code=CODE),
        table_news(game_news.Resumed()),
    ],
    ids=["start", "moved", "takeover", "resumed"],
)
def test_a_deadline_that_is_new_to_somebody_is_told(context: Context) -> None:
    [deadline] = context.deadlines(OPENED)

    assert (deadline.phase, deadline.due, deadline.cancelled) == ("S1901M", DEADLINE, False)


def test_a_pause_takes_the_deadline_back() -> None:
    assert told(table_news(game_news.Paused("vote"))) == [("S1901M", True)]


def test_a_game_that_is_rolled_back_takes_back_what_was_played_and_tells_what_is_open() -> None:
    undone = (Phase.parse("S1901M").code, "F1901M")

    assert told(table_news(game_news.RolledBack(undone, 0, "x", restored=False))) == [
        ("F1901M", True),
        ("S1901M", False),
    ]


def test_a_game_that_goes_forward_tells_what_is_open_and_one_that_has_not_begun_what_is_not() -> (
    None
):
    forward = game_news.RolledForward(("S1901M",), "x", restored=True)

    assert told(table_news(forward)) == [("S1901M", False)]
    assert told(table_news(game_news.Unstarted("S1901M", "x"))) == [("S1901M", True)]


@pytest.mark.parametrize("name", ["receipt_complete", "reminder", "help", "letter", "status"])
def test_a_mail_that_changes_no_deadline_tells_none(name: str) -> None:
    assert told(SAMPLES[name]) == []
