"""Names of provinces and coasts, placed where they cover the least."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.pictures.board_art import CENTER_RADIUS, BoardArt
from judge.pictures.geometry import Line, Point, points_along
from judge.pictures.parts import Box, Part, box_around
from judge.pictures.svg import text
from judge.pictures.themes import Look, NameStyle
from judge.pictures.unit_drawing import UNIT_HEIGHT, UNIT_WIDTH
from judge.rules.board import Map, Terrain
from judge.rules.types import Location, Province

NAME_SIZES = {NameStyle.SHORT: 13.3, NameStyle.FULL: 8.6, NameStyle.NONE: 0.0}
COAST_SIZE = 13.3  # at 360 pixels all names are 9 pixels high
LETTER_WIDTH = 0.54  # times the size, on average
LETTER_WIDTH_MAX = 0.65  # in the widest short names
NAME_HEIGHT = 1.1  # times the size, twice from its middle to the foot of a g
LINE_HEIGHT = 1.02
BEYOND = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
BEYOND_IN_A_ROW = 2
ONE_LINE_MAX = 9  # letters; longer names have one word per line
AROUND_A_COAST = ((0, 19), (0, -20), (22, 0), (-22, 0), (18, 16), (-18, 16), (18, -16), (-18, -16))
STROKE_STEP = 6.0
STROKE_COST = 14.0  # per point of a line under a name, as an area
PREFERENCE = 1.5  # cost per rank of a spot


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of *words* around a spot."""

    words: Sequence[str]
    spot: Point
    size: float
    sea: bool


def occupied_boxes(art: BoardArt, unit_spots: Iterable[Point], scale: float) -> list[Box]:
    """Return the boxes of the units and of all centers."""
    center = 2 * CENTER_RADIUS * scale
    return [
        *(box_around(spot, UNIT_WIDTH * scale, UNIT_HEIGHT * scale) for spot in unit_spots),
        *(box_around(a.center, center, center) for a in art.areas.values() if a.center),
    ]


class LabelPlacer:
    """Places names one by one, off the *taken* boxes and the *lines*."""

    def __init__(self, taken: Iterable[Box], lines: Iterable[Line]) -> None:
        self._taken = list(taken)
        self._points = sorted(
            spot for line in lines for spot, _ in points_along(line, STROKE_STEP)
        )

    def place(
        self, words: Sequence[str], spots: Sequence[Point], size: float, *, sea: bool
    ) -> Label:
        """Place *words* at the best of *spots*."""
        width = max(map(len, words)) * size * LETTER_WIDTH
        height = len(words) * size * LINE_HEIGHT - size * 0.25
        boxes = [box_around(spot, width, height) for spot in spots]
        costs = [self._cost(box) + PREFERENCE * rank for rank, box in enumerate(boxes)]
        best = costs.index(min(costs))
        self._taken.append(boxes[best])
        return Label(words, spots[best], size, sea)

    def _cost(self, box: Box) -> float:
        left, top, right, bottom = box
        first = bisect_left(self._points, (left, -math.inf))
        last = bisect_right(self._points, (right, math.inf))
        under = sum(top <= y <= bottom for _, y in self._points[first:last])
        overlaps = sum(
            (min(right, other_right) - max(left, other_left))
            * (min(bottom, other_bottom) - max(top, other_top))
            for other_left, other_top, other_right, other_bottom in self._taken
            if other_left < right
            and left < other_right
            and other_top < bottom
            and top < other_bottom
        )
        return under * STROKE_COST + overlaps


def draw_names(board: Map, art: BoardArt, look: Look, labels: LabelPlacer) -> Iterator[Part]:
    """Yield the names of coasts and, depending on *look*, of provinces."""
    for coast, spot in art.coasts.items():
        spots = [(spot[0] + x * look.scale, spot[1] + y * look.scale) for x, y in AROUND_A_COAST]
        size = COAST_SIZE * look.scale
        yield _draw_label(labels.place([_coast_name(coast)], spots, size, sea=True), look)
    if look.names is NameStyle.NONE:
        return
    smallest_first = sorted(art.areas.items(), key=lambda item: (len(item[1].labels), item[0]))
    for code, area in smallest_first:
        place = board.places[code]
        words = (
            [code.capitalize()] if look.names is NameStyle.SHORT else _lines_of_name(place.name)
        )
        sea = place.terrain is Terrain.SEA
        size = NAME_SIZES[look.names] * look.scale
        words += lines_of_beyond(art.beyond.get(code, ()))
        yield _draw_label(labels.place(words, area.labels, size, sea=sea), look)


def lines_of_beyond(beyond: Sequence[Province]) -> list[str]:
    """Return the lines below the name of a province for the neighbors that it does not touch."""
    names = [f"{BEYOND}{code.capitalize()}" for code in beyond]
    starts = range(0, len(names), BEYOND_IN_A_ROW)
    return [" ".join(names[start : start + BEYOND_IN_A_ROW]) for start in starts]


def _coast_name(coast: Location) -> str:
    return coast.partition("/")[2].lower()


def _lines_of_name(name: str) -> list[str]:
    return [name] if len(name) <= ONE_LINE_MAX else name.split()


def _draw_label(label: Label, look: Look) -> Part:
    """Draw halo and letters separately, since not all programs support `paint-order`."""
    rows = len(label.words)
    shape = _label_shape(tuple(label.words), label.size, look, sea=label.sea)
    width = (max(map(len, label.words)) * LETTER_WIDTH_MAX + 2) * label.size
    return Part(shape, box_around((0, 0), width, (rows + 1) * label.size), label.spot)


@lru_cache(1_000)
def _label_shape(words: tuple[str, ...], size: float, look: Look, *, sea: bool) -> str:
    top = -(len(words) - 1) / 2 * size * LINE_HEIGHT
    slant = "italic" if sea else None
    halo = {
        "stroke": look.theme.halo,
        "stroke_width": look.theme.halo_width * look.scale,
        "fill": "none",
    }
    ink = {"fill": look.theme.sea_ink if sea else look.theme.ink}
    return "".join(
        text(
            line,
            (0, top + row * size * LINE_HEIGHT),
            size,
            font_style=slant,
            **style,
        )
        for style in (halo, ink)
        for row, line in enumerate(words)
    )
