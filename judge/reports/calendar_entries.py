"""The deadlines that an email puts into its reader's calendar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.reports.emails.game_history import GameOver
from judge.reports.emails.game_news import (
    Paused,
    Resumed,
    RolledBack,
    RolledForward,
    TableNews,
    Unstarted,
)
from judge.reports.emails.game_start import GameStart
from judge.reports.emails.notices import DeadlineChange, Takeover
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.render import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from judge.reports.emails.contexts import Context
    from judge.reports.emails.heading import Heading


@dataclass(frozen=True, slots=True)
class CalendarDeadline:
    """Orders for a *phase* of a *game* are due, or they no longer are."""

    game: str
    phase: str
    due: datetime | None
    summary: str
    description: str
    cancelled: bool = False


def calendar_deadlines(context: Context, now: datetime) -> Iterator[CalendarDeadline]:
    """Yield the deadlines that are others now than the reader of *context* was told before."""
    heading = context.heading
    match context:
        case PhaseResults(closed=closed, was_due=was_due):
            yield from _cancelled_deadline(heading, closed.code, was_due, now)
            yield from _new_deadline(heading)
        case GameOver(was_due=was_due) if heading.phase:
            yield from _cancelled_deadline(heading, heading.phase.code, was_due, now)
        case GameStart() | DeadlineChange() | Takeover() | TableNews(news=Resumed()):
            yield from _new_deadline(heading)
        case TableNews(news=RolledBack(undone=undone)):
            for code in undone:
                if heading.phase is None or code != heading.phase.code:
                    yield _deadline(heading, code, None, cancelled=True)
            yield from _new_deadline(heading)
        case TableNews(news=RolledForward()):
            yield from _new_deadline(heading)
        case TableNews(news=Unstarted(phase=code)):
            yield _deadline(heading, code, None, cancelled=True)
        case TableNews(news=Paused()) if heading.phase:
            yield _deadline(heading, heading.phase.code, None, cancelled=True)
        case _:
            pass


def _new_deadline(heading: Heading) -> Iterator[CalendarDeadline]:
    if heading.phase and heading.deadline and not heading.over:
        yield _deadline(heading, heading.phase.code, heading.deadline, cancelled=False)


def _cancelled_deadline(
    heading: Heading, phase: str, was_due: datetime | None, now: datetime
) -> Iterator[CalendarDeadline]:
    """Yield the deadline of *phase* that never came, since it *was_due* later than *now*."""
    if was_due and was_due > now:
        yield _deadline(heading, phase, was_due, cancelled=True)


def _deadline(
    heading: Heading, phase: str, due: datetime | None, *, cancelled: bool
) -> CalendarDeadline:
    assert heading.game, "only a game has deadlines"
    words = sentences("deadlines", heading.language)
    return CalendarDeadline(
        game=heading.game,
        phase=phase,
        due=due,
        summary=words["summary"].format(game=heading.game, phase=phase),
        description=words["cancelled" if cancelled else "due"],
        cancelled=cancelled,
    )
