"""Compute the provinces as shapes that share borders: lines, the faces between them, their owner.

Countries are divided among provinces by the Voronoi cells of hand-placed seeds, whose straight
edges are pushed about by a smooth displacement of the plane; seas by hand-drawn lines. Whatever
is on no province is `-` (land) or `~` (water).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import shapely
from shapely import LineString, MultiPoint, Polygon, STRtree
from shapely import Point as Spot
from shapely.ops import polygonize

from tests.board.projection import FRAME, SEEDS, project, project_line

LAND, WATER = "-", "~"
SIMPLIFY_KM = 5.0
ISLAND_MIN_KM2 = 2500.0  # smaller ones are decoration, and no province's: they would make borders
DECORATION_MIN_KM2 = 250.0
SEED = 1901  # Of eight seeds two broke the border of Edinburgh and the North Atlantic.
WAVES_KM = ((260, 9), (190, 7), (130, 5), (90, 3.2), (60, 2.0), (42, 1.3))  # length, height
OVERSHOOT_KM = 1.0  # or the ends of the Voronoi edges dangle, and are dropped
CRUMB = 0.05  # of a province's largest part

Regions: TypeAlias = Mapping[str, Any]  # the cells of the provinces that share a country
Part: TypeAlias = tuple[Any, "str | Regions"]


def provinces(countries: Mapping[str, Sequence[Polygon]], seas: frozenset[str]) -> dict[str, Any]:
    """Return the shape of each province, of `SWI`, `-` and `~`, in alphabetical order."""
    parts = list(_parts(countries))
    patches = [
        (owner, Polygon(project_line([*ring, ring[0]])))
        for owner, rings in SEEDS["patches"].items()
        for ring in rings
    ]
    faces = _faces(parts, patches)
    owners = _owners(faces, parts, patches)
    _give_slivers(faces, owners, seas)
    groups: dict[str, list[Any]] = defaultdict(list)
    for face, owner in zip(faces, owners, strict=True):
        groups[owner or WATER].append(face)
    shapes = {name: _whole(groups[name]) for name in sorted(groups)}
    tidied = _without_crumbs(shapes, seas)
    assert shapely.coverage_is_valid(list(tidied.values()))
    simple = shapely.coverage_simplify(
        np.array(list(tidied.values())), SIMPLIFY_KM, simplify_boundary=False
    )
    return dict(zip(tidied, simple, strict=True))


def _parts(countries: Mapping[str, Sequence[Polygon]]) -> Iterator[Part]:
    """Yield the pieces of land, each with its province, or the provinces that share it."""
    islands = [(Spot(project(*at)), to) for to, ats in SEEDS["islands"].items() for at in ats]
    shared: dict[tuple[str, ...], Regions] = {}
    for name, polygons in countries.items():
        sharing = tuple(SEEDS["countries"].get(name, ()))
        mainland = max(polygons, key=lambda each: each.area)
        for polygon in polygons:
            named = [to for at, to in islands if polygon.contains(at)]
            if named:
                yield polygon, named[0]
            elif not sharing:
                yield polygon, LAND
            elif polygon is not mainland and _is_islet(polygon, countries):
                if polygon.area > DECORATION_MIN_KM2:
                    yield polygon, LAND
            elif len(sharing) == 1:
                yield polygon, sharing[0]
            else:
                if sharing not in shared:
                    shared[sharing] = _regions(sharing)
                yield polygon, shared[sharing]


def _is_islet(polygon: Polygon, countries: Mapping[str, Sequence[Polygon]]) -> bool:
    """Return whether *polygon* is small, and does not touch something much bigger."""
    return polygon.area < ISLAND_MIN_KM2 and not any(
        other is not polygon and other.area > 4 * polygon.area and polygon.distance(other) < 1e-6
        for others in countries.values()
        for other in others
    )


def _regions(sharing: Iterable[str]) -> Regions:
    """Return the cells of each of the provinces *sharing* a country."""
    seeds = [
        (project(longitude, latitude), name)
        for name in sharing
        for latitude, longitude in SEEDS["land"].get(name, ())
    ]
    cells = shapely.get_parts(
        shapely.voronoi_polygons(
            MultiPoint([at for at, _ in seeds]), extend_to=FRAME.buffer(3000), ordered=True
        )
    )
    return {
        name: shapely.make_valid(
            shapely.transform(
                shapely.segmentize(
                    shapely.union_all(
                        [cell for cell, (_, to) in zip(cells, seeds, strict=True) if to == name]
                    ),
                    8.0,
                ),
                _displaced,
            )
        )
        for name in sharing
    }


def _waves() -> list[tuple[float, float, Any, float]]:
    chance = np.random.default_rng(SEED)
    return [
        (chance.uniform(0, 2 * math.pi), 2 * math.pi / km, chance.uniform(0, 2 * math.pi, 2), high)
        for km, high in WAVES_KM
        for _ in range(3)
    ]


WAVES = _waves()


def _displaced(points: Any) -> Any:  # noqa: ANN401 - arrays of numpy, which is not always here
    """Move *points* so that straight lines wander, and lines that were one stay one."""
    moved = points.copy()
    for angle, number, phase, height in WAVES:
        along = number * (points[:, 0] * math.cos(angle) + points[:, 1] * math.sin(angle))
        moved[:, 0] += height * np.sin(along + phase[0])
        moved[:, 1] += height * np.sin(along + phase[1])
    return moved


def _faces(parts: Sequence[Part], patches: Sequence[tuple[str, Polygon]]) -> list[Polygon]:
    """Return what lies between all the lines there are."""
    lines = [FRAME.exterior]
    for polygon, rule in parts:
        lines.append(polygon.boundary)
        if not isinstance(rule, str):
            around = polygon.buffer(OVERSHOOT_KM)
            lines += [shapely.intersection(each.boundary, around) for each in rule.values()]
    lines += [patch.exterior for _, patch in patches]
    lines += [LineString(project_line(cut)) for cut in SEEDS["cuts"].values()]
    noded = shapely.union_all(
        np.array([line for line in lines if not line.is_empty]), grid_size=0.01
    )
    frame = FRAME.buffer(1)
    return [
        face
        for face in polygonize(shapely.get_parts(noded))
        if frame.contains(face.representative_point())
    ]


def _owners(
    faces: Sequence[Polygon], parts: Sequence[Part], patches: Sequence[tuple[str, Polygon]]
) -> list[str | None]:
    """Return whose each of *faces* is, None if no seed says it."""
    tree = STRtree([polygon for polygon, _ in parts])
    seas = [(Spot(project(*at)), name) for name, ats in SEEDS["seas"].items() for at in ats]
    found: list[str | None] = []
    for face in faces:
        inside = face.representative_point()
        on_land = [parts[each][1] for each in tree.query(inside, predicate="within")]
        if on_land:
            found.append(_owner_on_land(on_land[0], inside))
            continue
        patched = [owner for owner, patch in patches if patch.contains(inside)]
        at_sea = [name for at, name in seas if face.contains(at)]
        found.append(next(iter([*patched, *at_sea]), None))
    return found


def _owner_on_land(rule: str | Regions, inside: Any) -> str:  # noqa: ANN401 - as above
    if isinstance(rule, str):
        return rule
    holding = [name for name, region in rule.items() if region.contains(inside)]
    return holding[0] if holding else min(rule, key=lambda each: rule[each].distance(inside))


def _give_slivers(
    faces: Sequence[Polygon], owners: list[str | None], seas: frozenset[str]
) -> None:
    """Assign unclaimed water to the sea with which it has the longest border."""
    tree = STRtree(faces)
    for _ in range(6):
        for number in [each for each, owner in enumerate(owners) if owner is None]:
            beside: dict[str, float] = defaultdict(float)
            for other in tree.query(faces[number], predicate="intersects"):
                owner = owners[other]
                if owner in seas:
                    border = shapely.intersection(faces[number].boundary, faces[other].boundary)
                    beside[owner] += border.length
            if longest := max(beside.values(), default=0):
                owners[number] = next(each for each in beside if beside[each] == longest)


def _without_crumbs(shapes: Mapping[str, Any], seas: frozenset[str]) -> dict[str, Any]:
    """Move crumbs that the cells left of a province to a neighbor that all but surrounds them."""
    largest = {
        name: max(shapely.get_parts(shape), key=lambda each: each.area)
        for name, shape in shapes.items()
    }
    kept: dict[str, list[Any]] = defaultdict(list)
    for name, shape in shapes.items():
        for part in shapely.get_parts(shape):
            is_crumb = name not in (LAND, WATER, *seas) and part.area < CRUMB * largest[name].area
            around = {
                other: shapely.intersection(part.boundary, land.boundary).length
                for other, land in largest.items()
                if is_crumb
                and other not in (name, LAND, WATER, *seas)
                and land.distance(part) < 1e-6
            }
            taker = max(around, key=lambda each: around[each], default=name)
            to = taker if around.get(taker, 0) > part.boundary.length / 4 else name
            kept[to].append(part)
    return {name: _whole(kept[name]) for name in shapes}


def _whole(parts: Sequence[Any]) -> Any:  # noqa: ANN401 - as above
    return shapely.set_precision(shapely.union_all(parts), 0.01)
