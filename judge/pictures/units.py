"""Units: an army is a gun on wheels, a fleet a ship, and both bear the letter of their power."""

from __future__ import annotations

from typing import assert_never

from judge.pictures.lines import Point
from judge.pictures.svg import element, group, pair, text, title
from judge.pictures.theme import Colors, Theme
from judge.rules.types import UnitKind

WIDTH, HEIGHT = 24.0, 21.0  # about what a unit covers
GUN = "M-9.5-8.5H9.5V4.5H-9.5Z"
HULL = "M-12.5-2H12.5L8.5 8.5H-8.5Z"
SAILS = "M-.9-3.4V-12L-8.2-3.4ZM.9-3.4V-12L8.2-3.4Z"
WHEELS = (-5.0, 5.0)


def unit(  # noqa: PLR0913 - all that a unit is drawn with
    kind: UnitKind,
    spot: Point,
    letter: str,
    colors: Colors,
    theme: Theme,
    scale: float,
    *,
    told: str,
) -> str:
    """Return a unit at *spot*, of which *told* is what a reader who cannot see it hears."""
    match kind:
        case UnitKind.ARMY:
            shapes = [
                element("path", d=GUN),
                *(element("circle", cx=x, cy=7, r=2.9) for x in WHEELS),
            ]
            sign = text(letter, (0, -1.4), 12.5, **_letter(colors))
        case UnitKind.FLEET:
            shapes = [element("path", d=HULL), element("path", d=SAILS)]
            sign = text(letter, (0, 3.2), 10.5, **_letter(colors))
        case _:
            assert_never(kind)
    return group(
        [
            title(told) if told else "",
            group(shapes, fill=colors.unit, stroke=theme.outline, stroke_width=1.2),
            sign,
        ],
        transform=f"translate({pair(spot)}) scale({scale:.2f})",
        stroke_linejoin="round",
    )


def _letter(colors: Colors) -> dict[str, str]:
    return {"font_weight": "bold", "fill": colors.letter, "stroke": "none"}
