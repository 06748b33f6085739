"""A position made ready for questions: who stands where, and which seas hold a fleet."""

from __future__ import annotations

from collections.abc import Mapping

from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.questions import Slip
from judge.rules.reach import FLEET, Landings, reach_of
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Location, Power, Province, Unit

NOBODY = -1  # in place of the index of a unit
LEGAL = Slip.LEGAL


class Scene:
    """What every question about the orders of one phase needs.

    *units* are those of the position, known by their index, and *at* is the index of the unit in a
    province. *named* is the same, for who takes a unit by the place that an order names and looks
    no closer; it knows none if the rulebook does not forgive that kind or owner of a unit are
    missing or wrong in an order.
    """

    def __init__(self, board: Map, position: Position, rulebook: Rulebook) -> None:
        self.board = board
        self.reach = reach_of(board)
        self.position = position
        self.rulebook = rulebook
        self.units = position.units
        self.at = position.at
        self.named: Mapping[Location, int] = self.at if _forgiving(rulebook) else {}
        self._afloat: int | None = None
        self._dues: Mapping[Power, int] | None = None

    # Kept by hand: mypyc takes a `cached_property` for one that is worked out each time.
    @property
    def afloat(self) -> int:
        """Return the bits of the seas that hold a fleet."""
        if self._afloat is None:
            seas, at, units = self.reach.sea, self.at, self.units
            self._afloat = sum(
                [seas[sea] for sea in seas.keys() & at.keys() if units[at[sea]].kind is FLEET]
            )
        return self._afloat

    def sailed(self, seas: int) -> bool:
        """Tell whether a fleet is in one of *seas*, given by their bits."""
        names, at, units = self.reach.seas, self.at, self.units
        while seas:
            sea = seas & -seas
            seas ^= sea
            unit = at.get(names[sea])
            if unit is not None and units[unit].kind is FLEET:
                return True
        return False

    @property
    def dues(self) -> Mapping[Power, int]:
        """Return how many units each power may build, or below zero must remove."""
        if self._dues is None:
            self._dues = self.position.dues(self.board.powers)
        return self._dues

    def unit_in(self, province: Province) -> Unit | None:
        """Return the unit that stands in *province*, the dislodged aside."""
        index = self.at.get(province)
        return None if index is None else self.units[index]

    def addressed(self, location: Location) -> int:
        """Return the unit that an order for *location* plainly means, `NOBODY` if none is."""
        unit = self.named.get(location, NOBODY)
        if unit == NOBODY and self.named:
            unit = self.at.get(self.reach.province.get(location, location), NOBODY)
            if self.units[unit].location != location:
                return NOBODY
        return unit

    def landings(self, unit: Unit) -> Landings:
        """Return where *unit* can go without a convoy."""
        return self.reach.post(unit).landings


def _forgiving(law: Rulebook) -> bool:
    return (
        law.kind_omitted is LEGAL
        and law.kind_wrong is LEGAL
        and law.power_omitted is LEGAL
        and law.power_wrong is LEGAL
    )
