"""Write shapes as SVG paths: in tenths of a unit, each point relative to the last."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import shapely

from judge.pictures.svg import steps
from judge.rules.types import Province
from tests.board.coverage import WATER

AREA_MIN, LENGTH_MIN = 0.4, 0.1


def outline(shape: Any) -> str:  # noqa: ANN401 - a shape of shapely, which is not always here
    return "".join(
        steps(ring.coords, closed=True)
        for part in shapely.get_parts(shape)
        if part.geom_type == "Polygon" and part.area > AREA_MIN
        for ring in (part.exterior, *part.interiors)
    )


def borders(shapes: Mapping[Province, Any], seas: frozenset[Province]) -> dict[str, str]:
    """Return the lines between provinces, by kind, so that none is drawn twice."""
    found: dict[str, list[Any]] = {"coast": [], "land_border": [], "sea_border": []}
    for one, other in combinations(shapes, 2):
        shared = shapely.intersection(shapes[one].boundary, shapes[other].boundary)
        if shared.length >= LENGTH_MIN:
            wet = sum(each in seas or each == WATER for each in (one, other))
            found[("land_border", "coast", "sea_border")[wet]] += [
                line for line in shapely.get_parts(shared) if line.geom_type == "LineString"
            ]
    return {
        kind: "".join(
            steps(line.coords, closed=False)
            for line in shapely.get_parts(shapely.line_merge(shapely.union_all(lines)))
        )
        for kind, lines in found.items()
    }
