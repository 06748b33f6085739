"""A position made ready for questions: who stands where, and which seas hold a fleet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.reach import Landings, Reach, reach_of
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Province, Unit, UnitKind


@dataclass(frozen=True, slots=True)
class Scene:
    """What every question about the orders of one phase needs.

    *provinces* are those of `position.units`, *at* the index there of the unit in a province,
    *afloat* the bits of the seas that hold a fleet.
    """

    board: Map
    reach: Reach
    position: Position
    rulebook: Rulebook
    provinces: tuple[Province, ...]
    at: Mapping[Province, int]
    afloat: int

    def unit_in(self, province: Province) -> Unit | None:
        """Return the unit that stands in *province*, the dislodged aside."""
        index = self.at.get(province)
        return None if index is None else self.position.units[index]

    def landings(self, unit: Unit) -> Landings:
        """Return where *unit* can go without a convoy."""
        reach = self.reach.army if unit.kind is UnitKind.ARMY else self.reach.fleet
        return reach.get(unit.location, {})


def scene_of(board: Map, position: Position, rulebook: Rulebook) -> Scene:
    """Make *position* ready."""
    reach = reach_of(board)
    provinces = tuple([unit.province for unit in position.units])
    afloat = 0
    for province in provinces:
        afloat |= reach.sea.get(province, 0)
    at = {province: index for index, province in enumerate(provinces)}
    return Scene(board, reach, position, rulebook, provinces, at, afloat)
