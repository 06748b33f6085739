"""Spots and shapes of units; dislodged ones are drawn aside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import assert_never

from judge.pictures.board_art import BoardArt
from judge.pictures.geometry import Point
from judge.pictures.parts import Part, box_around
from judge.pictures.scene import Scene
from judge.pictures.svg import element, group, text
from judge.pictures.themes import PowerColors, Theme
from judge.rules.types import Build, Location, Position, Province, Unit, UnitKind, province_of

UNIT_WIDTH, UNIT_HEIGHT = 26.0, 22.0


@dataclass(frozen=True, slots=True)
class UnitSpots:
    """The spots of units and dislodged units by province."""

    art: BoardArt
    on_board: Mapping[Province, Unit]
    dislodged: Mapping[Province, Point]

    @property
    def spots(self) -> Sequence[Point]:
        """Return the spots of all units."""
        own = [self.art.spot(unit.location) for unit in self.on_board.values()]
        return [*own, *self.dislodged.values()]

    def spot_of(self, location: Location) -> Point:
        """Return the spot of the unit in this province, preferably a dislodged one."""
        province = province_of(location)
        if province in self.dislodged:
            return self.dislodged[province]
        unit = self.on_board.get(province)
        return self.art.spot(unit.location if unit else location)


def place_units(art: BoardArt, position: Position, scale: float) -> UnitSpots:
    """Return the spots of units drawn at *scale*."""
    by_province = {unit.province: unit for unit in position.units}
    dislodged = {}
    for each in position.dislodged:
        province = each.unit.province
        attacker = by_province.get(province)
        beside = art.spot(attacker.location if attacker else province)
        dislodged[province] = _moved_away(art.areas[province].dislodged, beside, scale)
    return UnitSpots(art, by_province, dislodged)


def _moved_away(spot: Point, unit: Point, scale: float) -> Point:
    """Return *spot*, or the nearest in its direction at which it does not overlap *unit*."""
    across, down = spot[0] - unit[0], spot[1] - unit[1]
    shares = abs(across) / (UNIT_WIDTH * scale), abs(down) / (UNIT_HEIGHT * scale)
    longer = max(1, 1 / max(shares)) if any(shares) else 1
    return unit[0] + across * longer, unit[1] + down * longer


def units_with_spots(
    art: BoardArt, position: Position, unit_spots: UnitSpots
) -> Iterator[tuple[Unit, Point]]:
    """Yield the units with their spots, dislodged ones last."""
    for unit in position.units:
        yield unit, art.spot(unit.location)
    for each in position.dislodged:
        yield each.unit, unit_spots.dislodged[each.unit.province]


def builds_with_spots(art: BoardArt, scene: Scene) -> Iterator[tuple[Unit, Point]]:
    """Yield the units to be built with their spots."""
    for shown in scene.orders:
        if isinstance(shown.order, Build):
            name = shown.order.unit
            kind = name.kind or UnitKind.ARMY
            yield Unit(shown.power, kind, name.location), art.spot(name.location)


UNIT_BOX = -14.0, -14.0, 14.0, 11.5  # with its outline
DISC_RADIUS, DISC_SIZE = 15.5, 33.0  # the size with its outline
RING = 1.8  # the width of its outline
GUN = "M-9.5-8.5H9.5V4.5H-9.5Z"
HULL = "M-12.5-2H12.5L8.5 8.5H-8.5Z"
SAILS = "M-.9-3.4V-12L-8.2-3.4ZM.9-3.4V-12L8.2-3.4Z"
WHEELS = (-5.0, 5.0)


def draw_unit(  # noqa: PLR0913 - all that a unit is drawn with
    kind: UnitKind,
    spot: Point,
    letter: str,
    colors: PowerColors,
    theme: Theme,
    scale: float,
    *,
    caption: str,
) -> Part:
    """Return a unit at *spot*; screen readers read *caption*."""
    return Part(_unit_shape(kind, letter, colors, theme), UNIT_BOX, spot, scale, caption)


def draw_disc(spot: Point, theme: Theme, scale: float) -> Part:
    """Return the disc behind a unit of the reader."""
    shape = element("circle", r=DISC_RADIUS, fill=theme.halo, stroke=theme.ink, stroke_width=RING)
    return Part(shape, box_around((0, 0), DISC_SIZE, DISC_SIZE), spot, scale)


def draw_ring(scale: float) -> Part:
    """Return the edge of such a disc as a mask."""
    shape = element("circle", r=DISC_RADIUS, fill="none", stroke="#000000", stroke_width=RING)
    return Part(shape, box_around((0, 0), DISC_SIZE, DISC_SIZE), scale=scale)


@cache
def _unit_shape(kind: UnitKind, letter: str, colors: PowerColors, theme: Theme) -> str:
    match kind:
        case UnitKind.ARMY:
            shapes = [
                element("path", d=GUN),
                *(element("circle", cx=x, cy=7, r=2.9) for x in WHEELS),
            ]
            sign = text(letter, (0, -1.4), 12.5, **_letter_style(colors))
        case UnitKind.FLEET:
            shapes = [element("path", d=HULL), element("path", d=SAILS)]
            sign = text(letter, (0, 3.2), 10.5, **_letter_style(colors))
        case _:
            assert_never(kind)
    drawn = group(
        shapes,
        fill=colors.unit,
        stroke=theme.outline,
        stroke_width=1.2,
        stroke_linejoin="round",
    )
    return drawn + sign


def _letter_style(colors: PowerColors) -> dict[str, str]:
    return {"font_weight": "bold", "fill": colors.letter, "stroke": "none"}
