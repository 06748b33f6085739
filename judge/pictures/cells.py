"""The cells of provinces in a planar layout, with outlines that neighbors share.

In a triangle of three provinces each takes the corner between the middles of its sides and the
middle of the triangle. So those touch that are neighbors, and no others.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from judge.pictures.geometry import Point
from judge.pictures.planar import Layout, is_gap
from judge.rules.types import Province

GAP_WEIGHT = 0.4  # of what is no province, in dividing lines
WEIGHT_MIN, WEIGHT_MAX = 0.6, 2.0
WEIGHED = 10  # times
SPACING = 9.0  # units between points of an outline
SMOOTHED = 12  # times

Line = list[Point]


@dataclass(frozen=True, slots=True)
class Cells:
    """The outlines of provinces, and the lines between each two, or one and none."""

    outlines: Mapping[Province, Line]
    borders: Mapping[tuple[Province, Province | None], list[Line]]

    def stretched(self, share: float) -> Cells:
        """Return the cells as many times as high."""
        return Cells(
            {name: _stretched(line, share) for name, line in self.outlines.items()},
            {
                pair: [_stretched(line, share) for line in lines]
                for pair, lines in self.borders.items()
            },
        )


def _stretched(line: Line, share: float) -> Line:
    return [(x, y * share) for x, y in line]


def cells_of(layout: Layout) -> Cells:
    """Return the cells of the provinces in *layout*."""
    weights = {name: GAP_WEIGHT if is_gap(name) else 1.0 for name in layout.spots}
    for _ in range(WEIGHED):
        rings = _rings(layout, weights)
        areas = {name: abs(_area([point for _, point in ring])) for name, ring in rings.items()}
        mean = sum(areas.values()) / len(areas)
        for name, area in areas.items():
            weight = weights[name] * (mean / max(area, mean / 10)) ** 0.4
            weights[name] = min(max(weight, WEIGHT_MIN), WEIGHT_MAX)
    return _smoothed(_rings(layout, weights))


Corner = tuple[Province, ...]  # the provinces that meet at a point of an outline
Ring = list[tuple[Corner, Point]]


def _rings(layout: Layout, weights: Mapping[Province, float]) -> dict[Province, Ring]:
    """Return the outline of each province as the corners around it."""
    spots = layout.spots
    after: dict[Province, dict[Corner, tuple[Corner, Corner]]] = defaultdict(dict)
    points: dict[Corner, Point] = {}
    for triangle in layout.triangles:
        middle = tuple(sorted(triangle))
        points[middle] = _between([(spots[name], weights[name]) for name in triangle])
        for number, name in enumerate(triangle):
            if is_gap(name):
                continue
            nexts = triangle[(number + 1) % 3], triangle[number - 1]
            sides = [tuple(sorted((name, other))) for other in nexts]
            for side in sides:
                points[side] = _between([(spots[each], weights[each]) for each in side])
            after[name][sides[0]] = (middle, sides[1])
    rings: dict[Province, Ring] = {}
    for name, steps in after.items():
        side = start = min(steps)
        ring: Ring = []
        while True:
            middle, following = steps[side]
            ring += [(side, points[side]), (middle, points[middle])]
            side = following
            if side == start:
                break
        rings[name] = ring
    return rings


def _between(corners: Iterable[tuple[Point, float]]) -> Point:
    """Return the point between corners that is farther from the heavier ones."""
    shares = [(point, 1 / weight) for point, weight in corners]
    whole = sum(share for _, share in shares)
    return (
        sum(x * share for (x, _), share in shares) / whole,
        sum(y * share for (_, y), share in shares) / whole,
    )


def _area(ring: Sequence[Point]) -> float:
    return (
        sum(
            x1 * y2 - x2 * y1
            for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True)
        )
        / 2
    )


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
