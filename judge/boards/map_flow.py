"""The calendar of a `.map` file: `FLOW` says which phases follow each other.

FLOW SPRING:MOVEMENT,RETREATS FALL:MOVEMENT,RETREATS WINTER:ADJUSTMENTS
FLOW NEWYEAR:5 SPRING:MOVEMENT,RETREATS NEWYEAR:5 SPRING:MOVEMENT,RETREATS,ADJUSTMENTS
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType

from judge.rules import types
from judge.rules.calendar import STANDARD_TURNS, Calendar, Turn

SEASONS = {
    "SPRING": types.SPRING,
    "FALL": types.FALL,
    "AUTUMN": types.FALL,
    "WINTER": types.WINTER,
}
SEASON_NAMES = {types.SPRING: "SPRING", types.FALL: "FALL", types.WINTER: "WINTER"}
FLOW_ITEM = re.compile(
    r"(?P<newyear>NEWYEAR)(?:[: ](?P<years>\d+))?|(?P<season>[A-Z]+)[: ](?P<phases>[A-Z,]+|\d\S*)"
)


def read_flow(flow: str, begin: str, year: int) -> tuple[Calendar | None, types.Season]:
    """Return the calendar of `FLOW`, None if it is the usual one, and the season of the start.

    Raises `ValueError` if it is none that the judge can follow.
    """
    turns, years = _turns(flow)
    letters = _season_letters(dict.fromkeys(season for season, _, _ in turns))
    found = tuple(Turn(letters[season], offset, adjusts) for season, offset, adjusts in turns)
    others = {
        letter: capitalized(season)
        for season, letter in letters.items()
        if season != SEASON_NAMES[letter]
    }
    first = letters.get(begin, types.WINTER)
    if found == tuple(STANDARD_TURNS) and not others and years == 1:
        return None, first
    offset = next((offset for season, offset, _ in turns if season == begin), 0)
    return Calendar(found, years, year - offset, MappingProxyType(others)), first


def _turns(flow: str) -> tuple[list[tuple[str, int, bool]], int]:
    """Return the turns as season, year in the cycle and whether it adjusts; and the years."""
    turns: list[tuple[str, int, bool]] = []
    year = before = 0
    for item in FLOW_ITEM.finditer(flow):
        if item["newyear"]:
            year += int(item["years"] or 1)
            before = before if turns else year
        elif item["season"] == "IFYEARDIV":
            raise ValueError("IFYEARDIV")
        for phase in (item["phases"] or "").split(","):
            if phase.startswith("M"):
                turns.append((item["season"], year - before, False))
            elif phase.startswith("A") and turns:
                turns[-1] = (*turns[-1][:2], True)
    return turns, max(year, 1)


def _season_letters(names: Collection[str]) -> Mapping[str, types.Season]:
    letters = {name: SEASONS[name] for name in names if name in SEASONS}
    for name in names:
        if name not in letters:
            free = [each for each in SEASON_NAMES if each not in letters.values()]
            if not free:
                raise ValueError(f"a year has more than {len(SEASON_NAMES)} seasons")
            letters[name] = free[0]
    return letters


def capitalized(word: str) -> str:
    """Return a word of the file as people write it: `New York` for `NEW-YORK`."""
    words = re.split(r"[\s+_-]+", word.strip())
    return " ".join(each.capitalize() for each in words if each)
