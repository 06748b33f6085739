"""Games that began elsewhere: recorded ones taken into the log, and branches of those in it."""

from __future__ import annotations

from dataclasses import replace

from judge.app import operate
from judge.app.conduct import Conducted
from judge.app.judge import Judge
from judge.app.operate import NewGame
from judge.archive.logged import record_of
from judge.archive.past import branch_of, imported, past_of
from judge.archive.record import Record
from judge.rules.phase import Phase


def take_in(judge: Judge, new: NewGame, record: Record, at: Phase | None) -> Conducted:
    """Open *new* with what was played in *record*, to be played on from *at* or from its end.

    Raises `NoPastError`.
    """
    board = judge.boards(new.variant)
    past = past_of(board, record, new.rulebook, imported(record), at)
    return operate.create(judge, replace(new, past=past))


def branch(judge: Judge, new: NewGame, parent: str, at: Phase) -> Conducted:
    """Open *new* with what was played in the game *parent* before *at*, to go on from there.

    Raises `NoPastError`.
    """
    board = judge.boards(new.variant)
    past = branch_of(board, operate.log(judge, parent), new.rulebook, at)
    return operate.create(judge, replace(new, past=past))


def recorded(judge: Judge, name: str) -> Record:
    """Return the game *name*, of which there are events, as a record of what is public."""
    game = operate.game(judge, name)
    assert game, "there are events of it"
    return record_of(judge.boards(game.variant), operate.log(judge, name))
