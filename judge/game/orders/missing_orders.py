"""Which powers must order in the open phase, and which of their orders are missing."""

from __future__ import annotations

from dataclasses import dataclass

from judge.game.absences import excused_powers
from judge.game.game_state import Game, OpenPhase, SeatState
from judge.game.orders.future_orders import unfit_wishes
from judge.game.orders.order_set_update import OrderSetUpdate, excess_adjustments, ordered_province
from judge.game.payloads import read_orders
from judge.game.visibility import visible_fault, visible_provinces
from judge.rules.board import Map
from judge.rules.outcome import Impossible
from judge.rules.phase_sequence import duties, units_to_order
from judge.rules.types import Order, PhaseKind, Position, Power


@dataclass(frozen=True, slots=True)
class MissingOrders:
    """What an open phase of *game* waits for."""

    board: Map
    game: Game
    position: Position
    phase: OpenPhase
    owed: dict[Power, int]  # how many orders each power must give that the phase needs

    @property
    def missing(self) -> tuple[Power, ...]:
        """Return the powers of which no order stands."""
        return tuple(power for power in self.owed if power not in self.phase.ordered)

    @property
    def late(self) -> tuple[Power, ...]:
        """Return the powers of which no order stands although somebody plays them."""
        seats = self.game.seats
        return tuple(p for p in self.missing if seats[p].state is SeatState.PLAYED)

    @property
    def unexcused(self) -> tuple[Power, ...]:
        """Return the late powers whose players are not away with leave."""
        away = excused_powers(self.game, self.late, self.phase.deadline)
        return tuple(power for power in self.late if power not in away)

    @property
    def all_in(self) -> bool:
        """Return whether there is nothing more to wait for."""
        return all(self.is_in(power) for power in self.owed)

    def is_in(self, power: Power) -> bool:
        """Return whether *power* has given all its orders, all possible, and is ready if asked."""
        orders = read_orders(self.phase.standing.get(power, ()))
        ready = not self.game.house_rules.need_ready or power in self.phase.ready
        enough = ready and self._enough(power, orders) and self._possible(power, orders)
        return enough and not self._planned_in_vain(power)

    def _enough(self, power: Power, orders: tuple[Order, ...]) -> bool:
        """Return whether there is an order for each unit, or as many as are due that count."""
        law, given = self.game.rulebook, tuple(enumerate(orders))
        counting = len(orders) - len(
            excess_adjustments(self.board, self.position, law, power, given)
        )
        ordered = {ordered_province(order) for order in orders}
        asked_for = {unit.province for unit in units_to_order(self.position, power)}
        return counting >= self.owed[power] and asked_for <= ordered

    def _planned_in_vain(self, power: Power) -> bool:
        """Return whether orders that *power* gave in advance no longer fit."""
        return bool(unfit_planned_orders(self.board, self.game, power))

    def _possible(self, power: Power, orders: tuple[Order, ...]) -> bool:
        sight = visible_provinces(self.board, self.game, self.position, power)
        law = self.game.rulebook
        return not any(
            visible_fault(self.board, self.position, power, order, law, sight) for order in orders
        )


def unfit_planned_orders(
    board: Map, game: Game, power: Power
) -> tuple[tuple[Order, Impossible], ...]:
    """Return the orders that *power* gave in advance of the open phase and that no longer fit.

    There are none once the power has sent others.
    """
    plan = game.phase.planned.get(power) if game.phase else None
    if plan is None or game.position is None:
        return ()
    rules, sight = game.house_rules, visible_provinces(board, game, game.position, power)
    policy = rules.impossible_orders
    intake = OrderSetUpdate(board, game.position, game.rulebook, policy, power, sight)
    return unfit_wishes(intake, plan)


def missing_orders(board: Map, game: Game) -> MissingOrders | None:
    """Return what the open phase waits for, None if none is open."""
    if game.phase is None or game.position is None:
        return None
    owed = {
        power: count
        for power, count in duties(board, game.position).items()
        if game.seats[power].state is not SeatState.CIVIL_DISORDER
        and _has_choice(game.position, power)
    }
    return MissingOrders(board, game, game.position, game.phase, owed)


def has_ordered_all(board: Map, game: Game, power: Power) -> bool:
    """Return whether the open phase needs nothing more from *power*."""
    needs = missing_orders(board, game)
    return needs is None or power not in needs.owed or needs.is_in(power)


def _has_choice(position: Position, power: Power) -> bool:
    """Return whether *power* has a choice; to remove all its units is none."""
    removing = position.phase.kind is PhaseKind.ADJUSTMENTS
    return not removing or position.due(power) > -len(position.units_of(power))
