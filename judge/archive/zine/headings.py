"""What the lines around the orders say: which game, which season, what is due, who owns what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge.archive.names import center_of, power_of
from judge.rules.board import Map
from judge.rules.types import Phase, PhaseKind, Power, Province, Season

CENTURY = 1900  # '09 is 1909: no game gets to 2000
HEADING_CHARACTERS_MAX = 200
WHEN = re.compile(
    r"(?P<season>Spring|Summer|Fall|Autumn|Winter)(?P<winter> and Winter)?,?[\s-]+(?:of )?"
    r"(?:['\u2019]?(?P<short>\d\d)|(?P<year>\d{4}))\b(?!\d)",
    re.IGNORECASE,
)
# What may stand behind the season in a heading; anything else makes it a sentence of somebody.
TAIL = re.compile(
    r"[\s.,:;()/-]*"
    r"(?:(?:movement|moves|orders|results|adjudication|retreats|builds|adjustments|report|turn)\b"
    r"[\s.,:;()-]*)*"
    r"(?:(?:of the|of|for)\b.*\bgame\b.*|game\b.*|[;(].*)?",
    re.IGNORECASE,
)
TITLE = re.compile(
    r"\s*(?:#.*|.*\b(?:game|results?|adjudication|report|orders|moves)\b.*?)?[\s,:;(\u2013-]*",
    re.IGNORECASE,
)
GAME = re.compile(
    r"\bgame (?P<capitals>[A-Z0-9][A-Z0-9 '&!.-]*[A-Z0-9])\b"
    r"|\b[Gg]ame:? [\"'\u2018\u201c](?P<quoted>[^\"'\u2019\u201d]+)"
    r"|\bGame: (?P<labelled>[^,;.(]+)"
)
ISSUE = re.compile(r"\b(?P<zine>[A-Z][\w.]*(?: [A-Z][\w.]*)*) #(?P<issue>\d+)")
NUMBER = r"\b[\s#:]*(?:number)?[\s#:]*(\d{4}[A-Z]+\w*)"
NUMBERS = {
    "boardman": re.compile(rf"\b(?:BNC|BN|Boardman){NUMBER}", re.IGNORECASE),
    "miller": re.compile(rf"\b(?:MNC|MN|Miller){NUMBER}", re.IGNORECASE),
}
DUE = re.compile(r"\b(?:due|deadline)\b", re.IGNORECASE)
STATUS = re.compile(r"\b(?:not received|nmr|no moves? received|standby|delayed)\b", re.IGNORECASE)
CHART = re.compile(r"\s*(?:supply )?cent(?:er|re)s?(?: chart)?:?\s*", re.IGNORECASE)
CHART_ROW = re.compile(
    r"(?P<power>[A-Za-z]{3,}):(?P<centers>[A-Za-z,. ]*)= ?(?P<count>\d+) ?"
    r"(?:\( ?\d+ ?\))? ?(?P<rest>.*)"
)
GAINED = re.compile(r"\+\s*([A-Za-z, ]*)")


@dataclass(frozen=True, slots=True)
class Heading:
    """What a heading tells; *season* is as printed, for retreats and builds may share one."""

    game: str | None
    season: str | None
    year: int | None
    numbers: Mapping[str, str]
    zine: str | None
    issue: str | None


@dataclass(frozen=True, slots=True)
class ChartRow:
    """The centers of *power*; *faults* are what in the row cannot be so."""

    power: Power
    centers: tuple[Province, ...]
    faults: tuple[str, ...]


def heading_of(line: str) -> Heading | None:
    """Read *line* as the heading of a report, None if it is none."""
    if len(line) > HEADING_CHARACTERS_MAX or DUE.search(line):
        return None
    when, name, issue = WHEN.search(line), GAME.search(line), ISSUE.search(line)
    if not when and not name:
        return None
    if when and not name:
        titled = TITLE.fullmatch(line[: when.start()])
        if not titled or not (TAIL.fullmatch(line[when.end() :]) or line.startswith("#")):
            return None
    numbers = {key: found[1] for key, each in NUMBERS.items() if (found := each.search(line))}
    return Heading(
        game=next(filter(None, name.groups())).strip() if name else None,
        season=_season(when) if when else None,
        year=_year(when) if when else None,
        numbers=numbers,
        zine=issue["zine"] if issue else None,
        issue=issue["issue"] if issue else None,
    )


def announced(line: str) -> Phase | None:
    """Return the phase whose deadline *line* announces."""
    when = WHEN.search(line)
    if not when or not DUE.search(line):
        return None
    return phase_in(_season(when), _year(when), movement=True)


def phase_in(season: str, year: int, *, movement: bool) -> Phase | None:
    """Return the phase of *season* as zines count them, in which moves or something else are made.

    Retreats are made in summer and autumn, adjustments in winter; in a year of two seasons only
    moves are told apart.
    """
    match season, movement:
        case "spring" | "fall", True:
            return Phase(Season(season[0].upper()), year, PhaseKind.MOVEMENT)
        case "spring" | "summer", False:
            return Phase(Season.SPRING, year, PhaseKind.RETREATS)
        case "fall" | "autumn", False:
            return Phase(Season.FALL, year, PhaseKind.RETREATS)
        case "winter", _:
            return Phase(Season.WINTER, year, PhaseKind.ADJUSTMENTS)
        case _:
            return None


def chart_row(board: Map, line: str) -> ChartRow | None:
    """Read a row such as `GER: BER BRE KIE = 5( 4) + MUN SER`: what follows a plus is won."""
    found = CHART_ROW.fullmatch(" ".join(line.split()))
    power = power_of(board, found["power"]) if found else None
    if found is None or power is None:
        return None
    won = GAINED.search(found["rest"])
    names = f"{found['centers']} {won[1] if won else ''}".replace(",", " ").split()
    places = {name: center_of(board, name) for name in names}
    centers = tuple(at for at in places.values() if at)
    faults = [f"no supply center: {name}" for name, at in places.items() if not at]
    if len(names) != int(found["count"]):
        faults.append(f"{len(names)} centers are listed")
    return ChartRow(power, centers, tuple(faults))


def _season(when: re.Match[str]) -> str:
    return "winter" if when["winter"] else when["season"].lower()


def _year(when: re.Match[str]) -> int:
    return int(when["year"]) if when["year"] else CENTURY + int(when["short"])
