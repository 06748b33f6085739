"""Lines of orders over the board, with their marks, dashes and heads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias, assert_never

from judge.pictures import geometry
from judge.pictures.board_art import BoardArt
from judge.pictures.order_marks import Sign, is_under_units, sign_of, sign_of_fate
from judge.pictures.parts import Part, box_of
from judge.pictures.scene import Captions, Scene, ShownOrder
from judge.pictures.svg import element, group, number, path
from judge.pictures.themes import Look
from judge.pictures.unit_drawing import UnitSpots
from judge.rules import types
from judge.rules.board import Map
from judge.rules.outcomes import Succeeds

BEND_OF_OPPOSITES = 0.13  # for units that swap places
MARK_ROOM_AT_TIP = 8.0  # for a mark between an arrow and the unit it failed to dislodge


class LineStyle(Enum):
    """The drawing style of a line."""

    MOVE = auto()
    FAILED = auto()
    SUPPORT = auto()
    CONVOY = auto()
    RETREAT = auto()
    OPTION = auto()


class LineHead(Enum):
    """The end of a line."""

    ARROW = auto()
    DOT = auto()
    BAR = auto()
    RING = auto()


@dataclass(frozen=True, slots=True)
class Stroke:
    """The line of an order; *shown* is None for a retreat option."""

    line: geometry.Line
    style: LineStyle
    head: LineHead
    shown: ShownOrder | None
    power: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A *sign* at a spot."""

    sign: Sign
    spot: geometry.Point
    shown: ShownOrder | None = None


Trace: TypeAlias = Stroke | Mark


@dataclass(frozen=True, slots=True)
class TracedOrders:
    """The lines of orders, and their marks below and above the units."""

    strokes: Sequence[Stroke]
    marks_under: Sequence[Mark]
    marks_over: Sequence[Mark]


def trace_orders(
    board: Map, art: BoardArt, scene: Scene, unit_spots: UnitSpots, scale: float
) -> TracedOrders:
    """Return the lines and marks of orders; moves come first, since supports join them."""
    tracer = _Tracer(board, art, scene, unit_spots, scale)
    ranked = sorted(
        scene.orders, key=lambda shown: (_drawing_rank(shown.order), tracer.reach(shown))
    )
    found: list[Trace] = []
    for shown in ranked:
        found += tracer.of(shown)
        found += tracer.fate(shown)
    found += tracer.options()
    found += tracer.driven_out()
    found += [Mark(Sign.REMOVED, unit_spots.spot_of(unit.location)) for unit in scene.removed]
    marks = [each for each in found if isinstance(each, Mark)]
    return TracedOrders(
        [each for each in found if isinstance(each, Stroke)],
        [each for each in marks if is_under_units(each.sign)],
        [each for each in marks if not is_under_units(each.sign)],
    )


def _drawing_rank(order: types.Order) -> int:
    match order:
        case types.Move() | types.Retreat():
            return 0
        case types.Convoy():
            return 1
        case types.SupportHold() | types.SupportMove():
            return 2
        case types.Hold() | types.Disband() | types.Build() | types.Waive():
            return 3
        case _:
            assert_never(order)


class _Tracer:
    """Traces orders one by one; each line avoids the earlier ones."""

    def __init__(
        self, board: Map, art: BoardArt, scene: Scene, unit_spots: UnitSpots, scale: float
    ) -> None:
        self._board, self._art, self._scene, self._unit_spots = board, art, scene, unit_spots
        self._scale = scale
        self._router = geometry.LineRouter(unit_spots.spots, scale)
        self._moves: dict[tuple[types.Province, types.Province], geometry.Line] = {}
        self._bounced: set[geometry.Point] = set()
        self._ordered_moves = {
            (shown.order.unit.province, types.province_of(shown.order.target))
            for shown in scene.orders
            if isinstance(shown.order, types.Move)
        }
        self._entered = {
            types.province_of(shown.order.target)
            for shown in scene.orders
            if isinstance(shown.order, types.Move) and isinstance(shown.verdict, Succeeds)
        }

    def of(self, shown: ShownOrder) -> Iterator[Trace]:
        """Yield the lines and marks of one order, none if its unit is not on the board."""
        order = shown.order
        if isinstance(order, types.Waive) or order.unit.province not in self._art.areas:
            return
        match order:
            case types.Move() | types.Retreat():
                yield from self._move(shown, order)
            case types.SupportHold():
                yield from self._support_hold(shown, order)
            case types.SupportMove():
                yield from self._support_move(shown, order)
            case types.Convoy():
                yield from self._convoy(shown, order)
            case types.Hold():
                if shown.written:
                    yield Mark(Sign.HOLDS, self._spot(order.unit), shown)
            case types.Build():
                yield Mark(Sign.BUILT, self._art.spot(order.unit.location), shown)
            case types.Disband():
                yield Mark(Sign.REMOVED, self._spot(order.unit), shown)
            case _:
                assert_never(order)

    def reach(self, shown: ShownOrder) -> float:
        """Return the length of a move; short ones are laid first, since they cannot bend far."""
        order, areas = shown.order, self._art.areas
        if not isinstance(order, types.Move | types.Retreat):
            return 0.0
        if order.unit.province not in areas or types.province_of(order.target) not in areas:
            return 0.0
        return math.dist(self._spot(order.unit), self._art.spot(order.target))

    def fate(self, shown: ShownOrder) -> Iterator[Mark]:
        if shown.fate and not isinstance(shown.order, types.Waive):
            yield Mark(sign_of_fate(shown.fate), self._spot(shown.order.unit), shown)

    def options(self) -> Iterator[Stroke]:
        """Yield lines for possible retreats that were not ordered."""
        for each in self._scene.position.dislodged:
            start = self._unit_spots.dislodged[each.unit.province]
            for option in each.retreats:
                if (each.unit.province, types.province_of(option)) not in self._moves:
                    line = self._router.direct(start, self._art.spot(option), 4)
                    yield Stroke(line, LineStyle.OPTION, LineHead.RING, None, each.unit.power)

    def driven_out(self) -> Iterator[Mark]:
        for each in self._scene.position.dislodged:
            yield Mark(Sign.DISLODGED, self._unit_spots.dislodged[each.unit.province])

    def _spot(self, unit: types.UnitName) -> geometry.Point:
        return self._unit_spots.spot_of(unit.location)

    def _move(self, shown: ShownOrder, order: types.Move | types.Retreat) -> Iterator[Trace]:
        start, target = order.unit.province, types.province_of(order.target)
        if target not in self._art.areas or start == target:
            yield Mark(Sign.VOID, self._spot(order.unit), shown)
            return
        sign = sign_of(shown.verdict)
        line = self._course(shown, order, sign)
        self._moves[start, target] = line
        style = LineStyle.FAILED if sign else LineStyle.MOVE
        if self._scene.position.phase.kind is types.PhaseKind.RETREATS:
            style = LineStyle.RETREAT
        yield Stroke(line, style, LineHead.ARROW, shown, shown.power)
        if sign is Sign.BOUNCED:
            yield from self._bounce(shown, line, order.target)
        elif sign:
            yield Mark(sign, geometry.point_at(line, 0.5), shown)

    def _course(
        self, shown: ShownOrder, order: types.Move | types.Retreat, sign: Sign | None
    ) -> geometry.Line:
        start, end = self._spot(order.unit), self._art.spot(order.target)
        from_to = order.unit.province, types.province_of(order.target)
        bounced = sign is Sign.BOUNCED
        short = self._router.radius if bounced or end in self._unit_spots.spots else 2.0
        if bounced and self._is_taken(order.target):
            short += MARK_ROOM_AT_TIP * self._scale
        seas = self._convoy_spots(shown, order) if isinstance(order, types.Move) else ()
        if seas:
            return self._router.by_way_of(start, seas, end, short)
        opposed = from_to[::-1] in self._ordered_moves
        return self._router.direct(start, end, short, BEND_OF_OPPOSITES if opposed else 0.0)

    def _bounce(
        self, shown: ShownOrder, line: geometry.Line, location: types.Location
    ) -> Iterator[Mark]:
        """Yield one mark in a vacant province, but one per attack on an occupied one."""
        target = self._art.spot(location)
        if self._is_taken(location):
            back = (self._router.radius + 1) / math.dist(line[-1], target)
            yield Mark(Sign.BOUNCED, _point_between(target, line[-1], back), shown)
        elif target not in self._bounced:
            self._bounced.add(target)
            yield Mark(Sign.BOUNCED, target, shown)

    def _is_taken(self, location: types.Location) -> bool:
        """Return whether a unit at, or moving to, *location* leaves no room for a mark."""
        return (
            self._art.spot(location) in self._unit_spots.spots
            or types.province_of(location) in self._entered
        )

    def _convoy_spots(self, shown: ShownOrder, order: types.Move) -> Sequence[geometry.Point]:
        if isinstance(shown.verdict, Succeeds):
            seas = shown.verdict.route
        else:
            seas = order.route or self._ordered_route(order)
        return [self._art.spot(sea) for sea in seas if sea in self._art.areas]

    def _ordered_route(self, order: types.Move) -> tuple[types.Province, ...]:
        start, target = order.unit.province, types.province_of(order.target)
        near = {types.province_of(each) for each in self._board.army.get(start, ())}
        if target in near and not order.via_convoy:
            return ()
        fleets = {
            each.order.unit.province
            for each in self._scene.orders
            if isinstance(each.order, types.Convoy)
            and each.order.army.province == start
            and types.province_of(each.order.target) == target
        }
        return _shortest_fleet_chain(fleets, start, target, self._touches)

    def _touches(self, sea: types.Province) -> set[types.Province]:
        return {types.province_of(each) for each in self._board.fleet.get(sea, ())}

    def _support_hold(self, shown: ShownOrder, order: types.SupportHold) -> Iterator[Trace]:
        if order.supported.province in self._art.areas:
            end = self._spot(order.supported)
            line = self._router.direct(self._spot(order.unit), end, self._router.radius)
            yield from self._help(shown, line, LineHead.BAR)

    def _support_move(self, shown: ShownOrder, order: types.SupportMove) -> Iterator[Trace]:
        start, target = order.supported.province, types.province_of(order.target)
        course = self._moves.get((start, target))
        if course:
            line = self._router.joining(self._spot(order.unit), course)
        elif start in self._art.areas and target in self._art.areas:
            middle = _point_between(self._spot(order.supported), self._art.spot(order.target), 0.5)
            line = self._router.direct(self._spot(order.unit), middle, 0)
        else:
            return
        yield from self._help(shown, line, LineHead.DOT)

    def _help(self, shown: ShownOrder, line: geometry.Line, head: LineHead) -> Iterator[Trace]:
        yield Stroke(line, LineStyle.SUPPORT, head, shown, shown.power)
        if sign := sign_of(shown.verdict):
            yield Mark(sign, geometry.point_at(line, 0.45), shown)

    def _convoy(self, shown: ShownOrder, order: types.Convoy) -> Iterator[Trace]:
        fleet = self._spot(order.unit)
        course = self._moves.get((order.army.province, types.province_of(order.target)))
        joint = self._spot(order.army) if order.army.province in self._art.areas else fleet
        if course:
            joint = min(
                (spot for spot, _ in geometry.points_along(course, 2)),
                key=lambda spot: math.dist(spot, fleet),
            )
        yield Mark(Sign.CARRIES, fleet, shown)
        away = math.dist(fleet, joint)
        if away > self._router.radius + 2:
            line = self._router.direct(fleet, joint, 0 if course else self._router.radius)
            yield Stroke(line, LineStyle.CONVOY, LineHead.DOT, shown, shown.power)
        if (sign := sign_of(shown.verdict)) and away:
            yield Mark(sign, _point_between(fleet, joint, (self._router.radius + 2) / away), shown)


def _shortest_fleet_chain(
    fleets: set[types.Province],
    start: types.Province,
    target: types.Province,
    touches: Callable[[types.Province], set[types.Province]],
) -> tuple[types.Province, ...]:
    """Return the shortest chain of *fleets*, the first of them by alphabet."""
    ways: list[tuple[types.Province, ...]] = [
        (fleet,) for fleet in sorted(fleets) if start in touches(fleet)
    ]
    seen = {way[-1] for way in ways}
    for way in ways:
        around = touches(way[-1])
        if target in around:
            return way
        onward = [fleet for fleet in sorted(fleets - seen) if fleet in around]
        seen |= {*onward}
        ways += [(*way, fleet) for fleet in onward]
    return ()


def _point_between(start: geometry.Point, end: geometry.Point, share: float) -> geometry.Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


HEAD_LENGTH, HEAD_WIDTH = 10.0, 5.2
LINE_MARGIN = 8.0  # of the box of a line, for its width and head
BAR_WIDTH = 6.0
LINE_WIDTHS = {
    LineStyle.MOVE: 3.2,
    LineStyle.FAILED: 3.0,
    LineStyle.SUPPORT: 2.3,
    LineStyle.CONVOY: 2.3,
    LineStyle.RETREAT: 2.8,
    LineStyle.OPTION: 1.6,
}
LINE_DASHES = {
    LineStyle.FAILED: (7.0, 4.0),
    LineStyle.SUPPORT: (0.1, 4.4),
    LineStyle.CONVOY: (7.0, 3.5, 0.1, 3.5),
    LineStyle.RETREAT: (11.0, 3.5, 2.0, 3.5),
    LineStyle.OPTION: (2.0, 3.0),
}


def draw_stroke(drawn: Stroke, color: str, captions: Captions, look: Look) -> Part:
    """Return a line with halo and head, and its order as caption."""
    theme, scale = look.theme, look.scale
    width = LINE_WIDTHS[drawn.style] * scale
    line, head = _line_with_head(drawn, color, look)
    dashes = " ".join(number(each * scale) for each in LINE_DASHES.get(drawn.style, ()))
    shape = group(
        [
            element(
                "path",
                d=path(line),
                stroke=theme.halo,
                stroke_width=width + 2.4 * scale,
                stroke_opacity=0.8,
            ),
            element(
                "path",
                d=path(line),
                stroke=color,
                stroke_width=width,
                stroke_dasharray=dashes or None,
                stroke_linecap="round" if drawn.style is LineStyle.SUPPORT else None,
            ),
            head,
        ],
        fill="none",
        stroke_linejoin="round",
    )
    caption = captions.of_order(drawn.shown) if drawn.shown else ""
    return Part(shape, box_of(drawn.line, LINE_MARGIN * scale), caption=caption, kept=False)


def _line_with_head(drawn: Stroke, color: str, look: Look) -> tuple[geometry.Line, str]:
    line, scale, halo = drawn.line, look.scale, look.theme.halo
    (x, y), (across, down) = line[-1], geometry.direction_at(line, 1)
    match drawn.head:
        case LineHead.ARROW:
            shaft = geometry.trim_line(line, 0, HEAD_LENGTH * scale * 0.8)
            across, down = geometry.direction_at(shaft, 1)
            back = x - across * HEAD_LENGTH * scale, y - down * HEAD_LENGTH * scale
            wide = across * HEAD_WIDTH * scale, down * HEAD_WIDTH * scale
            corners = (
                (x, y),
                (back[0] - wide[1], back[1] + wide[0]),
                (back[0] + wide[1], back[1] - wide[0]),
            )
            return shaft, element("path", d=path(corners) + "Z", fill=color, stroke=halo)
        case LineHead.DOT:
            dot = element("circle", cx=x, cy=y, r=3.3 * scale, fill=color, stroke=halo)
            return line, dot
        case LineHead.RING:
            ring = element(
                "circle", cx=x, cy=y, r=3.6 * scale, fill=halo, stroke=color, stroke_width=1.6
            )
            return line, ring
        case LineHead.BAR:
            wide = across * BAR_WIDTH * scale, down * BAR_WIDTH * scale
            ends = (x - wide[1], y + wide[0]), (x + wide[1], y - wide[0])
            return line, element("path", d=path(ends), stroke=color, stroke_width=3 * scale)
        case _:
            assert_never(drawn.head)
