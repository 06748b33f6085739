"""Time and size of results emails: `python -m tests.bench.mails`.

Words, markup and frame are what the transaction waits for, each for one reader; paint is what the
mail waits for, once for all readers.
"""

from __future__ import annotations

from statistics import median

from judge.adapters.variant_files import load_art, load_map
from judge.app.outbound.maps import power_chips
from judge.pictures.drawing import draw_picture
from judge.pictures.png import paint
from judge.pictures.scene import scene_with_outcomes
from judge.pictures.themes import Look, load_theme, scale_for_width
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.render import html_document, render
from tests.bench.measuring import seconds
from tests.unit.reports.samples import samples

ROUNDS = 20
PICTURES = {"orders": "orders@judge", "position": "position@judge"}
READ_AT, WIDTH = 360, 900  # as in judge/app/outbound/maps.py


def table() -> None:
    board, art = load_map(), load_art()
    assert art
    print(
        "mail                  text kB  html kB  png kB  words ms  markup ms  frame ms  paint ms"
    )
    for name, told in samples().items():
        if not isinstance(told, PhaseResults):
            continue
        page = render(told, PICTURES)
        words = median(seconds(render, told, PICTURES) for _ in range(ROUNDS))
        markup = median(seconds(lambda page=page: page.html) for _ in range(ROUNDS))
        frame = median(seconds(html_document, [page], power_chips(board)) for _ in range(ROUNDS))
        scene = scene_with_outcomes(
            told.shared.stood, [o for given in told.shared.orders.values() for o in given]
        )
        picture = draw_picture(
            board, art, scene, Look(load_theme("light"), scale=scale_for_width(READ_AT))
        )
        painting = median(seconds(paint, picture, WIDTH) for _ in range(3))
        sizes = (
            len(page.text),
            len(html_document([page], power_chips(board)) or ""),
            len(paint(picture, WIDTH)),
        )
        times = (words, markup, frame - markup, painting)
        print(
            f"{name:20} {sizes[0] / 1000:8.1f} {sizes[1] / 1000:8.1f} {sizes[2] / 1000:7.0f}"
            "{:10.1f} {:10.1f} {:9.1f} {:9.0f}".format(*(each * 1000 for each in times))
        )


if __name__ == "__main__":
    table()
