"""One deadline: mail first, then the game and the clock decide; a second look does nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from judge.app.agenda import Agenda
from judge.app.bounces import unreachable
from judge.app.claims import persistently
from judge.app.conduct import conduct, make_up
from judge.app.holding import is_held
from judge.app.judge import Judge
from judge.app.ports import Transaction
from judge.app.remind import next_instant, remind, tell_moderator
from judge.app.soundness import DamagedLogError, flaw_in, require_whole
from judge.events.verify import Flaw
from judge.game.commands import Tick
from judge.game.timetable import next_look

PULSE = timedelta(minutes=1)
WAKING = "wake up"
OUTAGE = timedelta(minutes=15)  # A shorter absence is a restart.
JUMP = timedelta(minutes=10)  # of the clock; less is one that was put right
BELIEVED_AFTER = timedelta(hours=1)  # a clock that shows less than before
GAMES_AT_A_TIME = 20
SAY_AGAIN = timedelta(minutes=15)
LOOKS_MAX = 20  # phases that one look may close after a long absence; the next tick goes on


def close_due(judge: Judge) -> None:
    """Look at every game that may be due; one that a mail must be answered for first, waits."""
    for games in due(judge):
        look_at(judge, games)


def due(judge: Judge) -> Iterator[Sequence[str]]:
    """Yield the games that may be due, each once and a few at a time: others are not to wait.

    What comes to be due meanwhile goes before what is only to be made up for.
    """
    seen, limit = set[str](), GAMES_AT_A_TIME
    while True:
        with judge.database.read() as transaction:
            found = transaction.agenda.due(judge.clock.now(), limit)
        games = [name for name in found if name not in seen][:GAMES_AT_A_TIME]
        if games:
            seen.update(games)
            yield games
        elif len(found) < limit:
            return
        else:
            limit *= 2  # These have to wait; there may be others behind them.


def look_at(judge: Judge, games: Iterable[str]) -> None:
    """Look at *games*, but for those that another judge is at."""
    for game in games:
        claim = f"look at {game}"
        if judge.database.claims.take(claim):
            try:
                _look_at(judge, game)
            finally:
                judge.database.claims.leave(claim)


def wake_up(judge: Judge) -> bool:
    """Begin after a rest: note what an outage took, and look at games nobody looks at.

    Each game is given its time back before anything else happens in it. The agenda is a hint, and
    may have been lost. False if another judge on the same store is just doing so: the time must
    not be given back twice.
    """
    if not judge.database.claims.take(WAKING):
        return False
    try:
        _wake_up(judge)
    finally:
        judge.database.claims.leave(WAKING)
    return True


def _wake_up(judge: Judge) -> None:
    now = judge.clock.now()
    with judge.database.write() as transaction:
        agenda = transaction.agenda
        began = agenda.last_beat() or now
        if now - began >= OUTAGE:
            agenda.miss(began, now)
        for name in agenda.forgotten():
            agenda.set(name, now)
        _beat(judge, agenda, now)


def stay_awake(judge: Judge) -> None:
    """Note from time to time that the judge is awake, so that an outage has a beginning."""
    now = judge.clock.now()
    with judge.database.read() as transaction:
        last = transaction.agenda.last_beat()
    if last is None or now - last >= PULSE or last - now >= JUMP:
        with judge.database.write() as transaction:
            _beat(judge, transaction.agenda, now)


def _beat(judge: Judge, agenda: Agenda, now: datetime) -> None:
    """Note that the judge is awake, unless it was so at an instant that is still to come.

    Then either time is wrong. Believed at once, a clock without a battery would make years of a
    night, and give them back to everybody when it is set; so it has to keep to it for a while.
    """
    last, since = agenda.last_beat(), agenda.doubted_since()
    if last and last - now >= JUMP:
        if since is None or since > now:
            since = now
            agenda.doubt(since)
            judge.journal.warn("clock.behind", seconds=round((last - now).total_seconds()))
        if now - since < BELIEVED_AFTER:
            return
    if since:
        agenda.doubt(None)
    agenda.beat(now)


def _look_at(judge: Judge, name: str) -> None:
    """Do what is due in one game."""
    try:
        for _ in range(LOOKS_MAX):
            if not persistently(partial(_look_and_commit, judge, name)):
                return
    except DamagedLogError as error:
        _tell_operator(judge, error.flaw)
    except Exception as error:  # noqa: BLE001 - one game must not hold up the others
        _tell_why(judge, name, error)


def _tell_why(judge: Judge, name: str, error: Exception) -> None:
    """Say why a game could not be looked at: it is our fault, unless its log makes no sense."""
    try:
        with judge.database.read() as transaction:
            flaw = flaw_in(transaction, name)
    except Exception as worse:  # noqa: BLE001 - the store is gone: the next tick tries again
        judge.journal.failed("game.failed", worse, game=name)
        return
    if flaw:
        _tell_operator(judge, flaw)
    else:
        judge.journal.failed("game.failed", error, game=name)


def _tell_operator(judge: Judge, flaw: Flaw) -> None:
    """Say from time to time that a game waits for him; `judge status` finds it overdue."""
    now, told = judge.clock.now(), judge.histories.doubted
    if flaw.game not in told or now - told[flaw.game] >= SAY_AGAIN:
        told[flaw.game] = now
        damage = flaw.damage.value
        judge.journal.warn("game.damaged", game=flaw.game, number=flaw.version, damage=damage)


def _look_and_commit(judge: Judge, name: str) -> bool:
    with judge.database.write() as transaction:
        return _look_once(judge, transaction, name)


def _look_once(judge: Judge, transaction: Transaction, name: str) -> bool:
    """Do one thing that is due now; False if nothing is, or a mail must be answered first."""
    now = judge.clock.now()
    if not transaction.agenda.is_due(name, now):  # Another judge was faster.
        return False
    make_up(judge, transaction, name, now)
    game = judge.histories.load(transaction, judge.boards, name)
    assert game is not None, "the agenda names games of the log"
    require_whole(transaction, game)
    board = judge.boards(game.variant)
    due = next_look(board, game)
    if due is None or due > now:
        remind(judge, transaction, board, game, now)
        tell_moderator(judge, transaction, board, game, now)
        transaction.agenda.set(name, next_instant(board, game, now))
        return False
    if transaction.inbox.waiting(until=due, limit=1):
        # decisions.md, Time: an email from before the deadline is answered before the close.
        return False
    if is_held(judge, transaction, game, due, now):
        return False
    tick = Tick(answered_until=due, unreachable=unreachable(transaction, game, now))
    conducted = conduct(judge, transaction, name, tick, now)
    assert conducted.game is not None
    judge.journal.note("game.moved", game=name, version=conducted.game.version)
    return True
