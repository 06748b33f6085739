"""Spots in each province: its units, its center, its name, the fleets on its coasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import shapely

from judge.pictures.geometry import Point
from judge.pictures.parts import Box
from judge.pictures.placing import Contents, place_spots, sizes_of
from judge.rules.board import Map, Terrain
from judge.rules.types import Location, Province

ISLET = 300  # smaller parts of a province hold nothing


def anchors_of(board: Map, shapes: Mapping[Province, Any]) -> dict[Province, dict[str, Any]]:
    """Return the spots of all provinces, as `board.json` has them; the smallest choose first."""
    found: dict[Province, dict[str, Any]] = {}
    taken: list[Box] = []
    for code in sorted(board.places, key=lambda each: shapes[each].area):
        coasts = {each: [_shore(board, each, shapes)] for each in board.coasts_of(code)}
        sizes = sizes_of(code)
        spots = place_spots(
            _rings(shapes[code]),
            sizes,
            taken,
            Contents(has_center=board.places[code].center, shores=coasts),
        )
        taken += spots.boxes(sizes)
        found[code] = spots.as_json()
    return found


def _rings(shape: Any) -> Sequence[Sequence[Point]]:  # noqa: ANN401 - a shape of shapely, which is not always here
    parts = [part for part in shapely.get_parts(shape) if part.area > ISLET]
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    return [list(ring.coords)[:-1] for ring in rings]


def _shore(board: Map, coast: Location, shapes: Mapping[Province, Any]) -> Point:
    """Return the middle of the longest shore that *coast* shares with its seas."""
    shape = shapes[coast.split("/")[0]]
    seas = sorted(each for each in board.fleet[coast] if board.places[each].terrain is Terrain.SEA)
    shores = [shapely.intersection(shape.boundary, shapes[sea].boundary) for sea in seas]
    if coast == "SPA/NC":  # The Atlantic is on its south coast too.
        north = shapely.box(*shape.bounds[:3], shape.centroid.y)
        shores = [shapely.intersection(each, north) for each in shores]
    lines = shapely.get_parts(shapely.line_merge(shapely.union_all(shores)))
    middle = max(lines, key=lambda each: each.length).interpolate(0.5, normalized=True)
    return middle.x, middle.y
