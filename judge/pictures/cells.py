"""The cells of provinces in a planar layout, with outlines that neighbors share.

In a triangle of three provinces each takes the corner between the middles of its sides and the
middle of the triangle. So those touch that are neighbors, and no others. Then the cells behave
like bubbles: each presses until it has the area it wants, and borders are short (see Brakke, "The
Surface Evolver", 1992). No triangle in a cell may turn over meanwhile, so no outlines cross.
Cells whose places are known drift to where their directions from each other are right.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from judge.pictures.geometry import Point
from judge.pictures.planar import NEARLY, Layout, directions_of, is_frame, is_gap
from judge.rules.types import Province

EDGE = 6.0  # units: what is left free around all cells
FRAME_AWAY = 1.6  # times the distance of the frame from the middle: cells do not reach it
GAP_AREA = 400.0  # units: so small a gap presses too, else it would lock the cells around it
PRESSURE, PRESSURE_MIN, PRESSURE_MAX = 2.0, -1.6, 4.0  # of a cell of no area; of large and small
TENSION, PUSH_MAX = 12.0, 3.0  # of a long border; times that push the ends of a short one apart
SIDE_MIN = 10.0  # units: half of the border of two neighbors
DRIFT, DRIFT_MAX = 12.0, 4.0  # of a cell whose directions are all wrong; of any cell
PACE, STEP_MAX = 0.1, 4.0  # of the forces; units at once
PUSHES = 1  # from corner to corner at once
TRIES = 3  # to move a corner by ever less
SLIVER = 1.0  # twice the area of triangles that may not get smaller
MESHED_AFTER = 10  # steps, with new triangles
SPACING = 9.0  # units between points of an outline
SMOOTHED = 12  # times

Line = list[Point]
Corner = tuple[Province, ...]  # the provinces that meet at a point of an outline
Ring = list[tuple[Corner, Point]]


@dataclass(frozen=True, slots=True)
class Cells:
    """The outlines of provinces, and the lines between each two, or one and none."""

    outlines: Mapping[Province, Line]
    borders: Mapping[tuple[Province, Province | None], list[Line]]


class Bubbles:
    """Cells that press until each has the area that it wants, in units."""

    def __init__(
        self,
        layout: Layout,
        width: float,
        wanted: Mapping[Province, float],
        places: Mapping[Province, Point] = MappingProxyType({}),
    ) -> None:
        self._width, self._height = width, sum(wanted.values()) / width
        self._wanted = dict(wanted)
        self._directions = directions_of(places)
        self._drifts: Mapping[str, Point] = {}
        self._numbers: dict[Corner, int] = {}
        self._points: list[Point] = []
        self._outside: list[Triangle] = []  # around all cells
        steps: dict[Province, dict[int, tuple[int, int]]] = defaultdict(dict)
        for triangle in _turned_alike(layout):
            middle = self._number(layout, triangle)
            for at, name in enumerate(triangle):
                following, before = triangle[(at + 1) % 3], triangle[at - 1]
                side = self._number(layout, (name, following))
                last = self._number(layout, (name, before))
                if is_frame(name):
                    spot = self._number(layout, (name,))
                    self._outside += [(spot, side, middle), (spot, middle, last)]
                else:
                    steps[name][side] = middle, last
        self._rings = {name: _ring(steps[name]) for name in steps}
        self._corners = [*self._numbers]
        self._sides = sorted(
            {
                (min(side), max(side))
                for name, ring in self._rings.items()
                for side in pairwise([*ring, ring[0]])
                if not is_gap(name)
            }
        )
        self._fixed = {
            number for corner, number in self._numbers.items() if all(map(is_frame, corner))
        }
        center = self._width / 2, self._height / 2
        for number in self._fixed:
            self._points[number] = _away_from(center, self._points[number])
        self._fans: Sequence[list[tuple[int, int]]] = ()

    @property
    def height(self) -> float:
        """Return the height in which all cells have the area they want."""
        return self._height

    def enlarge(self, names: Iterable[Province], times: float) -> None:
        """Make some cells, and with them the picture, larger."""
        for name in names:
            self._wanted[name] *= times
        height = sum(self._wanted.values()) / self._width
        self._points = [(x, y * height / self._height) for x, y in self._points]
        self._height = height

    def settle(self, steps: int) -> Cells:
        """Move the corners of all cells step by step, and return the cells."""
        for number in range(steps):
            if number % MESHED_AFTER == 0:
                self._mesh()
                self._drifts = self._drift()
            for corner, (across, down) in enumerate(self._forces()):
                if corner not in self._fixed and (across or down):
                    pace = min(PACE, STEP_MAX / math.hypot(across, down))
                    self._move(corner, across * pace, down * pace)
        return _smoothed(
            {
                name: [(self._corners[each], self._points[each]) for each in ring]
                for name, ring in self._rings.items()
                if not is_gap(name)
            }
        )

    def _number(self, layout: Layout, names: Corner) -> int:
        corner = tuple(sorted(names))
        if corner not in self._numbers:
            self._numbers[corner] = len(self._points)
            self._points.append(_middle([layout.spots[name] for name in corner]))
        return self._numbers[corner]

    def _forces(self) -> Sequence[Sequence[float]]:
        points = self._points
        found = [[0.0, 0.0] for _ in points]
        for name, ring in self._rings.items():
            wanted = self._wanted.get(name, GAP_AREA)
            area = _area([points[each] for each in ring])
            pressure = PRESSURE * (wanted / max(area, 1.0) - 1)
            pressure = min(max(pressure, PRESSURE_MIN), PRESSURE_MAX) / 2
            drift = self._drifts.get(name, (0.0, 0.0))
            for one, other in pairwise([*ring, ring[0]]):
                across = pressure * (points[other][1] - points[one][1]) + drift[0]
                down = pressure * (points[one][0] - points[other][0]) + drift[1]
                for each in (found[one], found[other]):
                    each[0] += across
                    each[1] += down
        for one, other in self._sides:
            across, down = (points[other][axis] - points[one][axis] for axis in (0, 1))
            length = math.hypot(across, down) or 0.1
            pull = TENSION * max(-PUSH_MAX, min(1, length / SIDE_MIN - 1)) / length
            for each, way in ((found[one], pull), (found[other], -pull)):
                each[0] += across * way
                each[1] += down * way
        return found

    def _drift(self) -> Mapping[str, Point]:
        """Return the force on each cell that turns its directions from the others right."""
        middles = {
            name: _middle([self._points[each] for each in self._rings[name]])
            for name in self._directions
        }
        found = {}
        for name, others in self._directions.items():
            x, y = middles[name]
            across = down = 0.0
            for other, right, below in others:
                way, fall = middles[other][0] - x, middles[other][1] - y
                length = math.hypot(way, fall) or 1.0
                way, fall = way / length, fall / length
                along = way * right + fall * below
                if along < NEARLY:
                    across -= right - along * way
                    down -= below - along * fall
            pull = min(DRIFT / len(others), DRIFT_MAX / (math.hypot(across, down) or 1.0))
            found[name] = across * pull, down * pull
        return found

    def _move(self, corner: int, across: float, down: float, pushes: int = PUSHES) -> None:
        """Move a corner as far as no triangle turns over, and push obstacles."""
        x, y = self._points[corner]
        blocking: Sequence[tuple[int, int]] = ()
        for tried in range(TRIES):
            spot = (
                min(max(x + across / 2**tried, EDGE), self._width - EDGE),
                min(max(y + down / 2**tried, EDGE), self._height - EDGE),
            )
            found = self._turned_over(corner, spot)
            if not found:
                self._points[corner] = spot
                break
            blocking = blocking or found
        if pushes:
            for each in {other for side in blocking for other in side} - self._fixed:
                self._move(each, across / 2, down / 2, pushes - 1)

    def _turned_over(self, corner: int, spot: Point) -> list[tuple[int, int]]:
        """Return the opposite sides of triangles that *corner* would turn over at *spot*."""
        points = self._points
        return [
            (one, other)
            for one, other in self._fans[corner]
            if (after := _cross(spot, points[one], points[other])) < SLIVER
            and after < _cross(points[corner], points[one], points[other])
        ]

    def _mesh(self) -> None:
        """Divide the cells into triangles anew."""
        self._fans = [[] for _ in self._points]
        for one, other, third in self._triangles():
            self._fans[one].append((other, third))
            self._fans[other].append((third, one))
            self._fans[third].append((one, other))

    def _triangles(self) -> Iterator[Triangle]:
        yield from self._outside
        for ring in self._rings.values():
            points = [self._points[each] for each in ring]
            yield from ((ring[a], ring[b], ring[c]) for a, b, c in _ears(points))


Triangle = tuple[int, int, int]


def _turned_alike(layout: Layout) -> Sequence[Corner]:
    """Return the triangles, clockwise on a picture."""
    spots = layout.spots
    turn = sum(_cross(*(spots[name] for name in triangle)) for triangle in layout.triangles)
    return [triangle if turn > 0 else triangle[::-1] for triangle in layout.triangles]


def _ring(steps: Mapping[int, tuple[int, int]]) -> list[int]:
    """Return the corners around a province, from the steps in its triangles."""
    side = start = min(steps)
    ring: list[int] = []
    while True:
        middle, following = steps[side]
        ring += [side, middle]
        side = following
        if side == start:
            return ring


def _ears(points: Sequence[Point]) -> Iterator[Triangle]:
    """Yield triangles that fill a ring, cutting off the best each time (Meisters, 1975)."""
    left = list(range(len(points)))
    shapes = {number: _ear(points, left, number) for number in left}
    while len(left) > 3:  # noqa: PLR2004 - a triangle
        best = max(left, key=lambda number: (shapes[number], number))
        if shapes[best] <= 0:  # what is left is too thin
            return
        at = left.index(best)
        before, following = left[at - 1], left[(at + 1) % len(left)]
        yield before, best, following
        left.pop(at)
        for number in left:
            if number in (before, following) or shapes[number] <= 0:
                shapes[number] = _ear(points, left, number)
    yield left[0], left[1], left[2]


def _ear(points: Sequence[Point], left: Sequence[int], number: int) -> float:
    """Return how well shaped the triangle at a corner is, 0 if it is not inside."""
    at = left.index(number)
    ends = left[at - 1], left[(at + 1) % len(left)]
    a, b, c = points[ends[0]], points[number], points[ends[1]]
    area = _cross(a, b, c)
    if area <= 0:
        return 0
    for other in left:
        point = points[other]
        if (
            _cross(a, b, point) >= 0
            and _cross(b, c, point) >= 0
            and _cross(c, a, point) >= 0
            and other not in (number, *ends)
        ):
            return 0
    return area / (math.dist(a, b) ** 2 + math.dist(b, c) ** 2 + math.dist(c, a) ** 2)


def _away_from(middle: Point, point: Point) -> Point:
    return (
        middle[0] + (point[0] - middle[0]) * FRAME_AWAY,
        middle[1] + (point[1] - middle[1]) * FRAME_AWAY,
    )


def _middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _cross(a: Point, b: Point, c: Point) -> float:
    """Return twice the area of a triangle, below 0 if it is turned over."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _area(ring: Sequence[Point]) -> float:
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*ring, ring[0]])) / 2


Key = tuple[Corner, Corner, int]  # a point on the way between two corners


def _smoothed(rings: Mapping[Province, Ring]) -> Cells:
    """Divide outlines into short steps, and round them off (Taubin 1995)."""
    points: dict[Key, Point] = {}
    outlines: dict[Province, list[Key]] = {}
    beside: dict[Key, set[Key]] = defaultdict(set)
    sides: dict[tuple[Province, Province | None], list[list[Key]]] = defaultdict(list)
    for name, ring in rings.items():
        outline: list[Key] = []
        for (start, at), (end, to) in zip(ring, [*ring[1:], ring[0]], strict=True):
            way = _way(start, at, end, to)
            points.update(way)
            keys = [key for key, _ in way]
            outline += keys[:-1]
            side = start if len(start) < len(end) else end  # not the middle of a triangle
            [other] = set(side) - {name}
            owner = None if is_gap(other) else other
            if owner is None or name < owner:
                sides[name, owner].append(keys)
            for one, following in pairwise(keys):
                beside[one].add(following)
                beside[following].add(one)
        outlines[name] = outline
    near = [(key, sorted(keys)) for key, keys in beside.items()]
    for _ in range(SMOOTHED):
        for share in (0.5, -0.4):
            points |= {
                key: _moved(points[key], [points[each] for each in keys], share)
                for key, keys in near
            }
    return Cells(
        {name: [points[key] for key in outline] for name, outline in outlines.items()},
        {
            pair: [[points[key] for key in keys] for keys in several]
            for pair, several in sides.items()
        },
    )


def _way(start: Corner, at: Point, end: Corner, to: Point) -> list[tuple[Key, Point]]:
    """Return the points from one corner to the next, named alike in both directions."""
    count = max(1, round(math.dist(at, to) / SPACING))
    first, last = sorted((start, end))
    found = []
    for number in range(count + 1):
        share = number / count
        place = number if start == first else count - number
        key: Key = (first, last, place)
        if place == 0:
            key = (first, first, 0)
        elif place == count:
            key = (last, last, 0)
        found.append((key, (at[0] + (to[0] - at[0]) * share, at[1] + (to[1] - at[1]) * share)))
    return found


def _moved(point: Point, others: Sequence[Point], share: float) -> Point:
    count = len(others)
    x = sum(x for x, _ in others) / count
    y = sum(y for _, y in others) / count
    return point[0] + (x - point[0]) * share, point[1] + (y - point[1]) * share
