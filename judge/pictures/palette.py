"""The colors of a page: names that its style sheet gives values, one set a theme."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from judge.pictures.theme import Colors, Theme
from judge.rules.board import Map
from judge.rules.types import Power

OF_POWERS = ("unit", "letter", "land", "line")
NO_COLORS = ("name", "powers", "others", "hatch_opacity", "halo_width")
OWN_LINE = "var(--line)"  # of the power whose class an element, or one around it, has


def named_colors(board: Map, like: Theme) -> Theme:
    """Return a theme of colors such as `var(--FRANCE-land)`; the rest is as in *like*."""
    powers = {power: _named(power) for power in board.powers}
    named = {
        each.name: f"var(--{_css(each.name)})"
        for each in fields(Theme)
        if each.name not in NO_COLORS
    }
    return Theme(
        name="page",
        hatch_opacity=like.hatch_opacity,
        halo_width=like.halo_width,
        powers=powers,
        others=tuple(powers.values()),
        **named,
    )


def sheet(board: Map, light: Theme, dark: Theme) -> str:
    """Return the style sheet of the colors: *dark* where the reader likes it, *light* on paper.

    An attribute `data-theme` of the root, `light` or `dark`, overrules what the reader likes.
    """
    day, night = _declarations(board, light), _declarations(board, dark)
    return (
        f":root{{{day}}}\n"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{night}}}}}\n"
        f":root[data-theme=dark]{{{night}}}\n"
        f"@media print{{:root:root:root{{{day}}}}}\n" + _classes(board)
    )


def _declarations(board: Map, theme: Theme) -> str:
    return "".join(f"--{name}:{value};" for name, value in _values(board, theme))


def _classes(board: Map) -> str:
    """Return the rules by which what has the class of a power has its colors."""
    return "".join(
        f".{power}{{{''.join(f'--{part}:var(--{power}-{part});' for part in OF_POWERS)}}}\n"
        for power in board.powers
    )


def _values(board: Map, theme: Theme) -> Iterator[tuple[str, str]]:
    for each in fields(Theme):
        if each.name not in NO_COLORS:
            yield _css(each.name), getattr(theme, each.name)
    for number, power in enumerate(board.powers):
        colors = theme.colors_of(power, number)
        for part in OF_POWERS:
            yield f"{power}-{part}", getattr(colors, part)


def _named(power: Power) -> Colors:
    return Colors(*(f"var(--{power}-{part})" for part in OF_POWERS))


def _css(name: str) -> str:
    return "c-" + name.replace("_", "-")
