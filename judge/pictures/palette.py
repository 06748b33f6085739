"""The colors of a page: names that its style sheet gives values, one set a theme."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from judge.pictures.theme import Colors, Theme
from judge.rules.geography import Map
from judge.rules.vocabulary import Power

OF_POWERS = ("unit", "letter", "land", "line")
NO_COLORS = ("name", "powers", "others", "hatch_opacity", "halo_width")
OWN_LINE = "var(--line)"  # of the power whose class an element, or one around it, has


def named_colors(board: Map, like: Theme) -> Theme:
    """Return a theme whose colors are `var(--sea)`, `var(--FRANCE-land)`; the rest is *like*."""
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


def values(board: Map, theme: Theme) -> str:
    """Return the declarations that give the colors of `named_colors` those of *theme*."""
    return "".join(f"--{name}:{value};" for name, value in _values(board, theme))


def classes(board: Map) -> str:
    """Return the rules by which an element of the class of a power has its colors."""
    return "".join(
        f".{power}{{{''.join(f'--{part}:var(--{power}-{part});' for part in OF_POWERS)}}}"
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
