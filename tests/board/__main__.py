"""Redraw the standard board: `python -m tests.board FILE` writes the content of `board.json`.

The outlines are those of geography, enlarged where they are too small to play on (`enlarging`).
Needs `requirements.txt` of this folder, and `npm install` in it for Natural Earth.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from judge.adapters.variant_files import load_map
from judge.rules.board import Terrain
from tests.board.anchors import anchors_of
from tests.board.atlas import countries
from tests.board.cartogram import enlarged
from tests.board.coverage import LAND, WATER, provinces
from tests.board.paths import borders, outline
from tests.board.projection import EAST, NORTH, SOUTH, WEST

WIDTH = 1000
SCALE = WIDTH / (EAST - WEST)
IMPASSABLE = "SWI"


def drawn() -> str:
    """Return the text of `board.json`: a line a province."""
    board = load_map("standard")
    seas = frozenset(code for code, at in board.places.items() if at.terrain is Terrain.SEA)
    height = (NORTH - SOUTH) * SCALE
    geography = {
        name: shapely.transform(shape, _on_picture)
        for name, shape in provinces(countries(), seas).items()
    }
    shapes = enlarged(geography, seas, WIDTH, height)
    anchors = anchors_of(board, shapes)
    scenery = {
        "width": WIDTH,
        "height": round(height),
        **borders(shapes, seas),
        "impassable": outline(shapes[IMPASSABLE]),
        "neutral": outline(shapes[LAND]),
        "off_board": outline(shapes[WATER]),
    }
    lines = [f'"{name}":{_json(value)}' for name, value in scenery.items()]
    places = [
        f'"{code}":{_json({"path": outline(shapes[code]), **anchors[code]})}'
        for code in sorted(board.places)
    ]
    return "{" + ",\n".join([*lines, '"provinces":{\n' + ",\n".join(places)]) + "\n}}\n"


def _on_picture(points: Any) -> Any:  # noqa: ANN401 - arrays of numpy, which is not always here
    return np.column_stack(((points[:, 0] - WEST) * SCALE, (NORTH - points[:, 1]) * SCALE))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(drawn(), encoding="utf-8")
