"""What everybody is told of what happened: events become mails, one a reader, queued in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.app.judge import Judge
from judge.app.letters import Reader, readers, write_to
from judge.app.ports import Purpose, Transaction
from judge.events.store import Recorded
from judge.events.types import (
    CivilDisorderDeclared,
    DeadlineMoved,
    DeadlinePassed,
    GameEnded,
    GameStarted,
    PhaseClosed,
    PhaseOpened,
    PowerTakenOver,
    PowerVacated,
    PressSent,
)
from judge.game.game import Game
from judge.game.state import evolve
from judge.reports import endings, notices, press, results, starts
from judge.reports.render import render
from judge.rules.geography import Map


@dataclass(frozen=True, slots=True)
class Step:
    """An event with the game before it, and after it and the opening or ending that follows at once."""

    before: Game
    recorded: Recorded
    after: Game


def announce(
    judge: Judge,
    transaction: Transaction,
    board: Map,
    before: Game | None,
    recorded: Sequence[Recorded],
    now: datetime,
) -> None:
    """Queue the mails that *recorded*, just appended to the game *before*, give cause for."""
    herald = Herald(judge, transaction, board, recorded[-1].hash, now)
    for step in _steps(board, before, recorded):
        herald.tell(step)


@dataclass(frozen=True, slots=True)
class Herald:
    """Tells the readers of one game what happened; *head* is the hash of its log, printed in results."""

    judge: Judge
    transaction: Transaction
    board: Map
    head: str
    now: datetime

    def tell(self, step: Step) -> None:
        """Queue the mails about one event; most events are nobody's business but the log's."""
        match step.recorded.event:
            case GameStarted():
                self._start(step)
            case PhaseClosed() as closed:
                self._results(step, closed)
            case GameEnded():
                self._end(step)
            case DeadlinePassed() | DeadlineMoved() | PowerVacated() | PowerTakenOver() | CivilDisorderDeclared() as event:
                self._notice(step, event)
            case PressSent() as sent:
                self._press(step, sent)
            case _:
                pass
