"""Emails about the past of a game: history, summary, map, the end, diaries and statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.checkpoints import ClosingEvent
from judge.game.game_state import Ending, Game
from judge.game.visibility import Reader
from judge.reports.emails import contexts
from judge.reports.emails.game_start import visible_handles
from judge.reports.emails.phase_results import PhaseResults, centers_by_year
from judge.rules.board import Map
from judge.rules.types import Phase, PhaseKind, Position, Power, Province


@dataclass(frozen=True, slots=True, kw_only=True)
class History(contexts.Context):
    """The heading of a game's history in *pages*; *left_out* earlier ones were too many."""

    pages: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Tenure:
    """A player of a power, *since* the phase of their takeover, if any."""

    handle: str
    since: Phase | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(contexts.Context):
    """A summary of a game: who played which power, and the owners of centers by year.

    *centers* are in print order, *players* only those whom the reader may know. *index* is the sum
    of the squares of the centers divided by the number of powers, as in nJudge.
    """

    began: datetime
    players: Mapping[Power, tuple[Tenure, ...]]
    centers: tuple[Province, ...]
    owners: Mapping[int, Mapping[Province, Power]]
    counts: Mapping[int, Mapping[Power, int]]
    index: Mapping[int, int]
    ending: Ending | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMap(contexts.Context):
    """The board of *phase*, as far as the reader may see it; *drawn* says whether it is pictured.

    In an open phase, *standing* are the reader's own orders. The *results* of a closed phase
    follow on a page of their own.
    """

    phase: Phase
    position: Position
    standing: Mapping[Power, tuple[str, ...]]
    results: PhaseResults | None
    drawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver(contexts.Context):
    """The end of a game, and the centers of each power by year.

    *was_due* is the deadline of a phase that was open.
    """

    ending: Ending
    was_due: datetime | None
    centers: Mapping[int, Mapping[Power, int]]
    closing: ClosingEvent | None = None

    def deadline(self, now: datetime) -> contexts.CalendarDeadline | None:
        phase = self.heading.phase
        return contexts.cancelled_deadline(phase.code, self.was_due, now) if phase else None


def summary(  # noqa: PLR0913 - all that the log tells of a game
    board: Map,
    game: Game,
    reader: Reader,
    positions: Sequence[Position],
    tenures: Mapping[Power, Sequence[Tenure]],
    *,
    judge_code: str,
    began: datetime,
) -> Summary:
    """List the owners of centers at the end of each year, from the *positions* of each phase."""
    positions = [each for each in positions if _ends_year(board, each)]
    counts = centers_by_year(board, positions)
    year_of = board.calendar.year_counted
    owners = {
        year_of(each.phase): each.owners for each in (board.start, *positions) if each.owners
    }
    known = {power: each[-1].handle for power, each in tenures.items()}
    shown = visible_handles(board, game, reader, known)
    return Summary(
        heading=contexts.heading_of(board, game, judge_code),
        began=began,
        players={power: tuple(tenures[power]) for power in shown},
        centers=tuple(sorted(board.centers)),
        owners=owners,
        counts=counts,
        index={year: _sum_of_squares_index(board, held) for year, held in counts.items()},
        ending=game.ending,
    )


def _ends_year(board: Map, position: Position) -> bool:
    """Return whether centers have just changed owners, or do so before the next movement."""
    turn = board.calendar.turn_of(position.phase)
    is_adjusting = position.phase.kind is PhaseKind.ADJUSTMENTS
    return is_adjusting or turn is None or board.calendar.turns[turn - 1].adjusts


def _sum_of_squares_index(board: Map, held: Mapping[Power, int]) -> int:
    return sum(held.get(power, 0) ** 2 for power in board.powers) // len(board.powers)


@dataclass(frozen=True, slots=True)
class Note:
    """A note by the player of *by*, or by the moderator (None), with its *number* and *phase*."""

    by: Power | None
    lines: tuple[str, ...]
    number: int = 0
    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiariesAndStatements(contexts.Context):
    """Diaries and statements of a game; its *notes* are the reader's *own*, or everybody's."""

    statements: tuple[Note, ...]
    notes: tuple[Note, ...]
    own: bool


def diaries_and_statements(
    board: Map,
    game: Game,
    statements: tuple[Note, ...],
    notes: tuple[Note, ...],
    *,
    own: bool,
    judge_code: str,
) -> DiariesAndStatements:
    """Show the diaries and statements of *game*."""
    return DiariesAndStatements(
        heading=contexts.heading_of(board, game, judge_code),
        statements=statements,
        notes=notes,
        own=own,
    )
