"""Reminders, to those whose orders are not complete some hours before the deadline."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from judge.app.judge import Judge
from judge.app.letters import Scribe, readers
from judge.app.ports import Transaction
from judge.app.waiting_mail import waiting_mail
from judge.game.clock import next_due_at, reminders, reminders_due
from judge.game.game_state import Game
from judge.game.moderator_tasks import moderator_tasks, tasks_mark
from judge.reports.emails.game_news import desk_mail
from judge.reports.emails.notices import reminder
from judge.rules.board import Map

DAY = timedelta(days=1)
DESK_HOUR = 18  # in UTC, when other mails of a day go too
DESK_LASTS = timedelta(hours=1)  # What waits is told again the next day.


def next_instant(board: Map, game: Game, now: datetime) -> datetime | None:
    """Return when *game* next wants a look: something is due, or somebody is to be reminded."""
    due = next_due_at(board, game)
    upcoming = (at for at in reminders(game) if at > now)
    desk = last_desk_hour(now) + DAY if game.moderator and moderator_tasks(board, game) else None
    return min((at for at in (due, desk, *upcoming) if at), default=None)


def last_desk_hour(now: datetime) -> datetime:
    """Return when moderators were last told, or were to be, what waits for them."""
    today = now.replace(hour=DESK_HOUR, minute=0, second=0, microsecond=0)
    return today if today <= now else today - DAY


def tell_moderator(
    judge: Judge, transaction: Transaction, board: Map, game: Game, now: datetime
) -> None:
    """Queue the desk mail of the day, if it is the hour and anything waits."""
    decisions, hour = moderator_tasks(board, game), last_desk_hour(now)
    if not decisions or now - hour > DESK_LASTS:
        return
    scribe = Scribe(judge, transaction, game, now)
    for reader in readers(transaction, game):
        if reader.moderates:
            context = desk_mail(board, game, _handles(transaction, game), judge_code=judge.code)
            cause = f"{game.name}:desk:{hour.date().isoformat()}"
            scribe.ask(context, reader, cause, tasks_mark(decisions))


def _handles(transaction: Transaction, game: Game) -> Mapping[str, str]:
    """Return what those are called who ask to be let in."""
    asking = (transaction.people.get(person) for person in game.applicants)
    return {person.id: person.handle for person in asking if person}


def remind(judge: Judge, transaction: Transaction, board: Map, game: Game, now: datetime) -> None:
    """Queue the reminders that are due, each once: its cause names phase, deadline and hours."""
    due = {power: hours for hours, power in reminders_due(board, game, now)}
    assert game.phase or not due
    scribe = Scribe(judge, transaction, game, now)
    for reader in readers(transaction, game):
        if reader.power in due and game.phase:
            hours = due[reader.power]
            cause = f"{game.name}:{game.phase.number}:{game.phase.deadline.isoformat()}:{hours}"
            waiting = waiting_mail(judge, transaction, reader.person.id)
            context = reminder(
                board, game, reader.power, hours, judge_code=judge.code, waiting=waiting
            )
            scribe.write(context, reader, cause)
