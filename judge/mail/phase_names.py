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


# What may head a part of a mail: the next phase of the kind, which may be the open one.
HEADINGS = MappingProxyType(
    {"RETREATS:": "R", "BUILDS:": "A", "ADJUSTMENTS:": "A", "WINTER:": "A"}
)


def following(name: str, now: Phase | None) -> str:
    """Return the code of the phase called *name*: `R` and `A` are the next of their kind."""
    if now is None or name not in HEADINGS.values():
        return name
    while now.kind.value != name:
        now = now.following()
    return now.code


def phase_named(words: Sequence[str]) -> str | None:
    """Return the code of the phase that *words* name, None if there is no such phase.

    A heading such as `RETREATS:` names one of its kind, for `following` to find.
    """
    match [word.upper() for word in words]:
        case [heading] if heading in HEADINGS:
            return HEADINGS[heading]
        case [code]:
            written = code
        case [season, year] if season in SEASONS:
            written = SEASONS[season] + year + ("B" if SEASONS[season] == "W" else "M")
        case [season, year, kind] if season in SEASONS and kind in KINDS:
            written = SEASONS[season] + year + KINDS[kind]
        case _:
            return None
    try:
        return Phase.parse(written).code
    except ValueError:
        return None
