"""Themes (colors, read from `templates/pictures/themes`), scales and style sheets of pictures."""

from __future__ import annotations

import colorsys
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache

from judge.resources import folder, read_text
from judge.rules.board import Map
from judge.rules.types import NEUTRAL, Power

THEMES_FOLDER = "pictures/themes"


class UnknownThemeError(LookupError):
    """There is no theme with this name."""


@dataclass(frozen=True, slots=True)
class PowerColors:
    """The colors of a power: its *unit*, the *letter* on it, its *land* and its *line*s.

    *hatch* names the pattern on its land, if any, in its line color.
    """

    unit: str
    letter: str
    land: str
    line: str
    hatch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Theme:
    """The colors of a picture; other powers than *powers* get what those leave (`power_colors`).

    *ink* is for names on land, *sea_ink* at sea; *halo* surrounds names and lines. *good*, *bad*
    and *void* are for marks, *mark* for their inside, *paper* for the title's background.
    """

    name: str
    sea: str
    land: str
    impassable: str
    neutral: str
    coast: str
    land_border: str
    sea_border: str
    ink: str
    sea_ink: str
    halo: str
    paper: str
    outline: str
    center: str
    mark: str
    good: str
    bad: str
    void: str
    hatch_opacity: float
    halo_width: float
    powers: Mapping[Power, PowerColors]


def theme_names() -> tuple[str, ...]:
    """Return the names of the themes in alphabetical order."""
    return tuple(
        sorted(file.stem for file in (folder("templates") / THEMES_FOLDER).glob("*.toml"))
    )


@cache
def load_theme(name: str) -> Theme:
    """Return the theme *name*. Raises `UnknownThemeError`."""
    if name not in theme_names():
        raise UnknownThemeError(name)
    source = tomllib.loads(read_text("templates", f"{THEMES_FOLDER}/{name}.toml"))
    powers = {power: PowerColors(**each) for power, each in source.pop("powers").items()}
    return Theme(name=name, powers=powers, **source)


@cache
def power_colors(board: Map, theme: Theme) -> Mapping[Power, PowerColors]:
    """Return the colors of all powers of *board*, and of its neutral units.

    Powers that the theme does not name get the colors of those that are not on the board, and then
    new ones, as far as possible from each other.
    """
    left = [colors for power, colors in theme.powers.items() if power not in board.powers]
    found = {NEUTRAL: PowerColors(theme.neutral, theme.ink, theme.neutral, theme.land_border)}
    for power in board.powers:
        if power in theme.powers:
            found[power] = theme.powers[power]
        elif left:
            found[power] = left.pop(0)
        else:
            found[power] = _new_colors(theme, len(found))
    return found


def _new_colors(theme: Theme, number: int) -> PowerColors:
    """Return colors of another hue, and a hatch if the theme has them."""
    samples = list(theme.powers.values())
    like = samples[number % len(samples)]
    if not any(_saturation(each.unit) for each in samples):
        return like  # in black and white only letters tell more powers apart
    hue = number * GOLDEN_ANGLE % 1
    return PowerColors(
        unit=_color(hue, min(max(_lightness(like.unit), 0.3), 0.75), 0.6),
        letter=like.letter,
        land=_color(hue, _lightness(like.land), 0.45),
        line=_color(hue, _lightness(like.line), 0.6),
        hatch=like.hatch,
    )


GOLDEN_ANGLE = 0.618


def _hls(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return colorsys.rgb_to_hls(red, green, blue)


def _lightness(color: str) -> float:
    return _hls(color)[1]


def _saturation(color: str) -> float:
    return _hls(color)[2]


def _color(hue: float, lightness: float, saturation: float) -> str:
    parts = colorsys.hls_to_rgb(hue, lightness, saturation)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


PLAIN_WIDTH = 1000  # pixels at scale 1
SCALE_GROWTH = 0.62  # keeps symbols legible in small pictures
SCALE_MIN, SCALE_MAX = 0.9, 1.9


class NameStyle(Enum):
    """The form of province names in a picture."""

    SHORT = "short"
    FULL = "full"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Look:
    """The theme, the names of provinces, the scale of symbols, and whether there is a legend.

    The units of the power of the *reader* stand out. A picture that is *shared* by several readers
    can be made one for each (`parts.with_discs`).
    """

    theme: Theme
    names: NameStyle = NameStyle.SHORT
    scale: float = 1.0
    legend: bool = True
    reader: Power | None = None
    shared: bool = False


def scale_for_width(width: int) -> float:
    """Return the scale of symbols for a picture *width* pixels wide."""
    return min(SCALE_MAX, max(SCALE_MIN, math.pow(PLAIN_WIDTH / width, SCALE_GROWTH)))


@dataclass(frozen=True, slots=True)
class PowerPalette:
    """Looks up the colors of powers in a theme."""

    board: Map
    theme: Theme

    def colors(self, power: Power) -> PowerColors:
        """Return the colors of *power*."""
        return power_colors(self.board, self.theme)[power]


POWER_COLORS = ("unit", "letter", "land", "line")
NOT_COLORS = ("name", "powers", "hatch_opacity", "halo_width")
OWN_LINE_COLOR = "var(--line)"  # from the class of an enclosing element


def css_variable_theme(board: Map, like: Theme) -> Theme:
    """Return a theme of CSS variables such as `var(--FRANCE-land)`, otherwise as *like*."""
    powers = {power: _css_variables_of(power) for power in (*board.powers, NEUTRAL)}
    named = {
        each.name: f"var(--{_css_name(each.name)})"
        for each in fields(Theme)
        if each.name not in NOT_COLORS
    }
    return Theme(
        name="page",
        hatch_opacity=like.hatch_opacity,
        halo_width=like.halo_width,
        powers=powers,
        **named,
    )


def color_style_sheet(board: Map, light: Theme, dark: Theme) -> str:
    """Return the style sheet: *dark* if the reader prefers it, *light* on paper.

    The attribute `data-theme` of the root, `light` or `dark`, overrides the preference.
    """
    day, night = _declarations(board, light), _declarations(board, dark)
    return (
        f":root{{{day}}}\n"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{night}}}}}\n"
        f":root[data-theme=dark]{{{night}}}\n"
        f"@media print{{:root:root:root{{{day}}}}}\n" + _classes(board)
    )


def _declarations(board: Map, theme: Theme) -> str:
    return "".join(f"--{name}:{value};" for name, value in _css_values(board, theme))


def _classes(board: Map) -> str:
    return "".join(
        f".{power}{{{''.join(f'--{part}:var(--{power}-{part});' for part in POWER_COLORS)}}}\n"
        for power in (*board.powers, NEUTRAL)
    )


def _css_values(board: Map, theme: Theme) -> Iterator[tuple[str, str]]:
    for each in fields(Theme):
        if each.name not in NOT_COLORS:
            yield _css_name(each.name), getattr(theme, each.name)
    for power, colors in power_colors(board, theme).items():
        for part in POWER_COLORS:
            yield f"{power}-{part}", getattr(colors, part)


def _css_variables_of(power: Power) -> PowerColors:
    return PowerColors(*(f"var(--{power}-{part})" for part in POWER_COLORS))


def _css_name(name: str) -> str:
    return "c-" + name.replace("_", "-")
