"""Draw a scene on a board: as one SVG with a legend, or as layers of a replay page.

Everything in the scene is drawn, so callers leave out what the reader may not see. The text of a
picture is the same on every machine. Layers use shared shapes by id and colors by CSS variable
(`judge.pictures.themes`), so a page can be light or dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.pictures import board_art, labels, order_lines, order_marks, themes, unit_drawing
from judge.pictures.board_art import PATH_SCALE, BoardArt
from judge.pictures.geometry import Point
from judge.pictures.order_lines import Mark, TracedOrders, trace_orders
from judge.pictures.order_marks import Sign
from judge.pictures.parts import Marked, Part, Picture, box_around
from judge.pictures.scene import Captions, Scene, default_captions
from judge.pictures.svg import element, group, number, text, title
from judge.pictures.unit_drawing import UnitSpots, builds_with_spots, place_units, units_with_spots
from judge.rules.board import Map, Terrain
from judge.rules.types import NEUTRAL, PhaseKind, Position, Power, Unit, UnitKind


def draw_picture(
    board: Map, art: BoardArt, scene: Scene, look: themes.Look, words: Captions | None = None
) -> Picture:
    """Return the picture of *scene*; *words* default to `default_captions`."""
    palette = themes.PowerPalette(board, look.theme)
    unit_spots = place_units(art, scene.position, look.scale)
    orders = trace_orders(board, art, scene, unit_spots, look.scale)
    words = words or default_captions(board)
    return Picture(
        width=art.width,
        height=art.height + legend_height(board, scene, look),
        background=look.theme.sea,
        patterns=board_art.draw_hatchings(board, look, palette),
        ground=tuple(board_art.draw_ground(board, art, scene.position, look, palette)),
        parts=(
            *(
                order_lines.draw_stroke(each, palette.colors(each.power).line, words, look)
                for each in orders.strokes
            ),
            *_draw_discs(art, scene, unit_spots, look),
            *_draw_marks(words, orders.marks_under, look, palette),
            *_draw_units(words, art, scene, unit_spots, look, palette),
            *_draw_names(board, art, unit_spots, look, orders),
            *_draw_marks(words, orders.marks_over, look, palette),
            *draw_legend(words, art, scene, look, palette),
        ),
        heading=scene.title or scene.position.phase.code,
        description="\n".join(map(words.of_order, scene.orders)),
        marked=_marked(board, art, scene, unit_spots, look) if look.shared else None,
    )


def _marked(
    board: Map, art: BoardArt, scene: Scene, unit_spots: UnitSpots, look: themes.Look
) -> Marked:
    shown = [*units_with_spots(art, scene.position, unit_spots)]
    return Marked(
        spots=[[spot for unit, spot in shown if unit.power == power] for power in board.powers],
        ring=unit_drawing.draw_ring(look.scale),
        disc=unit_drawing.draw_disc((0, 0), look.theme, look.scale),
        ground_colors=board_art.ground_colors(board, look.theme),
    )


def _draw_marks(
    words: Captions, several: Iterable[Mark], look: themes.Look, palette: themes.PowerPalette
) -> Iterator[Part]:
    for each in several:
        color = palette.colors(each.shown.power).line if each.shown else look.theme.bad
        caption = words.of_order(each.shown) if each.shown else ""
        yield order_marks.draw_mark(
            each.sign, each.spot, color, look.theme, look.scale, caption=caption
        )


def _draw_discs(
    art: BoardArt, scene: Scene, unit_spots: UnitSpots, look: themes.Look
) -> Iterator[Part]:
    """Yield the discs that mark the reader's units."""
    for unit, spot in units_with_spots(art, scene.position, unit_spots):
        if unit.power == look.reader:
            yield unit_drawing.draw_disc(spot, look.theme, look.scale)


def _draw_units(
    words: Captions,
    art: BoardArt,
    scene: Scene,
    unit_spots: UnitSpots,
    look: themes.Look,
    palette: themes.PowerPalette,
) -> Iterator[Part]:
    for unit, spot in (
        *units_with_spots(art, scene.position, unit_spots),
        *builds_with_spots(art, scene),
    ):
        yield unit_drawing.draw_unit(
            unit.kind,
            spot,
            palette.board.nations[unit.power].letter,
            palette.colors(unit.power),
            look.theme,
            look.scale,
            caption=words.of_unit(unit),
        )


def _draw_names(
    board: Map, art: BoardArt, unit_spots: UnitSpots, look: themes.Look, orders: TracedOrders
) -> Iterator[Part]:
    taken = labels.occupied_boxes(art, unit_spots.spots, look.scale)
    for mark in (*orders.marks_under, *orders.marks_over):
        width = order_marks.mark_width(mark.sign) * look.scale
        taken.append(box_around(mark.spot, width, width))
    lines = [each.line for each in orders.strokes]
    return labels.draw_names(board, art, look, labels.LabelPlacer(taken, lines))


TITLE_SIZE, POWER_SIZE = 19.0, 14.0
LEGEND_WIDTH = 1000  # units: that of a board
LEGEND_LETTERS = 5  # besides the name of a power
LEGEND_LETTER_WIDTH = 0.56
ROW_HEIGHT = 1.75  # times the letter size
MARGIN = 12.0


def legend_height(board: Map, scene: Scene, look: themes.Look) -> int:
    """Return the height of the legend."""
    rows = [TITLE_SIZE] if scene.title else []
    if look.legend:
        rows += [POWER_SIZE] * math.ceil(len(board.powers) / _columns_of_powers(board, look))
    return round(sum(rows) * ROW_HEIGHT * look.scale)


def draw_legend(
    words: Captions, art: BoardArt, scene: Scene, look: themes.Look, palette: themes.PowerPalette
) -> Iterator[Part]:
    """Yield the legend below the board."""
    board = palette.board
    height, top = legend_height(board, scene, look), float(art.height)
    if not height:
        return
    paper = element("rect", width=art.width, height=height, fill=look.theme.paper)
    yield Part(paper, (0, 0, art.width, height), (0, top))
    if scene.title:
        size = TITLE_SIZE * look.scale
        style = {"text_anchor": "start", "font_weight": "bold", "fill": look.theme.ink}
        box = 0, -size, art.width - MARGIN, size
        spot = MARGIN, top + size * ROW_HEIGHT / 2
        yield Part(text(scene.title, (0, 0), size, **style), box, spot)
        top += size * ROW_HEIGHT
    if look.legend:
        columns = _columns_of_powers(board, look)
        row = POWER_SIZE * look.scale * ROW_HEIGHT
        for number, power in enumerate(board.powers):
            x = MARGIN + (art.width - MARGIN) / columns * (number % columns)
            spot = x, top + row * (number // columns + 0.5)
            yield _draw_power(words, scene, look, palette, power, spot)


def _columns_of_powers(board: Map, look: themes.Look) -> int:
    """Return how many powers fit in a row, evenly divided."""
    longest = max(len(board.nations[power].name) for power in board.powers)
    width = (longest + LEGEND_LETTERS) * LEGEND_LETTER_WIDTH * POWER_SIZE * look.scale
    rows = math.ceil(len(board.powers) / max(1, (LEGEND_WIDTH - MARGIN) // width))
    return math.ceil(len(board.powers) / rows)


def _draw_power(
    words: Captions,
    scene: Scene,
    look: themes.Look,
    palette: themes.PowerPalette,
    power: Power,
    spot: Point,
) -> Part:
    colors, sign = palette.colors(power), palette.board.nations[power].letter
    size = POWER_SIZE * look.scale
    side = size * 1.25
    box = element(
        "rect",
        y=-side / 2,
        width=side,
        height=side,
        rx=size / 5,
        fill=colors.unit,
        stroke=look.theme.outline,
    )
    letter = text(sign, (side / 2, 0), size, font_weight="bold", fill=colors.letter)
    name = text(
        f"{words.powers[power]} {_center_count(scene, power)}",
        (side * 1.3, 0),
        size,
        text_anchor="start",
        fill=look.theme.ink,
        font_weight="bold" if power == look.reader else None,
    )
    width = (len(words.powers[power]) + 2 * LEGEND_LETTERS) * size
    return Part(box + letter + name, (-1, -size, width, size), spot)


def _center_count(scene: Scene, power: Power) -> str:
    """Return the center count, with the due builds or removals in winter: `5 (+1)`."""
    count = str(len(scene.position.centers_of(power)))
    due = scene.position.due(power)
    winter = scene.position.phase.kind is PhaseKind.ADJUSTMENTS
    return f"{count} ({due:+})" if winter and due else count


BOARD_WIDTH = 680  # approximate width on a page, in pixels


@dataclass(frozen=True, slots=True)
class Layer:
    """One phase in four parts, from bottom to top.

    *ground* shows the owners of land and centers, *units* those on the board or dislodged; *lines*
    and *signs* are the parts of orders below and above the units.
    """

    ground: str
    lines: str
    units: str
    signs: str


class Layers:
    """Draws the phases of a game on one board."""

    def __init__(self, board: Map, art: BoardArt, words: Captions) -> None:
        self._board, self._art, self._words = board, art, words
        self._look = themes.Look(
            themes.css_variable_theme(board, themes.load_theme("light")),
            scale=themes.scale_for_width(BOARD_WIDTH),
        )

    @property
    def size(self) -> tuple[int, int]:
        """Return the width and height of the board."""
        return self._art.width, self._art.height

    def shared(self) -> str:
        """Return the definitions shared by all layers."""
        return element("defs", *self._shared())

    def layer(self, scene: Scene) -> Layer:
        """Return *scene* as a layer."""
        board, art, look = self._board, self._art, self._look
        unit_spots = place_units(art, scene.position, look.scale)
        orders = trace_orders(board, art, scene, unit_spots, look.scale)
        lines = [
            order_lines.draw_stroke(
                each, look.theme.powers[each.power].line, self._words, look
            ).svg()
            for each in orders.strokes
        ]
        builds = self._units(builds_with_spots(art, scene))
        return Layer(
            ground=self._ground(scene.position),
            lines=group([*lines, *self._marks(orders.marks_under), *builds]),
            units=group(self._units(units_with_spots(art, scene.position, unit_spots))),
            signs=group(self._marks(orders.marks_over)),
        )

    def _shared(self) -> Iterator[str]:
        board, art, look = self._board, self._art, self._look
        for code, area in art.areas.items():
            yield element("path", title(self._words.places[code]), d=area.path, id=f"at-{code}")
        seas = [code for code in art.areas if board.places[code].terrain is Terrain.SEA]
        dry = [code for code in art.areas if code not in seas]
        yield group(
            [
                element("rect", width=art.width, height=art.height, fill=look.theme.sea),
                _scaled(
                    [
                        board_art.draw_below(art, look) if art.below else "",
                        group((_use_shape(f"at-{code}") for code in seas), fill=look.theme.sea),
                        group((_use_shape(f"at-{code}") for code in dry), fill=look.theme.land),
                        *board_art.draw_scenery(art, look),
                    ]
                ),
            ],
            id="board",
        )
        yield group([_scaled([board_art.draw_borders(art, look)])], id="borders")
        for power in (*board.powers, *(NEUTRAL for _ in board.garrisons[:1])):
            letter, colors = board.nations[power].letter, look.theme.powers[power]
            for kind in UnitKind:
                shape = unit_drawing.draw_unit(
                    kind, (0, 0), letter, colors, look.theme, look.scale, caption=""
                )
                yield group([_growing(shape.svg())], id=f"{kind.value}-{power}")
            center = board_art.draw_center((0, 0), letter, colors, look)
            yield group([_growing(center.svg())], id=f"center-{power}")
        unowned = board_art.draw_center((0, 0), "", None, look)
        yield group([_growing(unowned.svg())], id="center")
        for sign in Sign:
            shape = order_marks.draw_mark(
                sign, (0, 0), themes.OWN_LINE_COLOR, look.theme, look.scale, caption=""
            )
            yield group([_growing(shape.svg())], id=f"sign-{sign.name.lower()}")
        yield group(self._names(), id="names")

    def _ground(self, position: Position) -> str:
        owners = board_art.land_owners(self._board, position)
        lands = [
            group(
                (
                    _use_shape(f"at-{code}")
                    for code in self._art.areas
                    if owners.get(code) == power
                ),
                class_=power,
                fill="var(--land)",
            )
            for power in self._board.powers
        ]
        centers = [
            _use_shape(
                f"center-{position.owners[code]}" if code in position.owners else "center", spot
            )
            for code in self._board.centers
            if (spot := self._art.areas[code].center)
        ]
        return _scaled(lands) + _use_shape("borders") + group(centers)

    def _marks(self, several: Iterable[Mark]) -> Iterator[str]:
        for each in several:
            caption = self._words.of_order(each.shown) if each.shown else ""
            power = each.shown.power if each.shown else None
            yield _use_shape(f"sign-{each.sign.name.lower()}", each.spot, caption, power)

    def _units(self, several: Iterable[tuple[Unit, Point]]) -> Iterator[str]:
        for unit, spot in several:
            caption = self._words.of_unit(unit)
            yield _use_shape(f"{unit.kind.value}-{unit.power}", spot, caption)

    def _names(self) -> Iterator[str]:
        """Yield the names, placed off all spots of units to be the same in each phase."""
        art = self._art
        spots = [area.unit for area in art.areas.values()] + [*art.coasts.values()]
        taken = labels.occupied_boxes(art, spots, self._look.scale)
        placer = labels.LabelPlacer(taken, ())
        return (each.svg() for each in labels.draw_names(self._board, art, self._look, placer))


def _use_shape(
    shape: str, spot: Point = (0, 0), caption: str = "", power: str | None = None
) -> str:
    return element(
        "use",
        title(caption) if caption else "",
        href=f"#{shape}",
        x=number(spot[0]) if spot[0] else None,
        y=number(spot[1]) if spot[1] else None,
        class_=power,
    )


def _scaled(paths: Iterable[str]) -> str:
    return group(paths, transform=f"scale({PATH_SCALE})", fill_rule="evenodd")


def _growing(shape: str) -> str:
    """Mark *shape* to be enlarged on small screens by the style sheet."""
    return group([shape], class_="grows")
