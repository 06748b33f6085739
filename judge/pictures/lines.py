"""Lines as points, straight or bent: how long, how far along, which way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

LEG_POINTS = 10  # of a curve between two places

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]


def bent(start: Point, end: Point, bend: float) -> Line:
    """Return the way from *start* to *end*, swung to the right by *bend* of its length."""
    if not bend:
        return start, end
    across, down = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0]) / 2 - down * bend, (start[1] + end[1]) / 2 + across * bend
    return through((start, middle, end))


def through(points: Sequence[Point]) -> Line:
    """Return the smooth way through all *points* (the spline of Catmull and Rom)."""
    padded = (points[0], *points, points[-1])
    found = [points[0]]
    for number in range(len(points) - 1):
        legs = padded[number : number + 4]
        found += [_spline(legs, step / LEG_POINTS) for step in range(1, LEG_POINTS + 1)]
    return tuple(found)


def _spline(points: Sequence[Point], share: float) -> Point:
    def along(before: float, start: float, end: float, after: float) -> float:
        return (
            2 * start
            + (end - before) * share
            + (2 * before - 5 * start + 4 * end - after) * share**2
            + (3 * start - before - 3 * end + after) * share**3
        ) / 2

    first, second, third, fourth = points
    return (
        along(first[0], second[0], third[0], fourth[0]),
        along(first[1], second[1], third[1], fourth[1]),
    )


def length(line: Line) -> float:
    """Return how long *line* is."""
    return sum(math.dist(*leg) for leg in pairwise(line))


def trimmed(line: Line, start: float, end: float) -> Line:
    """Return *line* without its first *start* and its last *end* units, but not without all."""
    whole = length(line)
    if whole <= start + end + 1:
        start = end = max(0.0, whole / 2 - 1)
    first, last = at(line, start / whole), at(line, 1 - end / whole)
    inner = []
    gone = 0.0
    for leg in pairwise(line):
        gone += math.dist(*leg)
        if start < gone < whole - end:
            inner.append(leg[1])
    return (first, *inner, last)


def at(line: Line, share: float) -> Point:
    """Return the point after *share* of *line*."""
    (x, y), _ = _find(line, share)
    return x, y


def heading(line: Line, share: float) -> Point:
    """Return which way *line* goes after *share* of it, as a step of one unit."""
    return _find(line, share)[1]


def steps(line: Line, unit: float) -> Iterator[tuple[Point, Point]]:
    """Yield points of *line* about a *unit* apart, each with its heading."""
    count = max(2, round(length(line) / unit))
    for number in range(count + 1):
        yield _find(line, number / count)


def _find(line: Line, share: float) -> tuple[Point, Point]:
    left = share * length(line)
    for start, end in pairwise(line):
        leg = math.dist(start, end)
        if left <= leg or end is line[-1]:
            part = left / leg if leg else 0.0
            across, down = end[0] - start[0], end[1] - start[1]
            way = (across / leg, down / leg) if leg else (1.0, 0.0)
            return (start[0] + across * part, start[1] + down * part), way
        left -= leg
    raise AssertionError("a line has two points")
