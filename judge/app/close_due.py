"""One deadline: mail first, then the game and the clock decide; a second look does nothing."""

from __future__ import annotations

from judge.app.conduct import conduct
from judge.app.judge import Judge
from judge.app.ports import Transaction
from judge.app.remind import next_instant, remind
from judge.game.commands import Tick
from judge.game.timetable import next_look

LOOKS_MAX = 20  # phases that one look may close after a long absence; the next tick goes on


def close_due(judge: Judge) -> bool:
    """Look at every game that may be due; False if a mail must be answered first."""
    with judge.database.read() as transaction:
        games = transaction.agenda.due(judge.clock.now())
    looked = [_look_at(judge, game) for game in games]
    return all(looked)


def rebuild_agenda(judge: Judge) -> None:
    """Compute from the log when each game wants a look: the agenda is a hint, and may have been lost."""
    with judge.database.write() as transaction:
        for name in transaction.events.games():
            game = judge.histories.load(transaction, judge.boards, name)
            assert game is not None
            due = next_instant(judge.boards(game.variant), game, judge.clock.now())
            transaction.agenda.set(name, due)


def _look_at(judge: Judge, name: str) -> bool:
    for _ in range(LOOKS_MAX):
        with judge.database.write() as transaction:
            outcome = _look_once(judge, transaction, name)
        if outcome is not None:
            return outcome
    return True


def _look_once(judge: Judge, transaction: Transaction, name: str) -> bool | None:
    """Do what is due now; True when nothing is left, False when a mail comes first, None to look again."""
    now = judge.clock.now()
    game = judge.histories.load(transaction, judge.boards, name)
    assert game is not None, "the agenda names games of the log"
    board = judge.boards(game.variant)
    due = next_look(board, game)
    if due is None or due > now:
        remind(judge, transaction, board, game, now)
        transaction.agenda.set(name, next_instant(board, game, now))
        return True
    if transaction.inbox.waiting(until=due, limit=1):
        return False  # DECISIONS, Time: a mail received before the deadline is answered before the phase closes
    conducted = conduct(judge, transaction, name, Tick(answered_until=due), now)
    assert conducted.game is not None
    return None
