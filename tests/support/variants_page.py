"""Write the boards in `docs/variants.md`: `python -m tests.support.variants_page`.

They come from the folders in `judge/variants`; existing maps stay unless `--maps` is given.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from judge.adapters.variant_files import folder_of, load_map, read_folder, variants
from judge.boards.variant_text import extended_variant
from judge.rules.board import BuildSites, Map
from judge.rules.calendar import STANDARD_TURNS

FILE = Path(__file__).parents[2] / "docs/variants.md"
MAPS = FILE.with_suffix("")
MAP_WIDTH = 520
GALLERY = re.compile(r"(?<=<!-- generated: maps -->\n).*?(?=<!-- end -->)", re.DOTALL)
PART = re.compile(r"(?<=<!-- generated: variants -->\n).*?(?=<!-- end -->)", re.DOTALL)
SITES = {
    BuildSites.ANY_HOME: "builds in any home",
    BuildSites.ANY: "builds anywhere",
    BuildSites.ANY_WITH_A_HOME: "builds anywhere while it owns a home",
    BuildSites.ANY_WITH_ALL_HOMES: "builds anywhere while it owns all homes",
}


def page(text: str) -> str:
    """Return *text* with its table and maps as they should be."""
    text = GALLERY.sub(lambda _: "\n".join(_maps()) + "\n\n", text)
    return PART.sub(lambda _: "\n".join(_lines()) + "\n\n", text)


def _maps() -> Iterator[str]:
    for name in variants():
        title = load_map(name).title
        yield f"\n### {title}\n\n![{title} at its start](variants/{name}.png)"


def draw(name: str) -> None:
    """Write the map of the variant *name*."""
    shown = [
        "variant",
        "show",
        name,
        "--picture",
        str(MAPS / f"{name}.png"),
        "--size",
        str(MAP_WIDTH),
    ]
    subprocess.run([sys.executable, "-m", "judge", *shown], check=True, stdout=subprocess.DEVNULL)


def _lines() -> Iterator[str]:
    yield ""
    sizes = "powers | provinces | centers | victory"
    yield f"| name | title | {sizes} | starts | special | doubts | source |"
    yield "|---|---|--:|--:|--:|--:|---|---|--:|---|"
    for name in variants():
        board = load_map(name)
        cells = (
            f"`{name}`",
            board.title,
            len(board.players),
            len(board.places),
            len(board.centers),
            board.victory_centers,
            board.start.phase.code,
            ", ".join(_special(name, board)),
            len(board.doubts),
            board.source,
        )
        yield f"| {' | '.join(map(str, cells))} |"


def _special(name: str, board: Map) -> Iterator[str]:
    extended = extended_variant(read_folder(folder_of(name)).texts)
    if extended:
        yield f"extends `{extended}`"
    if board.build_sites in SITES:
        yield SITES[board.build_sites]
    if board.first_armies:
        yield "armies at the start where none is ordered"
    if board.garrisons:
        yield "neutral units" + (" that are built again" if board.rebuilt else "")
    if board.calendar.turns != tuple(STANDARD_TURNS):
        yield f"{len(board.calendar.turns)} turns in {board.calendar.years} years"
    yield from (f"a season named {season}" for season in board.calendar.names.values() if season)
    if any(place.convoys for place in board.places.values()):
        yield "coasts that convoy"


if __name__ == "__main__":
    for each in variants():
        if "--maps" in sys.argv or not (MAPS / f"{each}.png").is_file():
            draw(each)
    FILE.write_text(page(FILE.read_text(encoding="utf-8")), encoding="utf-8")
