"""How the lines of orders are drawn: each manner has dashes of its own, and each a halo."""

from __future__ import annotations

from typing import assert_never

from judge.pictures.lines import Line, heading, trimmed
from judge.pictures.look import Look
from judge.pictures.strokes import Head, Manner, Stroke
from judge.pictures.svg import element, group, number, path, title

HEAD_LENGTH, HEAD_WIDTH = 10.0, 5.2
BAR_WIDTH = 6.0
WIDTHS = {
    Manner.MOVE: 3.2,
    Manner.FAILED: 3.0,
    Manner.SUPPORT: 2.3,
    Manner.CONVOY: 2.3,
    Manner.RETREAT: 2.8,
    Manner.OPTION: 1.6,
}
DASHES = {
    Manner.FAILED: (7.0, 4.0),
    Manner.SUPPORT: (0.1, 4.4),
    Manner.CONVOY: (7.0, 3.5, 0.1, 3.5),
    Manner.RETREAT: (11.0, 3.5, 2.0, 3.5),
    Manner.OPTION: (2.0, 3.0),
}


def stroke(drawn: Stroke, color: str, told: str, look: Look) -> str:
    """Return a line on its halo, with its head; *told* is what a reader of no pictures hears."""
    theme, scale = look.theme, look.scale
    width = WIDTHS[drawn.manner] * scale
    line, head = _headed(drawn, color, look)
    dashes = " ".join(number(each * scale) for each in DASHES.get(drawn.manner, ()))
    return group(
        [
            title(told) if told else "",
            element(
                "path",
                d=path(line),
                stroke=theme.halo,
                stroke_width=width + 2.4 * scale,
                stroke_opacity=0.8,
            ),
            element(
                "path",
                d=path(line),
                stroke=color,
                stroke_width=width,
                stroke_dasharray=dashes or None,
                stroke_linecap="round" if drawn.manner is Manner.SUPPORT else None,
            ),
            head,
        ],
        fill="none",
        stroke_linejoin="round",
    )


def _headed(drawn: Stroke, color: str, look: Look) -> tuple[Line, str]:
    """Return the line of *stroke* as far as its head, and the head."""
    line, scale, halo = drawn.line, look.scale, look.theme.halo
    (x, y), (across, down) = line[-1], heading(line, 1)
    match drawn.head:
        case Head.ARROW:
            shaft = trimmed(line, 0, HEAD_LENGTH * scale * 0.8)
            across, down = heading(shaft, 1)
            back = x - across * HEAD_LENGTH * scale, y - down * HEAD_LENGTH * scale
            wide = across * HEAD_WIDTH * scale, down * HEAD_WIDTH * scale
            corners = (
                (x, y),
                (back[0] - wide[1], back[1] + wide[0]),
                (back[0] + wide[1], back[1] - wide[0]),
            )
            return shaft, element("path", d=path(corners) + "Z", fill=color, stroke=halo)
        case Head.DOT:
            dot = element("circle", cx=x, cy=y, r=3.3 * scale, fill=color, stroke=halo)
            return line, dot
        case Head.RING:
            ring = element(
                "circle", cx=x, cy=y, r=3.6 * scale, fill=halo, stroke=color, stroke_width=1.6
            )
            return line, ring
        case Head.BAR:
            wide = across * BAR_WIDTH * scale, down * BAR_WIDTH * scale
            ends = (x - wide[1], y + wide[0]), (x + wide[1], y - wide[0])
            return line, element("path", d=path(ends), stroke=color, stroke_width=3 * scale)
        case _:
            assert_never(drawn.head)
