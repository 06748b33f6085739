"""SVG elements as text, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import pairwise
from typing import TypeAlias

from judge.pictures.geometry import Line, Point

BASELINE = 0.35  # times the size, below the middle of letters

Value: TypeAlias = str | float | None


def element(name: str, *children: str, **attributes: Value) -> str:
    """Return the element *name*; `stroke_width` is written `stroke-width`, None is left out."""
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def group(children: Iterable[str], **attributes: Value) -> str:
    """Return a group of *children* with common *attributes*, empty without children."""
    inner = "\n".join(child for child in children if child)
    return element("g", inner, **attributes) if inner else ""


def text(words: str, spot: Point, size: float, **attributes: Value) -> str:
    """Return *words* centered on *spot*, unless `text_anchor` says otherwise."""
    below = spot[1] + size * BASELINE
    anchor = attributes.pop("text_anchor", "middle")
    return element(
        "text",
        escape(words, quote=False),
        x=spot[0],
        y=below,
        font_size=size,
        text_anchor=anchor,
        **attributes,
    )


def title(words: str) -> str:
    """Return a title, which must be the first child of its element."""
    return element("title", escape(words, quote=False))


def path(line: Line) -> str:
    """Return the `d` attribute of *line*."""
    return "M" + "L".join(pair(point) for point in line)


def steps(points: Iterable[Point], *, closed: bool) -> str:
    """Return the `d` attribute of a line in tenths of a unit, each point as the step to it."""
    tenths: list[tuple[int, int]] = []
    for x, y in points:
        point = round(x * 10), round(y * 10)
        if point not in tenths[-1:]:
            tenths.append(point)
    if closed and tenths[0] == tenths[-1]:
        tenths.pop()
    if len(tenths) < (3 if closed else 2):
        return ""
    ways = " ".join(
        f"{x - before_x} {y - before_y}" for (before_x, before_y), (x, y) in pairwise(tenths)
    )
    text = f"M{tenths[0][0]} {tenths[0][1]}l{ways}" + ("z" if closed else "")
    return text.replace(" -", "-")


def pair(point: Point) -> str:
    """Write *point* as two numbers."""
    return f"{number(point[0])} {number(point[1])}"


def number(value: float) -> str:
    """Write *value* with one decimal, without a trailing zero."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def decimals(value: float) -> str:
    """Write *value* with up to two decimals."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _attribute(value: str | float) -> str:
    if isinstance(value, str):
        return escape(value, quote=False).replace('"', "&quot;")
    return decimals(value)
