"""Where things stand in a province: its unit, its center, its name, the fleets on its coasts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import shapely
import shapely.ops
from shapely import Point

from judge.rules.board import Map
from judge.rules.types import Location, Province

BY_HAND: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "anchors.toml").read_text(encoding="utf-8")
)
GRID = 34  # points each way that are tried in a province
UNIT, CENTER = 12, 6  # radius
LABEL_WIDTH, LABEL_HEIGHT = 24, 11
LABELS_MAX = 8
INLAND = 11  # how far from the water a fleet on a coast stands
NORTH_COAST_OF_SPAIN = shapely.box(0, 0, 1000, 760)  # the Atlantic is on its south coast too

Spot: TypeAlias = tuple[float, float]
Taken: TypeAlias = Sequence[tuple[Spot, float]]  # with the radius


def anchors_of(board: Map, province: Province, shapes: Mapping[Province, Any]) -> dict[str, Any]:
    """Return the spots of *province*."""
    shape = max(shapely.get_parts(shapes[province]), key=lambda each: each.area)
    unit = _spot("unit", province, shape, (), 26)
    found: dict[str, Any] = {"unit": unit}
    taken = [(unit, UNIT)]
    if board.places[province].center:
        center = _spot("center", province, shape, taken, 9)
        found["center"] = center
        taken.append((center, CENTER))
    first = _spot("label", province, shape, taken, 10)
    found["labels"] = _labels(shape, first)
    if coasts := board.coasts_of(province):
        found["coasts"] = {each: _coast(board, each, shape, shapes) for each in coasts}
    return found


def _spot(what: str, province: Province, shape: Any, taken: Taken, far: float) -> Spot:  # noqa: ANN401 - a shape of shapely, which is not always here
    """Return the spot far from the edge of *shape*, up to *far*, and from what is *taken*."""
    if province in BY_HAND[what]:
        x, y = BY_HAND[what][province]
        return x, y
    points = _grid(shape)
    score = np.minimum(shapely.distance(points, shape.exterior), far)
    for spot, radius in taken:
        score = np.minimum(score, shapely.distance(points, Point(spot)) - radius)
    score -= shapely.distance(points, shape.centroid) * 0.02
    return _rounded(points[int(score.argmax())])


def _grid(shape: Any) -> Any:  # noqa: ANN401 - as above
    left, top, right, bottom = shape.bounds
    across, down = np.meshgrid(np.linspace(left, right, GRID), np.linspace(top, bottom, GRID))
    points = shapely.points(across.ravel(), down.ravel())
    return points[shapely.contains(shape, points)]


def _labels(shape: Any, first: Spot) -> list[Spot]:  # noqa: ANN401 - as above
    """Return where a name may stand, the best first: inside *shape*, and well apart."""
    points = _grid(shape)
    x, y = shapely.get_x(points), shapely.get_y(points)
    wide, high = LABEL_WIDTH / 2, LABEL_HEIGHT / 2
    boxes = shapely.box(x - wide, y - high, x + wide, y + high)
    inside = shapely.area(shapely.intersection(boxes, shape)) / (LABEL_WIDTH * LABEL_HEIGHT)
    found = [first]
    while len(found) < LABELS_MAX:
        apart = shapely.distance(points, shapely.MultiPoint(found))
        score = np.where(apart < LABEL_HEIGHT, 0, inside + np.minimum(apart, 60) / 200)
        best = int(score.argmax())
        if score[best] < 0.6:
            break
        found.append(_rounded(points[best]))
    return found


def _coast(board: Map, coast: Location, shape: Any, shapes: Mapping[Province, Any]) -> Spot:  # noqa: ANN401 - as above
    """Return a spot near the middle of the longest water that *coast* shares with one sea."""
    if coast in BY_HAND["unit"]:
        x, y = BY_HAND["unit"][coast]
        return x, y
    seas = sorted(each for each in board.fleet[coast] if board.places[each].terrain.value == "sea")
    waters = [shapely.intersection(shape.boundary, shapes[sea].boundary) for sea in seas]
    if coast == "SPA/NC":
        waters = [shapely.intersection(each, NORTH_COAST_OF_SPAIN) for each in waters]
    lines = shapely.get_parts(shapely.line_merge(shapely.union_all(waters)))
    middle = max(lines, key=lambda each: each.length).interpolate(0.5, normalized=True)
    near = shapely.intersection(shape.buffer(-INLAND), middle.buffer(60))
    return _rounded(shapely.ops.nearest_points(near, middle)[0])


def _rounded(point: Any) -> Spot:  # noqa: ANN401 - as above
    return round(float(point.x), 1), round(float(point.y), 1)
