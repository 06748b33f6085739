"""The orders of one movement phase, matched with each other once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from judge.rules.coasts import landing
from judge.rules.convoys import carries
from judge.rules.order import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from judge.rules.outcome import Unmatched
from judge.rules.questions import ConvoyToNeighbor, SupportedCoast
from judge.rules.scene import Scene
from judge.rules.vocabulary import Province, UnitKind, province_of


class Battle:
    """Who attacks, supports and carries whom; units are known by their index in the position.

    *orders* has for each unit the one that counts, if any. *target* is where a unit moves; *aim*
    where a support helps that matched an order; *supporters* who so helps a unit; *fleets* who
    carries an army; *carrying* all such fleets; *by_sea* the armies that go by convoy; *attackers*
    who moves to a province; *void* the orders that nothing matched, which have no effect.
    """

    def __init__(self, scene: Scene, orders: Sequence[MovementOrder | None]) -> None:
        self.scene = scene
        self.orders = orders
        self.provinces = scene.provinces
        self.powers = [unit.power for unit in scene.position.units]
        self.target: list[Province | None] = [None] * len(orders)
        self.aim: list[Province | None] = [None] * len(orders)
        self.supporters: list[list[int]] = [[] for _ in orders]
        self.fleets: dict[int, list[int]] = {}
        self.carrying: set[int] = set()
        self.by_sea: set[int] = set()
        self.attackers: dict[Province, list[int]] = {}
        self.void: dict[int, Unmatched] = {}
        movers = self._match_moves()
        self._match_help()
        for mover in movers:
            self._set_out(mover)

    def bit(self, fleet: int) -> int:
        """Return the bit of the sea that *fleet* is in."""
        return self.scene.reach.sea[self.provinces[fleet]]

    def head_on(self, unit: int, other: int) -> bool:
        """Tell whether the two attack each other by land (rulebook VIII)."""
        return (
            self.target[other] == self.provinces[unit]
            and self.target[unit] == self.provinces[other]
            and unit not in self.by_sea
            and other not in self.by_sea
            and other not in self.void
        )

    def _match_moves(self) -> list[int]:
        movers = []
        for unit, order in enumerate(self.orders):
            if isinstance(order, Move):
                self.target[unit] = province_of(order.target)
                movers.append(unit)
        return sorted(movers, key=self.provinces.__getitem__)

    def _match_help(self) -> None:
        for unit, order in enumerate(self.orders):
            match order:
                case SupportHold():
                    self._match_support_hold(unit, order)
                case SupportMove():
                    self._match_support_move(unit, order)
                case Convoy():
                    self._match_convoy(unit, order)
                case Hold() | Move() | None:
                    pass
                case _:
                    assert_never(order)

    def _match_support_hold(self, unit: int, order: SupportHold) -> None:
        supported = self.scene.at[order.supported.province]
        if self.target[supported]:
            self.void[unit] = Unmatched.SUPPORTED_MOVES
        else:
            self.aim[unit] = self.provinces[supported]
            self.supporters[supported].append(unit)

    def _match_support_move(self, unit: int, order: SupportMove) -> None:
        supported = self.scene.at[order.supported.province]
        end = province_of(order.target)
        if self.target[supported] != end:
            self.void[unit] = Unmatched.NO_SUCH_MOVE
        elif self._coasts_differ(supported, order):
            self.void[unit] = Unmatched.COAST_MISMATCH
        else:
            self.aim[unit] = end
            self.supporters[supported].append(unit)

    def _coasts_differ(self, supported: int, order: SupportMove) -> bool:
        unit, move = self.scene.position.units[supported], self.orders[supported]
        if (
            "/" not in order.target
            or unit.kind is UnitKind.ARMY
            or order.target not in self.scene.board.locations
            or self.scene.rulebook.supported_coast is SupportedCoast.IGNORED
        ):
            return False
        return isinstance(move, Move) and landing(self.scene, unit, move.target) != order.target

    def _match_convoy(self, unit: int, order: Convoy) -> None:
        army = self.scene.at[order.army.province]
        if self.target[army] == province_of(order.target):
            self.fleets.setdefault(army, []).append(unit)
            self.carrying.add(unit)
        else:
            self.void[unit] = Unmatched.ARMY_NOT_CONVOYED

    def _set_out(self, mover: int) -> None:
        end = self.target[mover]
        assert end is not None
        if self._goes_by_sea(mover, end):
            afloat = sum(self.bit(fleet) for fleet in self.fleets.get(mover, ()))
            if not carries(self.scene.reach, self.provinces[mover], end, afloat):
                self.void[mover] = Unmatched.NO_CONVOY
                return
            self.by_sea.add(mover)
        self.attackers.setdefault(end, []).append(mover)

    def _goes_by_sea(self, mover: int, end: Province) -> bool:
        unit, order = self.scene.position.units[mover], self.orders[mover]
        if unit.kind is UnitKind.FLEET:
            return False
        if end not in self.scene.landings(unit) or (isinstance(order, Move) and order.via_convoy):
            return True
        match self.scene.rulebook.convoy_to_neighbor:
            case ConvoyToNeighbor.EXPLICIT:
                return False
            case ConvoyToNeighbor.INTENT_NO_FALLBACK:
                fleets = self.fleets.get(mover, ())
                return any(self.powers[fleet] == unit.power for fleet in fleets)
            case rule:
                assert_never(rule)
