"""The context in which orders of an email are read and taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.game.house_rules import STANDARD, HouseRules
from judge.game.submission import CheckedOrderSet, OrderSetUpdate, orders_together
from judge.game.visibility import VisibleProvinces, position_within
from judge.rules import types
from judge.rules.board import Map
from judge.rules.rulebook import DATC, Rulebook


@dataclass(frozen=True, slots=True)
class Situation:
    """The context in which the orders of *power* are read.

    *standing* are its current orders, *game* is the name of its game, and *visible* the provinces
    that it sees (None for all).
    """

    board: Map
    position: types.Position
    power: types.Power
    house_rules: HouseRules = STANDARD
    rulebook: Rulebook = DATC
    standing: tuple[types.Order, ...] = ()
    visible: VisibleProvinces = None
    game: str = ""

    @property
    def seen(self) -> types.Position:
        """Return the position as the power sees it."""
        return position_within(self.position, self.visible, self.power)

    def take(self, orders: Sequence[types.Order]) -> tuple[Situation, CheckedOrderSet]:
        """Return the situation after *orders* were submitted, and which of them count."""
        policy = self.house_rules.impossible_orders
        update = OrderSetUpdate(
            self.board, self.position, self.rulebook, policy, self.power, self.visible
        )
        taken = update.take(orders)
        kind = self.position.phase.kind
        together = orders_together(kind, self.standing, taken.orders)
        return replace(self, standing=together), taken
