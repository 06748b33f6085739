"""Marks for the results of orders; each differs in shape, not only in color."""

from __future__ import annotations

import math
from enum import Enum, auto
from functools import cache
from typing import assert_never

from judge.pictures.geometry import Point
from judge.pictures.parts import Part, box_around
from judge.pictures.svg import element, group, number, text
from judge.pictures.themes import Theme
from judge.rules import outcomes


class Sign(Enum):
    """The meaning of a mark."""

    HOLDS = auto()
    CARRIES = auto()
    BOUNCED = auto()
    CUT = auto()
    BROKEN = auto()
    VOID = auto()
    DISLODGED = auto()
    DESTROYED = auto()
    BUILT = auto()
    REMOVED = auto()


def sign_of(verdict: outcomes.Verdict | None) -> Sign | None:
    """Return the sign for *verdict*, None for a successful order."""
    match verdict:
        case (
            None
            | outcomes.Stands()
            | outcomes.Succeeds()
            | outcomes.Given()
            | outcomes.Available()
        ):
            return None
        case outcomes.Illegal() | outcomes.Invalid():
            return Sign.VOID
        case outcomes.Cut():
            return Sign.CUT
        case outcomes.Disrupted():
            return Sign.BROKEN
        case outcomes.Fails(cause=cause):
            return _sign_of_cause(cause)
        case _:
            assert_never(verdict)


def _sign_of_cause(cause: outcomes.FailCause) -> Sign:
    match cause:
        case (
            outcomes.StoodOff()
            | outcomes.HeldOff()
            | outcomes.HeadOn()
            | outcomes.OwnUnit()
            | outcomes.RetreatsClash()
        ):
            return Sign.BOUNCED
        case outcomes.ConvoyBroken() | outcomes.ConvoyParadox() | outcomes.ParadoxHold():
            return Sign.BROKEN
        case outcomes.Futile():
            return Sign.VOID
        case _:
            assert_never(cause)


def sign_of_fate(fate: outcomes.Fate) -> Sign:
    """Return the sign for a dislodged or destroyed unit."""
    match fate:
        case outcomes.Dislodged():
            return Sign.DISLODGED
        case outcomes.Destroyed():
            return Sign.DESTROYED
        case _:
            assert_never(fate)


RING_RADIUS = 15.0  # around a unit
MARK_SIZE = 38.0  # of the largest mark
RING_STYLES = {  # width and dashes
    Sign.HOLDS: (2.0, None),
    Sign.CARRIES: (2.0, "2 4.28"),
    Sign.DISLODGED: (3.0, "6.4 3.02"),
    Sign.BUILT: (2.6, None),
}
STAR_POINTS, STAR_OUTER, STAR_INNER = 9, 8.5, 4.6
CROSS = "M-3-3L3 3M3-3L-3 3"
UNEQUAL = "M-3.4-1.4H3.4M-3.4 1.4H3.4M2-3.8L-2 3.8"
CROSSED_OUT = (
    "M-14-12L-6.5-5.5M14-12L6.5-5.5M-14 12L-6.5 5.5M14 12L6.5 5.5"  # leaves the letter legible
)
PLUS = "M-3 0H3M0-3V3"


def draw_mark(
    sign: Sign, spot: Point, line: str, theme: Theme, scale: float, *, caption: str
) -> Part:
    """Return *sign* at *spot*; *line* is the power's line color."""
    box = box_around((0, 0), MARK_SIZE, MARK_SIZE)
    return Part(_shape(sign, line, theme), box, spot, scale, caption)


def mark_width(sign: Sign) -> float:
    """Return the width of *sign*."""
    match sign:
        case Sign.BOUNCED | Sign.CUT | Sign.BROKEN | Sign.VOID:
            return 2 * STAR_OUTER
        case (
            Sign.HOLDS | Sign.CARRIES | Sign.DISLODGED | Sign.DESTROYED | Sign.BUILT | Sign.REMOVED
        ):
            return 2 * RING_RADIUS
        case _:
            assert_never(sign)


def is_under_units(sign: Sign) -> bool:
    """Return whether *sign* surrounds a unit and is drawn before it."""
    return sign in (Sign.HOLDS, Sign.CARRIES, Sign.DISLODGED)


@cache
def _shape(sign: Sign, line: str, theme: Theme) -> str:
    match sign:
        case Sign.HOLDS | Sign.CARRIES:
            shapes = _rings(sign, line, theme)
        case Sign.DISLODGED:
            shapes = _rings(sign, theme.bad, theme)
        case Sign.BUILT:
            plus = group(_badge(theme, theme.good, PLUS), transform="translate(11-11)")
            shapes = [*_rings(sign, theme.good, theme), plus]
        case Sign.DESTROYED | Sign.REMOVED:
            shapes = _crossed_out(theme)
        case Sign.BOUNCED:
            shapes = [element("path", d=STAR, fill=theme.bad, stroke=theme.mark, stroke_width=1.4)]
        case Sign.CUT:
            shapes = _badge(theme, theme.bad, CROSS)
        case Sign.BROKEN:
            shapes = _badge(theme, theme.bad, UNEQUAL)
        case Sign.VOID:
            asks = text("?", (0, 0), 10, font_weight="bold", fill=theme.void)
            shapes = [_disc(theme, theme.void), asks]
        case _:
            assert_never(sign)
    return "".join(shapes)


def _rings(sign: Sign, color: str, theme: Theme) -> list[str]:
    width, dashes = RING_STYLES[sign]
    return [
        element(
            "circle",
            r=RING_RADIUS,
            fill="none",
            stroke=theme.halo,
            stroke_width=width + 2,
            stroke_opacity=0.7,
        ),
        element(
            "circle",
            r=RING_RADIUS,
            fill="none",
            stroke=color,
            stroke_width=width,
            stroke_dasharray=dashes,
        ),
    ]


def _crossed_out(theme: Theme) -> list[str]:
    return [
        element("path", d=CROSSED_OUT, stroke=color, stroke_width=width, stroke_linecap="round")
        for color, width in ((theme.mark, 5.6), (theme.bad, 3.2))
    ]


def _badge(theme: Theme, color: str, path: str) -> list[str]:
    sign = element("path", d=path, stroke=color, stroke_width=1.9, stroke_linecap="round")
    return [_disc(theme, color), sign]


def _disc(theme: Theme, color: str) -> str:
    return element("circle", r=6.3, fill=theme.mark, stroke=color, stroke_width=1.5)


def _star() -> str:
    points = []
    for corner in range(2 * STAR_POINTS):
        angle = corner * math.pi / STAR_POINTS - math.pi / 2
        radius = STAR_INNER if corner % 2 else STAR_OUTER
        points.append(f"{number(radius * math.cos(angle))} {number(radius * math.sin(angle))}")
    return "M" + "L".join(points) + "Z"


STAR = _star()
