"""A picture for a board that has none, made of its borders alone: legible, not beautiful.

Provinces are cells that touch where units can move between them. Between others and around all
there is a gap in the color of impassable land. Neighbors that could not be laid out side by side
are named in each other. An impassable province is put anywhere, since its borders are not known.
If the variant states where provinces lie, the picture has them there from each other: north at
the top, east at the right. A board that goes around the world has its edges where places say so.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from judge.boards.places import Places
from judge.pictures.cells import Bubbles, Cells
from judge.pictures.geometry import Point
from judge.pictures.parts import Box
from judge.pictures.placing import Contents, has_room, place_spots, sizes_of
from judge.pictures.planar import planar_layout
from judge.pictures.svg import steps
from judge.rules.board import Map, Terrain
from judge.rules.types import Province, province_of

WIDTH = 1000
PROVINCE_AREA, COAST_AREA = 11_000.0, 2_500.0  # units, of each province and each of several coasts
HEIGHT_MIN = 700
STEPS, STEPS_MORE = 600, 150  # in which cells get their first areas, and larger ones
ROUNDS = 12  # of making what is tight larger
GROWTH = 1.2
ROOM_AT = 640  # pixels: the width of a picture in which everything should have room


def generate_picture(board: Map, places: Places | None = None) -> str:
    """Return the text of a `board.json` for *board*, the right way round by *places*."""
    near = _neighbors(board)
    known = places or Places({})
    coasts = {code: len(board.coasts_of(code)) for code in near}
    wanted = {code: PROVINCE_AREA + COAST_AREA * coasts[code] for code in near}
    scale = max(1.0, HEIGHT_MIN * WIDTH / sum(wanted.values()))
    wanted = {code: area * scale for code, area in wanted.items()}
    beside = {
        code: [each for each in near[code] if not known.are_at_opposite_edges(code, each)]
        for code in near
    }
    layout = planar_layout(beside, WIDTH, sum(wanted.values()) / WIDTH, known.points)
    bubbles = Bubbles(layout, WIDTH, wanted, known.points)
    cells = bubbles.settle(STEPS)
    spots, tight = _places(board, cells, near)
    for _ in range(ROUNDS):
        if not tight:
            break
        bubbles.enlarge(tight, GROWTH)
        cells = bubbles.settle(STEPS_MORE)
        spots, tight = _places(board, cells, near)
    height = round(bubbles.height)
    outlines = {code: steps(line, closed=True) for code, line in cells.outlines.items()}
    frame = steps([(0, 0), (WIDTH, 0), (WIDTH, height), (0, height)], closed=True)
    picture = {
        "width": WIDTH,
        "height": height,
        **_borders(board, cells),
        "impassable": frame + "".join(outlines.values()),
        "neutral": "",
        "off_board": "",
        "provinces": {code: {"path": outlines[code], **spots[code]} for code in sorted(spots)},
    }
    return json.dumps(picture, separators=(",", ":")).replace('},"', '},\n"') + "\n"


def _neighbors(board: Map) -> Mapping[Province, frozenset[Province]]:
    """Return the neighbors of each province."""
    found: dict[Province, set[Province]] = {code: set() for code in board.places}
    for borders in (board.army, board.fleet):
        for start, ends in borders.items():
            for end in ends:
                if province_of(start) != province_of(end):
                    found[province_of(start)].add(province_of(end))
                    found[province_of(end)].add(province_of(start))
    return {code: frozenset(found[code]) for code in sorted(found)}


def _borders(board: Map, cells: Cells) -> dict[str, str]:
    """Return the lines between provinces by kind."""
    kinds: dict[str, list[str]] = {"coast": [], "land_border": [], "sea_border": []}
    for (one, other), lines in sorted(cells.borders.items(), key=lambda each: str(each[0])):
        seas = sum(
            code is None or board.places[code].terrain is Terrain.SEA for code in (one, other)
        )
        kind = "coast" if other is None else ("land_border", "coast", "sea_border")[seas]
        kinds[kind] += [steps(line, closed=False) for line in lines]
    return {kind: "".join(lines) for kind, lines in kinds.items()}


def _places(
    board: Map, cells: Cells, near: Mapping[Province, frozenset[Province]]
) -> tuple[dict[Province, dict[str, object]], list[Province]]:
    """Return the spots of provinces and the neighbors they do not touch, as `board.json` has them.

    Also return the provinces in which not everything has room.
    """
    tight = []
    touched: dict[Province, set[Province]] = defaultdict(set)
    for one, other in cells.borders:
        if other:
            touched[one].add(other)
            touched[other].add(one)
    taken: list[Box] = []
    found = {}
    for code in sorted(cells.outlines, key=lambda each: (len(cells.outlines[each]), each)):
        beyond = sorted(near[code] - touched[code])
        sizes = sizes_of(code, beyond=beyond)
        spots = place_spots(
            [cells.outlines[code]],
            sizes,
            taken,
            Contents(
                has_center=board.places[code].center,
                shores={coast: _shore(board, cells, coast) for coast in board.coasts_of(code)},
            ),
        )
        taken += spots.boxes(sizes)
        if not has_room([cells.outlines[code]], spots, sizes_of(code, ROOM_AT, beyond)):
            tight.append(code)
        found[code] = spots.as_json()
        if beyond:
            found[code]["beyond"] = beyond
    return found, tight


def _shore(board: Map, cells: Cells, coast: str) -> Sequence[Point]:
    """Return points in the middle of the borders of *coast* with its seas, or else anywhere."""
    code = province_of(coast)
    seas = {
        each
        for each in board.fleet[coast]
        if board.places[province_of(each)].terrain is Terrain.SEA
    }
    lines = [
        line
        for pair, several in cells.borders.items()
        if code in pair and set(pair) & seas
        for line in several
    ]
    return [line[len(line) // 2] for line in lines] or [cells.outlines[code][0]]
