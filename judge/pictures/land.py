"""The board itself: whose colors the land has, the borders, and the centers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.pictures.art import PATH_SCALE, Art
from judge.pictures.lines import Point
from judge.pictures.look import Look
from judge.pictures.painters import Painters
from judge.pictures.svg import element, group, pair, text, title
from judge.pictures.theme import Colors
from judge.rules.board import Map, Terrain
from judge.rules.types import Position, Power, Province

CENTER = 5.6  # radius
HATCH = 100  # tenths of a unit between the lines of a hatching
HATCHES: Mapping[str, str] = {
    "rising": "M-25 25L25-25M0 100L100 0M75 125L125 75",
    "falling": "M-25 75L25 125M0 0L100 100M75-25L125 25",
    "level": "M0 50H100",
    "upright": "M50 0V100",
    "crossed": "M0 0L100 100M0 100L100 0",
    "checked": "M0 50H100M50 0V100",
    "dotted": "M20 25h22M70 75h22",
}


def holders(board: Map, position: Position) -> dict[Province, Power]:
    """Return whose colors each province has.

    A center has its owner's. Other land of a country goes with its home centers: to whoever owns
    all of them, or else to its own power while that owns any.
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


def hatchings(board: Map, look: Look, painters: Painters) -> str:
    """Return the definitions of the patterns that the theme gives to powers."""
    patterns = []
    for power in board.powers:
        colors = painters.colors(power)
        if colors.hatch:
            patterns.append(
                element(
                    "pattern",
                    element("rect", width=HATCH, height=HATCH, fill=colors.land),
                    element(
                        "path",
                        d=HATCHES[colors.hatch],
                        stroke=colors.line,
                        stroke_width=22 if colors.hatch == "dotted" else 12,
                        stroke_opacity=look.theme.hatch_opacity,
                    ),
                    id=_pattern(look, power),
                    patternUnits="userSpaceOnUse",
                    width=HATCH,
                    height=HATCH,
                )
            )
    return element("defs", *patterns) if patterns else ""


def land(board: Map, art: Art, position: Position, look: Look, painters: Painters) -> str:
    """Return the provinces with their borders."""
    owners = holders(board, position)
    return group(
        [
            *_provinces(board, art, owners, look, painters),
            *scenery(art, look),
            borders(art, look),
        ],
        transform=f"scale({PATH_SCALE})",
        fill_rule="evenodd",
    )


def scenery(art: Art, look: Look) -> Iterator[str]:
    """Yield what is no province."""
    for path, color in (
        (art.off_board, look.theme.sea),
        (art.neutral, look.theme.neutral),
        (art.impassable, look.theme.impassable),
    ):
        yield element("path", d=path, fill=color, fill_rule="evenodd")


def borders(art: Art, look: Look) -> str:
    """Return the lines between provinces."""
    theme = look.theme
    return group(
        [
            element("path", d=path, stroke=color, stroke_width=width, stroke_dasharray=dashes)
            for path, color, width, dashes in (
                (art.sea_border, theme.sea_border, 11, "28 24"),
                (art.land_border, theme.land_border, 9, None),
                (art.coast, theme.coast, 10, None),
            )
        ],
        fill="none",
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def centers(board: Map, art: Art, position: Position, look: Look, painters: Painters) -> str:
    """Return the centers, each with the letter of its owner."""
    return group(_centers(board, art, position, look, painters))


def center(spot: Point, letter: str, colors: Colors | None, look: Look) -> str:
    """Return a center with the *letter* and the *colors* of its owner, if it has one."""
    shapes = [
        element(
            "circle",
            r=CENTER,
            fill=colors.unit if colors else look.theme.center,
            stroke=look.theme.outline,
            stroke_width=1.1,
        )
    ]
    if colors:
        shapes.append(text(letter, (0, 0), 8, font_weight="bold", fill=colors.letter))
    return group(shapes, transform=f"translate({pair(spot)}) scale({look.scale:.2f})")


def _provinces(
    board: Map, art: Art, owners: Mapping[Province, Power], look: Look, painters: Painters
) -> Iterator[str]:
    for code, area in art.areas.items():
        place = board.places[code]
        if place.terrain is Terrain.SEA:
            fill = look.theme.sea
        elif code in owners:
            hatched = painters.colors(owners[code]).hatch
            pattern = f"url(#{_pattern(look, owners[code])})"
            fill = pattern if hatched else painters.colors(owners[code]).land
        else:
            fill = look.theme.land
        owner = f" ({board.nations[owners[code]].name})" if code in owners else ""
        yield element("path", title(place.name + owner), d=area.path, fill=fill)


def _centers(
    board: Map, art: Art, position: Position, look: Look, painters: Painters
) -> Iterator[str]:
    for code in board.centers:
        spot, owner = art.areas[code].center, position.owners.get(code)
        if spot:
            letter = board.nations[owner].letter if owner else ""
            yield center(spot, letter, painters.colors(owner) if owner else None, look)


def _pattern(look: Look, power: Power) -> str:
    return f"{look.theme.name}-{power}"
