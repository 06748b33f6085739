"""Orders for the open phase: what of a mail stands afterwards, and what is remarked on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.events.types import OrdersCleared, OrdersSubmitted, ReadySet, WaitSet
from judge.game.admission import may_not_order
from judge.game.commands import ClearOrders, SetReady, SetWait, SubmitOrders
from judge.game.decision import Accepted, Refused, Why
from judge.game.fog import sight_of
from judge.game.game import Game, OpenPhase
from judge.game.house_rules import AfterDeadline
from judge.game.instants import to_text
from judge.game.intake import Intake, Taken, place_of
from judge.game.standing import read_orders, write_orders
from judge.rules.board import Map
from judge.rules.phase_sequence import duties
from judge.rules.types import Order, PhaseKind, Position, Power

Saying: TypeAlias = SubmitOrders | ClearOrders | SetWait | SetReady


def decide(board: Map, game: Game, command: Saying) -> Accepted | Refused:
    """Let a power give orders, take them back, ask to wait, or say that it is ready."""
    if why := may_not_order(game, command.power, command.person):
        return Refused(why)
    assert game.phase is not None
    assert game.position is not None
    if command.power not in duties(board, game.position):
        return Refused(Why.NOTHING_TO_ORDER)
    if why := _untimely(game, game.phase, command):
        return Refused(why)
    desk = Desk(board, game, game.position, game.phase, command.power)
    return desk.answer(command)


def _untimely(game: Game, phase: OpenPhase, command: Saying) -> Why | None:
    """Say whether a command comes too late, or is from before this phase.

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
class Desk:
    """Takes what one power says in the open phase."""

    board: Map
    game: Game
    position: Position
    phase: OpenPhase
    power: Power

    def answer(self, command: Saying) -> Accepted | Refused:
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
        """Let the orders of a mail stand, beside or instead of those that stood."""
        taken = self._taken(command.orders)
        if not taken.orders:
            return Refused(Why.NOTHING_CHANGED, taken.remarks)
        submitted = OrdersSubmitted(
            power=self.power,
            person=command.person,
            phase=self.position.phase.code,
            orders=self._written(command.orders),
            standing=self._written(self._together(taken.orders)),
            received=to_text(command.received),
            mail=command.mail,
            evidence=command.evidence,
            nonce=command.nonce,
        )
        return Accepted((submitted,), taken.remarks)

    def clear(self, command: ClearOrders) -> Accepted | Refused:
        """Take orders back: those for some provinces, or all."""
        gone = command.provinces
        kept = tuple(o for o in self._standing() if gone and place_of(o) not in gone)
        if len(kept) == len(self._standing()):
            return Refused(Why.NOTHING_CHANGED)
        cleared = OrdersCleared(
            power=self.power,
            person=command.person,
            phase=self.position.phase.code,
            standing=self._written(kept),
            received=to_text(command.received),
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

    def _taken(self, orders: tuple[Order, ...]) -> Taken:
        intake = Intake(
            self.board,
            self.position,
            self.game.rulebook,
            self.game.house_rules.impossible_orders,
            self.power,
            sight_of(self.board, self.game, self.position, self.power),
        )
        return intake.take(orders)

    def _together(self, orders: tuple[Order, ...]) -> tuple[Order, ...]:
        """Return what stands with *orders*: replaced unit by unit, but adjustments as a whole."""
        if self.position.phase.kind is PhaseKind.ADJUSTMENTS:
            return orders
        standing = {place_of(order): order for order in (*self._standing(), *orders)}
        return tuple(standing.values())

    def _standing(self) -> tuple[Order, ...]:
        texts = self.phase.standing.get(self.power, ())
        return read_orders(self.board, self.position.phase.kind, texts)

    def _written(self, orders: tuple[Order, ...]) -> tuple[str, ...]:
        return write_orders(orders, self.game.rulebook)
