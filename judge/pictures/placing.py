"""Spots in a province for its unit, a dislodged unit, its center, its name and its fleets.

They are found once for a board and stored with its outlines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge.pictures.board_art import CENTER_SIZE
from judge.pictures.geometry import Point, row_crossings
from judge.pictures.labels import (
    LETTER_WIDTH_MAX,
    LINE_HEIGHT,
    NAME_HEIGHT,
    NAME_SIZES,
    lines_of_beyond,
)
from judge.pictures.parts import Box, box_around
from judge.pictures.themes import NameStyle, scale_for_width
from judge.pictures.unit_drawing import UNIT_HEIGHT, UNIT_WIDTH
from judge.rules.types import Province

PLACED_FOR = 540  # pixels: in a picture this wide hardly anything in a province overlaps
GRID = 3.0  # units between spots that are tried
GAP = 3.0  # to keep between things
CELLS_MAX = 2_000  # in larger provinces not every cell is looked at
TRIED_MAX = 90  # spots for one thing
STARTS = 6  # spots for the unit from which the others are placed
ROUNDS = 3
LABELS_MAX = 8
INSIDE_MIN = 0.94  # of a box
LABEL_INSIDE_MIN = 0.6
OUTSIDE_COST, OVERLAP_COST, GAP_COST = 3.0, 6.0, 12.0
OFF_MIDDLE_COST, OFF_SHORE_COST = 0.3, 1.8  # per unit of distance
TOGETHER_COST = 0.8  # per unit of distance of the other things from the unit

Ring = Sequence[Point]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The width and height of things on a board."""

    unit: tuple[float, float]
    center: tuple[float, float]
    label: tuple[float, float]


def sizes_of(code: str, width: int = PLACED_FOR, beyond: Sequence[Province] = ()) -> Sizes:
    """Return the sizes of things and of the name *code* in a picture *width* pixels wide.

    The name has lines for the neighbors *beyond* that the province does not touch.
    """
    scale = scale_for_width(width)
    letter = NAME_SIZES[NameStyle.SHORT] * scale
    lines = [code, *lines_of_beyond(beyond)]
    height = NAME_HEIGHT + (len(lines) - 1) * LINE_HEIGHT
    return Sizes(
        unit=(UNIT_WIDTH * scale, UNIT_HEIGHT * scale),
        center=(CENTER_SIZE * scale, CENTER_SIZE * scale),
        label=(max(map(len, lines)) * letter * LETTER_WIDTH_MAX, letter * height),
    )


@dataclass(frozen=True, slots=True)
class Spots:
    """The spots of a province; *labels* are for its name, the best first."""

    unit: Point
    dislodged: Point
    center: Point | None
    labels: tuple[Point, ...]
    fleets: Mapping[str, Point]

    def boxes(self, sizes: Sizes) -> list[Box]:
        """Return the boxes of everything in the province."""
        units = [self.unit, *self.fleets.values(), self.dislodged]
        boxes = [box_around(spot, *sizes.unit) for spot in units]
        boxes.append(box_around(self.labels[0], *sizes.label))
        if self.center:
            boxes.append(box_around(self.center, *sizes.center))
        return boxes

    def as_json(self) -> dict[str, object]:
        """Return the spots as `board.json` has them."""
        found: dict[str, object] = {"unit": self.unit, "dislodged": self.dislodged}
        if self.center:
            found["center"] = self.center
        found["labels"] = self.labels
        return found | ({"coasts": self.fleets} if self.fleets else {})


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a province besides its units and its name.

    *shores* are points of each coast, near which its fleet is placed. Some spots may be *given*:
    those of the `unit`, the `dislodged` one, the `center`, the `label`, or of a coast.
    """

    has_center: bool
    shores: Mapping[str, Sequence[Point]]
    given: Mapping[str, Point] = field(default_factory=dict)


def place_spots(
    rings: Sequence[Ring],
    sizes: Sizes,
    taken: Iterable[Box],
    contents: Contents,
    above: Sequence[Sequence[Ring]] = (),
) -> Spots:
    """Return the spots within the outline *rings*, off the boxes that are *taken*.

    *above* are the outlines of others that cover parts of the province.
    """
    area = _Area(rings, taken, above)
    shores = contents.shores
    things = [_Thing("unit", sizes.unit), _Thing("dislodged", sizes.unit)]
    things += [_Thing(name, sizes.unit, tuple(shore)) for name, shore in shores.items()]
    if contents.has_center:
        things.append(_Thing("center", sizes.center))
    things.append(_Thing("label", sizes.label))
    given = contents.given
    tried = {
        thing.name: [(given[thing.name], 0.0)] if thing.name in given else area.candidates(thing)
        for thing in things
    }
    best: dict[str, Point] = {}
    least = math.inf
    starts = tried["unit"]
    for start in starts[:: max(1, len(starts) // STARTS)]:
        found, cost = _settle(things, tried, start[0])
        if cost < least:
            best, least = found, cost
    best = {name: _rounded(spot) for name, spot in best.items()}
    return Spots(
        unit=best["unit"],
        dislodged=best["dislodged"],
        center=best.get("center"),
        labels=_other_labels(best["label"], tried["label"], sizes.label),
        fleets={name: best[name] for name in shores},
    )


def has_room(rings: Sequence[Ring], spots: Spots, sizes: Sizes) -> bool:
    """Return whether things of *sizes* at *spots* are inside and do not overlap."""
    area = _Area(rings, ())
    boxes = spots.boxes(sizes)
    units, others = boxes[: 1 + len(spots.fleets)], boxes[1 + len(spots.fleets) :]
    apart = all(
        not _overlap(box, other)
        for number, box in enumerate(others)
        for other in (*units, *others[:number])
    )
    return apart and all(area.share_inside(box) >= INSIDE_MIN for box in boxes)


@dataclass(frozen=True, slots=True)
class _Thing:
    name: str
    size: tuple[float, float]
    shore: tuple[Point, ...] = ()

    def may_cover(self, other: _Thing) -> bool:
        """Return whether only one of the two is ever shown: a province has one unit."""
        return all(each.name == "unit" or each.shore for each in (self, other))


Candidate = tuple[Point, float]  # with its cost


class _Area:
    """The cells of a grid that are inside of a province."""

    def __init__(
        self, rings: Sequence[Ring], taken: Iterable[Box], above: Sequence[Sequence[Ring]] = ()
    ) -> None:
        across = [x for ring in rings for x, _ in ring]
        down = [y for ring in rings for _, y in ring]
        self._left, self._top = min(across), min(down)
        self._columns = math.ceil((max(across) - self._left) / GRID) or 1
        self._rows = math.ceil((max(down) - self._top) / GRID) or 1
        inside = self._inside(rings, above)
        self._sums = _sums(inside)
        coarse = math.isqrt(sum(map(sum, inside)) // CELLS_MAX) + 1
        self._cells = [
            [column for column, cell in enumerate(cells) if cell and column % coarse == 0]
            if row % coarse == 0
            else []
            for row, cells in enumerate(inside)
        ]
        spots = [
            self._spot(column, row)
            for row, columns in enumerate(self._cells)
            for column in columns
        ]
        if not spots:
            self._cells[0] = [0]
            spots = [self._spot(0, 0)]
        count = len(spots)
        self._middle = sum(x for x, _ in spots) / count, sum(y for _, y in spots) / count
        right, bottom = max(across), max(down)
        self._taken = [
            box
            for box in taken
            if box[0] < right + 40
            and box[2] > self._left - 40
            and box[1] < bottom + 40
            and box[3] > self._top - 40
        ]

    def candidates(self, thing: _Thing) -> list[Candidate]:
        """Return the spots for *thing* with their costs, the cheapest ones."""
        found = [
            each
            for row, columns in enumerate(self._cells)
            if columns
            for each in self._costs(thing, row, columns)
        ]
        found.sort(key=lambda each: (each[1], each[0]))
        clear = sum(cost < found[0][1] + GAP_COST * GAP for _, cost in found)
        kept = found[: max(TRIED_MAX, clear)]
        return kept[:: max(1, len(kept) // TRIED_MAX)]

    def _costs(self, thing: _Thing, row: int, columns: Sequence[int]) -> Iterator[Candidate]:
        """Yield the spots in a row with their costs."""
        width, height = thing.size
        shares = self._shares(row, width, height)
        wide_shares = self._shares(row, width + GAP, height + GAP)
        _, y = self._spot(0, row)
        top, bottom = y - height / 2, y + height / 2
        taken = [box for box in self._taken if box[1] < bottom and top < box[3]]
        for column in columns:
            spot = self._spot(column, row)
            left, right = spot[0] - width / 2, spot[0] + width / 2
            cost = OUTSIDE_COST * width * height * (1 - shares[column])
            cost += GAP_COST * GAP * (1 - wide_shares[column])
            for box in taken:
                if box[0] < right and left < box[2]:
                    cost += OVERLAP_COST * _overlap((left, top, right, bottom), box)
            if thing.shore:
                cost += OFF_SHORE_COST * min(math.dist(spot, point) for point in thing.shore)
            elif thing.name == "unit":
                cost += OFF_MIDDLE_COST * math.dist(spot, self._middle)
            yield spot, cost

    def _spot(self, column: int, row: int) -> Point:
        return self._left + (column + 0.5) * GRID, self._top + (row + 0.5) * GRID

    def _shares(self, row: int, width: float, height: float) -> Sequence[float]:
        """Return `share_inside` of boxes of one size around each cell of a row."""
        left, right = round(0.5 - width / 2 / GRID), round(0.5 + width / 2 / GRID)
        top, bottom = round(row + 0.5 - height / 2 / GRID), round(row + 0.5 + height / 2 / GRID)
        whole = max(1, (right - left) * (bottom - top))
        above, below = self._sums[max(0, top)], self._sums[min(self._rows, bottom)]
        counts = [low - high for low, high in zip(below, above, strict=True)]
        last = self._columns
        return [
            (counts[min(column + right, last)] - counts[max(column + left, 0)]) / whole
            for column in range(last)
        ]

    def share_inside(self, box: Box) -> float:
        """Return the share of *box* that is inside."""
        left, right = round((box[0] - self._left) / GRID), round((box[2] - self._left) / GRID)
        top, bottom = round((box[1] - self._top) / GRID), round((box[3] - self._top) / GRID)
        whole = max(1, (right - left) * (bottom - top))
        left, right = max(left, 0), min(max(right, 0), self._columns)
        top, bottom = max(top, 0), min(max(bottom, 0), self._rows)
        if left >= right or top >= bottom:
            return 0
        sums = self._sums
        count = sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left]
        return count / whole

    def _inside(self, rings: Sequence[Ring], above: Sequence[Sequence[Ring]]) -> list[list[bool]]:
        """Return which cells of each row are inside *rings* and not covered by those *above*."""
        rows = [[False] * self._columns for _ in range(self._rows)]
        for outlines, inside in ((rings, True), *((others, False) for others in above)):
            crossings = row_crossings(outlines, self._top + GRID / 2, GRID, self._rows)
            for cells, found in zip(rows, crossings, strict=True):
                for start, end in zip(found[::2], found[1::2], strict=False):
                    first = max(0, math.ceil((start - self._left) / GRID - 0.5))
                    last = min(self._columns, math.ceil((end - self._left) / GRID - 0.5))
                    if last > first:
                        cells[first:last] = [inside] * (last - first)
        return rows


def _sums(cells: Sequence[Sequence[bool]]) -> list[list[int]]:
    """Return how many cells are set above and left of each corner."""
    sums = [[0] * (len(cells[0]) + 1)]
    for row in cells:
        line, count = [0], 0
        for column, cell in enumerate(row):
            count += cell
            line.append(sums[-1][column + 1] + count)
        sums.append(line)
    return sums


def _settle(
    things: Sequence[_Thing], tried: Mapping[str, Sequence[Candidate]], start: Point
) -> tuple[dict[str, Point], float]:
    """Place each of *things* in turn where it costs least, given the others."""
    found = {"unit": start}
    costs: list[float] = []
    for number in range(ROUNDS):
        costs = []
        for thing in things:
            if number == 0 and thing.name == "unit":
                continue
            others = [
                box_around(found[each.name], *each.size)
                for each in things
                if each is not thing and each.name in found and not thing.may_cover(each)
            ]
            together = 0 if thing.name == "unit" or thing.shore else TOGETHER_COST
            spot, cost = start, math.inf
            for tried_spot, own in tried[thing.name]:
                if own >= cost:  # and so are all that follow
                    break
                whole = own + _crowding(tried_spot, thing.size, others)
                whole += together * math.dist(tried_spot, found["unit"])
                if whole < cost:
                    spot, cost = tried_spot, whole
            found[thing.name] = spot
            costs.append(cost)
    return found, sum(costs)


def _crowding(spot: Point, size: tuple[float, float], others: Sequence[Box]) -> float:
    """Return the cost of overlaps and of gaps smaller than wanted."""
    box = box_around(spot, *size)
    cost = 0.0
    for other in others:
        apart = max(box[0] - other[2], other[0] - box[2], box[1] - other[3], other[1] - box[3])
        if apart < 0:
            cost += OVERLAP_COST * _overlap(box, other) + GAP_COST * GAP
        elif apart < GAP:
            cost += GAP_COST * (GAP - apart)
    return cost


def _overlap(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def _other_labels(
    first: Point, tried: Sequence[Candidate], size: tuple[float, float]
) -> tuple[Point, ...]:
    """Return *first* and other spots for the name that are apart from it."""
    found = [first]
    limit = OUTSIDE_COST * size[0] * size[1] * (1 - LABEL_INSIDE_MIN)
    for spot, cost in sorted(tried, key=lambda each: (each[1], each[0])):
        if (
            len(found) < LABELS_MAX
            and cost <= limit
            and all(math.dist(spot, other) >= size[1] for other in found)
        ):
            found.append(spot)
    return tuple(map(_rounded, found))


def _rounded(spot: Point) -> Point:
    return round(spot[0], 1), round(spot[1], 1)
