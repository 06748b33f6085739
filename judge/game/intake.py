"""The orders of one mail, sorted out: what stands afterwards, and what is to be remarked on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.game.decision import Remark
from judge.game.house_rules import ImpossibleOrders
from judge.game.sight import Sight, fault, within
from judge.game.surplus import beyond
from judge.rules.board import Map
from judge.rules.legality import completed_order
from judge.rules.outcome import Impossible
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Build,
    Disband,
    Move,
    Order,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    Waive,
)

Key = tuple[Province, int]  # of what an order is for: one unit or place, or one waived build

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
BEYOND = frozenset({Impossible.TOO_MANY, Impossible.TOO_MANY_LAST})


@dataclass(frozen=True, slots=True)
class Entry:
    """An order as it came, as it is to stand, and what is wrong with it."""

    written: Order
    order: Order
    fault: Impossible | None


@dataclass(frozen=True, slots=True)
class Taken:
    """What of a mail stands, in the order written, and what is to be said of it."""

    orders: tuple[Order, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class Intake:
    """Reads mails of *power*, which sees what is in *sight*, for the phase of *position*."""

    board: Map
    position: Position
    rulebook: Rulebook
    policy: ImpossibleOrders
    power: Power
    sight: Sight = None

    def take(self, orders: Sequence[Order]) -> Taken:
        """Sort out *orders*: for one unit the last one counts."""
        entries = [self._entry(order) for order in orders]
        rivals: dict[Key, list[Entry]] = {}
        for index, entry in enumerate(entries):
            if not self._is_left(entry):
                rivals.setdefault(_key(entry.order, index), []).append(entry)
        counting = self._limited([several[-1] for several in rivals.values()])
        left = (entry for entry in entries if self._is_left(entry))
        remarks = [Remark(entry.written, entry.fault, refused=True) for entry in left]
        for entry, several in zip(counting, rivals.values(), strict=True):
            remarks += self._remarks(entry, several)
        standing = (entry.order for entry in counting if not self._is_left(entry))
        return Taken(tuple(standing), tuple(remarks))

    def _entry(self, written: Order) -> Entry:
        """Read one order; in a retreat phase a move is a retreat."""
        order = written
        if isinstance(order, Move) and self.position.phase.kind is PhaseKind.RETREATS:
            order = Retreat(order.unit, order.target)
        fault = self.fault_in(order)
        known = within(self.position, self.sight, self.power)
        meant = completed_order(self.board, known, order, self.rulebook)
        # A slip that is not forgiven (DATC 4.B, 4.C) must stand as it is, to be judged so again.
        return Entry(written, meant if self.fault_in(meant) is fault else order, fault)

    def fault_in(self, order: Order) -> Impossible | None:
        """Return why *order* cannot be carried out or is not due, None if it can be."""
        if self._is_undue(order):
            return Impossible.NOTHING_DUE
        return fault(self.board, self.position, self.power, order, self.rulebook, self.sight)

    def _is_undue(self, order: Order) -> bool:
        """Say whether *order* builds where units are to be removed, or the other way round."""
        if self.position.phase.kind is not PhaseKind.ADJUSTMENTS:
            return False
        due = self.position.due(self.power)
        return isinstance(order, Build | Waive) if due < 0 else isinstance(order, Disband)

    def _is_left(self, entry: Entry) -> bool:
        """Say whether an order changes nothing."""
        if entry.fault in BEYOND and isinstance(entry.order, Waive):
            return True
        refused = entry.fault is not None and self.policy is ImpossibleOrders.REFUSE
        return refused or entry.fault in NEVER_STANDS

    def _limited(self, counting: Sequence[Entry]) -> Sequence[Entry]:
        """Find fault with adjustments beyond those that are due."""
        possible = [(i, entry.order) for i, entry in enumerate(counting) if entry.fault is None]
        faults = beyond(self.board, self.position, self.rulebook, self.power, possible)
        return [
            replace(entry, fault=faults.get(index, entry.fault))
            for index, entry in enumerate(counting)
        ]

    def _remarks(self, entry: Entry, several: Sequence[Entry]) -> Iterator[Remark]:
        """Remark on *entry*, which counts, and on those of *several* that it overruled."""
        lost = [each.written for each in several if each.order != entry.order]
        for written in lost:
            yield Remark(written, Impossible.DUPLICATE_LAST, refused=True)
        if lost or entry.fault:
            rival = lost[-1] if lost else None
            yield Remark(entry.written, entry.fault, rival, refused=self._is_left(entry))


def place_of(order: Order) -> Province | None:
    """Return the province of the unit that *order* is for, None for a waived build."""
    return None if isinstance(order, Waive) else order.unit.province


def _key(order: Order, index: int) -> Key:
    place = place_of(order)
    return (place, 0) if place else ("", index)
