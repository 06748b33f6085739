"""Compare the directions between provinces on a picture with those between their places."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from judge.pictures.geometry import Point

RIGHT_WITHIN = math.radians(45)  # by chance a quarter of all pairs are

Points = Mapping[str, Point]


@dataclass(frozen=True, slots=True)
class Turn:
    """A picture is mirrored, left to right, if *mirrored*, and then turned clockwise."""

    mirrored: bool = False
    angle: float = 0.0

    def of_angle(self, angle: float) -> float:
        """Return where something at *angle*, clockwise from the right, is after the turn."""
        return (math.pi - angle if self.mirrored else angle) + self.angle


def share_in_direction(places: Points, drawn: Points) -> float:
    """Return the share of pairs of provinces that are drawn in the direction of their places.

    Provinces that have no place, or are not drawn, do not count; without a pair all is right.
    """
    errors = [cmath.phase(line / true) for true, line in _pairs(places, drawn)]
    return sum(abs(error) <= RIGHT_WITHIN for error in errors) / len(errors) if errors else 1.0


def best_turn(places: Points, drawn: Points) -> Turn:
    """Return the turn after which the directions of the drawing are closest to those of places."""
    pairs = list(_pairs(places, drawn))
    sums = {
        mirrored: sum(
            (_unit(true / (-line.conjugate() if mirrored else line)) for true, line in pairs), 0j
        )
        for mirrored in (False, True)
    }
    mirrored = abs(sums[True]) > abs(sums[False])
    return Turn(mirrored, cmath.phase(sums[mirrored]))


def _pairs(places: Points, drawn: Points) -> Iterator[tuple[complex, complex]]:
    """Yield the line between each two places, and the same line on the drawing."""
    both = sorted(places.keys() & drawn.keys())
    for one, other in combinations(both, 2):
        true = complex(*places[other]) - complex(*places[one])
        line = complex(*drawn[other]) - complex(*drawn[one])
        if true and line:
            yield true, line


def _unit(number: complex) -> complex:
    return number / abs(number)
