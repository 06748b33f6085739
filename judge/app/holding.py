"""A phase that is due waits for every way in to be read: orders in time may still lie there."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.app.judge import Judge
from judge.app.letters import Scribe, readers
from judge.app.ports import Transaction
from judge.game.game import Game
from judge.reports.notices import held

ALERT_AFTER = timedelta(minutes=15)  # docs/developers/decisions.md, Time
LOOK_AGAIN = timedelta(minutes=1)  # once the moderator knows


def is_held(
    judge: Judge, transaction: Transaction, game: Game, due: datetime, now: datetime
) -> bool:
    """Say whether *game* has to wait; after a quarter of an hour, tell its moderator as well."""
    unread = judge.ways.unread(due, now)
    if not unread:
        return False
    if now - due >= ALERT_AFTER:
        judge.journal.warn("game.held", game=game.name, unread=", ".join(unread))
        _tell_moderator(judge, transaction, game, due, now)
        transaction.agenda.set(game.name, now + LOOK_AGAIN)
    return True


def _tell_moderator(
    judge: Judge, transaction: Transaction, game: Game, due: datetime, now: datetime
) -> None:
    """Tell him once: the same cause makes the same mail."""
    notice = held(judge.boards(game.variant), game, due, judge_code=judge.code)
    scribe = Scribe(judge, transaction, game, now)
    for reader in readers(transaction, game):
        if reader.power is None:
            scribe.write(notice, reader, f"held:{game.name}:{due.isoformat()}")
