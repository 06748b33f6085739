"""Scenes, which are positions with orders and outcomes, and captions for pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge.notation.order_text import write_order
from judge.rules.board import Map
from judge.rules.outcomes import RESULT_MARKS, Fate, Outcome, Verdict, result_marks
from judge.rules.types import Hold, Order, Position, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """An order of *power*; *verdict* is None before adjudication."""

    power: Power
    order: Order
    verdict: Verdict | None = None
    fate: Fate | None = None
    written: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A position and *orders* for it; *removed* are units removed without an order.

    Everything in it is drawn, so callers leave out what the reader may not see
    (`judge.game.visibility`).
    """

    position: Position
    orders: tuple[ShownOrder, ...] = ()
    removed: tuple[Unit, ...] = ()
    title: str = ""


def scene_with_orders(
    position: Position, orders: Mapping[Power, Sequence[Order]], title: str = ""
) -> Scene:
    """Return a scene with orders before adjudication."""
    shown = tuple(ShownOrder(power, each) for power, several in orders.items() for each in several)
    return Scene(position=position, orders=shown, title=title)


def scene_with_outcomes(
    position: Position,
    outcomes: Iterable[Outcome],
    removed: tuple[Unit, ...] = (),
    title: str = "",
) -> Scene:
    """Return a scene with adjudicated orders.

    *outcomes* may include units without an order; *removed* is the adjudication's.
    """
    shown = tuple(
        ShownOrder(each.power, each.order, each.verdict, each.fate, each.written)
        for each in outcomes
        if each.written or each.fate or not isinstance(each.order, Hold)
    )
    return Scene(position=position, orders=shown, removed=removed, title=title)


@dataclass(frozen=True, slots=True)
class Captions:
    """Names of *powers* and *places*, and texts for *results*, by `RESULT_MARKS`."""

    powers: Mapping[Power, str]
    places: Mapping[Province, str]
    results: Mapping[str, str]

    def of_order(self, shown: ShownOrder) -> str:
        """Return the text of an order and its results."""
        order = f"{self.powers[shown.power]}: {write_order(shown.order)}"
        if shown.verdict is None:
            return order
        outcome = Outcome(shown.power, shown.order, shown.verdict, shown.fate)
        results = [self.results[mark] for mark in result_marks(outcome)]
        return f"{order} ({', '.join(results)})" if results else order

    def of_unit(self, unit: Unit) -> str:
        """Return the power and location of *unit*."""
        return f"{self.powers[unit.power]}: {unit}"


def default_captions(board: Map) -> Captions:
    """Return captions with the names of *board* and the marks of judges."""
    return Captions(
        {power: nation.name for power, nation in board.nations.items()},
        {code: place.name for code, place in board.places.items()},
        {mark: mark for mark in RESULT_MARKS},
    )
