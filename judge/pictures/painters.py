"""The colors of each power of a variant in one theme."""

from __future__ import annotations

from dataclasses import dataclass

from judge.pictures.theme import Colors, Theme
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class Painters:
    """Knows a power's colors by its name, or by its number if the theme does not name it."""

    board: Map
    theme: Theme

    def colors(self, power: Power) -> Colors:
        """Return the colors of *power*."""
        return self.theme.colors_of(power, self.board.powers.index(power))
