"""A picture as parts: joined into one SVG, or painted one by one and kept for other pictures."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from judge.pictures.geometry import Line, Point
from judge.pictures.svg import decimals, element, group, pair, title

FONT = "'PT Sans',Arial,sans-serif"

Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Part:
    """A *shape* in SVG, times *scale*, at *spot*; *box* encloses it before that.

    Screen readers read *caption*. A part that is *kept* is likely to be in other pictures too.
    """

    shape: str
    box: Box
    spot: Point = (0, 0)
    scale: float = 1
    caption: str = ""
    kept: bool = True

    def svg(self) -> str:
        """Return the part as an SVG element."""
        moved = f"translate({pair(self.spot)})" if self.spot != (0, 0) else ""
        scaled = f"scale({decimals(self.scale)})" if self.scale != 1 else ""
        transform = " ".join(filter(None, (moved, scaled))) or None
        if not self.caption and not transform:
            return self.shape
        caption = title(self.caption) if self.caption else ""
        return group([caption, self.shape], transform=transform)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The spots of the units of each power, and the *disc* with a *ring* that may be at each.

    A PNG does not show them, unless `with_discs` shows those of one power. They cover nothing but
    *ground_colors*.
    """

    spots: Sequence[Sequence[Point]]
    ring: Part
    disc: Part
    ground_colors: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Parts on a *background*, *width* by *height* units, from bottom to top.

    *ground* are the parts below the orders, *patterns* the definitions they use. Screen readers
    read *heading* and *description*. In a PNG, the units of one power can be *marked* later.
    """

    width: int
    height: int
    background: str
    patterns: str
    ground: Sequence[Part]
    parts: Sequence[Part]
    heading: str
    description: str
    marked: Marked | None = None

    def svg(self) -> str:
        """Return the picture as an SVG."""
        parts = [
            title(self.heading),
            element("desc", escape(self.description, quote=False)),
            self.patterns,
            element("rect", width=self.width, height=self.height, fill=self.background),
            *(each.svg() for each in (*self.ground, *self.parts)),
        ]
        return element(
            "svg",
            *(f"\n{part}" for part in parts if part),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width} {self.height}",
            width=self.width,
            height=self.height,
            role="img",
            aria_label=self.heading,
            font_family=FONT,
        )

    def svg_of(self, part: Part, left: int, top: int, size: tuple[int, int], zoom: float) -> str:
        """Return *part* without its spot as an SVG of *size* pixels from *left*, *top*."""
        wide, high = size
        patterns = self.patterns if "url(#" in part.shape else ""
        drawn = group([part.shape], transform=f"scale({part.scale * zoom:.6f})")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {wide} {high}"'
            f' width="{wide}" height="{high}" font-family="{FONT}">{patterns}{drawn}</svg>'
        )


def box_around(spot: Point, width: float, height: float) -> Box:
    """Return the box of this size centered on *spot*."""
    return spot[0] - width / 2, spot[1] - height / 2, spot[0] + width / 2, spot[1] + height / 2


def box_of(points: Iterable[Point] | Line, margin: float) -> Box:
    """Return the box of *points* with a *margin*."""
    across, down = zip(*points, strict=True)
    return min(across) - margin, min(down) - margin, max(across) + margin, max(down) + margin


def pixels_of(box: Box, zoom: float) -> tuple[int, int, int, int]:
    """Return *box* times *zoom*, enlarged to whole pixels."""
    left, top, right, bottom = box
    return (
        math.floor(left * zoom),
        math.floor(top * zoom),
        math.ceil(right * zoom),
        math.ceil(bottom * zoom),
    )


COLORS = 256  # of a palette
DISC_COLORS = 84  # of these, the last: rings and discs have the colors that are below them
PNG_HEADER = 8  # bytes
CHUNK = struct.Struct(">I4s")  # the length of the data of a chunk, and its type


def disc_colors(number: int, powers: int) -> tuple[range, range]:
    """Return the colors in the palette that are rings and discs of the power of this *number*."""
    each = DISC_COLORS // powers // 2
    first = COLORS - DISC_COLORS + 2 * number * each
    return range(first, first + each), range(first + each, first + 2 * each)


def with_discs(png: bytes, number: int, powers: int, *, ring: str, disc: str) -> bytes:
    """Return *png* with the rings and discs of one power in these colors, such as `#102030`.

    Only the palette changes, so nothing is painted or compressed again.
    """
    at, kind, end = PNG_HEADER, b"", PNG_HEADER
    while kind != b"PLTE":
        at = end
        length, kind = CHUNK.unpack_from(png, at)
        end = at + CHUNK.size + length + 4  # with a checksum
    palette = bytearray(png[at + 4 : end - 4])
    for shown, color in zip(disc_colors(number, powers), (ring, disc), strict=True):
        first, last = (4 + 3 * each for each in (shown.start, shown.stop))
        palette[first:last] = bytes.fromhex(color.removeprefix("#")) * len(shown)
    return png[: at + 4] + palette + zlib.crc32(palette).to_bytes(4, "big") + png[end:]
