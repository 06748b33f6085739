"""Keep the table of games: with each append, and all of it again from the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from judge.app.ports.database import Transaction, retry_overtaken
from judge.app.ports.judge import GameCache, Judge
from judge.event_log import Recorded, persons_in
from judge.game.game_state import Game, Stage
from judge.game.game_summary import GameSummary, summarize
from judge.game.phases import PhaseClosed
from judge.game.voting import GameEnded
from judge.rules.board import Map


def update_summary(
    judge: Judge,
    transaction: Transaction,
    board: Map,
    before: Game | None,
    after: Game,
    recorded: Sequence[Recorded],
) -> None:
    """Write what lists say of the game *after* the events *recorded*, if that has changed."""
    people, summary = before.people if before else frozenset(), summarize(board, after)
    came, went = after.people - people, people - after.people
    closed = _phases_closed(recorded)
    if before and not (closed or came or went or summarize(board, before) != summary):
        return
    if before and not transaction.summaries.count_phases(after.name, closed):
        rebuild_summary(judge, transaction, after.name)
        return
    ended = _when_ended(recorded)
    if ended is None and after.stage is Stage.ENDED:
        ended = _when_ended(transaction.events.read(after.name))
    transaction.summaries.put(replace(summary, ended=ended), came=came, went=went)
    if closed and before is None:
        transaction.summaries.count_phases(after.name, closed)


def _when_ended(log: Iterable[Recorded]) -> datetime | None:
    ended = (each.recorded_utc for each in log if isinstance(each.event, GameEnded))
    return max(ended, default=None)


def _phases_closed(log: Iterable[Recorded]) -> int:
    return sum(isinstance(each.event, PhaseClosed) for each in log)


def fill_summaries(judge: Judge) -> int:
    """Add the games that the table lacks, as in a store of an older judge; return their number.

    A game whose log cannot be read is left out.
    """
    with judge.database.read() as transaction:
        missing = transaction.summaries.missing()
    return sum(_rebuild(judge, name) for name in missing)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The *games* written again, those that *differed*, and damaged ones, left *unread*."""

    games: Sequence[str]
    differed: Sequence[str]
    unread: Sequence[str]


def rebuild_summaries(judge: Judge) -> Rebuilt:
    """Write the whole table again from the log."""
    with judge.database.read() as transaction:
        names = transaction.events.games()
        kept = {each.name: each for each in transaction.summaries.all()}
    games = [name for name in names if _rebuild(judge, name)]
    with judge.database.read() as transaction:
        found = transaction.summaries.all()
    return Rebuilt(
        games,
        differed=[each.name for each in found if each != kept.get(each.name)],
        unread=[name for name in names if name not in games],
    )


def rebuild_summary(judge: Judge, transaction: Transaction, name: str) -> None:
    """Write the summary of the game *name* again from its log."""
    log, cache = transaction.events.read(name), GameCache()
    game = cache.load(transaction, judge.boards, name)
    assert game is not None, "it has events"
    board = cache.board_of(judge.boards, game)
    named = persons_in(each.event for each in log)
    ended = _when_ended(log) if game.stage is Stage.ENDED else None
    transaction.summaries.put(
        summarize(board, game, ended), came=game.people, went=named - game.people
    )
    transaction.summaries.count_phases(name, _phases_closed(log), anew=True)


def _rebuild(judge: Judge, name: str) -> bool:
    try:
        retry_overtaken(partial(_rebuild_and_commit, judge, name))
    except Exception as error:  # noqa: BLE001 - one damaged game must not hide the others
        judge.operator_log.failed("game.failed", error, game=name)
        return False
    return True


def _rebuild_and_commit(judge: Judge, name: str) -> None:
    with judge.database.write() as transaction:
        rebuild_summary(judge, transaction, name)


def board_of_summary(judge: Judge, transaction: Transaction, summary: GameSummary) -> Map:
    """Return the board of the game, which is loaded only if its variant has changed since."""
    known = judge.game_cache.boards.get(summary.board_digest)
    if known:
        return known
    try:
        board = judge.boards(summary.variant)
    except (LookupError, ValueError):
        board = None
    if board and summary.board_digest in ("", board.digest):
        return board
    game = judge.game_cache.load(transaction, judge.boards, summary.name)
    assert game is not None, "it has events"
    return judge.board_of(game)
