"""Time and size of pictures, by what they show and how wide they are.

`python -m tests.bench.pictures` prints the two pictures of a phase, as emails have them, and a
table of scenes; with a FILE it draws the scenes in every theme into one PNG as well, to be looked
at. Times are CPU time; the calibration loop shows how fast the machine is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from statistics import median

from PIL import Image

from judge.adapters.variant_files import load_art, load_map
from judge.app.outbound.maps import READ_AT
from judge.app.outbound.maps import WIDTH as EMAIL_WIDTH
from judge.pictures.drawing import draw_picture
from judge.pictures.png import paint
from judge.pictures.scene import Scene
from judge.pictures.themes import Look, load_theme, scale_for_width, theme_names
from tests.bench.measuring import ANCHOR_SECONDS, busy, calibrate
from tests.support.scenes import scenes

WIDTHS = (360, 680, 1000, 1600)
ROUNDS = 5
SHEET_WIDTH = 500  # of each picture on the sheet


def phase() -> None:
    """Print what the pictures of a movement phase cost: its orders, and the position after.

    Each round has other owners, as other games have, so its ground is painted anew.
    """
    board, art = load_map(), load_art()
    assert art
    look = Look(load_theme("light"), scale=scale_for_width(READ_AT), shared=True)
    shown = {"orders": scenes()["movement"], "after": Scene(position=scenes()["options"].position)}
    rounds = [
        {name: owned_by_others(shown[name], turn) for name in shown} for turn in range(ROUNDS)
    ]
    for each in rounds:  # warms up
        for scene in each.values():
            paint(draw_picture(board, art, scene, look), EMAIL_WIDTH)
    loops: list[float] = []
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in shown}
    for each in rounds:
        loops.append(busy(calibrate))
        for name, scene in each.items():
            picture = draw_picture(board, art, scene, look)
            drawing = busy(draw_picture, board, art, scene, look)
            times[name].append((drawing, busy(paint, picture, EMAIL_WIDTH)))
    print("a phase    draw ms   paint ms    kB   (median, and range)")
    for name, spent in times.items():
        size = len(paint(draw_picture(board, art, shown[name], look), EMAIL_WIDTH)) / 1000
        drawn, painted = ([each[step] for each in spent] for step in (0, 1))
        print(f"{name:8} {spread(drawn)} {spread(painted)} {size:4.0f}")
    whole = [sum(map(sum, each)) for each in zip(*times.values(), strict=True)]
    anchored = median(whole) / median(loops) * ANCHOR_SECONDS * 1000
    print(f"both: {spread(whole)} ms; calibration loop {spread(loops)} ms")
    print(f"both, if the loop took {ANCHOR_SECONDS * 1000} ms: {anchored:.0f} ms; target 150 ms\n")


def owned_by_others(scene: Scene, turn: int) -> Scene:
    """Return *scene* with the centers of each power owned by the power *turn* places on."""
    powers = load_map().powers
    owners = {
        center: powers[(powers.index(power) + turn) % len(powers)]
        for center, power in scene.position.owners.items()
    }
    return replace(scene, position=replace(scene.position, owners=owners))


def spread(times: Sequence[float]) -> str:
    return f"{median(times) * 1e3:.1f} ({min(times) * 1e3:.1f}-{max(times) * 1e3:.1f})"


def table() -> None:
    board, art = load_map(), load_art()
    assert art
    print("scene     width   svg ms   svg kB   png ms   png kB")
    for name, scene in scenes().items():
        for width in WIDTHS:
            look = Look(load_theme("light"), scale=scale_for_width(width))
            picture = draw_picture(board, art, scene, look)
            drawing = median(busy(draw_picture, board, art, scene, look) for _ in range(ROUNDS))
            painting = median(busy(paint, picture, width) for _ in range(ROUNDS))
            sizes = len(picture.svg()) / 1000, len(paint(picture, width)) / 1000
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
        pictures = [
            draw_picture(board, art, scene, Look(load_theme(name))) for name in theme_names()
        ]
        rows.append([Image.open(BytesIO(paint(each, SHEET_WIDTH))) for each in pictures])
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
