"""The orders of one mail, sorted out: what stands afterwards, and what is to be remarked on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.game.decision import Remark
from judge.game.house_rules import ImpossibleOrders
from judge.rules.geography import Map
from judge.rules.legality import impossible, understood
from judge.rules.order import Move, Order, Retreat, Waive
from judge.rules.outcome import Impossible
from judge.rules.phase import PhaseKind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Power, Province

Key = tuple[Province, int]  # of what an order is for: one unit or place, or one waived build

NEVER_STANDS = frozenset(  # An order for nothing that its writer could order in this phase.
    {
        Impossible.NO_SUCH_UNIT,
        Impossible.NOT_YOURS,
        Impossible.WRONG_PHASE,
        Impossible.NOT_DISLODGED,
    }
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An order as it came, as the rules understand it, and what is wrong with it."""

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
    """Reads mails of *power* for the phase of *position*, in which it owes *owed* orders."""

    board: Map
    position: Position
    rulebook: Rulebook
    policy: ImpossibleOrders
    power: Power
    owed: int

    def take(self, orders: Sequence[Order]) -> Taken:
        """Sort out *orders*: for one unit the last one counts."""
        entries = [self._entry(order) for order in orders]
        left = [entry for entry in entries if self._is_left(entry)]
        by_key: dict[Key, list[Entry]] = {}
        for index, entry in enumerate(entries):
            if entry not in left:
                by_key.setdefault(_key(entry.order, index), []).append(entry)
        counting = [several[-1] for several in by_key.values()]
        surplus = self._surplus(counting)
        remarks = [Remark(entry.written, entry.fault, refused=True) for entry in left]
        for several in by_key.values():
            remarks += _overruled(several)
        remarks += [
            Remark(each.written, Impossible.TOO_MANY, refused=self._is_dropped(each))
            for each in surplus
        ]
        standing = (e.order for e in counting if not (e in surplus and self._is_dropped(e)))
        return Taken(tuple(standing), tuple(remarks))

    def _entry(self, written: Order) -> Entry:
        """Read one order; in a retreat phase a move is a retreat."""
        order = written
        if isinstance(order, Move) and self.position.phase.kind is PhaseKind.RETREATS:
            order = Retreat(order.unit, order.target)
        order = understood(self.board, self.position, order, self.rulebook)
        fault = impossible(self.board, self.position, self.power, order, self.rulebook)
        return Entry(written, order, fault)

    def _is_left(self, entry: Entry) -> bool:
        """Say whether an order changes nothing."""
        refused = entry.fault is not None and self.policy is ImpossibleOrders.REFUSE
        return refused or entry.fault in NEVER_STANDS

    def _surplus(self, counting: Sequence[Entry]) -> list[Entry]:
        """Return the adjustments beyond those that are due (DATC 4.D.4, 4.D.6)."""
        if self.position.phase.kind is not PhaseKind.ADJUSTMENTS:
            return []
        return [entry for entry in counting if entry.fault is None][self.owed :]

    def _is_dropped(self, entry: Entry) -> bool:
        return isinstance(entry.order, Waive) or self.policy is ImpossibleOrders.REFUSE


def place_of(order: Order) -> Province | None:
    """Return the province of the unit that *order* is for, None for a waived build."""
    return None if isinstance(order, Waive) else order.unit.province


def _key(order: Order, index: int) -> Key:
    place = place_of(order)
    return (place, 0) if place else ("", index)


def _overruled(several: Sequence[Entry]) -> Iterator[Remark]:
    """Remark on orders for one unit, of which the last counts."""
    last = several[-1]
    lost = [entry for entry in several if entry.order != last.order]
    for entry in lost:
        yield Remark(entry.written, Impossible.DUPLICATE, refused=True)
    if lost:
        yield Remark(last.written, last.fault, conflicts_with=lost[-1].written)
    elif last.fault:
        yield Remark(last.written, last.fault)
