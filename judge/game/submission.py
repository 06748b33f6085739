"""Orders for the open phase: submit, clear, WAIT and READY, and which orders of an email count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import visibility
from judge.game.decision import Accepted, Refused, Remark, Why, why_not_order
from judge.game.game_state import Game, OpenPhase, with_entry, with_member, without_key
from judge.game.house_rules import AfterDeadline, ImpossibleOrders
from judge.game.payloads import format_instant, orders_from_texts, parse_instant, write_orders
from judge.rules import types
from judge.rules.adjustments import excess_adjustment_faults
from judge.rules.board import Map
from judge.rules.legality import completed_order
from judge.rules.outcomes import Impossible
from judge.rules.phase_context import PhaseContext
from judge.rules.phase_sequence import duties, orders_due
from judge.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class SubmitOrders:
    """Orders for the open phase, as read from one email, in its order."""

    power: types.Power
    person: str
    orders: tuple[types.Order, ...]
    received: datetime
    mail: str
    nonce: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class ClearOrders:
    """Take back the orders of *provinces*, or all if there are none named."""

    power: types.Power
    person: str
    provinces: tuple[types.Province, ...]
    received: datetime
    mail: str
    nonce: str


@dataclass(frozen=True, slots=True)
class SetWait:
    """Ask the judge not to close this phase before its deadline, or withdraw that."""

    power: types.Power
    person: str
    wait: bool
    received: datetime
    nonce: str


@dataclass(frozen=True, slots=True)
class SetReady:
    """Declare the orders final, or no longer final."""

    power: types.Power
    person: str
    ready: bool
    received: datetime
    nonce: str


@dataclass(frozen=True, slots=True)
class OrdersSubmitted(Event):
    """An email with orders was accepted: *orders* are those in it, *standing* the whole set now.

    *received* is when the email arrived.
    """

    power: str
    person: str
    phase: str
    orders: tuple[str, ...]
    standing: tuple[str, ...]
    received: str
    mail: str
    evidence: str | None
    nonce: str


@dataclass(frozen=True, slots=True)
class OrdersCleared(Event):
    """A power took orders back; *standing* is the set that remains."""

    power: str
    person: str
    phase: str
    standing: tuple[str, ...]
    received: str
    mail: str
    nonce: str


@dataclass(frozen=True, slots=True)
class WaitSet(Event):
    """A power set WAIT for this phase, or cleared it."""

    power: str
    person: str
    phase: str
    wait: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class ReadySet(Event):
    """A power set READY, or cleared it."""

    power: str
    person: str
    phase: str
    ready: bool
    nonce: str


SubmissionEvent: TypeAlias = OrdersSubmitted | OrdersCleared | WaitSet | ReadySet


SubmissionCommand: TypeAlias = SubmitOrders | ClearOrders | SetWait | SetReady


def decide_submission(board: Map, game: Game, command: SubmissionCommand) -> Accepted | Refused:
    """Decide on orders of a power, their withdrawal, WAIT or READY."""
    if why := why_not_order(game, command.power, command.person):
        return Refused(why)
    assert game.phase is not None
    assert game.position is not None
    if command.power not in duties(board, game.position):
        return Refused(Why.NOTHING_TO_ORDER)
    if why := _why_untimely(game, game.phase, command):
        return Refused(why)
    phase_orders = _PhaseOrders(board, game, game.position, game.phase, command.power)
    return phase_orders.answer(command)


def _why_untimely(game: Game, phase: OpenPhase, command: SubmissionCommand) -> Why | None:
    """Return why a command comes too late or too early, None if it does not.

    An email that arrived before the phase opened was written for the one before it, and one that
    had to be confirmed may come after a later one. WAIT is taken until the deadline only.
    """
    if command.received < phase.opened:
        return Why.OTHER_PHASE
    last = phase.given.get(command.power, phase.opened)
    if isinstance(command, SubmitOrders | ClearOrders) and command.received < last:
        return Why.OVERTAKEN
    if command.received <= phase.deadline:
        return None
    if isinstance(command, SetWait):
        return Why.TOO_LATE
    power, is_open = command.power, game.house_rules.after_deadline is AfterDeadline.OPEN
    late = power in phase.late if phase.passed else power not in phase.ordered
    return None if late or is_open else Why.TOO_LATE


@dataclass(frozen=True, slots=True)
class _PhaseOrders:
    """The orders of one power in the open phase."""

    board: Map
    game: Game
    position: types.Position
    phase: OpenPhase
    power: types.Power

    def answer(self, command: SubmissionCommand) -> Accepted | Refused:
        """Decide on *command*."""
        made: type[WaitSet | ReadySet]
        match command:
            case SubmitOrders():
                return self.submit(command)
            case ClearOrders():
                return self.clear(command)
            case SetWait(wait=wish):
                changes, made = wish is not (self.power in self.phase.waiting), WaitSet
            case SetReady(ready=wish):
                changes, made = wish is not (self.power in self.phase.ready), ReadySet
            case _:
                assert_never(command)
        if not changes:
            return Refused(Why.NOTHING_CHANGED)
        code = self.position.phase.code
        return Accepted((made(self.power, command.person, code, wish, command.nonce),))

    def submit(self, command: SubmitOrders) -> Accepted | Refused:
        """Add the orders of an email to the set, replacing others for the same units."""
        taken = self._taken(command.orders)
        if not taken.orders:
            return Refused(Why.NOTHING_CHANGED, taken.remarks)
        kind, standing = self.position.phase.kind, self._standing()
        submitted = OrdersSubmitted(
            power=self.power,
            person=command.person,
            phase=self.position.phase.code,
            orders=self._written(command.orders),
            standing=self._written(orders_together(kind, standing, taken.orders)),
            received=format_instant(command.received),
            mail=command.mail,
            evidence=command.evidence,
            nonce=command.nonce,
        )
        return Accepted((submitted,), taken.remarks)

    def clear(self, command: ClearOrders) -> Accepted | Refused:
        """Take orders back: those for some provinces, or all."""
        gone = command.provinces
        kept = tuple(o for o in self._standing() if gone and ordered_province(o) not in gone)
        if len(kept) == len(self._standing()):
            return Refused(Why.NOTHING_CHANGED)
        cleared = OrdersCleared(
            power=self.power,
            person=command.person,
            phase=self.position.phase.code,
            standing=self._written(kept),
            received=format_instant(command.received),
            mail=command.mail,
            nonce=command.nonce,
        )
        return Accepted((cleared,))

    def _taken(self, orders: tuple[types.Order, ...]) -> CheckedOrderSet:
        update = OrderSetUpdate(
            self.board,
            self.position,
            self.game.rulebook,
            self.game.house_rules.impossible_orders,
            self.power,
            visibility.visible_provinces(self.board, self.game, self.position, self.power),
        )
        return update.take(orders)

    def _standing(self) -> tuple[types.Order, ...]:
        return orders_from_texts(self.phase.standing.get(self.power, ()))

    def _written(self, orders: tuple[types.Order, ...]) -> tuple[str, ...]:
        return write_orders(orders, self.game.rulebook)


def apply_submission(game: Game, event: SubmissionEvent) -> Game:
    """Return *game* after a submission for the open phase, or WAIT for a later one."""
    assert game.phase is not None, "this is said in an open phase"
    assert game.position is not None
    if isinstance(event, WaitSet) and event.phase != game.position.phase.code:
        powers = game.waits.get(event.phase, frozenset())
        powers = with_member(powers, event.power, is_in=event.wait)
        return replace(game, waits=with_entry(game.waits, event.phase, powers))
    return replace(game, phase=_apply_to_phase(game.phase, event))


def _apply_to_phase(phase: OpenPhase, event: SubmissionEvent) -> OpenPhase:
    match event:
        case OrdersSubmitted() | OrdersCleared():
            return _replace_order_set(phase, event)
        case WaitSet(power, wait=wait):
            return replace(phase, waiting=with_member(phase.waiting, power, is_in=wait))
        case ReadySet(power, ready=ready):
            return replace(phase, ready=with_member(phase.ready, power, is_in=ready))
        case _:
            assert_never(event)


def _replace_order_set(phase: OpenPhase, event: OrdersSubmitted | OrdersCleared) -> OpenPhase:
    """Replace the order set; the same set sent again does not delay early closing."""
    same = phase.standing.get(event.power, ()) == event.standing
    received = parse_instant(event.received)
    plan = phase.planned.get(event.power)
    in_advance = plan is not None and plan.mail == event.mail and received == phase.opened
    return replace(
        phase,
        planned=phase.planned if in_advance else without_key(phase.planned, event.power),
        standing=with_entry(phase.standing, event.power, event.standing),
        nonces=with_entry(phase.nonces, event.power, event.nonce),
        given=with_entry(phase.given, event.power, received),
        changed=phase.changed if same else max(received, phase.changed or received),
    )


def commit_orders(nonce: str, orders: Sequence[str]) -> str:
    r"""Return the SHA-256, in hexadecimal, of *nonce* and *orders*, one a line.

    Anyone with the nonce can check it: `printf '%s\n' NONCE 'A PAR - BUR' ... | sha256sum`.
    """
    return sha256("".join(f"{line}\n" for line in (nonce, *orders)).encode()).hexdigest()


OrderKey = tuple[
    types.Province, int
]  # of what an order is for: one unit or place, or one waived build

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
    """An order as written, as it will count, and its fault."""

    written: types.Order
    order: types.Order
    fault: Impossible | None


@dataclass(frozen=True, slots=True)
class CheckedOrderSet:
    """The orders of an email that count, as written, and the remarks on all."""

    orders: tuple[types.Order, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class OrderSetUpdate:
    """Checks orders of *power*, to which those provinces are *visible*, in *position*."""

    board: Map
    position: types.Position
    rulebook: Rulebook
    policy: ImpossibleOrders
    power: types.Power
    visible: visibility.VisibleProvinces = None

    def take(self, orders: Sequence[types.Order]) -> CheckedOrderSet:
        """Check *orders*; the last one for each unit counts."""
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
        kept = (entry.order for entry in counting if not self._is_left(entry))
        return CheckedOrderSet(tuple(kept), tuple(remarks))

    def _entry(self, written: types.Order) -> CheckedOrder:
        """Read one order; in a retreat phase a move is a retreat."""
        order = written
        if isinstance(order, types.Move) and self.position.phase.kind is types.PhaseKind.RETREATS:
            order = types.Retreat(order.unit, order.target)
        fault = self.fault_in(order)
        known = visibility.position_within(self.position, self.visible, self.power)
        meant = completed_order(self.board, known, order, self.rulebook)
        # A slip that is not forgiven (DATC 4.B, 4.C) must stand as it is, to be judged so again.
        return CheckedOrder(written, meant if self.fault_in(meant) is fault else order, fault)

    def fault_in(self, order: types.Order) -> Impossible | None:
        """Return why *order* cannot be carried out or is not due, None if it can be."""
        if self._is_undue(order):
            return Impossible.NOTHING_DUE
        return visibility.visible_fault(
            self.board, self.position, self.power, order, self.rulebook, self.visible
        )

    def _is_undue(self, order: types.Order) -> bool:
        """Return whether *order* builds where removals are due, or the other way round."""
        if self.position.phase.kind is not types.PhaseKind.ADJUSTMENTS:
            return False
        due = self.position.due(self.power)
        return (
            isinstance(order, types.Build | types.Waive)
            if due < 0
            else isinstance(order, types.Disband)
        )

    def _is_left(self, entry: CheckedOrder) -> bool:
        """Return whether an order changes nothing."""
        if entry.fault in EXCESS and isinstance(entry.order, types.Waive):
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


def orders_together(
    kind: types.PhaseKind, standing: Sequence[types.Order], orders: Sequence[types.Order]
) -> tuple[types.Order, ...]:
    """Return *standing* orders with new ones: replaced by unit, but adjustments as a whole."""
    if kind is types.PhaseKind.ADJUSTMENTS:
        return tuple(orders or standing)
    return tuple({ordered_province(order): order for order in (*standing, *orders)}.values())


def ordered_province(order: types.Order) -> types.Province | None:
    """Return the province of the unit that *order* is for, None for a waived build."""
    return None if isinstance(order, types.Waive) else order.unit.province


def _order_key(order: types.Order, index: int) -> OrderKey:
    place = ordered_province(order)
    return (place, 0) if place else ("", index)


def excess_adjustments(
    board: Map,
    position: types.Position,
    rulebook: Rulebook,
    power: types.Power,
    possible: Sequence[tuple[int, types.Order]],
) -> Mapping[int, Impossible]:
    """Return which of *possible* orders of *power*, known by their numbers, are too many, and why.

    Nor can more be waived than there are centers open to build in.
    """
    if position.phase.kind is not types.PhaseKind.ADJUSTMENTS:
        return {}
    faults = dict(
        excess_adjustment_faults(PhaseContext(board, position, rulebook), power, possible)
    )
    counted = [(number, order) for number, order in possible if number not in faults]
    waived = [number for number, order in counted if isinstance(order, types.Waive)]
    spare = waived[orders_due(board, position, power) - (len(counted) - len(waived)) :]
    return faults | dict.fromkeys(spare, Impossible.TOO_MANY)


def contradictory_orders(
    orders: Iterable[types.Order],
) -> Iterator[tuple[types.Order, types.Order]]:
    """Yield each of *orders*, those of one power, that contradicts another, and that other.

    A unit without an order contradicts nothing: its order may still come.
    """
    given = {ordered_province(order): order for order in orders}
    for order in given.values():
        match order:
            case (
                types.SupportHold(supported=unit)
                | types.SupportMove(supported=unit)
                | types.Convoy(army=unit)
            ):
                other = given.get(unit.province)
                if other is not None and not _agree(order, other):
                    yield order, other
            case (
                types.Hold()
                | types.Move()
                | types.Retreat()
                | types.Disband()
                | types.Build()
                | types.Waive()
            ):
                pass
            case _:
                assert_never(order)


def _agree(
    order: types.SupportHold | types.SupportMove | types.Convoy, other: types.Order
) -> bool:
    """Return whether the *other* order is the one that *order* supports or convoys."""
    if isinstance(order, types.SupportHold):
        return not isinstance(other, types.Move)
    if not isinstance(other, types.Move) or types.province_of(other.target) != types.province_of(
        order.target
    ):
        return False
    over_other_seas = other.route and order.unit.province not in other.route
    return isinstance(order, types.SupportMove) or not over_other_seas
