"""The colors of a picture, from `templates/pictures/themes`: a theme is a file, no code."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from judge.resources import folder, read_text
from judge.rules.types import Power

FOLDER = "pictures/themes"


class UnknownThemeError(LookupError):
    """There is no theme of that name."""


@dataclass(frozen=True, slots=True)
class Colors:
    """The colors of a power: its *unit* and the *letter* on it, its *land*, its *line*s.

    *hatch* is the pattern on its land, in the color of its lines, if it has one.
    """

    unit: str
    letter: str
    land: str
    line: str
    hatch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colors of everything else, and of the powers; *others* are for powers it does not name.

    *ink* is that of names on land, *sea_ink* at sea, *halo* what stands around names and lines;
    *good*, *bad* and *void* are those of marks, *mark* is what is inside them, *paper* what the
    title stands on.
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
    powers: Mapping[Power, Colors]
    others: tuple[Colors, ...]

    def colors_of(self, power: Power, number: int) -> Colors:
        """Return the colors of *power*, the *number*th of its variant."""
        return self.powers.get(power) or self.others[number % len(self.others)]


def themes() -> tuple[str, ...]:
    """Return the names of the themes, in alphabetical order."""
    return tuple(sorted(file.stem for file in (folder("templates") / FOLDER).glob("*.toml")))


@cache
def theme(name: str) -> Theme:
    """Return the theme *name*.

    Raises `UnknownThemeError` if there is none.
    """
    if name not in themes():
        raise UnknownThemeError(name)
    source = tomllib.loads(read_text("templates", f"{FOLDER}/{name}.toml"))
    powers = {power: Colors(**each) for power, each in source.pop("powers").items()}
    return Theme(name=name, powers=powers, others=tuple(powers.values()), **source)
