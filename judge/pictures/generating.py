"""A picture for a board that has none, made of its borders alone: legible, not beautiful.

Provinces are cells that touch where units can move between them. Between others and around all
there is a gap in the color of impassable land. Neighbors that could not be laid out side by side
are named in each other. An impassable province is put anywhere, since its borders are not known.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from judge.pictures.cells import Cells, cells_of
from judge.pictures.geometry import Point
from judge.pictures.parts import Box
from judge.pictures.placing import Contents, has_room, place_spots, sizes_of
from judge.pictures.planar import planar_layout
from judge.pictures.svg import steps
from judge.rules.board import Map, Terrain
from judge.rules.types import Province, province_of

WIDTH = 1000
HEIGHT_MIN = 700
PROVINCE_AREA = 12_000  # units
STRETCHES = (1.0, 1.15, 1.3, 1.5)  # tried until everything has room in a picture of this width
ROOM_AT = 640  # pixels


def generate_picture(board: Map) -> str:
    """Return the text of a `board.json` for *board*."""
    near = _neighbors(board)
    height = max(HEIGHT_MIN, round(len(near) * PROVINCE_AREA / WIDTH))
    flat = cells_of(planar_layout(near, WIDTH, height))
    stretch, cells, places = _roomy(board, flat, near)
    height = round(height * stretch)
    outlines = {code: steps(line, closed=True) for code, line in cells.outlines.items()}
    frame = steps([(0, 0), (WIDTH, 0), (WIDTH, height), (0, height)], closed=True)
    picture = {
        "width": WIDTH,
        "height": height,
        **_borders(board, cells),
        "impassable": frame + "".join(outlines.values()),
        "neutral": "",
        "off_board": "",
        "provinces": {code: {"path": outlines[code], **places[code]} for code in sorted(places)},
    }
    return json.dumps(picture, separators=(",", ":")).replace('},"', '},\n"') + "\n"


def _roomy(
    board: Map, flat: Cells, near: Mapping[Province, frozenset[Province]]
) -> tuple[float, Cells, Mapping[Province, dict[str, object]]]:
    """Return *flat* stretched until everything has room, how much that is, and what is where."""
    stretch, *more = STRETCHES
    while True:
        cells = flat.stretched(stretch)
        places, all_fit = _places(board, cells, near)
        if all_fit or not more:
            return stretch, cells, places
        stretch = more.pop(0)


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
) -> tuple[dict[Province, dict[str, object]], bool]:
    """Return the spots of provinces and the neighbors they do not touch, as `board.json` has them.

    Also return whether everything has room.
    """
    all_fit = True
    touched: dict[Province, set[Province]] = defaultdict(set)
    for one, other in cells.borders:
        if other:
            touched[one].add(other)
            touched[other].add(one)
    taken: list[Box] = []
    found = {}
    for code in sorted(cells.outlines, key=lambda each: (len(cells.outlines[each]), each)):
        sizes = sizes_of(code)
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
        all_fit = all_fit and has_room([cells.outlines[code]], spots, sizes_of(code, ROOM_AT))
        found[code] = spots.as_json()
        if beyond := sorted(near[code] - touched[code]):
            found[code]["beyond"] = beyond
    return found, all_fit


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
