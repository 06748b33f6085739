"""The countries of Natural Earth (public domain), as the npm package world-atlas has them."""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import shapely
from shapely import Polygon

from tests.board.projection import FRAME, Point, project

ATLAS = Path(__file__).parent / "node_modules/world-atlas/countries-50m.json"
ATLAS_SHA256 = "04342cdc1e3016bcd7db1630de95684d67b79fe3c8c460321e87aef469502394"
IN_SIGHT = shapely.box(-34, 24, 92, 80)  # beyond it the view has a horizon
AREA_MIN_KM2 = 0.5

Arcs: TypeAlias = Sequence[Sequence[Point]]


def countries() -> Mapping[str, list[Polygon]]:
    """Return the parts of each country that are on the picture, by its name."""
    text = ATLAS.read_bytes()
    assert hashlib.sha256(text).hexdigest() == ATLAS_SHA256, "another edition of the atlas"
    topology = json.loads(text)
    arcs = _arcs(topology)
    found: dict[str, list[Polygon]] = defaultdict(list)
    for country in topology["objects"]["countries"]["geometries"]:
        several = country["type"] == "MultiPolygon"
        for rings in country["arcs"] if several else [country["arcs"]]:
            shell, *holes = (_ring(arcs, ring) for ring in rings)
            for part in _parts(Polygon(shell, holes)):
                found[country["properties"]["name"]].append(part)
    return found


def _arcs(topology: Mapping[str, Any]) -> Arcs:
    """Decode the arcs: each point is the step from the one before, on a grid."""
    scale_x, scale_y = topology["transform"]["scale"]
    left, bottom = topology["transform"]["translate"]
    found = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for step_x, step_y in arc:
            x, y = x + step_x, y + step_y
            points.append((x * scale_x + left, y * scale_y + bottom))
        found.append(points)
    return found


def _ring(arcs: Arcs, numbers: Sequence[int]) -> list[Point]:
    """Join arcs (a negative number: backwards); rings jump over the antimeridian, so unwrap."""
    points: list[Point] = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        points += arc[1:] if points else arc
    unwrapped = [points[0]]
    for longitude, latitude in points[1:]:
        turns = round((unwrapped[-1][0] - longitude) / 360)
        unwrapped.append((longitude + 360 * turns, latitude))
    return unwrapped


def _parts(country: Polygon) -> Iterator[Polygon]:
    """Yield what of *country* is in the frame, projected."""
    seen = shapely.intersection(shapely.make_valid(country), IN_SIGHT)
    for part in shapely.get_parts(shapely.segmentize(seen, 0.5)):
        if part.geom_type == "Polygon" and not part.is_empty:
            shell = [project(*point) for point in part.exterior.coords]
            if not all(math.isfinite(each) for point in shell for each in point):
                continue
            holes = [[project(*point) for point in ring.coords] for ring in part.interiors]
            whole = shapely.make_valid(Polygon(shell, holes))
            framed = shapely.intersection(shapely.set_precision(whole, 0.01), FRAME)
            for piece in shapely.get_parts(framed):
                if piece.geom_type == "Polygon" and piece.area > AREA_MIN_KM2:
                    yield piece
