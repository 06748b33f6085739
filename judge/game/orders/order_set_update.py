"""Which orders of an email count: legality, duplicates, excess adjustments, contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from judge.game.decision import Remark
from judge.game.house_rules import ImpossibleOrders
from judge.game.visibility import VisibleProvinces, position_within, visible_fault
from judge.rules.adjustments import excess_adjustment_faults
from judge.rules.board import Map
from judge.rules.legality import completed_order
from judge.rules.outcome import Impossible
from judge.rules.phase_context import PhaseContext
from judge.rules.phase_sequence import orders_due
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    province_of,
)

OrderKey = tuple[Province, int]  # of what an order is for: one unit or place, or one waived build

NEVER_STANDS = frozenset(  # An order for nothing that its writer could order in this phase.
    {
        Impossible.NO_SUCH_UNIT,
        Impossible.NOT_YOURS,
        Impossible.WRONG_PHASE,
        Impossible.NOT_DISLODGED,
        Impossible.NOTHING_DUE,
    }
)
# A waived build too many need not stand: without it the same others count.
EXCESS = frozenset({Impossible.TOO_MANY, Impossible.TOO_MANY_LAST})


@dataclass(frozen=True, slots=True)
class CheckedOrder:
    """An order as it came, as it is to stand, and what is wrong with it."""

    written: Order
    order: Order
    fault: Impossible | None


@dataclass(frozen=True, slots=True)
class CheckedOrderSet:
    """What of a mail stands, in the order written, and what is to be said of it."""

    orders: tuple[Order, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class OrderSetUpdate:
    """Reads mails of *power*, which sees what is in *sight*, for the phase of *position*."""

    board: Map
    position: Position
    rulebook: Rulebook
    policy: ImpossibleOrders
    power: Power
    sight: VisibleProvinces = None

    def take(self, orders: Sequence[Order]) -> CheckedOrderSet:
        """Sort out *orders*: for one unit the last one counts."""
        entries = [self._entry(order) for order in orders]
        rivals: dict[OrderKey, list[CheckedOrder]] = {}
        for index, entry in enumerate(entries):
            if not self._is_left(entry):
                rivals.setdefault(_order_key(entry.order, index), []).append(entry)
        counting = self._limited([several[-1] for several in rivals.values()])
        left = (entry for entry in entries if self._is_left(entry))
        remarks = [Remark(entry.written, entry.fault, refused=True) for entry in left]
        for entry, several in zip(counting, rivals.values(), strict=True):
            remarks += self._remarks(entry, several)
        standing = (entry.order for entry in counting if not self._is_left(entry))
        return CheckedOrderSet(tuple(standing), tuple(remarks))

    def _entry(self, written: Order) -> CheckedOrder:
        """Read one order; in a retreat phase a move is a retreat."""
        order = written
        if isinstance(order, Move) and self.position.phase.kind is PhaseKind.RETREATS:
            order = Retreat(order.unit, order.target)
        fault = self.fault_in(order)
        known = position_within(self.position, self.sight, self.power)
        meant = completed_order(self.board, known, order, self.rulebook)
        # A slip that is not forgiven (DATC 4.B, 4.C) must stand as it is, to be judged so again.
        return CheckedOrder(written, meant if self.fault_in(meant) is fault else order, fault)

    def fault_in(self, order: Order) -> Impossible | None:
        """Return why *order* cannot be carried out or is not due, None if it can be."""
        if self._is_undue(order):
            return Impossible.NOTHING_DUE
        return visible_fault(
            self.board, self.position, self.power, order, self.rulebook, self.sight
        )

    def _is_undue(self, order: Order) -> bool:
        """Return whether *order* builds where units are to be removed, or the other way round."""
        if self.position.phase.kind is not PhaseKind.ADJUSTMENTS:
            return False
        due = self.position.due(self.power)
        return isinstance(order, Build | Waive) if due < 0 else isinstance(order, Disband)

    def _is_left(self, entry: CheckedOrder) -> bool:
        """Return whether an order changes nothing."""
        if entry.fault in EXCESS and isinstance(entry.order, Waive):
            return True
        refused = entry.fault is not None and self.policy is ImpossibleOrders.REFUSE
        return refused or entry.fault in NEVER_STANDS

    def _limited(self, counting: Sequence[CheckedOrder]) -> Sequence[CheckedOrder]:
        """Find fault with adjustments beyond those that are due."""
        possible = [(i, entry.order) for i, entry in enumerate(counting) if entry.fault is None]
        faults = excess_adjustments(self.board, self.position, self.rulebook, self.power, possible)
        return [
            replace(entry, fault=faults.get(index, entry.fault))
            for index, entry in enumerate(counting)
        ]

    def _remarks(self, entry: CheckedOrder, several: Sequence[CheckedOrder]) -> Iterator[Remark]:
        """Remark on *entry*, which counts, and on those of *several* that it overruled."""
        lost = [each.written for each in several if each.order != entry.order]
        for written in lost:
            yield Remark(written, Impossible.DUPLICATE_LAST, refused=True)
        if lost or entry.fault:
            rival = lost[-1] if lost else None
            yield Remark(entry.written, entry.fault, rival, refused=self._is_left(entry))


def ordered_province(order: Order) -> Province | None:
    """Return the province of the unit that *order* is for, None for a waived build."""
    return None if isinstance(order, Waive) else order.unit.province


def _order_key(order: Order, index: int) -> OrderKey:
    place = ordered_province(order)
    return (place, 0) if place else ("", index)


def excess_adjustments(
    board: Map,
    position: Position,
    law: Rulebook,
    power: Power,
    possible: Sequence[tuple[int, Order]],
) -> Mapping[int, Impossible]:
    """Return which of *possible* orders of *power*, known by their numbers, are too many, and why.

    Nor can more be waived than there are centers open to build in.
    """
    if position.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {}
    faults = dict(excess_adjustment_faults(PhaseContext(board, position, law), power, possible))
    counted = [(number, order) for number, order in possible if number not in faults]
    waived = [number for number, order in counted if isinstance(order, Waive)]
    spare = waived[orders_due(board, position, power) - (len(counted) - len(waived)) :]
    return faults | dict.fromkeys(spare, Impossible.TOO_MANY)


def contradictory_orders(orders: Iterable[Order]) -> Iterator[tuple[Order, Order]]:
    """Yield each of *orders*, those of one power, that contradicts another, and that other.

    A unit without an order contradicts nothing: its order may still come.
    """
    given = {ordered_province(order): order for order in orders}
    for order in given.values():
        match order:
            case SupportHold(supported=unit) | SupportMove(supported=unit) | Convoy(army=unit):
                other = given.get(unit.province)
                if other is not None and not _agree(order, other):
                    yield order, other
            case Hold() | Move() | Retreat() | Disband() | Build() | Waive():
                pass
            case _:
                assert_never(order)


def _agree(order: SupportHold | SupportMove | Convoy, other: Order) -> bool:
    """Return whether the unit that *order* is about is told to do what *order* helps it with."""
    if isinstance(order, SupportHold):
        return not isinstance(other, Move)
    if not isinstance(other, Move) or province_of(other.target) != province_of(order.target):
        return False
    over_other_seas = other.route and order.unit.province not in other.route
    return isinstance(order, SupportMove) or not over_other_seas
