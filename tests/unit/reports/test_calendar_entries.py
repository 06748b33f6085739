"""Deadlines that an email adds to or removes from the reader's calendar."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.reports.emails import game_news, notices
from judge.reports.emails.contexts import Context
from judge.reports.emails.phase_results import PhaseResults
from judge.rules.types import Phase
from tests.unit.reports.samples import (
    BOARD,
    CODE,
    DEADLINE,
    OPENED,
    ended,
    game,
    game_over,
    samples,
)

SAMPLES = samples()
HOUR = timedelta(hours=1)


def calendar_entry(context: Context) -> tuple[str, bool] | None:
    """Return phase and cancellation of the calendar entry, an hour before the deadline."""
    entry = context.deadline(DEADLINE - HOUR)
    return (entry.phase, entry.cancelled) if entry else None


def table_news(told_of: game_news.News) -> Context:
    return game_news.game_news(BOARD, game(), None, told_of, judge_code=CODE)


def test_results_move_the_deadline_to_the_next_phase_also_before_it_was_reached() -> None:
    results = SAMPLES["results_movement"]
    assert isinstance(results, PhaseResults)
    in_time = replace(results, shared=replace(results.shared, was_due=OPENED))

    assert calendar_entry(results) == ("F1901R", False)
    assert calendar_entry(in_time) == ("F1901R", False)


def test_a_preview_leaves_the_deadline_in_the_calendar() -> None:
    assert calendar_entry(SAMPLES["what_if"]) is None


def test_the_end_of_a_game_cancels_the_open_deadline() -> None:
    over = ended(game())
    open_still = game_over(over, was_due=DEADLINE)
    closed = game_over(over)

    assert calendar_entry(open_still) == ("S1901M", True)
    assert calendar_entry(closed) is None


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
def test_a_deadline_new_to_the_reader_is_added(context: Context) -> None:
    deadline = context.deadline(OPENED)

    assert deadline
    assert (deadline.phase, deadline.due, deadline.cancelled) == ("S1901M", DEADLINE, False)


def test_a_pause_cancels_the_deadline() -> None:
    assert calendar_entry(table_news(game_news.Paused("vote"))) == ("S1901M", True)


def test_a_rollback_moves_the_deadline_to_the_open_phase() -> None:
    undone = (Phase.parse("S1901M").code, "F1901M")
    rolled_back = game_news.RolledBack(undone, 0, "x", restored=False)

    assert calendar_entry(table_news(rolled_back)) == ("S1901M", False)


def test_a_roll_forward_adds_the_open_deadline_and_an_unstart_cancels_it() -> None:
    forward = game_news.RolledForward(("S1901M",), "x", restored=True)

    assert calendar_entry(table_news(forward)) == ("S1901M", False)
    assert calendar_entry(table_news(game_news.Unstarted("S1901M", "x"))) == ("S1901M", True)


@pytest.mark.parametrize("name", ["receipt_complete", "reminder", "help", "letter", "status"])
def test_an_email_that_changes_no_deadline_has_no_entry(name: str) -> None:
    assert calendar_entry(SAMPLES[name]) is None
