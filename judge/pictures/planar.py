"""A planar layout of provinces that are neighbors, with as few crossing lines as it finds.

The faces between lines are found by the algorithm of Demoucron, Malgrange and Pertuiset (1964),
which leaves out lines that fit nowhere. Spots are barycenters of neighbors (Tutte, "How to draw a
graph", 1963), so no lines cross; pulling long lines harder again and again spreads the spots.
If it is known where some provinces lie, the layout is flipped and turned by that, and spots move
to where the directions between them are right.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from types import MappingProxyType

from judge.pictures.compass import Turn, best_turn
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
DIRECTION_COST = 3_000.0  # of all directions from a spot that are wrong together
NEARLY = math.cos(math.radians(25))  # directions that differ by less are right
SURROUNDING = 0.25  # of the area of all places: an outer face that has more is the right one


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


def planar_layout(
    near: Mapping[str, Iterable[str]],
    width: float,
    height: float,
    places: Mapping[str, Point] = MappingProxyType({}),
) -> Layout:
    """Return a layout in a frame of provinces with their neighbors.

    *places* are the points of some on a flat map.
    """
    graph = {name: set(near[name]) for name in sorted(near)}
    if _has_too_many_lines(graph):
        graph = _without_crossings(graph, places)
    for number in range(len(graph), 3):  # a face has three corners
        graph[f"{GAP}corner{number}"] = set()
    _join(graph)
    faces, outer = min(
        (_embedding(graph, longer=longer, places=places) for longer in (False, True)),
        key=lambda each: (-len(each[0]), -_enclosed(each[1], places)),
    )
    faces.remove(outer)
    [*faces, outer] = _with_gaps([*faces, outer], near)
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
    turn = Turn()
    if places:
        turn = best_turn(places, _barycenters(lines, triangles, _around(frame, 1, 1, turn), 1))
    spots = _barycenters(lines, triangles, _around(frame, width, height, turn), PULLS)
    _even_out(spots, triangles, frame, math.sqrt(width * height / len(graph)), places)
    return Layout(spots, triangles)


def _has_too_many_lines(graph: Graph) -> bool:
    """Return whether some lines must cross (Euler: a planar graph has at most 3n - 6 lines)."""
    return sum(map(len, graph.values())) / 2 > max(3 * len(graph) - 6, 1)


def _without_crossings(graph: Graph, places: Mapping[str, Point]) -> Graph:
    """Return *graph* without the lines between places that cross shorter ones."""
    left: Graph = {name: set(graph[name]) for name in graph}
    kept: list[tuple[str, str]] = []
    lines = [
        (math.dist(places[one], places[other]), (one, other))
        for one, other in combinations(sorted(places), 2)
        if other in graph[one]
    ]
    for _, line in sorted(lines):
        if any(_cross(line, other, places) for other in kept):
            left[line[0]].remove(line[1])
            left[line[1]].remove(line[0])
        else:
            kept.append(line)
    return left


def _cross(line: tuple[str, str], other: tuple[str, str], places: Mapping[str, Point]) -> bool:
    if {*line} & {*other}:
        return False
    (a, b), (c, d) = ((places[one], places[end]) for one, end in (line, other))
    return _area(a, b, c) * _area(a, b, d) < 0 and _area(c, d, a) * _area(c, d, b) < 0


def _embedding(
    graph: Graph, *, longer: bool, places: Mapping[str, Point]
) -> tuple[list[Face], Face]:
    """Return the faces of *graph*, and the outer one among them.

    That is the one that encloses the places of all others, if they are known, or else one that is
    long and has all provinces close.
    """
    faces = _faces({name: set(graph[name]) for name in graph}, longer=longer)
    widest = max(faces, key=lambda face: (_enclosed(face, places), len(face), face))
    across, down = ([point[axis] for point in places.values()] for axis in (0, 1))
    if places and _enclosed(widest, places) > SURROUNDING * (max(across) - min(across)) * (
        max(down) - min(down)
    ):
        return faces, widest
    return faces, min(faces, key=lambda face: (-len(face), _depth(graph, face), face))


def _enclosed(face: Face, places: Mapping[str, Point]) -> float:
    """Return the area between the places of the provinces around *face*."""
    corners = [places[name] for name in face if name in places]
    if not corners:
        return 0.0
    return abs(sum(_area(corners[0], one, other) for one, other in pairwise(corners)))


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


def _faces(graph: Graph, *, longer: bool) -> list[Face]:
    """Return the faces of a planar embedding of most lines.

    What fits in several goes into the *longer* one or the shorter one.
    """
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
        sign = 1 if longer else -1
        face = max(room, key=lambda number: (sign * len(faces[number]), number))
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


def _around(frame: Face, width: float, height: float, turn: Turn) -> dict[str, Point]:
    """Return spots evenly along an oval in the frame."""
    angles = (turn.of_angle(2 * math.pi * number / len(frame)) for number in range(len(frame)))
    return {
        name: (
            width / 2 * (1 + FRAMED * _bulging(math.cos(angle))),
            height / 2 * (1 + FRAMED * _bulging(math.sin(angle))),
        )
        for name, angle in zip(frame, angles, strict=True)
    }


def _bulging(value: float) -> float:
    """Return *value* pushed outwards: an oval that fills a rectangle better."""
    return math.copysign(abs(value) ** 0.7, value)


def _barycenters(
    lines: Graph, triangles: Sequence[Face], outer: Mapping[str, Point], pulled: int
) -> dict[str, Point]:
    """Return spots in the middle of their neighbors, those of the *outer* face being given."""
    middle = tuple(sum(axis) / len(outer) for axis in zip(*outer.values(), strict=True))
    spots: dict[str, Point] = dict.fromkeys(sorted(lines), (middle[0], middle[1])) | dict(outer)
    inner = [name for name in spots if name not in outer]
    order = {name: sorted(lines[name]) for name in inner}
    pulls = {(one, other): 1.0 for one in lines for other in lines[one]}
    for number in range(pulled):
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
        if number == pulled - 1:
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
    spots: dict[str, Point],
    triangles: Sequence[Face],
    frame: Face,
    away: float,
    places: Mapping[str, Point],
) -> None:
    """Move spots, without crossing lines, so triangles become large and lines short.

    Spots that have *places* move to where they are in the right direction from each other.
    """
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
    directions = directions_of(places)
    wrong_cost = DIRECTION_COST / max(1, len(places))

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
        wrong = 0.0
        for other, right, down in directions.get(name, ()):
            x, y = spots[other][0] - at[0], spots[other][1] - at[1]
            wrong += max(0.0, NEARLY - (x * right + y * down) / (math.hypot(x, y) or 1.0))
        return found + wrong_cost * wrong

    for _ in range(EVENED):
        for name in movable:
            x, y = spots[name]
            tried = [(x, y), *((x + step * right, y + step * down) for right, down in STEPS)]
            spots[name] = min(tried, key=lambda at: cost(name, at))
        step *= STEP_SHRINKS


def directions_of(places: Mapping[str, Point]) -> Mapping[str, list[tuple[str, float, float]]]:
    """Return the direction, a line of length 1, from each place to each other one."""
    found: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    for one, other in combinations(sorted(places), 2):
        (x, y), (to_x, to_y) = places[one], places[other]
        length = math.dist(places[one], places[other])
        if length:
            right, down = (to_x - x) / length, (to_y - y) / length
            found[one].append((other, right, down))
            found[other].append((one, -right, -down))
    return found


def _square(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _area(a: Point, b: Point, c: Point) -> float:
    return ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
