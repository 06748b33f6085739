"""Answers to those who ask about a game's past, its players, or what would come of orders."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from judge.game.game_state import Game, Stage
from judge.game.orders.order_set_update import ordered_province
from judge.game.visibility import (
    Reader,
    is_board_hidden,
    position_seen,
    sees_contacts,
    visible_fault,
    visible_provinces,
)
from judge.notation.order_text import write_order
from judge.reports.answers import Explained, Explanation, History, Summary, Tenure, WhoGame
from judge.reports.contexts import BoardMap, PhaseResults, WhatIf
from judge.reports.endings import centers_by_year
from judge.reports.headings import heading_of
from judge.reports.lists import vacant
from judge.reports.results import results, units_disbanded
from judge.reports.starts import shown_handles
from judge.rules.explanation.reasons import Reasons
from judge.rules.legality import impossibility
from judge.rules.types import Move

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from judge.game.phases import PhaseClosed
    from judge.reports.answers import Contact
    from judge.rules.board import Map
    from judge.rules.outcome import Outcome
    from judge.rules.types import Order, Position, Power


def history(board: Map, game: Game, pages: int, left_out: int, *, judge_code: str) -> History:
    """Head *pages* of what was told of *game*; *left_out* are more than a mail may hold."""
    return History(heading=heading_of(board, game, judge_code), pages=pages, left_out=left_out)


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
    """Say who owned what when; *positions* are those of each phase, *tenures* all players."""
    counts = centers_by_year(board.start, positions)
    owners = {board.start.phase.year - 1: board.start.owners} | {
        each.phase.year - (each.phase.season.value == "S"): each.owners
        for each in positions
        if each.owners
    }
    known = {power: each[-1].handle for power, each in tenures.items()}
    shown = shown_handles(board, game, reader, known)
    return Summary(
        heading=heading_of(board, game, judge_code),
        began=began,
        players={power: tuple(tenures[power]) for power in shown},
        centers=tuple(sorted(board.centers)),
        owners=owners,
        counts=counts,
        index={year: _index(board, held) for year, held in counts.items()},
        ending=game.ending,
    )


def _index(board: Map, held: Mapping[Power, int]) -> int:
    return sum(held.get(power, 0) ** 2 for power in board.powers) // len(board.powers)


def board_map(  # noqa: PLR0913 - what is shown beside the board depends on the phase
    board: Map,
    game: Game,
    reader: Reader,
    position: Position,
    standing: Mapping[Power, tuple[str, ...]],
    told: PhaseResults | None,
    *,
    drawn: bool,
    judge_code: str,
) -> BoardMap:
    """Show *reader* a *position* of *game* as far as they may see it."""
    return BoardMap(
        heading=heading_of(board, game, judge_code),
        phase=position.phase,
        position=position_seen(board, game, position, reader),
        standing=standing,
        results=told,
        drawn=drawn,
    )


def who_game(  # noqa: PLR0913 - who plays, joined and moderates, by handle
    board: Map,
    game: Game,
    reader: Reader,
    handles: Mapping[Power, str],
    joined: tuple[str, ...],
    moderator: str | None,
    *,
    judge_code: str,
    contacts: tuple[Contact, ...] = (),
) -> WhoGame:
    """Say who plays *game*, as far as *reader* may know."""
    forming = game.stage is Stage.FORMING
    return WhoGame(
        heading=heading_of(board, game, judge_code),
        players=shown_handles(board, game, reader, handles),
        joined=() if game.house_rules.anonymous or not forming else joined,
        places=len(board.powers) - len(game.joined) if forming else 0,
        vacant=vacant(board, game),
        moderator=moderator,
        contacts=contacts if sees_contacts(game, reader) else (),
    )


def explanation(
    board: Map,
    game: Game,
    told: PhaseResults,
    asked: Mapping[str, Order | None],
    reader: Reader,
) -> Explanation:
    """Say of each order of *asked* what became of it in the phase that *told* is about."""
    dark = is_board_hidden(game, reader)
    outcomes = tuple(each for power in told.orders.values() for each in power)
    found = _reasons(game, told, outcomes)
    return Explanation(
        heading=told.heading,
        phase=told.closed,
        orders=tuple(
            _done(board, game, told, text, order)
            if dark
            else _explained(board, game, told, found, text, order)
            for text, order in asked.items()
        ),
        units=found.units,
        dark=dark,
    )


def _reasons(game: Game, told: PhaseResults, outcomes: tuple[Outcome, ...]) -> Reasons:
    disbanded = units_disbanded(told.stood, outcomes)
    return Reasons(outcomes, told.paradoxes, disbanded, game.rulebook)


def _explained(
    board: Map, game: Game, told: PhaseResults, found: Reasons, text: str, order: Order | None
) -> Explained:
    of_place, same = _outcomes_of(told, order)
    if order is None or not of_place:
        return Explained(text, order)
    if same:
        return Explained(text, order, reason=found.of(same[-1]))
    fault = impossibility(board, told.stood, of_place[-1].power, order, game.rulebook)
    return Explained(text, order, impossible=fault, instead=found.of(of_place[-1]))


def _done(board: Map, game: Game, told: PhaseResults, text: str, order: Order | None) -> Explained:
    """Say of *order* no more than *told* has, which is what its reader may know."""
    of_place, same = _outcomes_of(told, order)
    if order is None or not of_place:
        return Explained(text, order)
    if same:
        return Explained(text, order, done=same[-1])
    power, law = of_place[-1].power, game.rulebook
    sight = visible_provinces(board, game, told.stood, power)
    wrong = visible_fault(board, told.stood, power, order, law, sight)
    return Explained(text, order, impossible=wrong, done=of_place[-1], given=False)


def _outcomes_of(
    told: PhaseResults, order: Order | None
) -> tuple[Sequence[Outcome], Sequence[Outcome]]:
    """Return what came of orders for the unit of *order*, and of those that say the same."""
    if order is None:
        return (), ()
    of_place = [
        each
        for outcomes in told.orders.values()
        for each in outcomes
        if ordered_province(each.order) == ordered_province(order)
    ]
    return of_place, [each for each in of_place if _says(each.order) == _says(order)]


def _says(order: Order) -> str:
    """Write *order* without whose the units are and over which seas an army goes."""
    return write_order(replace(order, route=()) if isinstance(order, Move) else order)


def what_if(  # noqa: PLR0913 - it joins two phases, and what was asked of them
    board: Map,
    before: Game,
    closed: PhaseClosed,
    after: Game,
    *,
    unread: tuple[str, ...],
    own: bool,
    judge_code: str,
    held: bool = False,
    dark: bool = False,
    others: tuple[str, ...] = (),
) -> WhatIf:
    """Say what would come of the orders that *closed* judged; *unread* were meant to be some.

    What is for a phase other than that is among the *others*.
    With *held*, those of all powers that stand are among them. In the *dark* there is no more on
    the board than the reader sees.
    """
    told = results(board, before, closed, after, None, judge_code=judge_code, head="")
    told = replace(told, heading=heading_of(board, before, judge_code))
    found = {each.name: getattr(told, each.name) for each in fields(told)}
    return WhatIf(**found, unread=unread, own=own, held=held, dark=dark, others=others)
