"""Where the units of a scene stand in the picture, dislodged ones beside who drove them out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.pictures.art import Art
from judge.pictures.lines import Point
from judge.pictures.scene import Scene
from judge.rules.types import Build, Location, Position, Province, Unit, UnitKind, province_of

ASIDE = 21.0  # how far a dislodged unit stands from the spot of its province
SIDES = ((0.9, 0.55), (-0.9, 0.55), (0.9, -0.55), (-0.9, -0.55), (0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass(frozen=True, slots=True)
class Stand:
    """The units that stand, by province, and the spots of those dislodged."""

    art: Art
    standing: Mapping[Province, Unit]
    dislodged: Mapping[Province, Point]

    @property
    def spots(self) -> Sequence[Point]:
        """Return the spots of all units."""
        standing = [self.art.spot(unit.location) for unit in self.standing.values()]
        return [*standing, *self.dislodged.values()]

    def spot_of(self, location: Location) -> Point:
        """Return where the unit in the province of *location* is: the one that must act."""
        province = province_of(location)
        if province in self.dislodged:
            return self.dislodged[province]
        unit = self.standing.get(province)
        return self.art.spot(unit.location if unit else location)


def stand_of(art: Art, position: Position, scale: float) -> Stand:
    """Return where the units of *position* stand, drawn *scale* times as large."""
    standing = {unit.province: unit for unit in position.units}
    taken = [art.spot(unit.location) for unit in position.units]
    taken += [area.center for area in art.areas.values() if area.center]
    dislodged: dict[Province, Point] = {}
    for each in position.dislodged:
        x, y = art.spot(each.unit.location)
        sides = [(x + right * ASIDE * scale, y + down * ASIDE * scale) for right, down in SIDES]
        best = max(sides, key=lambda side: min(20, *(math.dist(side, spot) for spot in taken)))
        dislodged[each.unit.province] = best
        taken.append(best)
    return Stand(art, standing, dislodged)


def pieces(art: Art, position: Position, stand: Stand) -> Iterator[tuple[Unit, Point]]:
    """Yield the units of *position* with their spots, those dislodged last."""
    for unit in position.units:
        yield unit, art.spot(unit.location)
    for each in position.dislodged:
        yield each.unit, stand.dislodged[each.unit.province]


def built(art: Art, scene: Scene) -> Iterator[tuple[Unit, Point]]:
    """Yield the units that are being built, with their spots."""
    for shown in scene.orders:
        if isinstance(shown.order, Build):
            name = shown.order.unit
            kind = name.kind or UnitKind.ARMY
            yield Unit(shown.power, kind, name.location), art.spot(name.location)
