"""The drawn board: outlines and spots from `board.json`, colors of land, borders, centers.

`python -m tests.board` draws the `board.json` of a variant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache

from judge.pictures.geometry import Point
from judge.pictures.parts import Box, Part, box_around, box_of
from judge.pictures.svg import element, group, text
from judge.pictures.themes import Look, PowerColors, PowerPalette, Theme, power_colors
from judge.rules.board import Map, Terrain
from judge.rules.types import Location, Position, Power, Province, province_of

PATH_SCALE = 0.1  # paths have tenths of a unit


class PictureError(ValueError):
    """The picture of a board cannot be used; *complaints* say why, one line each."""

    def __init__(self, complaints: Sequence[str]) -> None:
        self.complaints = tuple(complaints)
        super().__init__("; ".join(complaints))


@dataclass(frozen=True, slots=True)
class ProvinceArt:
    """A province's outline and the spots of its units, its center and its name, best first."""

    path: str
    unit: Point
    dislodged: Point
    center: Point | None
    labels: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoardArt:
    """A drawn board, *width* by *height* units.

    *coast*, *land_border* and *sea_border* are the lines between provinces, *impassable*,
    *neutral* and *off_board* the outlines of other areas, *below* those of impassable land that
    provinces are drawn over. *coasts* has the spots of fleets in
    provinces with two coasts, *beyond* the neighbors of provinces that they do not touch.
    """

    width: int
    height: int
    coast: str
    land_border: str
    sea_border: str
    impassable: str
    neutral: str
    off_board: str
    areas: Mapping[Province, ProvinceArt]
    coasts: Mapping[Location, Point]
    beyond: Mapping[Province, tuple[Province, ...]] = field(default_factory=dict)
    below: str = ""

    @property
    def middles(self) -> Mapping[Province, Point]:
        """Return where each province is: the spot of its unit."""
        return {code: area.unit for code, area in self.areas.items()}

    def spot(self, location: Location) -> Point:
        """Return the spot for a unit at *location*."""
        return self.coasts.get(location) or self.areas[province_of(location)].unit


def read_art(text: str) -> BoardArt:
    """Read a `board.json`."""
    source = json.loads(text)
    provinces = source.pop("provinces")
    areas = {
        code: ProvinceArt(
            path=each["path"],
            unit=_point(each["unit"]),
            dislodged=_point(each["dislodged"]),
            center=_point(each["center"]) if "center" in each else None,
            labels=tuple(_point(label) for label in each["labels"]),
        )
        for code, each in provinces.items()
    }
    coasts = {
        coast: _point(spot)
        for each in provinces.values()
        for coast, spot in each.get("coasts", {}).items()
    }
    beyond = {code: tuple(each["beyond"]) for code, each in provinces.items() if "beyond" in each}
    return BoardArt(**source, areas=areas, coasts=coasts, beyond=beyond)


def missing_in(art: BoardArt, board: Map) -> Iterator[str]:
    """Yield the parts of *board* that the drawing does not show, one line each."""
    yield from wrong_provinces(art.areas.keys(), board)
    for code, area in art.areas.items():
        if code in board.centers and area.center is None:
            yield f"the picture has no spot for the center {code}"
        for coast in board.coasts_of(code) if code in board.places else ():
            if coast not in art.coasts:
                yield f"the picture has no spot for a fleet in {coast}"


def wrong_provinces(shown: AbstractSet[Province], board: Map) -> Iterator[str]:
    """Yield the provinces of *board* that are not *shown*, and shown ones that it lacks."""
    for code, place in board.places.items():
        if code not in shown and place.terrain is not Terrain.IMPASSABLE:
            yield f"the picture does not show {code}"
    for code in sorted(shown - board.places.keys()):
        yield f"the picture shows {code}, which is not a province"


def _point(spot: list[float]) -> Point:
    x, y = spot
    return x, y


CENTER_RADIUS = 5.6
CENTER_SIZE = 12.4  # with its outline
HATCH_SPACING = 100  # tenths of a unit
HATCHES: Mapping[str, str] = {
    "rising": "M-25 25L25-25M0 100L100 0M75 125L125 75",
    "falling": "M-25 75L25 125M0 0L100 100M75-25L125 25",
    "level": "M0 50H100",
    "upright": "M50 0V100",
    "crossed": "M0 0L100 100M0 100L100 0",
    "checked": "M0 50H100M50 0V100",
    "dotted": "M20 25h22M70 75h22",
}


def ground_colors(board: Map, theme: Theme) -> list[str]:
    """Return the colors of seas and land, owned or not."""
    owned = [colors.land for colors in power_colors(board, theme).values()]
    return [theme.sea, theme.land, theme.impassable, theme.neutral, *owned]


def land_owners(board: Map, position: Position) -> dict[Province, Power]:
    """Return the power whose color each province has.

    A center has its owner's. Other land of a country has the color of the power that owns all of
    its home centers, or else of its own power while that owns any of them.
    """
    found = dict(position.owners)
    for nation in board.powers:
        masters = [position.owners.get(home) for home in board.homes_of(nation)]
        master = masters[0] if len(set(masters)) == 1 else nation if nation in masters else None
        if master:
            found |= {
                land: master for land in board.country_of(nation) if not board.places[land].center
            }
    return found


def draw_hatchings(board: Map, look: Look, palette: PowerPalette) -> str:
    """Return the definitions of the theme's hatch patterns."""
    patterns = []
    for power in board.powers:
        colors = palette.colors(power)
        if colors.hatch:
            patterns.append(
                element(
                    "pattern",
                    element("rect", width=HATCH_SPACING, height=HATCH_SPACING, fill=colors.land),
                    element(
                        "path",
                        d=HATCHES[colors.hatch],
                        stroke=colors.line,
                        stroke_width=22 if colors.hatch == "dotted" else 12,
                        stroke_opacity=look.theme.hatch_opacity,
                    ),
                    id=_pattern_id(look, power),
                    patternUnits="userSpaceOnUse",
                    width=HATCH_SPACING,
                    height=HATCH_SPACING,
                )
            )
    return element("defs", *patterns) if patterns else ""


def draw_ground(
    board: Map, art: BoardArt, position: Position, look: Look, palette: PowerPalette
) -> Iterator[Part]:
    """Yield the provinces with their borders and centers."""
    whole = 0, 0, art.width / PATH_SCALE, art.height / PATH_SCALE
    if art.below:
        yield Part(draw_below(art, look), whole, scale=PATH_SCALE)
    yield from _draw_provinces(board, art, land_owners(board, position), look, palette)
    yield Part(_scenery_and_borders(art, look), whole, scale=PATH_SCALE)
    for code in board.centers:
        spot, owner = art.areas[code].center, position.owners.get(code)
        if spot:
            letter = board.nations[owner].letter if owner else ""
            yield draw_center(spot, letter, palette.colors(owner) if owner else None, look)


@cache
def _scenery_and_borders(art: BoardArt, look: Look) -> str:
    return "".join(draw_scenery(art, look)) + draw_borders(art, look)


def draw_below(art: BoardArt, look: Look) -> str:
    """Return the impassable land that provinces are drawn over."""
    return element("path", d=art.below, fill=look.theme.impassable, fill_rule="evenodd")


def draw_scenery(art: BoardArt, look: Look) -> Iterator[str]:
    """Yield the areas that are not provinces."""
    for path, color in (
        (art.off_board, look.theme.sea),
        (art.neutral, look.theme.neutral),
        (art.impassable, look.theme.impassable),
    ):
        yield element("path", d=path, fill=color, fill_rule="evenodd")


def draw_borders(art: BoardArt, look: Look) -> str:
    """Return the lines between provinces."""
    theme = look.theme
    return group(
        [
            element("path", d=path, stroke=color, stroke_width=width, stroke_dasharray=dashes)
            for path, color, width, dashes in (
                (art.sea_border, theme.sea_border, 11, "28 24"),
                (art.land_border, theme.land_border, 11, None),
                (art.coast, theme.coast, 10, None),
            )
        ],
        fill="none",
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def draw_center(spot: Point, letter: str, colors: PowerColors | None, look: Look) -> Part:
    """Return a center with its owner's *letter* and *colors*, if owned."""
    shape = _center_shape(letter, colors, look.theme)
    return Part(shape, box_around((0, 0), CENTER_SIZE, CENTER_SIZE), spot, look.scale)


@cache
def _center_shape(letter: str, colors: PowerColors | None, theme: Theme) -> str:
    shapes = [
        element(
            "circle",
            r=CENTER_RADIUS,
            fill=colors.unit if colors else theme.center,
            stroke=theme.outline,
            stroke_width=1.1,
        )
    ]
    if colors:
        shapes.append(text(letter, (0, 0), 8, font_weight="bold", fill=colors.letter))
    return "".join(shapes)


def _draw_provinces(
    board: Map, art: BoardArt, owners: Mapping[Province, Power], look: Look, palette: PowerPalette
) -> Iterator[Part]:
    for code, area in art.areas.items():
        place = board.places[code]
        if place.terrain is Terrain.SEA:
            fill = look.theme.sea
        elif place.terrain is Terrain.IMPASSABLE:
            fill = look.theme.impassable
        elif code in owners:
            hatched = palette.colors(owners[code]).hatch
            pattern = f"url(#{_pattern_id(look, owners[code])})"
            fill = pattern if hatched else palette.colors(owners[code]).land
        else:
            fill = look.theme.land
        owner = f" ({board.nations[owners[code]].name})" if code in owners else ""
        shape = _province_shape(area.path, fill)
        yield Part(shape, _box_of_path(area.path), scale=PATH_SCALE, caption=place.name + owner)


@cache
def _province_shape(path: str, fill: str) -> str:
    return element("path", d=path, fill=fill, fill_rule="evenodd")


@cache
def _box_of_path(path: str) -> Box:
    """Return the box of an outline, whose points are relative to the ones before."""
    points = []
    for ring in path.split("M")[1:]:
        x = y = 0
        numbers = [int(each) for each in re.findall(r"-?\d+", ring)]
        for across, down in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + across, y + down
            points.append((x, y))
    return box_of(points, 1)


def _pattern_id(look: Look, power: Power) -> str:
    return f"{look.theme.name}-{power}"
