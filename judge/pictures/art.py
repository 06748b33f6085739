"""How a board looks: the outlines of its provinces, and where things stand in them.

It is read from the `board.json` of a variant, which `python -m tests.board` draws.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from judge.pictures.lines import Point
from judge.rules.types import Location, Province, province_of

PATH_SCALE = 0.1  # paths are in tenths of a unit


@dataclass(frozen=True, slots=True)
class Area:
    """A province: its outline, and the spots of its unit, its center, and its name, best first."""

    path: str
    unit: Point
    center: Point | None
    labels: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Art:
    """A drawn board, *width* by *height* units.

    *coast*, *land_border* and *sea_border* are the lines between provinces, *impassable*,
    *neutral* and *off_board* the outlines of what is no province; *coasts* are the spots of fleets
    in provinces of two coasts.
    """

    width: int
    height: int
    coast: str
    land_border: str
    sea_border: str
    impassable: str
    neutral: str
    off_board: str
    areas: Mapping[Province, Area]
    coasts: Mapping[Location, Point]

    def spot(self, location: Location) -> Point:
        """Return where a unit at *location* stands."""
        return self.coasts.get(location) or self.areas[province_of(location)].unit


def read_art(text: str) -> Art:
    """Read the text of a `board.json`."""
    source = json.loads(text)
    provinces = source.pop("provinces")
    areas = {
        code: Area(
            path=each["path"],
            unit=_point(each["unit"]),
            center=_point(each["center"]) if "center" in each else None,
            labels=tuple(_point(label) for label in each["labels"]),
        )
        for code, each in provinces.items()
    }
    coasts = {
        coast: _point(spot)
        for each in provinces.values()
        for coast, spot in each.get("coasts", {}).items()
    }
    return Art(**source, areas=areas, coasts=coasts)


def _point(spot: list[float]) -> Point:
    x, y = spot
    return x, y
