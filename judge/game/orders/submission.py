"""Orders for the open phase: submit, clear, WAIT and READY, and the commitment to a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias, assert_never

from judge.events.store import Event
from judge.game.decision import Accepted, Refused, Why, why_not_order
from judge.game.game_state import Game, OpenPhase, with_entry, with_member, without_key
from judge.game.house_rules import AfterDeadline
from judge.game.orders.order_set_update import CheckedOrderSet, OrderSetUpdate, ordered_province
from judge.game.payloads import format_instant, parse_instant, read_orders, write_orders
from judge.game.visibility import visible_provinces
from judge.rules.board import Map
from judge.rules.phase_sequence import duties
from judge.rules.types import Order, PhaseKind, Position, Power, Province


@dataclass(frozen=True, slots=True)
class SubmitOrders:
    """Orders for the open phase, as read from one mail, in its order."""

    power: Power
    person: str
    orders: tuple[Order, ...]
    received: datetime
    mail: str
    nonce: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class ClearOrders:
    """Take back the orders of *provinces*, or all if there are none named."""

    power: Power
    person: str
    provinces: tuple[Province, ...]
    received: datetime
    mail: str
    nonce: str


@dataclass(frozen=True, slots=True)
class SetWait:
    """Ask that this phase is not closed before its deadline, or no longer."""

    power: Power
    person: str
    wait: bool
    received: datetime
    nonce: str


@dataclass(frozen=True, slots=True)
class SetReady:
    """Say that the orders are final, or no longer."""

    power: Power
    person: str
    ready: bool
    received: datetime
    nonce: str


@dataclass(frozen=True, slots=True)
class OrdersSubmitted(Event):
    """A mail with orders was accepted: *orders* as read from it, *standing* all that now stand.

    *received* is the instant at which the mail had arrived.
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
    """A power took orders back; *standing* is what it left."""

    power: str
    person: str
    phase: str
    standing: tuple[str, ...]
    received: str
    mail: str
    nonce: str


@dataclass(frozen=True, slots=True)
class WaitSet(Event):
    """A power wants no early closing in this phase, or wants it again."""

    power: str
    person: str
    phase: str
    wait: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class ReadySet(Event):
    """A power says that its orders are final, or takes that back."""

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
    desk = _PhaseOrders(board, game, game.position, game.phase, command.power)
    return desk.answer(command)


def _why_untimely(game: Game, phase: OpenPhase, command: SubmissionCommand) -> Why | None:
    """Return whether a command comes too late, or is from before this phase.

    What arrived before the phase opened was written for the one before it, and a mail that had to
    be confirmed may come after a later one. WAIT holds until the deadline only, whoever asks.
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
    """Takes what one power says in the open phase."""

    board: Map
    game: Game
    position: Position
    phase: OpenPhase
    power: Power

    def answer(self, command: SubmissionCommand) -> Accepted | Refused:
        """Do what a command asks."""
        match command:
            case SubmitOrders():
                return self.submit(command)
            case ClearOrders():
                return self.clear(command)
            case SetWait():
                return self.wait(command)
            case SetReady():
                return self.ready(command)
            case _:
                assert_never(command)

    def submit(self, command: SubmitOrders) -> Accepted | Refused:
        """Add the orders of an email to the set, replacing others for the same units."""
        taken = self._taken(command.orders)
        if not taken.orders:
            return Refused(Why.NOTHING_CHANGED, taken.remarks)
        submitted = OrdersSubmitted(
            power=self.power,
            person=command.person,
            phase=self.position.phase.code,
            orders=self._written(command.orders),
            standing=self._written(self._together(taken.orders)),
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

    def wait(self, command: SetWait) -> Accepted | Refused:
        """Ask for no early closing, or no longer."""
        if command.wait is (self.power in self.phase.waiting):
            return Refused(Why.NOTHING_CHANGED)
        code = self.position.phase.code
        return Accepted((WaitSet(self.power, command.person, code, command.wait, command.nonce),))

    def ready(self, command: SetReady) -> Accepted | Refused:
        """Say that the orders are final, or no longer."""
        if command.ready is (self.power in self.phase.ready):
            return Refused(Why.NOTHING_CHANGED)
        code = self.position.phase.code
        said = ReadySet(self.power, command.person, code, command.ready, command.nonce)
        return Accepted((said,))

    def _taken(self, orders: tuple[Order, ...]) -> CheckedOrderSet:
        intake = OrderSetUpdate(
            self.board,
            self.position,
            self.game.rulebook,
            self.game.house_rules.impossible_orders,
            self.power,
            visible_provinces(self.board, self.game, self.position, self.power),
        )
        return intake.take(orders)

    def _together(self, orders: tuple[Order, ...]) -> tuple[Order, ...]:
        """Return what stands with *orders*: replaced unit by unit, but adjustments as a whole."""
        if self.position.phase.kind is PhaseKind.ADJUSTMENTS:
            return orders
        standing = {ordered_province(order): order for order in (*self._standing(), *orders)}
        return tuple(standing.values())

    def _standing(self) -> tuple[Order, ...]:
        return read_orders(self.phase.standing.get(self.power, ()))

    def _written(self, orders: tuple[Order, ...]) -> tuple[str, ...]:
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

    Whoever has the nonce can check it: `printf '%s\n' NONCE 'A PAR - BUR' ... | sha256sum`.
    """
    return sha256("".join(f"{line}\n" for line in (nonce, *orders)).encode()).hexdigest()
