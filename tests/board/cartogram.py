"""Deform geographic outlines into board outlines: enlarge small provinces, shrink large ones.

A flow-based cartogram (Gastner, Seguy and More, "Fast flow-based algorithm for creating density-
equalizing map projections", PNAS 2018): every province is a mass, which flows until it has the
same density everywhere. The plane is deformed as a whole, so borders that were shared stay shared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import shapely

from judge.rules.types import Province

CELL = 4.0  # units of the picture
BLUR = 6.0  # cells, of the first round
ROUNDS = 10
STEPS = 24  # of time in a round
NEAR = 1e-6  # the edge
SPACING = 2.0  # between the points of an outline
SMOOTHED = 14  # times
SIMPLIFY = 0.6

LEAST_LAND, LEAST_SEA = 4700, 5000  # relative areas, besides a share of the area on earth
SHARE, SHARE_OF_REST, REST = 0.42, 0.3, 20_000
BY_HAND = {
    "-": 15_000,
    "~": 250,
    "SWI": 2_300,
    "NTH": 19_000,
    "SPA": 16_000,
    "ENG": 8_500,
    "MAO": 38_000,
}

Shapes: TypeAlias = Mapping[Province, Any]
Array: TypeAlias = Any  # of numpy, which is not always here


def enlarged(
    shapes: Shapes, seas: frozenset[Province], width: float, height: float
) -> dict[Province, Any]:
    """Return *shapes* deformed within *width* and *height* so that none is too small."""
    names = list(shapes)
    found = shapely.segmentize(np.array([shapes[name] for name in names]), SPACING)
    wanted = np.array([_area(name, shapes[name].area, name in seas) for name in names])
    wanted *= width * height / wanted.sum()
    for number in range(ROUNDS):
        blur = BLUR * 0.75**number
        flow = _Flow(found, wanted, (width, height), blur)
        found = shapely.transform(found, flow.moved)
    found = _smoothed(found, width, height)
    found = shapely.coverage_simplify(found, SIMPLIFY, simplify_boundary=False)
    return dict(zip(names, found, strict=True))


def _area(name: Province, area: float, is_sea: bool) -> float:  # noqa: FBT001 - a fact of it
    shared = SHARE * min(area, REST) + SHARE_OF_REST * max(0, area - REST)
    return BY_HAND.get(name, (LEAST_SEA if is_sea else LEAST_LAND) + shared)


class _Flow:
    """The flow that evens out the density of masses, within the frame."""

    def __init__(
        self, shapes: Array, wanted: Array, size: tuple[float, float], blur: float
    ) -> None:
        self._width, self._height = size
        columns, rows = round(self._width / CELL), round(self._height / CELL)
        self._cell = np.array([self._width / columns, self._height / rows])
        x = (np.arange(columns) + 0.5) * self._cell[0]
        y = (np.arange(rows) + 0.5) * self._cell[1]
        across, down = np.meshgrid(x, y)
        points = shapely.points(across.ravel(), down.ravel())
        tree = shapely.STRtree(shapes)
        cells, owners = tree.query(points, predicate="intersects")
        area = shapely.area(shapes)
        density = np.ones(points.size)
        density[cells] = (wanted / area)[owners]
        density = _mirrored(density.reshape(rows, columns))
        across_waves = np.fft.fftfreq(density.shape[1]) * 2 * np.pi / self._cell[0]
        down_waves = np.fft.fftfreq(density.shape[0]) * 2 * np.pi / self._cell[1]
        kx, ky = np.meshgrid(across_waves, down_waves)
        square = kx**2 + ky**2
        spectrum = np.fft.fft2(density) * np.exp(-square * (blur * CELL) ** 2 / 2)
        square[0, 0] = 1
        potential = spectrum / square
        potential[0, 0] = 0
        self._density = np.fft.ifft2(spectrum).real
        self._mean = self._density.mean()
        self._velocity = [np.fft.ifft2(-1j * wave * potential).real for wave in (kx, ky)]

    def moved(self, points: Array) -> Array:
        """Return where *points* flow from time 0 to 1."""
        spots = points.copy()
        for step in range(STEPS):
            middle = spots + self._speed(spots, step / STEPS) / STEPS / 2
            spots += self._speed(middle, (step + 0.5) / STEPS) / STEPS
        for axis, limit in enumerate((self._width, self._height)):
            spots[points[:, axis] < NEAR, axis] = 0
            spots[points[:, axis] > limit - NEAR, axis] = limit
        return spots

    def _speed(self, spots: Array, time: float) -> Array:
        density = (1 - time) * self._at(self._density, spots) + time * self._mean
        speeds = [self._at(each, spots) / density for each in self._velocity]
        return np.column_stack(speeds)

    def _at(self, field: Array, spots: Array) -> Array:
        """Return *field* between the middles of cells."""
        rows, columns = field.shape
        across, down = (spots / self._cell - 0.5).T
        column, row = np.floor(across).astype(int), np.floor(down).astype(int)
        right, below = across - column, down - row
        beyond, under = (column + 1) % columns, (row + 1) % rows
        return (
            field[row, column] * (1 - right) * (1 - below)
            + field[row, beyond] * right * (1 - below)
            + field[under, column] * (1 - right) * below
            + field[under, beyond] * right * below
        )


def _mirrored(field: Array) -> Array:
    """Return *field* with its mirror images, so that nothing flows out of the frame."""
    wide = np.concatenate([field, field[:, ::-1]], axis=1)
    return np.concatenate([wide, wide[::-1]], axis=0)


def _smoothed(shapes: Array, width: float, height: float) -> Array:
    """Round off corners: points between two others move towards their middle, some and back.

    Points where borders meet stay, so what is shared stays shared (Taubin 1995).
    """
    shapes = shapely.set_precision(shapes, 0.01)
    shapes = shapely.segmentize(shapes, SPACING)
    beside: dict[tuple[float, float], set[tuple[float, float]]] = defaultdict(set)
    for ring in shapely.get_rings(shapely.get_parts(shapes)):
        corners = [_key(point) for point in shapely.get_coordinates(ring)]
        for one, other in pairwise(corners):
            beside[one].add(other)
            beside[other].add(one)
    order = {key: number for number, key in enumerate(beside)}
    spots = np.array(list(beside))
    free = np.array(
        [len(near) == 2 and 0 < x < width and 0 < y < height for (x, y), near in beside.items()]
    )
    pairs = np.array([[order[each] for each in sorted(near)[:2]] for near in beside.values()])
    for _ in range(SMOOTHED):
        for share in (0.5, -0.52):
            middle = (spots[pairs[:, 0]] + spots[pairs[:, 1]]) / 2
            spots = np.where(free[:, None], spots + (middle - spots) * share, spots)

    def moved(points: Array) -> Array:
        return np.array([spots[order[_key(point)]] for point in points])

    return shapely.transform(shapes, moved)


def _key(point: Array) -> tuple[float, float]:
    return round(float(point[0]), 3), round(float(point[1]), 3)
