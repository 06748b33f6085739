"""Time and size of pictures, by what they show and how wide they are.

`python -m tests.bench.pictures` prints the two pictures of a phase, as emails have them, and a
table of scenes; with a FILE it draws the scenes in every theme into one PNG as well, to be looked
at. Times are CPU time; the calibration loop shows how fast the machine is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from statistics import median

from PIL import Image

from judge.adapters.variant_files import load_art, load_map
from judge.app.outbound.maps import READ_AT
from judge.app.outbound.maps import WIDTH as EMAIL_WIDTH
from judge.pictures.drawing import draw_picture
from judge.pictures.png import to_png
from judge.pictures.scene import Scene
from judge.pictures.themes import Look, load_theme, scale_for_width, theme_names
from tests.bench.measuring import ANCHOR_SECONDS, busy, calibrate
from tests.support.scenes import scenes

WIDTHS = (360, 680, 1000, 1600)
ROUNDS = 5
SHEET_WIDTH = 500  # of each picture on the sheet


def phase() -> None:
    """Print what the pictures of a movement phase cost: its orders, and the position after."""
    board, art = load_map(), load_art()
    assert art
    look = Look(load_theme("light"), scale=scale_for_width(READ_AT))
    orders, after = scenes()["movement"], Scene(position=scenes()["options"].position)
    to_png(draw_picture(board, art, after, look), EMAIL_WIDTH)  # warms up
    loops = [busy(calibrate) for _ in range(ROUNDS)]
    whole = [0.0] * ROUNDS
    print("a phase    draw ms   paint ms    kB   (median, and range)")
    for name, scene in (("orders", orders), ("after", after)):
        svg = draw_picture(board, art, scene, look)
        drawing = [busy(draw_picture, board, art, scene, look) for _ in range(ROUNDS)]
        painting = [busy(to_png, svg, EMAIL_WIDTH) for _ in range(ROUNDS)]
        whole = [sum(each) for each in zip(whole, drawing, painting, strict=True)]
        size = len(to_png(svg, EMAIL_WIDTH)) / 1000
        print(f"{name:8} {spread(drawing)} {spread(painting)} {size:4.0f}")
    anchored = median(whole) / median(loops) * ANCHOR_SECONDS * 1000
    print(f"both: {spread(whole)} ms; calibration loop {spread(loops)} ms")
    print(f"both, if the loop took {ANCHOR_SECONDS * 1000} ms: {anchored:.0f} ms; target 150 ms\n")


def spread(times: Sequence[float]) -> str:
    return f"{median(times) * 1e3:.1f} ({min(times) * 1e3:.1f}-{max(times) * 1e3:.1f})"


def table() -> None:
    board, art = load_map(), load_art()
    assert art
    print("scene     width   svg ms   svg kB   png ms   png kB")
    for name, scene in scenes().items():
        for width in WIDTHS:
            look = Look(load_theme("light"), scale=scale_for_width(width))
            svg = draw_picture(board, art, scene, look)
            drawing = median(busy(draw_picture, board, art, scene, look) for _ in range(ROUNDS))
            painting = median(busy(to_png, svg, width) for _ in range(ROUNDS))
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
    phase()
    table()
    for name in sys.argv[1:]:
        sheet(Path(name))
