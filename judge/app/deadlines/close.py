"""Close phases at their deadlines, after all mail that came in before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from judge.app.deadlines.reminders import remind_moderator, remind_players
from judge.app.game.apply import (
    DamagedLogError,
    apply_command,
    credit_outage,
    find_damage,
    next_due,
    require_whole_log,
    warn_of_damage,
)
from judge.app.outbound.delivery import unreachable_players
from judge.app.outbound.recipients import GameMailer, recipients_of
from judge.app.ports.judge import Judge
from judge.app.ports.storage import Agenda, Transaction, retry_overtaken
from judge.game.clock import Tick, next_due_at
from judge.game.game_state import Game
from judge.reports.emails.notices import phase_held

HEARTBEAT = timedelta(minutes=1)
WAKE_UP = "wake up"
OUTAGE = timedelta(minutes=15)  # A shorter absence is a restart.
JUMP = timedelta(minutes=10)  # of the clock; less is one that was put right
BELIEVED_AFTER = timedelta(hours=1)  # a clock that shows less than before
GAMES_AT_A_TIME = 20
PHASES_CLOSED_MAX = (
    20  # phases that one look may close after a long absence; the next tick goes on
)


def close_all_due(judge: Judge) -> None:
    """Look at every game that may be due; one that an email must be answered for first, waits."""
    for games in due_games(judge):
        close_due_games(judge, games)


def due_games(judge: Judge) -> Iterator[Sequence[str]]:
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


def close_due_games(judge: Judge, games: Iterable[str]) -> None:
    """Look at *games*, but for those that another judge is at."""
    for game in games:
        claim = f"look at {game}"
        if judge.database.claims.take(claim):
            try:
                _close_due_game(judge, game)
            finally:
                judge.database.claims.leave(claim)


def note_wake_up(judge: Judge) -> bool:
    """Begin after a rest: note what an outage took, and look at games nobody looks at.

    Each game is given its time back before anything else happens in it. The agenda is a hint, and
    may have been lost. False if another judge on the same store is just doing so: the time must
    not be given back twice.
    """
    if not judge.database.claims.take(WAKE_UP):
        return False
    try:
        _wake_up(judge)
    finally:
        judge.database.claims.leave(WAKE_UP)
    return True


def _wake_up(judge: Judge) -> None:
    now = judge.clock.now()
    with judge.database.write() as transaction:
        agenda = transaction.agenda
        began = agenda.last_heartbeat() or now
        if now - began >= OUTAGE:
            agenda.begin_outage(began, now)
        for name in agenda.unscheduled_games():
            agenda.set(name, now)
        _record_heartbeat(judge, agenda, now)


def record_heartbeat(judge: Judge) -> None:
    """Note from time to time that the judge is awake, so that an outage has a beginning."""
    now = judge.clock.now()
    with judge.database.read() as transaction:
        last = transaction.agenda.last_heartbeat()
    if last is None or now - last >= HEARTBEAT or last - now >= JUMP:
        with judge.database.write() as transaction:
            _record_heartbeat(judge, transaction.agenda, now)


def _record_heartbeat(judge: Judge, agenda: Agenda, now: datetime) -> None:
    """Note that the judge is awake, unless it was so at an instant that is still to come.

    Then either time is wrong. Believed at once, a clock without a battery would make years of a
    night, and give them back to everybody when it is set; so it has to keep to it for a while.
    """
    last, since = agenda.last_heartbeat(), agenda.clock_behind_since()
    if last and last - now >= JUMP:
        if since is None or since > now:
            since = now
            agenda.set_clock_behind(since)
            judge.operator_log.warn("clock.behind", seconds=round((last - now).total_seconds()))
        if now - since < BELIEVED_AFTER:
            return
    if since:
        agenda.set_clock_behind(None)
    agenda.record_heartbeat(now)


def _close_due_game(judge: Judge, name: str) -> None:
    """Do what is due in one game."""
    try:
        for _ in range(PHASES_CLOSED_MAX):
            if not retry_overtaken(partial(_look_and_commit, judge, name)):
                return
    except DamagedLogError as error:
        warn_of_damage(judge, error.flaw)
    except Exception as error:  # noqa: BLE001 - one game must not hold up the others
        _log_failure(judge, name, error)


def _log_failure(judge: Judge, name: str, error: Exception) -> None:
    """Return why a game could not be looked at: it is our fault, unless its log makes no sense."""
    try:
        with judge.database.read() as transaction:
            flaw = find_damage(transaction, name)
    except Exception as worse:  # noqa: BLE001 - the store is gone: the next tick tries again
        judge.operator_log.failed("game.failed", worse, game=name)
        return
    if flaw:
        warn_of_damage(judge, flaw)
    else:
        judge.operator_log.failed("game.failed", error, game=name)


def _look_and_commit(judge: Judge, name: str) -> bool:
    with judge.database.write() as transaction:
        return _do_one_thing(judge, transaction, name)


def _do_one_thing(judge: Judge, transaction: Transaction, name: str) -> bool:
    """Do one thing that is due now; False if nothing is, or an email must be answered first."""
    now = judge.clock.now()
    if not transaction.agenda.is_due(name, now):  # Another judge was faster.
        return False
    credit_outage(judge, transaction, name, now)
    game = judge.game_cache.load(transaction, judge.boards, name)
    assert game is not None, "the agenda names games of the log"
    require_whole_log(transaction, game)
    board = judge.boards(game.variant)
    due = next_due_at(board, game)
    if due is None or due > now:
        remind_players(judge, transaction, board, game, now)
        remind_moderator(judge, transaction, board, game, now)
        transaction.agenda.set(name, next_due(board, game, now))
        return False
    if transaction.inbox.waiting(until=due, limit=1):
        # decisions.md, Time: an email from before the deadline is answered before the close.
        return False
    if waits_for_inputs(judge, transaction, game, due, now):
        return False
    tick = Tick(answered_until=due, unreachable=unreachable_players(transaction, game, now))
    conducted = apply_command(judge, transaction, name, tick, now)
    assert conducted.game is not None
    judge.operator_log.note("game.moved", game=name, version=conducted.game.version)
    return True


ALERT_AFTER = timedelta(minutes=15)  # docs/developers/decisions.md, Time
LOOK_AGAIN = timedelta(minutes=1)  # once the moderator knows


def waits_for_inputs(
    judge: Judge, transaction: Transaction, game: Game, due: datetime, now: datetime
) -> bool:
    """Say whether *game* has to wait; after a quarter of an hour, tell its moderator as well."""
    unread = judge.inputs.unread(due, now)
    if not unread:
        return False
    if now - due >= ALERT_AFTER:
        judge.operator_log.warn("game.held", game=game.name, unread=", ".join(unread))
        _tell_moderator(judge, transaction, game, due, now)
        transaction.agenda.set(game.name, now + LOOK_AGAIN)
    return True


def _tell_moderator(
    judge: Judge, transaction: Transaction, game: Game, due: datetime, now: datetime
) -> None:
    """Tell him once: the same cause makes the same mail."""
    notice = phase_held(judge.boards(game.variant), game, due, judge_code=judge.code)
    scribe = GameMailer(judge, transaction, game, now)
    for reader in recipients_of(transaction, game):
        if reader.power is None:
            scribe.write(notice, reader, f"held:{game.name}:{due.isoformat()}")
