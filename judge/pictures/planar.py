"""A planar layout of provinces that are neighbors, with as few crossing lines as it finds.

The faces between lines are found by the algorithm of Demoucron, Malgrange and Pertuiset (1964),
which leaves out lines that fit nowhere. Spots are barycenters of neighbors (Tutte, "How to draw a
graph", 1963), so no lines cross; pulling long lines harder again and again spreads the spots.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from judge.pictures.geometry import Point

Graph = dict[str, set[str]]
Face = tuple[str, ...]

GAP = "*"  # begins the name of what is no province
FRAME = f"{GAP}frame"
FRAME_POINTS = 24  # at least
FRAMED = 0.94  # of the width and height
PULLS = 60  # times that the lines of large triangles are pulled harder
PULL = 0.3  # exponent of the area of triangles
PULL_MAX = 1e6
SWEEPS = 12  # of moving each spot to the middle of its neighbors
EVENED = 90  # times that spots are moved to even out triangles
STEPS = [(math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)) for turn in range(8)]
STEP_FIRST, STEP_SHRINKS = 0.4, 0.965  # of the distance of provinces, and times each round
SHAPE_COST = 0.05  # of long thin triangles
GAPS = 0.2  # weight of triangles with a gap
EVEN = 0.5  # share of the area of a triangle that is the same for all
SMALL, TURNED_COST = 0.05, 1e4  # smaller triangles, and those turned over, must grow first


@dataclass(frozen=True, slots=True)
class Layout:
    """Spots of provinces and of gaps, and the triangles between them, which fill the plane.

    Some provinces that are neighbors may share no triangle.
    """

    spots: Mapping[str, Point]
    triangles: Sequence[Face]


def is_gap(name: str) -> bool:
    """Return whether *name* is not of a province, but of a point between some or around all."""
    return name.startswith(GAP)


def is_frame(name: str) -> bool:
    """Return whether *name* is of a point around all provinces."""
    return name.startswith(FRAME)


def planar_layout(near: Mapping[str, Iterable[str]], width: float, height: float) -> Layout:
    """Return a layout in a frame of provinces with their neighbors."""
    graph = {name: set(near[name]) for name in sorted(near)}
    for number in range(len(graph), 3):  # a face has three corners
        graph[f"{GAP}corner{number}"] = set()
    _join(graph)
    faces = _with_gaps(_faces(graph), near)
    outer = min(faces, key=lambda face: (-len(face), _depth(graph, face), face))
    faces.remove(outer)
    frame, triangles = _frame(outer)
    for number, face in enumerate(faces):
        if len(face) == 3:  # noqa: PLR2004 - a triangle
            triangles.append(face)
        else:
            middle = f"{GAP}{number}"
            triangles += [(one, other, middle) for one, other in pairwise((*face, face[0]))]
    lines: Graph = defaultdict(set)
    for one, other, third in triangles:
        lines[one] |= {other, third}
        lines[other] |= {one, third}
        lines[third] |= {one, other}
    spots = _barycenters(lines, triangles, frame, width, height)
    _even_out(spots, triangles, frame, math.sqrt(width * height / len(graph)))
    return Layout(spots, triangles)


def _with_gaps(faces: Sequence[Face], near: Mapping[str, Iterable[str]]) -> list[Face]:
    """Return *faces* with a gap between provinces that are not neighbors."""
    found = []
    for face in faces:
        ring: list[str] = []
        for one, other in pairwise((*face, face[0])):
            ring.append(one)
            if other not in near.get(one, ()):
                ring.append(f"{GAP}{min(one, other)}-{max(one, other)}")
        found.append(tuple(ring))
    return found


def _frame(outer: Face) -> tuple[Face, list[Face]]:
    """Return points around the *outer* face, and the triangles between it and them."""
    each = math.ceil(FRAME_POINTS / len(outer))
    count = each * len(outer)
    frame = tuple(f"{FRAME}{number}" for number in range(count))
    between: list[Face] = []
    for number, name in enumerate(outer):
        first = number * each
        between += [
            (name, frame[at], frame[(at + 1) % count]) for at in range(first, first + each)
        ]
        between.append((name, frame[(first + each) % count], outer[(number + 1) % len(outer)]))
    # Seen from within, the outer face turns the other way.
    return frame, [face[::-1] for face in between]


def _depth(graph: Graph, face: Face) -> int:
    """Return how far all provinces are from *face* together: the outer one has them close."""
    away = {name: 0 for name in face if name in graph}
    waiting = deque(away)
    while waiting:
        name = waiting.popleft()
        for other in graph[name]:
            if other not in away:
                away[other] = away[name] + 1
                waiting.append(other)
    return sum(away.values())


def _join(graph: Graph) -> None:
    """Add lines until no province separates others."""
    names = list(graph)
    while len(parts := _parts(graph, set())) > 1:
        parts.sort(key=lambda part: (-len(part), min(part)))
        ends = [_end(graph, part) for part in parts[:2]]
        _add(graph, *ends)
    for name in names:
        parts = _parts(graph, {name})
        for one, other in pairwise(sorted(parts, key=min)):
            ends = [_end(graph, part & graph[name]) for part in (one, other)]
            _add(graph, *ends)


def _end(graph: Graph, names: set[str]) -> str:
    """Return the one of *names* that has the fewest lines."""
    return min(names, key=lambda name: (len(graph[name]), name))


def _add(graph: Graph, one: str, other: str) -> None:
    graph[one].add(other)
    graph[other].add(one)


def _parts(graph: Graph, without: set[str]) -> list[set[str]]:
    """Return the connected parts of *graph* without some provinces."""
    left = [name for name in graph if name not in without]
    seen = set(without)
    parts = []
    for start in left:
        if start in seen:
            continue
        part, waiting = {start}, [start]
        while waiting:
            for other in graph[waiting.pop()]:
                if other not in part and other not in without:
                    part.add(other)
                    waiting.append(other)
        seen |= part
        parts.append(part)
    return parts


def _faces(graph: Graph) -> list[Face]:
    """Return the faces of a planar embedding of most lines."""
    cycle = _cycle(graph)
    faces: list[Face] = [cycle, cycle[::-1]]
    placed = {frozenset(line) for line in pairwise((*cycle, cycle[0]))}
    done = set(cycle)
    lines = {frozenset((one, other)) for one in graph for other in graph[one]}
    while left := lines - placed:
        pieces = _pieces(graph, left, done)
        loose = [piece for piece in pieces if len(piece[1]) < 2]  # noqa: PLR2004 - a path has two ends
        if loose:
            lines |= _moorings(loose[0], faces, graph)
            continue
        choices = [(piece, _room(piece[1], faces)) for piece in pieces]
        crossing = [frozenset(ends) for (inside, ends), room in choices if not inside and not room]
        if crossing:
            lines -= set(crossing)
            continue
        (inside, ends), room = min(
            choices, key=lambda each: (len(each[1]) or math.inf, sorted(each[0][1]))
        )
        if not room:  # a part of the piece has room, and some of its lines will cross others
            best = max(range(len(faces)), key=lambda at: (len(ends & set(faces[at])), -at))
            room, ends = [best], ends & set(faces[best])
        path = _path(graph, left, inside, ends)
        face = max(room, key=lambda number: (-len(faces[number]), number))
        faces[face : face + 1] = _split(faces[face], path)
        placed |= {frozenset(line) for line in pairwise(path)}
        done |= set(path)
    return faces


Piece = tuple[set[str], set[str]]  # unplaced provinces, and the placed ones they touch


def _cycle(graph: Graph) -> Face:
    """Return a cycle through the first line, the shortest."""
    start = min(graph, key=lambda name: (-len(graph[name]), name))
    end = min(graph[start])
    came = {start: ""}
    waiting = deque([start])
    while waiting:
        name = waiting.popleft()
        for other in sorted(graph[name]):
            if other not in came and {name, other} != {start, end}:
                came[other] = name
                waiting.append(other)
    path = [end]
    while path[-1] != start:
        path.append(came[path[-1]])
    return tuple(path)


def _pieces(graph: Graph, left: set[frozenset[str]], done: set[str]) -> list[Piece]:
    found: list[Piece] = [(set(), set(line)) for line in sorted(left, key=sorted) if line <= done]
    seen: set[str] = set()
    for start in graph:
        if start in done or start in seen:
            continue
        inside, ends, waiting = {start}, set(), [start]
        while waiting:
            name = waiting.pop()
            for other in graph[name]:
                if frozenset((name, other)) not in left:
                    continue
                if other in done:
                    ends.add(other)
                elif other not in inside:
                    inside.add(other)
                    waiting.append(other)
        seen |= inside
        found.append((inside, ends))
    return found


def _room(ends: set[str], faces: Sequence[Face]) -> list[int]:
    return [number for number, face in enumerate(faces) if ends <= set(face)]


def _moorings(piece: Piece, faces: Sequence[Face], graph: Graph) -> set[frozenset[str]]:
    """Add lines from a piece that hangs on one province, or none, to two that are neighbors."""
    inside, ends = piece
    face = min((face for face in faces if ends <= set(face)), key=lambda face: (len(face), face))
    at = face.index(min(ends)) if ends else 0
    name = min(inside, key=lambda each: (bool(graph[each] & ends), len(graph[each]), each))
    found = set()
    for other in {face[at], face[at - 1]} - ends:
        _add(graph, name, other)
        found.add(frozenset((name, other)))
    return found


def _path(graph: Graph, left: set[frozenset[str]], inside: set[str], ends: set[str]) -> list[str]:
    """Return a path between two of *ends* through the provinces *inside*."""
    start = min(ends)
    if not inside:
        return sorted(ends)
    came: dict[str, str] = {start: ""}
    waiting = deque([start])
    last = ""
    while waiting:
        name = waiting.popleft()
        for other in sorted(graph[name]):
            if other in came or frozenset((name, other)) not in left:
                continue
            if other in inside:
                came[other] = name
                waiting.append(other)
            elif other in ends and name in inside:
                came[other], last = name, other
                waiting.clear()
                break
    path = [last]
    while path[-1] != start:
        path.append(came[path[-1]])
    return path


def _split(face: Face, path: Sequence[str]) -> list[Face]:
    """Return the two faces that *path* makes of *face*."""
    first, last = path[0], path[-1]
    start = face.index(first)
    turned = face[start:] + face[:start]
    at = turned.index(last)
    inner = tuple(path[1:-1])
    return [turned[: at + 1] + inner[::-1], (first, *inner, *turned[at:])]


def _around(count: int, width: float, height: float) -> list[Point]:
    """Return spots evenly along an oval in the frame."""
    return [
        (
            width / 2 * (1 + FRAMED * _bulging(math.cos(angle))),
            height / 2 * (1 + FRAMED * _bulging(math.sin(angle))),
        )
        for angle in (2 * math.pi * number / count for number in range(count))
    ]


def _bulging(value: float) -> float:
    """Return *value* pushed outwards: an oval that fills a rectangle better."""
    return math.copysign(abs(value) ** 0.7, value)


def _barycenters(
    lines: Graph, triangles: Sequence[Face], outer: Face, width: float, height: float
) -> dict[str, Point]:
    spots: dict[str, Point] = dict.fromkeys(sorted(lines), (width / 2, height / 2))
    spots |= dict(zip(outer, _around(len(outer), width, height), strict=True))
    inner = [name for name in spots if name not in outer]
    order = {name: sorted(lines[name]) for name in inner}
    pulls = {(one, other): 1.0 for one in lines for other in lines[one]}
    for number in range(PULLS):
        for _ in range(SWEEPS * (10 if number == 0 else 1)):
            for name in inner:
                x = y = whole = 0.0
                for other in order[name]:
                    pull = pulls[name, other]
                    at = spots[other]
                    x += at[0] * pull
                    y += at[1] * pull
                    whole += pull
                spots[name] = x / whole, y / whole
        if number == PULLS - 1:
            break
        areas: dict[tuple[str, str], float] = defaultdict(float)
        for one, other, third in triangles:
            area = abs(_area(spots[one], spots[other], spots[third]))
            for line in ((one, other), (other, third), (third, one)):
                areas[line] += area
                areas[line[::-1]] += area
        mean = sum(areas.values()) / len(areas)
        for line, area in areas.items():
            length = math.dist(spots[line[0]], spots[line[1]]) ** 2
            pull = pulls[line] * (max(area, length / 4, mean / 100) / mean) ** PULL
            pulls[line] = min(max(pull, 1 / PULL_MAX), PULL_MAX)
    return spots


Triangle = tuple[str, str]


def _even_out(
    spots: dict[str, Point], triangles: Sequence[Face], frame: Face, away: float
) -> None:
    """Move spots, without crossing lines, so triangles become large and lines short."""
    corners: dict[str, list[Triangle]] = defaultdict(list)
    for a, b, c in triangles:
        corners[a].append((b, c))
        corners[b].append((c, a))
        corners[c].append((a, b))
    turn = sum(_area(spots[a], spots[b], spots[c]) for c in corners for a, b in corners[c])
    sign = 1.0 if turn > 0 else -1.0
    wanted = {name: 0 if is_gap(name) else 3 / len(corners[name]) for name in corners}
    step = STEP_FIRST * away
    edge = set(frame)
    movable = [name for name in corners if name not in frame]

    def cost(name: str, at: Point) -> float:
        found = 0.0
        for one, other in corners[name]:
            b, c = spots[one], spots[other]
            target = (EVEN + wanted[name] + wanted[one] + wanted[other]) / (EVEN + 3)
            area = sign * _area(at, b, c) / away / away
            sides = (_square(at, b) + _square(b, c) + _square(c, at)) / away / away
            gaps = any(is_gap(each) and each not in edge for each in (name, one, other))
            weight = GAPS if gaps else 1
            small = SMALL * target
            if area < small:
                found += TURNED_COST * (small - area)
                area = small
            found += weight * (SHAPE_COST * sides / area + (target / area) ** 2 + area / target)
        return found

    for _ in range(EVENED):
        for name in movable:
            x, y = spots[name]
            tried = [(x, y), *((x + step * right, y + step * down) for right, down in STEPS)]
            spots[name] = min(tried, key=lambda at: cost(name, at))
        step *= STEP_SHRINKS


def _square(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _area(a: Point, b: Point, c: Point) -> float:
    return ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
