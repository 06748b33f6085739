"""What stands below the board: what the picture is of, and the powers with their centers."""

from __future__ import annotations

import math

from judge.pictures.art import Art
from judge.pictures.captions import Words
from judge.pictures.lines import Point
from judge.pictures.look import Look
from judge.pictures.painters import Painters
from judge.pictures.scene import Scene
from judge.pictures.svg import element, group, text
from judge.rules.board import Map
from judge.rules.types import PhaseKind, Power

TITLE_SIZE, POWER_SIZE = 19.0, 14.0
ROW = 1.75  # of the size of its letters
MARGIN = 12.0
ONE_ROW_SCALE_MAX = 1.3  # above it a row of seven powers is too narrow


def height(board: Map, scene: Scene, look: Look) -> int:
    """Return how high the legend is."""
    rows = [TITLE_SIZE] if scene.title else []
    if look.legend:
        rows += [POWER_SIZE] * math.ceil(len(board.powers) / _columns(board, look))
    return round(sum(rows) * ROW * look.scale)


def legend(words: Words, art: Art, scene: Scene, look: Look, painters: Painters) -> str:
    """Return the legend, below a board of the height of *art*, with the powers as in *words*."""
    board = painters.board
    high, top = height(board, scene, look), float(art.height)
    if not high:
        return ""
    parts = [element("rect", y=top, width=art.width, height=high, fill=look.theme.paper)]
    if scene.title:
        size = TITLE_SIZE * look.scale
        spot = MARGIN, top + size * ROW / 2
        style = {"text_anchor": "start", "font_weight": "bold", "fill": look.theme.ink}
        parts.append(text(scene.title, spot, size, **style))
        top += size * ROW
    if look.legend:
        columns = _columns(board, look)
        row = POWER_SIZE * look.scale * ROW
        for number, power in enumerate(board.powers):
            x = MARGIN + (art.width - MARGIN) / columns * (number % columns)
            spot = x, top + row * (number // columns + 0.5)
            parts.append(_power(words, scene, look, painters, power, spot))
    return group(parts)


def _columns(board: Map, look: Look) -> int:
    """Return how many powers stand beside one another."""
    rows = 1 if look.scale <= ONE_ROW_SCALE_MAX else 2
    return math.ceil(len(board.powers) / rows)


def _power(
    words: Words, scene: Scene, look: Look, painters: Painters, power: Power, spot: Point
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
        f"{words.powers[power]} {_centers(scene, power)}",
        (x + side * 1.3, y),
        size,
        text_anchor="start",
        fill=look.theme.ink,
    )
    return box + letter + name


def _centers(scene: Scene, power: Power) -> str:
    """Return how many centers *power* has, and in a winter how many units more or fewer."""
    count = str(len(scene.position.centers_of(power)))
    due = scene.position.due(power)
    winter = scene.position.phase.kind is PhaseKind.ADJUSTMENTS
    return f"{count} ({due:+})" if winter and due else count
