"""The outlines of the shapes in an SVG that an operator drew.

Only numbers and names are taken from it: nothing is loaded, run, or passed on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from judge.pictures.geometry import Point

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

SIZE_MAX = 4_000_000  # letters of an SVG
SHAPES_MAX = 10_000
POINTS_MAX = 200_000
WIDTH = 1000  # units, of every board
HEIGHT_MIN, HEIGHT_MAX = 200, 4000
STEP = 5.0  # units between the points of a curve, about
STEPS_MAX = 100
APART = 0.7  # units; closer points are left out
ARC_TURN = math.pi / 2  # at most this far is one curve

Ring: TypeAlias = Sequence[Point]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]
UNTURNED: Matrix = (1, 0, 0, 1, 0, 0)


class SvgError(ValueError):
    """The text is no SVG, or has parts that cannot be read; the message names them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The outline of an element; *labels* are the attributes of it and the groups it is in.

    The innermost come first.
    """

    labels: Sequence[Mapping[str, str]]
    rings: Sequence[Ring]


@dataclass(frozen=True, slots=True)
class Outlines:
    """The shapes in a picture of *height* units, from bottom to top."""

    height: int
    shapes: Sequence[Shape]


NOT_DRAWN = frozenset(
    {"clipPath", "defs", "filter", "foreignObject", "linearGradient", "marker", "mask", "metadata"}
    | {"pattern", "radialGradient", "script", "style", "switch", "symbol", "text"}
)
DECLARATION = re.compile(r"<!(?:ENTITY|DOCTYPE[^>]*\[)", re.IGNORECASE)


def read_outlines(svg: str) -> Outlines:
    """Read the outlines of *svg*, made as wide as a board. Raises `SvgError`."""
    if len(svg) > SIZE_MAX:
        raise SvgError(f"it has {len(svg)} letters; {SIZE_MAX} is the limit")
    if DECLARATION.search(svg):
        raise SvgError("it declares entities")
    root = _parsed(svg)
    if _name(root) != "svg":
        raise SvgError(f"it is no SVG, but {_short(_name(root))}")
    left, top, width, height = _view_box(root)
    zoom = WIDTH / width
    shown = round(height * zoom)
    if not HEIGHT_MIN <= shown <= HEIGHT_MAX:
        raise SvgError("it is more than five times as wide as high, or four times as high as wide")
    shapes: list[Shape] = []
    points = 0
    for shape in _shapes(root, (zoom, 0, 0, zoom, -left * zoom, -top * zoom)):
        rings = [_clipped(ring, shown) for ring in shape.rings]
        points += sum(map(len, rings))
        if points > POINTS_MAX or len(shapes) > SHAPES_MAX:
            raise SvgError(
                f"it has more than {SHAPES_MAX} shapes, or their outlines {POINTS_MAX} points"
            )
        shapes.append(Shape(shape.labels, [ring for ring in rings if ring]))
    return Outlines(shown, shapes)


def _parsed(svg: str) -> Element:
    from lxml import etree  # noqa: PLC0415 - few boards are read from an SVG

    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(svg.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise SvgError(f"it is not well-formed XML: {error.msg}") from error


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _view_box(root: Element) -> tuple[float, float, float, float]:
    if box := root.get("viewBox"):
        numbers = _numbers(box)
    else:
        numbers = [0, 0, _length(root, "width"), _length(root, "height")]
    if len(numbers) != 4 or min(numbers[2:]) <= 0:  # noqa: PLR2004 - left, top, width, height
        raise SvgError("it has neither a viewBox nor a width and height")
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _shapes(root: Element, whole: Matrix) -> Iterator[Shape]:
    """Yield the shapes in *root*, in their order."""
    waiting: list[tuple[Element, Matrix, Sequence[Mapping[str, str]]]] = [(root, whole, ())]
    while waiting:
        element, matrix, labels = waiting.pop()
        if _name(element) in NOT_DRAWN:
            continue
        attributes = {str(key): str(value).strip() for key, value in element.attrib.items()}
        own = {key: value for key, value in attributes.items() if _is_label(key)}
        labels = (own, *labels) if own else labels
        matrix = _product(matrix, _transform(element.get("transform", "")))
        if _name(element) in OUTLINED:
            yield Shape(labels, [_flat(each, matrix) for each in _contours(element)])
        waiting += [(child, matrix, labels) for child in reversed(element)]


def _is_label(key: str) -> bool:
    return key == "id" or key.startswith("data-")


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LENGTH = re.compile(rf"\s*({NUMBER.pattern})(?:px)?\s*")
TRANSFORM = re.compile(r"\s*,?\s*([a-zA-Z]+)\s*\(([^)]*)\)")
QUOTED = 40  # letters
FAR = 1e7  # units; coordinates beyond are a mistake


def _numbers(text: str) -> list[float]:
    if NUMBER.sub("", text).strip(" \t\r\n,"):
        raise SvgError(f"{_short(text)} are not numbers")
    found = [float(each) for each in NUMBER.findall(text)]
    if any(abs(each) > FAR for each in found):
        raise SvgError("it has numbers that are too large")
    return found


def _length(element: Element, key: str) -> float:
    text = element.get(key, "0")
    found = LENGTH.fullmatch(text)
    if not found:
        raise SvgError(f"{key}={_short(text)} is not a number, even with px")
    return _numbers(found[1])[0]


def _short(text: str) -> str:
    """Return the beginning of *text*, for complaints."""
    return repr(text[:QUOTED])


def _transform(text: str) -> Matrix:
    matrix, at = UNTURNED, 0
    while found := TRANSFORM.match(text, at):
        matrix, at = _product(matrix, _step(found[1], _numbers(found[2]))), found.end()
    if text[at:].strip():
        raise SvgError(f"the transform {_short(text)} is not understood")
    return matrix


def _step(name: str, numbers: Sequence[float]) -> Matrix:
    """Return the matrix of one transform."""
    matrix: Matrix
    match name, numbers:
        case "matrix", [a, b, c, d, e, f]:
            matrix = a, b, c, d, e, f
        case "translate", [x, *rest] if len(rest) <= 1:
            matrix = 1, 0, 0, 1, x, sum(rest)
        case "scale", [x, *rest] if len(rest) <= 1:
            matrix = x, 0, 0, rest[0] if rest else x, 0, 0
        case "rotate", [_] | [_, _, _]:
            matrix = _turned(*numbers)
        case "skewX", [angle]:
            matrix = 1, 0, math.tan(math.radians(angle)), 1, 0, 0
        case "skewY", [angle]:
            matrix = 1, math.tan(math.radians(angle)), 0, 1, 0, 0
        case _:
            raise SvgError(f"the transform {_short(name)} is not understood")
    return matrix


def _turned(angle: float, x: float = 0, y: float = 0) -> Matrix:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos


def _product(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


Curve: TypeAlias = tuple[
    Point, Point, Point, Point
]  # a cubic Bezier curve; a line has its ends twice
OUTLINED = frozenset({"circle", "ellipse", "path", "polygon", "polyline", "rect"})
CIRCLE = 0.5522847498  # of the radius: the length of the handles of a quarter of a circle


def _contours(element: Element) -> Iterator[Sequence[Curve]]:
    """Yield the closed lines of a shape, as curves."""
    match _name(element):
        case "path":
            yield from _Pen(element.get("d", "")).contours
        case "rect":
            x, y, width, height = (_length(element, key) for key in ("x", "y", "width", "height"))
            right, bottom = x + width, y + height
            yield _straight([(x, y), (right, y), (right, bottom), (x, bottom)])
        case "circle":
            radius = _length(element, "r")
            yield _oval(_length(element, "cx"), _length(element, "cy"), radius, radius)
        case "ellipse":
            radii = _length(element, "rx"), _length(element, "ry")
            yield _oval(_length(element, "cx"), _length(element, "cy"), *radii)
        case _:
            numbers = _numbers(element.get("points", ""))
            yield _straight(list(zip(numbers[::2], numbers[1::2], strict=False)))


def _straight(points: Sequence[Point]) -> Sequence[Curve]:
    return [(one, one, other, other) for one, other in pairwise([*points, *points[:1]])]


def _oval(x: float, y: float, across: float, down: float) -> Sequence[Curve]:
    ends = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)]
    return [
        (
            (x + a * across, y + b * down),
            (x + (a + c * CIRCLE) * across, y + (b + d * CIRCLE) * down),
            (x + (c + a * CIRCLE) * across, y + (d + b * CIRCLE) * down),
            (x + c * across, y + d * down),
        )
        for (a, b), (c, d) in pairwise(ends)
    ]


COMMAND = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
FLAGS = re.compile(  # of an arc, which may be written without a space after them
    rf"({NUMBER.pattern})[\s,]*({NUMBER.pattern})[\s,]*({NUMBER.pattern})[\s,]*([01])[\s,]*([01])"
    rf"[\s,]*({NUMBER.pattern})[\s,]*({NUMBER.pattern})"
)


class _Pen:
    """Follows the `d` of a path (SVG 1.1, 8.3)."""

    def __init__(self, text: str) -> None:
        self.contours: list[list[Curve]] = []
        self._at: Point = (0, 0)
        self._handle: tuple[str, Point] = ("", (0, 0))  # of the curve before, and its command
        if COMMAND.sub("", text).strip(" \t\r\n,"):
            raise SvgError(f"the path {_short(text)} is not understood")
        for name, numbers in COMMAND.findall(text):
            self._obey(name, numbers)

    def _obey(self, name: str, text: str) -> None:
        """Follow one path command, which may be repeated without its letter."""
        kind = name.upper()
        takes = TAKES[kind]
        if kind == "A":
            numbers = _numbers(" ".join(" ".join(found) for found in FLAGS.findall(text)))
        else:
            numbers = _numbers(text)
        if takes == 0:
            self._close()
        elif not numbers or len(numbers) % takes:
            raise SvgError(f"the path command {_short(name + text)} is not understood")
        else:
            for at in range(0, len(numbers), takes):
                self._go(kind, numbers[at : at + takes], relative=name.islower())
                kind = "L" if kind == "M" else kind

    def _close(self) -> None:
        if self.contours and self.contours[-1]:
            self._at = self.contours[-1][0][0]
            self.contours.append([])
        self._handle = "", self._at

    def _go(self, kind: str, numbers: Sequence[float], *, relative: bool) -> None:
        points = self._points(kind, numbers, relative=relative)
        if kind == "T":
            points = [self._mirrored("QT"), *points]
        if kind == "S":
            points = [self._mirrored("CS"), *points]
        if kind == "M":
            self.contours.append([])
        elif not self.contours:
            raise SvgError("a path does not begin with M")
        else:
            self.contours[-1] += self._curves(kind, numbers, points)
        self._at = points[-1]
        self._handle = kind, points[-2] if kind in "CSQT" else self._at

    def _points(self, kind: str, numbers: Sequence[float], *, relative: bool) -> list[Point]:
        """Return the points of a command, the last of them its end."""
        x, y = self._at if relative else (0.0, 0.0)
        match kind:
            case "H":
                return [(x + numbers[0], self._at[1])]
            case "V":
                return [(self._at[0], y + numbers[0])]
            case "A":
                return [(x + numbers[5], y + numbers[6])]
            case _:
                pairs = zip(numbers[::2], numbers[1::2], strict=True)
                return [(x + across, y + down) for across, down in pairs]

    def _curves(
        self, kind: str, numbers: Sequence[float], points: Sequence[Point]
    ) -> Iterable[Curve]:
        start, end = self._at, points[-1]
        match kind:
            case "C" | "S":
                return [(start, points[0], points[1], end)]
            case "Q" | "T":
                return [_cubic(start, points[0], end)]
            case "A":
                across, down, turn, large, sweep = numbers[:5]
                return _arc(start, (across, down), turn, (large, sweep), end)
            case _:
                return [(start, start, end, end)]

    def _mirrored(self, kinds: str) -> Point:
        """Return the first handle of a smooth curve after one of *kinds*."""
        kind, (x, y) = self._handle
        at_x, at_y = self._at
        return (2 * at_x - x, 2 * at_y - y) if kind and kind in kinds else self._at


def _cubic(start: Point, handle: Point, end: Point) -> Curve:
    """Return a curve with one handle as one with two."""
    one, other = (
        (at[0] + (handle[0] - at[0]) * 2 / 3, at[1] + (handle[1] - at[1]) * 2 / 3)
        for at in (start, end)
    )
    return start, one, other, end


def _arc(
    start: Point, radii: Point, turn: float, flags: tuple[float, float], end: Point
) -> Iterator[Curve]:
    """Yield curves for an elliptical arc (SVG 1.1, appendix F.6)."""
    across, down = abs(radii[0]), abs(radii[1])
    if not across or not down or start == end:
        yield start, start, end, end
        return
    large, sweep = flags
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    half = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = (cos * half[0] + sin * half[1]) / across, (cos * half[1] - sin * half[0]) / down
    size = max(1.0, math.hypot(x, y))
    across, down, x, y = across * size, down * size, x / size, y / size
    square = x * x + y * y
    root = math.sqrt(max(0.0, 1 / square - 1)) * (1 if large != sweep else -1)
    middle = root * y, -root * x
    first = math.atan2(y - middle[1], x - middle[0])
    last = math.atan2(-y - middle[1], -x - middle[0])
    whole = (last - first) % (2 * math.pi) if sweep else -((first - last) % (2 * math.pi))
    center = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    ellipse = (
        cos * across,
        sin * across,
        -sin * down,
        cos * down,
        center[0] + cos * middle[0] * across - sin * middle[1] * down,
        center[1] + sin * middle[0] * across + cos * middle[1] * down,
    )
    count = math.ceil(abs(whole) / ARC_TURN - 1e-9) or 1
    each = whole / count
    handle = 4 / 3 * math.tan(each / 4)
    for number in range(count):
        one, other = first + number * each, first + (number + 1) * each
        points = (
            (math.cos(one), math.sin(one)),
            (math.cos(one) - handle * math.sin(one), math.sin(one) + handle * math.cos(one)),
            (
                math.cos(other) + handle * math.sin(other),
                math.sin(other) - handle * math.cos(other),
            ),
            (math.cos(other), math.sin(other)),
        )
        a, b, c, d = (_moved(ellipse, point) for point in points)
        yield a, b, c, d


def _moved(matrix: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def _flat(curves: Sequence[Curve], matrix: Matrix) -> Ring:
    """Return *curves* as a line of points that are apart."""
    found: list[Point] = []
    for curve in curves:
        a, b, c, d = (_moved(matrix, point) for point in curve)
        away = math.dist(a, b) + math.dist(b, c) + math.dist(c, d)
        if not math.isfinite(away):
            raise SvgError("it has numbers that are too large")
        is_line = curve[0] == curve[1] and curve[2] == curve[3]
        count = 1 if is_line else min(STEPS_MAX, max(2, math.ceil(away / STEP)))
        for number in range(count + 1):
            point = _on_curve(a, b, c, d, number / count)
            if not found or math.dist(found[-1], point) >= APART:
                found.append(point)
    return found


def _on_curve(a: Point, b: Point, c: Point, d: Point, share: float) -> Point:
    rest = 1 - share
    one, two, three, four = rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3
    return (
        one * a[0] + two * b[0] + three * c[0] + four * d[0],
        one * a[1] + two * b[1] + three * c[1] + four * d[1],
    )


def _clipped(ring: Ring, height: float) -> Ring:
    """Return the part of *ring* inside the picture (Sutherland and Hodgman, 1974)."""
    for axis, limit, sign in ((0, 0, 1), (0, WIDTH, -1), (1, 0, 1), (1, height, -1)):
        if all(sign * (point[axis] - limit) >= 0 for point in ring):
            continue
        found: list[Point] = []
        for before, point in pairwise([*ring[-1:], *ring]):
            inside = sign * (point[axis] - limit) >= 0
            if inside != (sign * (before[axis] - limit) >= 0):
                share = (limit - before[axis]) / (point[axis] - before[axis])
                found.append(
                    (
                        before[0] + (point[0] - before[0]) * share,
                        before[1] + (point[1] - before[1]) * share,
                    )
                )
            if inside:
                found.append(point)
        ring = found
    return ring
