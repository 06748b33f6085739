"""Draw a scene on a board as SVG, with a legend. Everything in the scene is drawn.

It depends on these three alone, so that the same picture is the same text on every machine. All
that is in the scene is drawn: what a reader may see is decided by whoever makes the scene.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from judge.pictures import board_art, labels, order_lines, order_marks, unit_drawing
from judge.pictures.board_art import BoardArt
from judge.pictures.geometry import Point
from judge.pictures.order_lines import Mark, Stroke, trace_orders
from judge.pictures.scene import Captions, Scene, default_captions
from judge.pictures.svg import element, group, text, title
from judge.pictures.themes import Look, PowerPalette
from judge.pictures.unit_drawing import UnitSpots, builds_with_spots, place_units, units_with_spots
from judge.rules.board import Map
from judge.rules.types import PhaseKind, Power

FONT = "'PT Sans',Arial,sans-serif"


def draw_picture(
    board: Map, art: BoardArt, scene: Scene, look: Look, words: Captions | None = None
) -> str:
    """Return *scene* on *board* as the text of an SVG; *words* are those of the law by default."""
    painters = PowerPalette(board, look.theme)
    stand = place_units(art, scene.position, look.scale)
    drawn = trace_orders(board, art, scene, stand, look.scale)
    strokes = [each for each in drawn if isinstance(each, Stroke)]
    placed = [each for each in drawn if isinstance(each, Mark)]
    under = [each for each in placed if order_marks.is_under_units(each.sign)]
    over = [each for each in placed if not order_marks.is_under_units(each.sign)]
    high = art.height + legend_height(board, scene, look)
    told = scene.title or scene.position.phase.code
    words = words or default_captions(board)
    parts = [
        title(told),
        element("desc", escape("\n".join(map(words.of_order, scene.orders)))),
        board_art.draw_hatchings(board, look, painters),
        element("rect", width=art.width, height=high, fill=look.theme.sea),
        board_art.draw_land(board, art, scene.position, look, painters),
        board_art.draw_centers(board, art, scene.position, look, painters),
        group(_draw_order_line(words, each, look, painters) for each in strokes),
        group(_draw_marks(words, under, look, painters)),
        group(_draw_units(words, art, scene, stand, look, painters)),
        group(_draw_names(board, art, stand, look, strokes, placed)),
        group(_draw_marks(words, over, look, painters)),
        draw_legend(words, art, scene, look, painters),
    ]
    return element(
        "svg",
        *(f"\n{part}" for part in parts if part),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {art.width} {high}",
        width=art.width,
        height=high,
        role="img",
        aria_label=told,
        font_family=FONT,
    )


def _draw_order_line(words: Captions, stroke: Stroke, look: Look, painters: PowerPalette) -> str:
    told = words.of_order(stroke.shown) if stroke.shown else ""
    return order_lines.draw_stroke(stroke, painters.colors(stroke.power).line, told, look)


def _draw_marks(
    words: Captions, several: Iterable[Mark], look: Look, painters: PowerPalette
) -> Iterator[str]:
    for each in several:
        color = painters.colors(each.shown.power).line if each.shown else look.theme.bad
        sign = order_marks.draw_mark(each.sign, each.spot, color, look.theme, look.scale)
        yield group([title(words.of_order(each.shown)), sign]) if each.shown else sign


def _draw_units(
    words: Captions,
    art: BoardArt,
    scene: Scene,
    stand: UnitSpots,
    look: Look,
    painters: PowerPalette,
) -> Iterator[str]:
    """Yield the units that stand, those dislodged, and those that are being built."""
    for unit, spot in (
        *units_with_spots(art, scene.position, stand),
        *builds_with_spots(art, scene),
    ):
        yield unit_drawing.draw_unit(
            unit.kind,
            spot,
            painters.board.nations[unit.power].letter,
            painters.colors(unit.power),
            look.theme,
            look.scale,
            told=words.of_unit(unit),
        )


def _draw_names(
    board: Map,
    art: BoardArt,
    stand: UnitSpots,
    look: Look,
    strokes: Iterable[Stroke],
    placed: Iterable[Mark],
) -> Iterator[str]:
    """Yield the names, off units, centers, lines and marks."""
    scale = look.scale
    center = 2 * board_art.CENTER_RADIUS * scale
    taken = [
        *(
            labels.box_around(
                spot, unit_drawing.UNIT_WIDTH * scale, unit_drawing.UNIT_HEIGHT * scale
            )
            for spot in stand.spots
        ),
        *(labels.box_around(a.center, center, center) for a in art.areas.values() if a.center),
        *(
            labels.box_around(each.spot, wide, wide)
            for each in placed
            for wide in [order_marks.mark_width(each.sign) * scale]
        ),
    ]
    return labels.draw_names(
        board, art, look, labels.LabelPlacer(taken, [each.line for each in strokes])
    )


TITLE_SIZE, POWER_SIZE = 19.0, 14.0
ROW_HEIGHT = 1.75  # of the size of its letters
MARGIN = 12.0
ONE_ROW_SCALE_MAX = 1.3  # above it a row of seven powers is too narrow


def legend_height(board: Map, scene: Scene, look: Look) -> int:
    """Return how high the legend is."""
    rows = [TITLE_SIZE] if scene.title else []
    if look.legend:
        rows += [POWER_SIZE] * math.ceil(len(board.powers) / _columns_of_powers(board, look))
    return round(sum(rows) * ROW_HEIGHT * look.scale)


def draw_legend(
    words: Captions, art: BoardArt, scene: Scene, look: Look, painters: PowerPalette
) -> str:
    """Return the legend, below a board of the height of *art*, with the powers as in *words*."""
    board = painters.board
    high, top = legend_height(board, scene, look), float(art.height)
    if not high:
        return ""
    parts = [element("rect", y=top, width=art.width, height=high, fill=look.theme.paper)]
    if scene.title:
        size = TITLE_SIZE * look.scale
        spot = MARGIN, top + size * ROW_HEIGHT / 2
        style = {"text_anchor": "start", "font_weight": "bold", "fill": look.theme.ink}
        parts.append(text(scene.title, spot, size, **style))
        top += size * ROW_HEIGHT
    if look.legend:
        columns = _columns_of_powers(board, look)
        row = POWER_SIZE * look.scale * ROW_HEIGHT
        for number, power in enumerate(board.powers):
            x = MARGIN + (art.width - MARGIN) / columns * (number % columns)
            spot = x, top + row * (number // columns + 0.5)
            parts.append(_draw_power(words, scene, look, painters, power, spot))
    return group(parts)


def _columns_of_powers(board: Map, look: Look) -> int:
    """Return how many powers stand beside one another."""
    rows = 1 if look.scale <= ONE_ROW_SCALE_MAX else 2
    return math.ceil(len(board.powers) / rows)


def _draw_power(
    words: Captions, scene: Scene, look: Look, painters: PowerPalette, power: Power, spot: Point
) -> str:
    colors, sign = painters.colors(power), painters.board.nations[power].letter
    x, y = spot
    size = POWER_SIZE * look.scale
    side = size * 1.25
    box = element(
        "rect",
        x=x,
        y=y - side / 2,
        width=side,
        height=side,
        rx=size / 5,
        fill=colors.unit,
        stroke=look.theme.outline,
    )
    letter = text(sign, (x + side / 2, y), size, font_weight="bold", fill=colors.letter)
    name = text(
        f"{words.powers[power]} {_center_count(scene, power)}",
        (x + side * 1.3, y),
        size,
        text_anchor="start",
        fill=look.theme.ink,
    )
    return box + letter + name


def _center_count(scene: Scene, power: Power) -> str:
    """Return how many centers *power* has, and in a winter how many units more or fewer."""
    count = str(len(scene.position.centers_of(power)))
    due = scene.position.due(power)
    winter = scene.position.phase.kind is PhaseKind.ADJUSTMENTS
    return f"{count} ({due:+})" if winter and due else count
