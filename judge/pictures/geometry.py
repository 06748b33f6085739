"""Points and lines, and routes that avoid units and other lines."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

LEG_POINTS = 10  # per section of a curve

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]


def bent_line(start: Point, end: Point, bend: float) -> Line:
    """Return a line from *start* to *end*, bent to the right by *bend* of its length."""
    if not bend:
        return start, end
    across, down = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0]) / 2 - down * bend, (start[1] + end[1]) / 2 + across * bend
    return curve_through((start, middle, end))


def curve_through(points: Sequence[Point]) -> Line:
    """Return a Catmull-Rom spline through all *points*."""
    padded = (points[0], *points, points[-1])
    found = [points[0]]
    for number in range(len(points) - 1):
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = padded[number : number + 4]
        found += [
            (a * x1 + b * x2 + c * x3 + d * x4, a * y1 + b * y2 + c * y3 + d * y4)
            for a, b, c, d in WEIGHTS
        ]
    return tuple(found)


def _weights(share: float) -> tuple[float, float, float, float]:
    """Return how much each of four points counts at a *share* between the middle two."""
    square, cube = share**2, share**3
    return (
        (2 * square - share - cube) / 2,
        (2 - 5 * square + 3 * cube) / 2,
        (share + 4 * square - 3 * cube) / 2,
        (cube - square) / 2,
    )


WEIGHTS = [_weights(step / LEG_POINTS) for step in range(1, LEG_POINTS + 1)]


def length(line: Line) -> float:
    """Return the length of *line*."""
    return sum(_leg_lengths(line))


def trim_line(line: Line, start: float, end: float) -> Line:
    """Cut *start* and *end* units off the ends of *line*, but keep a stub."""
    lengths = _leg_lengths(line)
    whole = sum(lengths)
    if whole <= start + end + 1:
        start = end = max(0.0, whole / 2 - 1)
    first, _ = _leg_at(line, lengths, start / whole)
    last, _ = _leg_at(line, lengths, 1 - end / whole)
    inner = []
    gone = 0.0
    for leg, point in zip(lengths, line[1:], strict=True):
        gone += leg
        if start < gone < whole - end:
            inner.append(point)
    return (first, *inner, last)


def point_at(line: Line, share: float) -> Point:
    """Return the point at a *share* of *line* from 0 to 1."""
    (x, y), _ = _leg_at(line, _leg_lengths(line), share)
    return x, y


def direction_at(line: Line, share: float) -> Point:
    """Return the unit vector of *line* at a *share* of it."""
    return _leg_at(line, _leg_lengths(line), share)[1]


def points_along(line: Line, unit: float) -> Iterator[tuple[Point, Point]]:
    """Yield points about *unit* apart, each with its unit vector."""
    lengths = _leg_lengths(line)
    count = max(2, round(sum(lengths) / unit))
    for number in range(count + 1):
        yield _leg_at(line, lengths, number / count)


def row_crossings(
    rings: Iterable[Sequence[Point]], first: float, step: float, count: int
) -> list[list[float]]:
    """Return where closed *rings* cross each of *count* rows, from left to right.

    The first row is at the height *first*, and each next one a *step* below.
    """
    rows: list[list[float]] = [[] for _ in range(count)]
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if y1 == y2:
                continue
            top, bottom = min(y1, y2), max(y1, y2)
            slope = (x2 - x1) / (y2 - y1)
            start = max(0, math.ceil((top - first) / step))
            for row in range(start, min(count, math.ceil((bottom - first) / step))):
                rows[row].append(x1 + (first + row * step - y1) * slope)
    return [sorted(row) for row in rows]


def _leg_lengths(line: Line) -> Sequence[float]:
    return [math.dist(*leg) for leg in pairwise(line)]


def _leg_at(line: Line, lengths: Sequence[float], share: float) -> tuple[Point, Point]:
    left = share * sum(lengths)
    last = len(lengths) - 1
    for number, leg in enumerate(lengths):
        if left <= leg or number == last:
            start, end = line[number], line[number + 1]
            part = left / leg if leg else 0.0
            across, down = end[0] - start[0], end[1] - start[1]
            way = (across / leg, down / leg) if leg else (1.0, 0.0)
            return (start[0] + across * part, start[1] + down * part), way
        left -= leg
    raise AssertionError("a line has two points")


UNIT_RADIUS = 13.0  # of a unit, with some margin
BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.45, -0.45)
JOINTS = (0.5, 0.36, 0.64, 0.78)  # shares of a move at which supports join it
STEP_LENGTH = 7.0  # between checked points of a line
NEAR_DISTANCE = 6.0  # lines closer than this look like one
ALONG_COSINE = 0.85  # lines with a larger cosine are parallel
CLEAR_RADII = 1.5  # a line this far from a unit is clear of it
UNDER_A_UNIT, BESIDE_A_UNIT = 20.0, 1.5  # costs
ALONG_A_LINE, ACROSS_A_LINE, JOINT_TAKEN, SWING = 4.0, 0.3, 12.0, 8.0
SWING_COSTS = [number * SWING / len(BENDS) for number in range(len(BENDS))]


@dataclass(frozen=True, slots=True)
class LineRouter:
    """Lays lines that avoid units at *spots* and earlier lines; all sizes are times *scale*."""

    spots: Sequence[Point]
    scale: float
    _laid: dict[tuple[int, int], list[tuple[Point, Point]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _joints: list[Point] = field(default_factory=list)

    @property
    def radius(self) -> float:
        """Return the radius to keep clear around a unit."""
        return UNIT_RADIUS * self.scale

    def direct(self, start: Point, end: Point, short: float, bend: float = 0.0) -> Line:
        """Lay a line from the unit at *start* to *short* of *end*, bent around obstacles.

        *bend* is the bend without obstacles.
        """
        swings = BENDS if not bend else BENDS[:1] + BENDS[1::2]
        ways = (
            (trim_line(bent_line(start, end, bend + swing), self.radius, short), cost)
            for swing, cost in zip(swings, SWING_COSTS, strict=False)
        )
        return self._lay(self._best(ways, (start, end)))

    def by_way_of(self, start: Point, seas: Sequence[Point], end: Point, short: float) -> Line:
        """Lay a line that passes next to the fleets at *seas*."""
        stops = [start, *seas, end]
        beside = [
            _point_beside(stops[number - 1], stops[number], stops[number + 1], self.radius + 3)
            for number in range(1, len(stops) - 1)
        ]
        return self._lay(trim_line(curve_through((start, *beside, end)), self.radius, short))

    def joining(self, start: Point, course: Line) -> Line:
        """Lay a line from the unit at *start* to a free joint on *course*."""
        joints = [point_at(course, joint) for joint in JOINTS]
        costs = [self._taken(joint) for joint in joints]
        ways = (
            (trim_line(bent_line(start, joint, bend), self.radius, 0), cost)
            for bend in BENDS[:5]
            for joint, cost in zip(joints, costs, strict=True)
        )
        line = self._best(ways, (start,))
        self._joints.append(line[-1])
        return self._lay(line)

    def _best(self, ways: Iterable[tuple[Line, float]], own: Iterable[Point]) -> Line:
        """Return the first of the cheapest lines; units at *own* spots are not obstacles.

        *ways* are lines with their fixed costs.
        """
        others = [spot for spot in self.spots if spot not in own]
        best: Line = ()
        least = math.inf
        for way, own_cost in ways:
            cost = self._cost(way, others, own_cost, least)
            if cost < least:
                best, least = way, cost
            if least <= 0:
                break
        return best

    def _cost(self, line: Line, units: Sequence[Point], cost: float, least: float) -> float:
        """Return *cost* plus that of obstacles, at most slightly more than *least*."""
        radius, near = self.radius, NEAR_DISTANCE * self.scale
        units = _spots_near(line, units, CLEAR_RADII * radius)
        for spot, way in points_along(line, STEP_LENGTH):
            for unit in units:
                apart = math.dist(spot, unit) / radius
                if apart < CLEAR_RADII:
                    cost += UNDER_A_UNIT if apart < 1 else BESIDE_A_UNIT
            for other, direction in self._around(spot):
                if math.dist(spot, other) < near:
                    same = abs(way[0] * direction[0] + way[1] * direction[1])
                    cost += ALONG_A_LINE if same > ALONG_COSINE else ACROSS_A_LINE
            if cost >= least:
                break
        return cost

    def _taken(self, joint: Point) -> float:
        near = sum(math.dist(joint, other) < 9 * self.scale for other in self._joints)
        return JOINT_TAKEN * near

    def _lay(self, line: Line) -> Line:
        for spot, way in points_along(line, STEP_LENGTH):
            self._laid[_grid_cell(spot)].append((spot, way))
        return line

    def _around(self, spot: Point) -> Iterable[tuple[Point, Point]]:
        column, row = _grid_cell(spot)
        for right in (-1, 0, 1):
            for down in (-1, 0, 1):
                yield from self._laid.get((column + right, row + down), ())


def _spots_near(line: Line, spots: Sequence[Point], margin: float) -> Sequence[Point]:
    """Return the spots that may be closer than *margin* to *line*."""
    across, down = zip(*line, strict=True)
    left, right = min(across) - margin, max(across) + margin
    top, bottom = min(down) - margin, max(down) + margin
    return [(x, y) for x, y in spots if left <= x <= right and top <= y <= bottom]


CELL_SIZE = 12.0  # at least NEAR_DISTANCE at the largest scale


def _grid_cell(spot: Point) -> tuple[int, int]:
    return int(spot[0] // CELL_SIZE), int(spot[1] // CELL_SIZE)


def _point_beside(before: Point, fleet: Point, after: Point, apart: float) -> Point:
    """Return the point *apart* from *fleet* on the shorter side."""
    middle = (before[0] + after[0]) / 2, (before[1] + after[1]) / 2
    away = math.dist(middle, fleet)
    if away < 1:
        return fleet[0], fleet[1] + apart
    share = apart / away
    return fleet[0] + (middle[0] - fleet[0]) * share, fleet[1] + (middle[1] - fleet[1]) * share
