"""How players name phases: `F1902M`, `FALL 1902 MOVEMENT`, `winter 1902`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from judge.rules.phase import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

SEASONS = MappingProxyType(
    {"S": "S", "SPRING": "S", "F": "F", "FALL": "F", "AUTUMN": "F", "W": "W", "WINTER": "W"}
)
KINDS = MappingProxyType(
    {"M": "M", "MOVE": "M", "MOVES": "M", "MOVEMENT": "M", "MOVEMENTS": "M"}
    | {"R": "R", "RETREAT": "R", "RETREATS": "R", "A": "B", "ADJUST": "B", "ADJUSTMENT": "B"}
    | {"ADJUSTMENTS": "B", "B": "B", "BUILD": "B", "BUILDS": "B"}
)


def phase_named(words: Sequence[str]) -> str | None:
    """Return the code of the phase that *words* name, None if there is no such phase."""
    upper = [word.upper() for word in words]
    if len(upper) in (2, 3) and upper[0] in SEASONS:
        season = SEASONS[upper[0]]
        kind = KINDS.get(upper[2]) if len(upper) == 3 else "B" if season == "W" else "M"  # noqa: PLR2004 - season, year, kind
        upper = [f"{season}{upper[1]}{kind}"]
    try:
        return Phase.parse(" ".join(upper)).code
    except ValueError:
        return None
