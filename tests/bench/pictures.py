"""Time and size of pictures, by what they show and how wide they are.

`python -m tests.bench.pictures` prints a table; with a FILE it draws the scenes in every theme
into one PNG as well, to be looked at.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from statistics import median

from PIL import Image

from judge.adapters.variant_files import load_art, load_map
from judge.pictures.drawing import draw_picture
from judge.pictures.png import to_png
from judge.pictures.themes import Look, load_theme, scale_for_width, theme_names
from tests.bench.measuring import seconds
from tests.support.scenes import scenes

WIDTHS = (360, 680, 1000, 1600)
ROUNDS = 5
SHEET_WIDTH = 500  # of each picture on the sheet


def table() -> None:
    board, art = load_map(), load_art()
    assert art
    print("scene     width   svg ms   svg kB   png ms   png kB")
    for name, scene in scenes().items():
        for width in WIDTHS:
            look = Look(load_theme("light"), scale=scale_for_width(width))
            svg = draw_picture(board, art, scene, look)
            drawing = median(seconds(draw_picture, board, art, scene, look) for _ in range(ROUNDS))
            painting = median(seconds(to_png, svg, width) for _ in range(ROUNDS))
            sizes = len(svg) / 1000, len(to_png(svg, width)) / 1000
            print(
                f"{name:9} {width:5} {drawing * 1000:8.0f} {sizes[0]:8.0f}"
                f" {painting * 1000:8.0f} {sizes[1]:8.0f}"
            )


def sheet(file: Path) -> None:
    """Draw each scene in each theme: a row a scene."""
    board, art = load_map(), load_art()
    assert art
    rows = []
    for scene in scenes().values():
        svgs = [draw_picture(board, art, scene, Look(load_theme(name))) for name in theme_names()]
        rows.append([Image.open(BytesIO(to_png(svg, SHEET_WIDTH))) for svg in svgs])
    high = rows[0][0].height
    whole = Image.new("RGB", (SHEET_WIDTH * len(theme_names()), high * len(rows)))
    for down, row in enumerate(rows):
        for across, picture in enumerate(row):
            whole.paste(picture, (across * SHEET_WIDTH, down * high))
    whole.save(file)


if __name__ == "__main__":
    table()
    for name in sys.argv[1:]:
        sheet(Path(name))
