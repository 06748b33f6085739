"""How players name phases: `F1902M`, `FALL 1902 MOVEMENT`, `Herbst 1902`, or less: `Fall`.

What they say is written here as much of a code as it is: `F1902M`, `F1902`, `F`, `R`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge.notation.vocabulary import spellings
from judge.rules.types import SEQUENCE, Phase, PhaseKind, Season

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def _spelled(tables: Mapping[str, str]) -> MappingProxyType[str, str]:
    """Turn lists of words, in English, German and French, into what each of them says."""
    return MappingProxyType(
        {
            spelling: said
            for said, words in tables.items()
            for word in words.split()
            for spelling in spellings(word)
        }
    )


SEASONS = _spelled(
    {
        "S": "spring frühjahr frühling printemps",
        "F": "fall autumn herbst automne",
        "W": "winter hiver",
    }
)
KINDS = _spelled(
    {
        "M": "move moves movement movements züge bewegung bewegungen mouvement mouvements",
        "R": "retreat retreats rückzug rückzüge retraite retraites",
        "A": "adjust adjustment adjustments build builds removal removals aufbau abbau"
        " ajustement ajustements construction constructions",
    }
)
SUMMER = frozenset(_spelled({"SR": "summer sommer été"}))  # as zines call the retreats of spring
IN_FULL = (  # of season, year and kind the first letters suffice, as in nJudge
    ("spring", "fall", "autumn", "winter"),
    (),
    ("movement", "retreats", "adjustments", "builds"),
)
CODE = re.compile(r"([sfw])(\d{4}|\d{2})([mrab]?)")
JOINED = re.compile(r"([^\W\d_]+)(1\d{3}|\d{2})")  # `Fall1901`
YEAR = re.compile(r"1\d{3}")  # `Spring 2026` is when somebody writes
SHORT_YEAR = re.compile(r"\d{2}")
CENTURY = "19"  # of a year that is written with two digits
PARTIAL = re.compile(r"([SFW]?)(\d{4})?([MRA]?)")


def is_of_phase(word: str) -> bool:
    """Say whether *word* is part of the name of a phase."""
    return any(_parts(word.casefold(), "spring"))


def phase_said(words: Sequence[str]) -> str | None:
    """Return as much of a code as *words* say, None if they name no season and no one kind.

    Words of something else say nothing; those that contradict each other are returned as they are,
    and name no phase that there is.
    """
    lower = [word.casefold() for word in words]
    parts = [_parts(word, before) for word, before in zip(lower, ("", *lower), strict=False)]
    seasons, years, kinds = ({each[i] for each in parts} - {""} for i in range(3))
    if not (seasons or kinds):
        return None
    if len(seasons) > 1 or len(years) > 1:
        return " ".join(words)
    kind = "".join(kinds) if len(kinds) == 1 else ""
    if kind == "A" and seasons <= {"F"}:
        seasons = {"W"}
    return "".join((*seasons, *years, kind)) or None


def phase_named(words: Sequence[str]) -> str | None:
    """Return the code of the one phase that *words*, and no others, name: else None.

    Of a season the movements are meant, as judges have it.
    """
    said = phase_written(words)
    named = PARTIAL.fullmatch(said or "")
    return meant(named[0], None) if named and named[1] and named[2] else None


def phase_written(words: Sequence[str]) -> str | None:
    """Return as much of a code as *words* say, None if any of them says something else."""
    written = _in_full([word.casefold() for word in words])
    return phase_said(written) if all(map(is_of_phase, written)) else None


def meant(said: str, now: Phase | None) -> str | None:
    """Return the code of the phase that is *said* while *now* is open, None if there is none.

    Of those that it may be it is the open one, else the next, else the first of its year.
    """
    found = PARTIAL.fullmatch(said)
    if found is None:
        return None
    season, year, kind = found.groups()
    first = Phase(Season.SPRING, int(year), PhaseKind.MOVEMENT) if year else now
    if first is None:
        return None
    fit = [
        phase
        for phase in _cycle(first)
        if season in ("", phase.season.value) and kind in ("", phase.kind.value)
    ]
    to_come = [phase for phase in fit if now is None or phase >= now]
    best = now if now in fit else next(iter((*to_come, *fit)), None)
    return best.code if best else None


def _cycle(phase: Phase) -> Iterator[Phase]:
    """Yield *phase* and those that follow it within a year."""
    for _ in SEQUENCE:
        yield phase
        phase = phase.following()


def _parts(word: str, before: str) -> tuple[str, str, str]:
    """Return what *word* says of season, year and kind, each empty if it says nothing of it."""
    if code := CODE.fullmatch(word):
        season, year, kind = code.groups()
        return season.upper(), _in_century(year), kind.upper().replace("B", "A")
    joined = JOINED.fullmatch(word)
    if joined and joined[1] in SEASONS:
        return SEASONS[joined[1]], _in_century(joined[2]), ""
    if word in SUMMER:
        return "S", "", "R"
    if YEAR.fullmatch(word) or (SHORT_YEAR.fullmatch(word) and before in SEASONS):
        return "", _in_century(word), ""
    return SEASONS.get(word, ""), "", KINDS.get(word, "")


def _in_century(year: str) -> str:
    return f"{CENTURY}{year}"[-4:]


def _in_full(words: Sequence[str]) -> Sequence[str]:
    """Put for `f 1902 m` and `spr 1902 mov` the words of which these are the first letters."""
    if len(words) not in (2, 3) or not YEAR.fullmatch(words[1]):
        return words
    return [
        next((full for full in table if full.startswith(word)), word)
        for word, table in zip(words, IN_FULL, strict=False)
    ]
