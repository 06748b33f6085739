"""Pictures as PNG, the same on every machine, without system fonts."""

from __future__ import annotations

import atexit
import shutil
import struct
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from itertools import product
from operator import itemgetter
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeAlias, cast

import resvg_py
from fontpkg_pt_sans import ROOT
from PIL import Image

FONT_FOLDER = ROOT / "files"
TABLE_COUNT, TABLES, TABLE_RECORD = slice(4, 6), 12, 16  # bytes of a font file
PALETTE = 256
COLORS_LOOKED_AT = 2_000
COLOR_DISTANCE_MIN = 9  # in red, green or blue
COMPRESSION = 7  # 8 takes twice as long for 2 % less, 9 six times as long for 4 %
Color: TypeAlias = tuple[int, int, int]


def to_png(svg: str, width: int) -> bytes:
    """Return *svg* as a PNG *width* pixels wide."""
    raw = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=_fonts(),
        font_family="PT Sans",
        sans_serif_family="PT Sans",
    )
    with Image.open(BytesIO(raw)) as picture:
        return _reduce_to_palette(picture.convert("RGB"))


@cache
def _fonts() -> list[str]:
    """Return copies of the fonts without their `kern` tables, which are deleted at the exit.

    resvg reads this long table anew for each text, a fifth of the time of a picture, and then
    takes the kerning from the newer `GPOS` table: the pixels are the same.
    """
    folder = Path(mkdtemp(prefix="judge-fonts-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for file in FONT_FOLDER.glob("*.ttf"):
        (folder / file.name).write_bytes(_without_kern_table(file.read_bytes()))
    return sorted(str(file) for file in folder.iterdir())


def _without_kern_table(font: bytes) -> bytes:
    """Return *font* with its `kern` table under a tag without meaning, in alphabetical order."""
    (count,) = struct.unpack(">H", font[TABLE_COUNT])
    end = TABLES + count * TABLE_RECORD
    tables = [font[at : at + TABLE_RECORD] for at in range(TABLES, end, TABLE_RECORD)]
    renamed = (b"kerz" + each[4:] if each.startswith(b"kern") else each for each in tables)
    return font[:TABLES] + b"".join(renamed) + font[end:]


def _reduce_to_palette(picture: Image.Image) -> bytes:
    """Return *picture* in 256 colors, for a third of the size.

    It keeps the most common colors exactly, except those close to a more common one, since Pillow
    rounds before it looks for the nearest.
    """
    counted = picture.getcolors(picture.width * picture.height)
    assert counted, "a picture has at most one color per pixel"
    least = sorted(map(itemgetter(0), counted))[-COLORS_LOOKED_AT:][0]
    candidates = [each for each in counted if each[0] >= least]
    common = sorted(candidates, key=lambda each: (-each[0], each[1]))[:COLORS_LOOKED_AT]
    kept = _distinct_colors(color for _, color in cast("list[tuple[int, Color]]", common))
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for color in kept for value in color])
    out = BytesIO()
    reduced = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    reduced.save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def _distinct_colors(colors: Iterable[Color]) -> list[Color]:
    """Return the colors that are not close to an earlier one.

    Close colors are in the same or adjacent cells of a grid, so few are compared.
    """
    kept: list[Color] = []
    cells: defaultdict[tuple[int, ...], list[Color]] = defaultdict(list)
    for color in colors:
        red, green, blue = (value // COLOR_DISTANCE_MIN for value in color)
        beside = product(*(range(at - 1, at + 2) for at in (red, green, blue)))
        if all(
            max(abs(a - b) for a, b in zip(color, other, strict=True)) >= COLOR_DISTANCE_MIN
            for cell in beside
            for other in cells.get(cell, ())
        ):
            kept.append(color)
            cells[red, green, blue].append(color)
            if len(kept) == PALETTE:
                break
    return kept
