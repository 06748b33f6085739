"""How a picture is to look, whatever is in it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from judge.pictures.theme import Theme

PLAIN_WIDTH = 1000  # pixels, at which things are as large as they are drawn
GROWTH = 0.55  # how far things grow as the picture shrinks: they are to be read at any width
SCALE_MIN, SCALE_MAX = 0.9, 1.7


class Names(Enum):
    """What provinces are called in a picture."""

    SHORT = "short"
    FULL = "full"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Look:
    """A theme; the names; how large units, lines and words are; and whether powers are listed."""

    theme: Theme
    names: Names = Names.SHORT
    scale: float = 1.0
    legend: bool = True


def scale_for(width: int) -> float:
    """Return how large things are to be in a picture of *width* pixels."""
    return min(SCALE_MAX, max(SCALE_MIN, math.pow(PLAIN_WIDTH / width, GROWTH)))
