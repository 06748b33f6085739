"""The map projection that the board is drawn in, in kilometers from its center."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import shapely
from pyproj import Transformer

HERE = Path(__file__).parent
SEEDS: dict[str, Any] = tomllib.loads((HERE / "seeds.toml").read_text(encoding="utf-8"))
STEP_DEGREES = 0.25  # Long lines are cut so that they follow the projection.
_VIEW = Transformer.from_crs(
    "+proj=longlat +R=6371000", SEEDS["projection"]["proj"], always_xy=True
)
_SIDES = SEEDS["projection"]["frame"]
WEST, EAST = _SIDES["west"], _SIDES["east"]
SOUTH, NORTH = _SIDES["south"], _SIDES["north"]
FRAME = shapely.box(WEST, SOUTH, EAST, NORTH)

Point: TypeAlias = tuple[float, float]


def project(longitude: float, latitude: float) -> Point:
    """Behind the horizon it is infinite."""
    x, y = _VIEW.transform(longitude, latitude)
    return x / 1000, y / 1000


def project_line(line: Sequence[Point]) -> list[Point]:
    found = []
    for (west, south), (east, north) in pairwise(line):
        count = max(1, int(math.hypot(east - west, north - south) / STEP_DEGREES))
        found += [
            project(west + (east - west) * i / count, south + (north - south) * i / count)
            for i in range(count)
        ]
    found.append(project(*line[-1]))
    return [point for point in found if all(map(math.isfinite, point))]
