"""The ways that orders take over the board, laid so that none hides another or a unit."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.pictures.lines import Line, Point, at, bent, steps, through, trimmed

UNIT_RADIUS = 13.0  # of a unit, with a little air
BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.45, -0.45)
JOINTS = (0.5, 0.36, 0.64, 0.78)  # of a move, where supports join it
STEP = 7.0  # between the points of a line that are looked at
NEAR = 6.0  # two lines that run closer are one to the eye
ALONG = 0.85  # the cosine above which two lines run along each other
CLEAR = 1.5  # of its radius: a line as far from a unit has nothing to do with it
UNDER_A_UNIT, BESIDE_A_UNIT = 20.0, 1.5  # costs
ALONG_A_LINE, ACROSS_A_LINE, JOINT_TAKEN, SWING = 4.0, 0.3, 12.0, 8.0


@dataclass(frozen=True, slots=True)
class Courses:
    """The lines laid so far, among units that stand at *spots*; all is *scale* times as large."""

    spots: Sequence[Point]
    scale: float
    _laid: dict[tuple[int, int], list[tuple[Point, Point]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _joints: list[Point] = field(default_factory=list)

    @property
    def radius(self) -> float:
        """Return how far from a unit's spot its edge is."""
        return UNIT_RADIUS * self.scale

    def direct(self, start: Point, end: Point, short: float, bend: float = 0.0) -> Line:
        """Lay a line from the unit at *start* that ends *short* of *end*, swung out if need be.

        *bend* is where it swings if nothing is in the way.
        """
        ways = [
            trimmed(bent(start, end, bend + swing), self.radius, short)
            for swing in (BENDS if not bend else BENDS[:1] + BENDS[1::2])
        ]
        return self._lay(self._best(ways, (start, end)))

    def by_way_of(self, start: Point, seas: Sequence[Point], end: Point, short: float) -> Line:
        """Lay a line that passes beside the fleets at *seas*."""
        stops = [start, *seas, end]
        beside = [
            _beside(stops[number - 1], stops[number], stops[number + 1], self.radius + 3)
            for number in range(1, len(stops) - 1)
        ]
        return self._lay(trimmed(through((start, *beside, end)), self.radius, short))

    def joining(self, start: Point, course: Line) -> Line:
        """Lay a line from the unit at *start* to a point of *course* that no other line joins."""
        ways = [
            (trimmed(bent(start, at(course, joint), bend), self.radius, 0), at(course, joint))
            for bend in BENDS[:5]
            for joint in JOINTS
        ]
        taken = [self._taken(joint) for _, joint in ways]
        line = self._best([way for way, _ in ways], (start,), taken)
        self._joints.append(line[-1])
        return self._lay(line)

    def _best(
        self, ways: Sequence[Line], own: Iterable[Point], besides: Sequence[float] = ()
    ) -> Line:
        """Return the first of the cheapest *ways*; units at *own* spots are in nobody's way."""
        others = [spot for spot in self.spots if spot not in own]
        best, least = ways[0], math.inf
        for number, way in enumerate(ways):
            cost = besides[number] if besides else number * SWING / len(BENDS)
            cost += self._cost(way, others)
            if cost < least:
                best, least = way, cost
            if least <= 0:
                break
        return best

    def _cost(self, line: Line, units: Sequence[Point]) -> float:
        cost = 0.0
        for spot, way in steps(line, STEP):
            for unit in units:
                apart = math.dist(spot, unit) / self.radius
                if apart < CLEAR:
                    cost += UNDER_A_UNIT if apart < 1 else BESIDE_A_UNIT
            for other, direction in self._around(spot):
                if math.dist(spot, other) < NEAR * self.scale:
                    same = abs(way[0] * direction[0] + way[1] * direction[1])
                    cost += ALONG_A_LINE if same > ALONG else ACROSS_A_LINE
        return cost

    def _taken(self, joint: Point) -> float:
        near = sum(math.dist(joint, other) < 9 * self.scale for other in self._joints)
        return JOINT_TAKEN * near

    def _lay(self, line: Line) -> Line:
        for spot, way in steps(line, STEP):
            self._laid[_cell(spot)].append((spot, way))
        return line

    def _around(self, spot: Point) -> Iterable[tuple[Point, Point]]:
        column, row = _cell(spot)
        for right in (-1, 0, 1):
            for down in (-1, 0, 1):
                yield from self._laid.get((column + right, row + down), ())


CELL = 12.0  # not less than NEAR at the largest scale


def _cell(spot: Point) -> tuple[int, int]:
    return int(spot[0] // CELL), int(spot[1] // CELL)


def _beside(before: Point, fleet: Point, after: Point, apart: float) -> Point:
    """Return a point *apart* from *fleet*, on the side on which the way is shorter."""
    middle = (before[0] + after[0]) / 2, (before[1] + after[1]) / 2
    away = math.dist(middle, fleet)
    if away < 1:
        return fleet[0], fleet[1] + apart
    share = apart / away
    return fleet[0] + (middle[0] - fleet[0]) * share, fleet[1] + (middle[1] - fleet[1]) * share
