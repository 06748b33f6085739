"""Reminders, to those whose orders are not complete some hours before the deadline."""

from __future__ import annotations

from datetime import datetime

from judge.app.judge import Judge
from judge.app.letters import Scribe, readers
from judge.app.ports import Transaction
from judge.game.game import Game
from judge.game.timetable import next_look, reminders, reminders_due
from judge.reports.notices import reminder
from judge.rules.geography import Map


def next_instant(board: Map, game: Game, now: datetime) -> datetime | None:
    """Return when *game* next wants a look: something is due, or somebody is to be reminded."""
    due = next_look(board, game)
    upcoming = (at for at in reminders(game) if at > now)
    return min((at for at in (due, *upcoming) if at), default=None)


def remind(judge: Judge, transaction: Transaction, board: Map, game: Game, now: datetime) -> None:
    """Queue the reminders that are due, each once: its cause names phase, deadline and hours."""
    due = {power: hours for hours, power in reminders_due(board, game, now)}
    assert game.phase or not due
    scribe = Scribe(judge, transaction, game, now)
    for reader in readers(transaction, game):
        if reader.power in due and game.phase:
            hours = due[reader.power]
            cause = f"{game.name}:{game.phase.number}:{game.phase.deadline.isoformat()}:{hours}"
            context = reminder(board, game, reader.power, hours, judge_code=judge.code)
            scribe.write(context, reader, cause)
