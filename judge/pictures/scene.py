"""What is in a picture: a position, and orders with what became of them, if anybody knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge.rules.outcome import Fate, Outcome, Verdict
from judge.rules.types import Hold, Order, Position, Power, Unit


@dataclass(frozen=True, slots=True)
class Shown:
    """An order of *power*; *verdict* is None before the phase is adjudicated."""

    power: Power
    order: Order
    verdict: Verdict | None = None
    fate: Fate | None = None
    written: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A position as it was before the *orders*; *removed* are units taken off without an order.

    All that is in it is drawn: whoever shows it to a reader puts in what that reader may see, and
    leaves out the rest (see `judge.game.visibility`).
    """

    position: Position
    orders: tuple[Shown, ...] = ()
    removed: tuple[Unit, ...] = ()
    title: str = ""


def with_orders(
    position: Position, orders: Mapping[Power, Sequence[Order]], title: str = ""
) -> Scene:
    """Return *position* with *orders* that nobody has adjudicated."""
    shown = tuple(Shown(power, each) for power, several in orders.items() for each in several)
    return Scene(position=position, orders=shown, title=title)


def with_outcomes(
    position: Position,
    outcomes: Iterable[Outcome],
    removed: tuple[Unit, ...] = (),
    title: str = "",
) -> Scene:
    """Return *position* with what became of the orders.

    Among *outcomes* may be those of units without an order; *removed* are those of an
    adjudication.
    """
    shown = tuple(
        Shown(each.power, each.order, each.verdict, each.fate, each.written)
        for each in outcomes
        if each.written or each.fate or not isinstance(each.order, Hold)
    )
    return Scene(position=position, orders=shown, removed=removed, title=title)
