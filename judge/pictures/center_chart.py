"""Chart of the centers of each power by year."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.pictures.svg import element, group, number, text, title
from judge.pictures.themes import PowerColors, PowerPalette, Theme
from judge.rules.board import Map
from judge.rules.types import Power

CENTER_HEIGHT = 10.0
COLUMN_WIDTH = 36.0
COLUMN_GAP = 6.0
AXIS_HEIGHT = 18.0  # for the years below the columns
LETTER_SIZE, YEAR_SIZE = 11.0, 11.0


def draw_center_chart(
    board: Map,
    years: Mapping[str, Mapping[Power, int]],
    theme: Theme,
    heading: str,
    names: Mapping[Power, str],
) -> str:
    """Return a chart of the centers by the name of the year; screen readers read *heading*.

    *names* are those of the powers.
    """
    height = len(board.centers) * CENTER_HEIGHT
    width = len(years) * (COLUMN_WIDTH + COLUMN_GAP)
    palette = PowerPalette(board, theme)
    shown = {
        power: _PowerColumn(names[power], board.nations[power].letter, palette.colors(power))
        for power in board.powers
    }
    columns = (
        _draw_column(shown, year, counts, (place * (COLUMN_WIDTH + COLUMN_GAP), height))
        for place, (year, counts) in enumerate(years.items())
    )
    return element(
        "svg",
        *columns,
        viewBox=f"0 0 {number(width)} {number(height + AXIS_HEIGHT)}",
        width=width,
        height=height + AXIS_HEIGHT,
        role="img",
        aria_label=heading,
    )


@dataclass(frozen=True, slots=True)
class _PowerColumn:
    name: str
    letter: str
    colors: PowerColors


def _draw_column(
    shown: Mapping[Power, _PowerColumn],
    year: str,
    counts: Mapping[Power, int],
    foot: tuple[float, float],
) -> str:
    x, y = foot
    name = text(year, (x + COLUMN_WIDTH / 2, y + AXIS_HEIGHT / 2), YEAR_SIZE, fill="currentColor")
    return group([*_draw_pieces(shown, counts, (x, y)), name])


def _draw_pieces(
    shown: Mapping[Power, _PowerColumn], counts: Mapping[Power, int], foot: tuple[float, float]
) -> Iterator[str]:
    x, y = foot
    for power, each in shown.items():
        count = counts.get(power, 0)
        if not count:
            continue
        height = count * CENTER_HEIGHT
        y -= height
        yield group(
            [
                title(f"{each.name}: {count}"),
                element(
                    "rect", x=x, y=y, width=COLUMN_WIDTH, height=height, fill=each.colors.unit
                ),
                text(
                    f"{each.letter}{count}",
                    (x + COLUMN_WIDTH / 2, y + height / 2),
                    min(LETTER_SIZE, height),
                    fill=each.colors.letter,
                    font_weight="bold",
                ),
            ],
            stroke_width=0.5,
        )
