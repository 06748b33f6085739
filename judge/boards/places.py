"""Read where provinces lie, as `places.csv` of a variant states for some of them.

Real places have a longitude and a latitude, others a distance to the right and up. A longitude
may be beyond 180 where the board goes on there.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass

from judge.rules.board import Map
from judge.rules.types import Province

PLACES = "places.csv"
ON_EARTH, ON_PAPER = ("province", "longitude", "latitude"), ("province", "right", "up")
LATITUDE_MAX = 85.0  # degrees: further on, a flat map has no end
LONGITUDE_MAX = 360.0

Point = tuple[float, float]


class PlacesError(ValueError):
    """The places cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Places:
    """The *points* of some provinces on a flat map, to the right and down.

    On Mercator's map, which keeps compass directions, *around* is the length of the equator.
    """

    points: Mapping[Province, Point]
    around: float = math.inf

    def are_at_opposite_edges(self, one: Province, other: Province) -> bool:
        """Return whether the way from one to the other is shorter beyond the edges of the map."""
        if not {one, other} <= self.points.keys():
            return False
        return abs(self.points[one][0] - self.points[other][0]) > self.around / 2


def read_places(text: str, board: Map) -> Places:
    """Read a `places.csv`. Raises `PlacesError`."""
    rows = csv.reader(text.splitlines())
    header = tuple(next(rows, ()))
    if header not in (ON_EARTH, ON_PAPER):
        raise PlacesError(
            f"the columns of {PLACES} are neither {','.join(ON_EARTH)} nor {','.join(ON_PAPER)}"
        )
    points: dict[Province, Point] = {}
    for number, row in enumerate(rows, 2):
        where = f"line {number} of {PLACES}"
        try:
            code, right, up = row[0], *map(float, row[1:])
        except (ValueError, IndexError):
            raise PlacesError(f"{where} is not a province and two numbers") from None
        if code not in board.places:
            raise PlacesError(f"{where}: {code} is not a province")
        if code in points:
            raise PlacesError(f"{where}: {code} has a place already")
        if not (math.isfinite(right) and math.isfinite(up)):
            raise PlacesError(f"{where} is not a province and two numbers")
        points[code] = _on_map(right, up, where) if header == ON_EARTH else (right, -up)
    return Places(points, 2 * math.pi if header == ON_EARTH else math.inf)


def _on_map(longitude: float, latitude: float, where: str) -> Point:
    if abs(latitude) > LATITUDE_MAX or abs(longitude) > LONGITUDE_MAX:
        raise PlacesError(
            f"{where}: the latitude must be between -{LATITUDE_MAX:.0f} and {LATITUDE_MAX:.0f}, "
            f"the longitude between -{LONGITUDE_MAX:.0f} and {LONGITUDE_MAX:.0f}"
        )
    return math.radians(longitude), -math.asinh(math.tan(math.radians(latitude)))
