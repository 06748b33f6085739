"""Examples of the rulebook: orders as a player would mail them, and their results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Adjudication, result_words
from judge.rules.rulebook import Rulebook
from judge.rules.types import Order, Phase, PhaseKind, Position, Power, Unit, Waive
from tests.support import written_orders

BOARD = load_map()
TESTED_RULEBOOKS = (
    "datc",
    "1971",
    "1976",
    "1982",
    "2000",
    "2023",
)  # the DATC, and those that were printed


def comes_out(
    rulebook: Rulebook,
    orders: Mapping[Power, Mapping[str, str]],
    unordered: Mapping[Power, str] | None = None,
) -> Adjudication:
    """Adjudicate *orders*, each written beside its result; every unit is where its order says.

    *unordered* are units besides: they got no order.
    """
    written = {power: [order_in(text) for text in told] for power, told in orders.items()}
    units = [unit_of(power, order) for power, several in written.items() for order in several]
    result = adjudicate(BOARD, position("S1901M", unordered or {}, units), written, rulebook)
    told = iter(result.outcomes)
    assert {
        power: {text: ", ".join(result_words(next(told))) for text in texts}
        for power, texts in orders.items()
    } == orders
    return result


def played(rulebook: Rulebook, start: Position, *turns: Mapping[Power, str]) -> Position:
    """Return the position after some *turns*, each the emails of all powers for one phase."""
    for mails in turns:
        orders = {power: orders_in(text, start.phase.kind) for power, text in mails.items()}
        start = adjudicate(BOARD, start, orders, rulebook).after
    return start


def position(
    phase: str,
    units: Mapping[Power, str],
    more: Iterable[Unit] = (),
    centers: Mapping[Power, str] | None = None,
) -> Position:
    """Return the position in which powers have *units* (`A Mun, F Kie`) and own *centers*."""
    named = [
        unit_of(power, build)
        for power, text in units.items()
        for build in orders_in(text, PhaseKind.ADJUSTMENTS)
    ]
    owners = {center: power for power, text in (centers or {}).items() for center in text.split()}
    return Position(Phase.parse(phase), (*named, *more), owners)


def places(units: Iterable[Unit]) -> dict[Power, str]:
    """Return *units* by power, as `position` reads them."""
    found: dict[Power, list[str]] = {}
    for unit in units:
        found.setdefault(unit.power, []).append(str(unit))
    return {power: ", ".join(sorted(texts)) for power, texts in found.items()}


def order_in(text: str) -> Order:
    """Return the one order of *text*."""
    (order,) = orders_in(text)
    return order


def orders_in(text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> tuple[Order, ...]:
    """Read *text*, all of which must be orders."""
    return written_orders.orders_in(text, BOARD, kind)


def unit_of(power: Power, order: Order) -> Unit:
    """Return the unit that *order* of *power* is for."""
    assert not isinstance(order, Waive)
    assert order.unit.kind
    return Unit(power, order.unit.kind, order.unit.location)
