"""The picture of a board from an SVG whose regions carry the codes of provinces.

Its colors, letters and lines are ours, so it has the themes of every other board. The judge finds
the spots of units and names, the coasts and the borders between seas that it does not state.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from judge.pictures.board_art import PictureError, wrong_provinces
from judge.pictures.geometry import Point, row_crossings
from judge.pictures.parts import Box, box_of
from judge.pictures.placing import Contents, Spots, place_spots, sizes_of
from judge.pictures.svg import steps
from judge.pictures.svg_outlines import WIDTH, Ring, SvgError, read_outlines
from judge.rules.board import Map, Terrain
from judge.rules.types import Location, Province, province_of

PROVINCE = "data-province"
UNIT, DISLODGED, CENTER, NAME = "data-unit", "data-dislodged", "data-center", "data-name"
THINGS = {UNIT: "unit", DISLODGED: "dislodged", CENTER: "center", NAME: "label"}
IMPASSABLE, BELOW = "impassable", "below"  # the latter is below all provinces
NO_PROVINCES = IMPASSABLE, BELOW
CODE = re.compile(r"[A-Z0-9]{2,6}")
CELL = 2.0  # units: the grid on which neighbors are looked for
PROBES = 2.5, 6.0  # units from a border, to find what is behind it
PIECE = 6.0  # units of a border that are told apart
EDGE = 1.5  # units from the edge of the picture, where no line is drawn
SHORE_POINTS = 8
COAST, LAND_BORDER, SEA_BORDER = "coast", "land_border", "sea_border"


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The regions of an SVG, by province or NO_PROVINCES, from bottom to top, and given places."""

    height: int
    regions: Mapping[str, list[Ring]]
    places: Mapping[str, Mapping[Location, Point]]


def picture_from_svg(svg: str, board: Map) -> str:
    """Return the text of a `board.json` for *board*. Raises `PictureError`."""
    drawing = _read(svg, board)
    provinces = drawing.regions.keys() - {*NO_PROVINCES}
    if wrong := [*wrong_provinces(provinces, board), *_misplaced(drawing, board)]:
        raise PictureError(wrong)
    borders = _Borders(drawing, board)
    placed = _placed(drawing, board, borders)
    picture = {
        "width": WIDTH,
        "height": drawing.height,
        **borders.paths(),
        "impassable": _path(drawing.regions.get(IMPASSABLE, ())),
        "below": _path(drawing.regions.get(BELOW, ())),
        "neutral": "",
        "off_board": "",
        "provinces": {
            code: {"path": _path(rings), **placed[code].as_json()}
            for code, rings in drawing.regions.items()
            if code in provinces
        },
    }
    return json.dumps(picture, separators=(",", ":"))


def _read(svg: str, board: Map) -> _Drawing:
    try:
        outlines = read_outlines(svg)
    except SvgError as error:
        raise PictureError([f"the SVG cannot be read: {error}"]) from error
    regions: dict[str, list[Ring]] = {}
    places: dict[str, dict[Location, Point]] = {each: {} for each in THINGS}
    for shape in outlines.shapes:
        kind, name = _label(shape.labels, board)
        if kind == PROVINCE:
            rings = [ring for ring in shape.rings if steps(ring, closed=True)]
            if name == IMPASSABLE and regions.keys() <= {BELOW}:
                name = BELOW
            if rings:
                regions[name] = [*regions.get(name, ()), *rings]
        elif kind and shape.rings:
            points = [point for ring in shape.rings for point in ring]
            places[kind][name] = _middle(points)
    if IMPASSABLE in regions:
        regions[IMPASSABLE] = regions.pop(IMPASSABLE)  # drawn last
    return _Drawing(outlines.height, regions, places)


def _label(labels: Sequence[Mapping[str, str]], board: Map) -> tuple[str, str]:
    """Return the role and the name of a shape, as its innermost label states them."""
    for label in labels:
        for kind in (PROVINCE, *THINGS):
            if kind in label:
                return kind, label[kind]
        name = label.get("id", "")
        if name in board.places or name == IMPASSABLE or CODE.fullmatch(name):
            return PROVINCE, name
    return "", ""


def _middle(points: Sequence[Point]) -> Point:
    """Return the middle of the box around *points*."""
    across, down = [x for x, _ in points], [y for _, y in points]
    x, y = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
    return round(x, 1), round(y, 1)


def _misplaced(drawing: _Drawing, board: Map) -> Iterator[str]:
    """Yield the faults of the given places, one line each."""
    for kind, places in drawing.places.items():
        for name, (x, y) in places.items():
            code = province_of(name)
            fits = (code, *board.coasts_of(code)) if kind == UNIT and code in board.places else ()
            if name not in board.places and name not in fits:
                yield f"the picture has a place in {name}, which is not on the board"
            elif not _is_inside(drawing.regions.get(code, ()), x, y):
                yield f"in the picture, the {THINGS[kind]} place of {name} is outside of {name}"


def _is_inside(rings: Sequence[Ring], x: float, y: float) -> bool:
    [row] = row_crossings(rings, y, 1, 1)
    return sum(crossing > x for crossing in row) % 2 == 1


def _path(rings: Sequence[Ring]) -> str:
    return "".join(steps(ring, closed=True) for ring in rings)


class _Borders:
    """The lines between regions, found on a grid that says which region is seen where."""

    def __init__(self, drawing: _Drawing, board: Map) -> None:
        self._board, self._height = board, drawing.height
        self._names = ["", *drawing.regions]
        self._columns, self._rows = round(WIDTH / CELL), math.ceil(drawing.height / CELL)
        self._seen = self._grid(drawing)
        self.shared: dict[frozenset[str], list[Point]] = defaultdict(list)
        self._lines: dict[str, list[list[Point]]] = defaultdict(list)
        for number, rings in enumerate(drawing.regions.values(), start=1):
            for ring in rings:
                self._follow(number, ring)

    def paths(self) -> dict[str, str]:
        """Return the lines by kind."""
        return {
            kind: "".join(steps(line, closed=False) for line in self._lines[kind])
            for kind in (COAST, LAND_BORDER, SEA_BORDER)
        }

    def shore(self, coast: Location) -> Sequence[Point]:
        """Return points of the borders of *coast* with its seas, off the other coasts."""
        code = province_of(coast)
        seas = {each: self._seas(each) for each in self._board.coasts_of(code)}
        shared = set().union(*(seas[each] for each in seas if each != coast))
        own = self._points(code, seas[coast] - shared)
        if own:
            return own[:: max(1, len(own) // SHORE_POINTS)]
        others = self._points(code, shared - seas[coast])
        points = self._points(code, seas[coast])
        points.sort(
            key=lambda point: -min((math.dist(point, other) for other in others), default=0)
        )
        return points[:SHORE_POINTS]

    def _seas(self, coast: Location) -> set[Province]:
        near = map(province_of, self._board.fleet[coast])
        return {each for each in near if self._board.places[each].terrain is Terrain.SEA}

    def _points(self, code: Province, seas: Iterable[Province]) -> list[Point]:
        return [point for sea in sorted(seas) for point in self.shared[frozenset((code, sea))]]

    def _grid(self, drawing: _Drawing) -> Sequence[array[int]]:
        """Return the number of the region that is seen in each cell, 0 for none."""
        rows = [array("H", [0]) * self._columns for _ in range(self._rows)]
        for number, rings in enumerate(drawing.regions.values(), start=1):
            crossings = row_crossings(rings, CELL / 2, CELL, self._rows)
            for cells, found in zip(rows, crossings, strict=True):
                for start, end in zip(found[::2], found[1::2], strict=False):
                    left = max(0, math.ceil(start / CELL - 0.5))
                    right = min(self._columns, math.ceil(end / CELL - 0.5))
                    if right > left:
                        cells[left:right] = array("H", [number]) * (right - left)
        return rows

    def _follow(self, number: int, ring: Ring) -> None:
        """Divide the outline of a region by its neighbors."""
        line: list[Point] = []
        kind = ""
        for start, end in pairwise([*ring, *ring[:1]]):
            count = math.ceil(math.dist(start, end) / PIECE) or 1
            across, down = (end[0] - start[0]) / count, (end[1] - start[1]) / count
            for at in range(count):
                point = start[0] + across * at, start[1] + down * at
                found = self._kind(number, point, (across, down))
                if found != kind:
                    line.append(point)
                    self._lines[kind].append(line)
                    line, kind = [point], found
            line.append(end)
        self._lines[kind].append(line)

    def _kind(self, number: int, start: Point, way: Point) -> str:
        """Return the kind of a piece of an outline; empty if another region's outline has it."""
        x, y = start[0] + way[0] / 2, start[1] + way[1] / 2
        size = math.hypot(*way)
        if not size or not (EDGE < x < WIDTH - EDGE and EDGE < y < self._height - EDGE):
            return ""
        across, down = -way[1] / size, way[0] / size
        behind = 0
        for away in PROBES:
            sides = {self._region_at(x + across * side, y + down * side) for side in (away, -away)}
            if number not in sides or sides == {number}:
                return ""
            [behind] = sides - {number}
            if behind:
                break
        self.shared[frozenset((self._names[number], self._names[behind]))].append((x, y))
        if behind > number:
            return ""
        wet = self._is_sea(number), not behind or self._is_sea(behind)
        return SEA_BORDER if all(wet) else COAST if any(wet) else LAND_BORDER

    def _region_at(self, x: float, y: float) -> int:
        column, row = math.floor(x / CELL), math.floor(y / CELL)
        if 0 <= column < self._columns and 0 <= row < self._rows:
            return self._seen[row][column]
        return 0

    def _is_sea(self, number: int) -> bool:
        place = self._board.places.get(self._names[number])
        return place is not None and place.terrain is Terrain.SEA


def _placed(drawing: _Drawing, board: Map, borders: _Borders) -> Mapping[str, Spots]:
    """Return the spots in each region, given or found, the smallest first."""
    names = [*drawing.regions]
    boxes = {name: box_of(chain.from_iterable(drawing.regions[name]), 0) for name in names}
    taken: list[Box] = []
    found = {}
    for code in sorted(names, key=lambda each: (_size(boxes[each]), each)):
        if code in NO_PROVINCES:
            continue
        above = [
            drawing.regions[other]
            for other in names[names.index(code) + 1 :]
            if _overlap(boxes[code], boxes[other])
        ]
        coasts = board.coasts_of(code) if code in board.places else ()
        contents = Contents(
            has_center=code in board.centers,
            shores={
                coast: borders.shore(coast) or drawing.regions[code][0][:1] for coast in coasts
            },
            given={
                name: spot
                for kind, names in THINGS.items()
                for place, spot in drawing.places[kind].items()
                if province_of(place) == code
                for name in (place if place != code else names,)
            },
        )
        sizes = sizes_of(code)
        found[code] = place_spots(drawing.regions[code], sizes, taken, contents, above)
        taken += found[code].boxes(sizes)
    return found


def _size(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
