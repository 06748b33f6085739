"""Pictures as PNG, the same on every machine, without system fonts."""

from __future__ import annotations

import atexit
import shutil
import struct
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from io import BytesIO
from itertools import product
from operator import itemgetter
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeAlias, cast

import resvg_py
from fontpkg_pt_sans import ROOT
from PIL import Image, ImageColor

from judge.pictures.parts import COLORS, DISC_COLORS, Marked, Part, Picture, disc_colors, pixels_of

FONT_FOLDER = ROOT / "files"
TABLE_COUNT, TABLES, TABLE_RECORD = slice(4, 6), 12, 16  # bytes of a font file
LOOKED_AT = 4  # every fourth pixel of every fourth row
COLORS_LOOKED_AT = 600
COLOR_DISTANCE_MIN = 9  # in red, green or blue
HALF = 128  # of what covers a pixel
COMPRESSION = 3  # 4 takes 1 ms longer for 4 % less
Color: TypeAlias = tuple[int, int, int]


GROUNDS_KEPT = 4  # of 3 MB each
PARTS_KEPT = 3_000  # of about 5 kB each


def paint(picture: Picture, width: int) -> bytes:
    """Return *picture* as a PNG *width* pixels wide, like `to_png` of its SVG but faster.

    Parts seen before are not painted again. They are moved by whole pixels only.
    """
    zoom = width / picture.width
    canvas = _ground(picture, zoom).copy()
    for part in picture.parts:
        _add_part(canvas, picture, part, zoom)
    marked = picture.marked
    masks = [_mask(picture, part, zoom) for part in (marked.ring, marked.disc)] if marked else []
    return _reduce_to_palette(canvas.convert("RGB"), marked, masks, zoom)


def to_png(svg: str, width: int) -> bytes:
    """Return *svg* as a PNG *width* pixels wide."""
    return _reduce_to_palette(_rasterize(svg, width).convert("RGB"))


_grounds: OrderedDict[object, Image.Image] = OrderedDict()


def _ground(picture: Picture, zoom: float) -> Image.Image:
    """Return the painted ground of *picture*; both pictures of a phase often have the same."""
    key = zoom, picture.height, picture.background, picture.patterns, picture.ground
    if key not in _grounds:
        size = round(picture.width * zoom), round(picture.height * zoom)
        canvas = Image.new("RGBA", size, picture.background)
        for part in picture.ground:
            _add_part(canvas, picture, part, zoom)
        _grounds[key] = canvas
    _grounds.move_to_end(key)
    if len(_grounds) > GROUNDS_KEPT:
        _grounds.popitem(last=False)
    return _grounds[key]


def _add_part(canvas: Image.Image, picture: Picture, part: Part, zoom: float) -> None:
    x, y = round(part.spot[0] * zoom), round(part.spot[1] * zoom)
    left, top, right, bottom = pixels_of(part.box, part.scale * zoom)
    # What is beyond the edge of the board is not painted.
    left, top = max(left, -x), max(top, -y)
    size = min(right, canvas.width - x) - left, min(bottom, canvas.height - y) - top
    if min(size) > 0:
        paint_part = _painted_part if part.kept else _rasterize
        painted = paint_part(picture.svg_of(part, left, top, size, zoom), size[0])
        canvas.alpha_composite(painted, (x + left, y + top))


@lru_cache(PARTS_KEPT)
def _painted_part(svg: str, width: int) -> Image.Image:
    return _rasterize(svg, width)


def _rasterize(svg: str, width: int) -> Image.Image:
    raw = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=_fonts() if "<text" in svg else None,
        font_family="PT Sans",
        sans_serif_family="PT Sans",
    )
    with Image.open(BytesIO(raw)) as picture:
        return picture.convert("RGBA")


@cache
def _fonts() -> list[str]:
    """Return copies of the fonts without their `kern` tables, which are deleted at the exit.

    resvg reads this long table anew for each text, a fifth of the time of a picture, and then
    takes the kerning from the newer `GPOS` table: the pixels are the same. Where no file can be
    written, the fonts are taken as they are.
    """
    files = sorted(FONT_FOLDER.glob("*.ttf"))
    try:
        folder = Path(mkdtemp(prefix="judge-fonts-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for file in files:
            (folder / file.name).write_bytes(_without_kern_table(file.read_bytes()))
    except OSError:
        return [str(file) for file in files]
    return [str(folder / file.name) for file in files]


def _without_kern_table(font: bytes) -> bytes:
    """Return *font* with its `kern` table under a tag without meaning, in alphabetical order."""
    (count,) = struct.unpack(">H", font[TABLE_COUNT])
    end = TABLES + count * TABLE_RECORD
    tables = [font[at : at + TABLE_RECORD] for at in range(TABLES, end, TABLE_RECORD)]
    renamed = (b"kerz" + each[4:] if each.startswith(b"kern") else each for each in tables)
    return font[:TABLES] + b"".join(renamed) + font[end:]


def _mask(picture: Picture, part: Part, zoom: float) -> Image.Image:
    """Return where *part* covers a picture; its middle is that of the part."""
    left, top, right, bottom = pixels_of(part.box, part.scale * zoom)
    size = right - left, bottom - top
    painted = _painted_part(picture.svg_of(part, left, top, size, zoom), size[0])
    return painted.getchannel("A").point([255 * (each >= HALF) for each in range(256)])


def _add_discs(
    picture: Image.Image, marked: Marked, masks: Sequence[Image.Image], zoom: float
) -> None:
    """Give the ground below rings and discs colors of their own, which look the same.

    Units, lines and names stay above.
    """
    palette = picture.getpalette() or []
    palette += [0] * (3 * COLORS - len(palette))
    wanted = {ImageColor.getrgb(color) for color in marked.ground_colors}
    colors = zip(palette[::3], palette[1::3], palette[2::3], strict=True)
    ground = {number: color for number, color in enumerate(colors) if color in wanted}
    width, height = masks[0].size
    for number, spots in enumerate(marked.spots):
        corners = [(round(x * zoom) - width // 2, round(y * zoom) - height // 2) for x, y in spots]
        below = [picture.crop((x, y, x + width, y + height)) for x, y in corners]
        counted = [part.histogram(masks[0]) for part in below]
        counts = {color: sum(each[color] for each in counted) for color in ground}
        common = sorted(ground, key=counts.__getitem__, reverse=True)
        kinds = disc_colors(number, len(marked.spots))
        for own, mask in zip(reversed(kinds), reversed(masks), strict=True):
            table = list(range(COLORS))
            for color, new in zip(common, own, strict=False):
                table[color] = new
                palette[3 * new : 3 * new + 3] = ground[color]
            for part, corner in zip(below, corners, strict=True):
                picture.paste(part.point(table), corner, mask)
    picture.putpalette(palette)


def _reduce_to_palette(
    picture: Image.Image,
    marked: Marked | None = None,
    masks: Sequence[Image.Image] = (),
    zoom: float = 1,
) -> bytes:
    """Return *picture* in 256 colors, for a third of the size.

    It keeps the most common colors exactly, except those close to a more common one, since Pillow
    rounds before it looks for the nearest.
    """
    seen = picture.resize((picture.width // LOOKED_AT + 1, picture.height // LOOKED_AT + 1), 0)
    counted = seen.getcolors(seen.width * seen.height)
    assert counted, "a picture has at most one color per pixel"
    least = sorted(map(itemgetter(0), counted))[-COLORS_LOOKED_AT:][0]
    candidates = [each for each in counted if each[0] >= least]
    common = sorted(candidates, key=lambda each: (-each[0], each[1]))[:COLORS_LOOKED_AT]
    kept = _distinct_colors(
        (color for _, color in cast("list[tuple[int, Color]]", common)),
        COLORS - DISC_COLORS if marked else COLORS,
    )
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for color in kept for value in color])
    out = BytesIO()
    reduced = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    if marked:
        _add_discs(reduced, marked, masks, zoom)
    reduced.save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def _distinct_colors(colors: Iterable[Color], most: int) -> list[Color]:
    """Return the first of *colors* that are not close to an earlier one.

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
            if len(kept) == most:
                break
    return kept
