"""Emails that explain the results of orders, or preview what orders would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.game.game_state import Game
from judge.game.submission import ordered_province
from judge.game.visibility import (
    Reader,
    is_board_hidden,
    visible_fault,
    visible_provinces,
)
from judge.notation.order_text import write_order
from judge.reports.emails.contexts import Context
from judge.reports.emails.phase_results import (
    SharedResults,
    units_disbanded,
)
from judge.rules.board import Map
from judge.rules.legality import impossibility
from judge.rules.outcomes import Destroyed, Impossible, Outcome
from judge.rules.reasons import Reason, Reasons
from judge.rules.types import (
    Move,
    Order,
    Phase,
    Position,
    Province,
    Unit,
    UnitKind,
    Waive,
    province_of,
)


@dataclass(frozen=True, slots=True)
class ClosedPlace:
    """A province next to a destroyed unit: another *unit* is there, its attacker came from it.

    Otherwise units bounced there.
    """

    place: Province
    unit: Unit | None
    attacked_from: bool


@dataclass(frozen=True, slots=True)
class Explained:
    """An order the reader asked about, with the *reason* for its result.

    *reason* is None if the order was not given: it may be *impossible*, or *instead* was ordered.
    In a blind game only the result *done* is shown, of this order or of the other one. A destroyed
    unit could not retreat to the places *closed*.
    """

    text: str
    order: Order | None
    reason: Reason | None = None
    impossible: Impossible | None = None
    instead: Reason | None = None
    done: Outcome | None = None
    given: bool = True
    closed: tuple[ClosedPlace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Context):
    """The results of orders in *phase* and their rules; *units* are its outcomes by place.

    If *blind*, no rule is named, since rules would reveal units that the reader does not see.
    """

    phase: Phase
    orders: tuple[Explained, ...]
    units: Mapping[Province, Outcome]
    blind: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf(Context):
    """The preview of the open phase with orders of an email: its *shared* results.

    *own* says that the reader's current orders are included, *held* that those of all powers are.
    *unread* are texts that could not be read, *others* are for another phase. If *blind*, it has
    only what the reader sees.
    """

    shared: SharedResults
    unread: tuple[str, ...]
    own: bool
    held: bool = False
    blind: bool = False
    others: tuple[str, ...] = ()


def explanation(
    board: Map,
    game: Game,
    results: SharedResults,
    asked: Mapping[str, Order | None],
    reader: Reader,
) -> Explanation:
    """Explain each order in *asked* by *results*."""
    blind = is_board_hidden(game, reader)
    outcomes = tuple(each for power in results.orders.values() for each in power)
    disbanded = units_disbanded(results.stood, outcomes)
    found = Reasons(outcomes, results.paradoxes, disbanded, game.rulebook)
    return Explanation(
        heading=results.heading,
        phase=results.closed,
        orders=tuple(
            _outcome_alone(board, game, results, text, order)
            if blind
            else _explained(board, game, results, found, text, order)
            for text, order in asked.items()
        ),
        units=found.units,
        blind=blind,
    )


def _explained(
    board: Map, game: Game, results: SharedResults, found: Reasons, text: str, order: Order | None
) -> Explained:
    of_place, same = _outcomes_of(results, order)
    if order is None or not of_place:
        return Explained(text, order)
    outcome = (same or of_place)[-1]
    closed = tuple(_closed_to(board, results.stand, outcome))
    if same:
        return Explained(text, order, reason=found.of(outcome), closed=closed)
    fault = impossibility(board, results.stood, outcome.power, order, game.rulebook)
    return Explained(text, order, impossible=fault, instead=found.of(outcome), closed=closed)


def _closed_to(board: Map, after: Position, outcome: Outcome) -> Iterator[ClosedPlace]:
    """Yield the neighbors of the unit of *outcome*, if it was destroyed: it could not retreat."""
    if not isinstance(outcome.fate, Destroyed) or isinstance(outcome.order, Waive):
        return
    unit = outcome.order.unit
    borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
    for place in sorted({province_of(each) for each in borders.get(unit.location, ())}):
        at = after.unit_at.get(place)
        there = after.units[at] if at is not None else None
        yield ClosedPlace(place, there, attacked_from=place == outcome.fate.by)


def _outcome_alone(
    board: Map, game: Game, results: SharedResults, text: str, order: Order | None
) -> Explained:
    """Return the result of *order* as far as the reader of *results* may know it."""
    of_place, same = _outcomes_of(results, order)
    if order is None or not of_place:
        return Explained(text, order)
    if same:
        return Explained(text, order, done=same[-1])
    power, rulebook = of_place[-1].power, game.rulebook
    visible = visible_provinces(board, game, results.stood, power)
    wrong = visible_fault(board, results.stood, power, order, rulebook, visible)
    return Explained(text, order, impossible=wrong, done=of_place[-1], given=False)


def _outcomes_of(
    results: SharedResults, order: Order | None
) -> tuple[Sequence[Outcome], Sequence[Outcome]]:
    """Return the outcomes of orders that equal *order* or order the same unit."""
    if order is None:
        return (), ()
    of_place = [
        each
        for outcomes in results.orders.values()
        for each in outcomes
        if ordered_province(each.order) == ordered_province(order)
    ]
    return of_place, [each for each in of_place if _order_text(each.order) == _order_text(order)]


def _order_text(order: Order) -> str:
    """Return *order* as text without owners of units and seas of a convoy."""
    return write_order(replace(order, route=()) if isinstance(order, Move) else order)
