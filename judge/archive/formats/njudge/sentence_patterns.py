"""The sentences of nJudge (0.8 to 1.7) and its relatives, as regular expressions."""

from __future__ import annotations

import re

from judge.archive.records import EndKind
from judge.rules.types import Phase, PhaseKind, Season

WHEN = r"(?P<season>Spring|Summer|Fall|Autumn|Winter)\s+(?:of\s+)?(?P<year>\d{4})"
WHAT = r"(?P<what>Movement|Retreat|Adjustment)s?"
GAME = r"'?(?P<game>[\w.-]+)'?"  # DPjudge omits the quotes
TURN = r"(?:\((?P<game>[^().]+)\.\w+\))"
CODE = r"[SUFW]\d{4}[MRBA]X?"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


MASTHEAD = _pattern(
    r":: Judge:\s*(?P<judge>\S+)(?:\s+Game:\s*(?P<game>\S+))?(?:\s+Variant:\s*(?P<variant>.*))?"
)
DUE = _pattern(rf":: Deadline:\s*(?P<code>{CODE})\b(?P<date>.*)")
LINK = _pattern(r":: (?:Map|URL):")
DATED = _pattern(r"Date:\s*(?P<date>\S.*)")
SUBJECT = _pattern(
    r"(?:Subject:\s*)?(?:.*[\s/])?(?P<judge>\w+):(?P<game>[\w-]+) - (?P<code>" + CODE + r")\b"
)
NOTICE = _pattern(rf"Subject:\s*Diplomacy (?:notice: {GAME}|results (?P<plain>[\w-]+)\b)")
MAIL_STARTS = _pattern(r"From \S+ +\w{3} \w{3} |From \S+@\S+\s")

TITLE = _pattern(rf"{WHAT} (?P<told>results|orders) for {WHEN}\.?\s*{TURN}?$")
STATUS = _pattern(rf"Status of the {WHAT} phase for {WHEN}\.?\s*{TURN}?$")
STARTING = _pattern(rf"Starting position for {WHEN}\.?")
PREDICTING = _pattern(r"Predicting turn ")
ROW = re.compile(r"(?P<word>[A-Z][A-Za-z]+):\s*(?P<text>\S.*)")
DRIVEN = _pattern(
    r"The (?P<power>\w+) (?P<kind>Army|Fleet)(?: in| at| on| over)?(?: the)? (?P<place>.+?)"
    r"(?: can retreat to (?P<retreats>.+?)|(?: with no valid retreats)? was destroyed)\.$"
)
DRIVEN_TITLE = _pattern(r"The following units? (?:were|was) dislodged:?")
OWNERS_TITLE = _pattern(r"Ownership of supply cent(?:er|re)s:?")
COUNTED = _pattern(
    r"(?P<centers>\d+) Supply cent(?:er|re)s?,\s*(?P<units>\d+) Units?\b[^(]*"
    r"(?:\(\*(?P<mark>.*)\*\))?"
)
NEXT = _pattern(rf"The next phase of {GAME} will be {WHAT} for {WHEN}\.?")
NEXT_DUE = _pattern(
    r"(?:The deadline for (?:the first )?(?:movement )?orders (?:will be|is)|Orders are due)"
    r" (?P<date>.*)"  # the second form is ours
)
OVER = _pattern(r"The game is over\b")
SILENT = _pattern(r"Time to |Unit locations:|\([^().]+\.\w+\)$|-+$")

GAME_STARTS = _pattern(rf"You(?: have|'ve) been selected as .* in game {GAME}")
PLAYERS = _pattern(r"The following players are (?:in this game|signed up for game)")
LISTED_PLAYER = _pattern(r"(?P<word>[A-Z]\w+):?\s(?:.*\s)?(?P<address>\S+@\S+)$")
LISTING = _pattern(rf"Game {GAME} order #\d+ \({CODE}\) has a deadline of (?P<date>.*)")
SUMMARY = _pattern(rf"Summary of game {GAME}")
HISTORY = _pattern(rf"History information for game {GAME}")
HISTORY_ENDS = _pattern(r"-{3,} History terminated(?P<whole> due to end of information)?")
SETTING = _pattern(
    r"(?P<key>Access|Variant|Flags|xFlags|x2Flags|Press|Power Assignments|Winning Cent(?:er|re)s)"
    r":\s*(?P<value>.*?)\.?$"
)
TIMING = _pattern(r"(?P<key>Move|Retreat|Adjust)\s+(?P<value>clock\s.*)")
NUMBER = _pattern(r"(?P<key>Boardman|Miller|EP|BN|MN)(?:\s+(?:Number|#))?:?\s+(?P<value>\d[\w-]*)")

TAKEN = _pattern(
    rf"(?P<address>\S+@\S+) has taken over the (?:abandoned|vacant) (?P<power>\w+) in game {GAME}"
)
PRESS = _pattern(
    r"(?P<all>Broadcast )?message(?: from (?:\S+@\S+ as )?(?P<signed>\w+))?"
    rf"(?: to (?P<readers>.+?))? in {GAME}:"
)
POSTAL = _pattern(r"Press from (?P<signed>\w+):$")
PRESS_ENDS = _pattern(r"End of (?:press )?message\.?$")

# Sentences between emails, which must not appear unquoted within one.
BETWEEN = (MASTHEAD, DUE, DATED, SUBJECT, NOTICE, MAIL_STARTS, HISTORY_ENDS, PRESS_ENDS)

_WON = r"(?P<won>(?:has been |was )?won by)"
_SHARED = r"(?P<shared>(?:has been |was )?declared a draw between)"
_GIVEN = r"(?P<given>(?:has been |was )?conceded to)"
# A line may begin with "game was won by".
ENDED = _pattern(
    rf"(?:The game|Game (?!(?:was|has) \w){GAME}) (?:{_WON}|{_SHARED}|{_GIVEN})"
    r" (?P<powers>[^.]+)\.?"
)

KINDS = {
    "movement": PhaseKind.MOVEMENT,
    "retreat": PhaseKind.RETREATS,
    "adjustment": PhaseKind.ADJUSTMENTS,
}
# In games with summer and autumn, those are the seasons of retreats.
SEASONS = {
    ("spring", PhaseKind.MOVEMENT): Season.SPRING,
    ("spring", PhaseKind.RETREATS): Season.SPRING,
    ("summer", PhaseKind.RETREATS): Season.SPRING,
    ("fall", PhaseKind.MOVEMENT): Season.FALL,
    ("fall", PhaseKind.RETREATS): Season.FALL,
    ("autumn", PhaseKind.MOVEMENT): Season.FALL,
    ("autumn", PhaseKind.RETREATS): Season.FALL,
    ("winter", PhaseKind.ADJUSTMENTS): Season.WINTER,
    ("autumn", PhaseKind.ADJUSTMENTS): Season.WINTER,
    ("fall", PhaseKind.ADJUSTMENTS): Season.WINTER,
}


def phase_of(found: re.Match[str]) -> Phase | None:
    """Return the phase named in *found*, None if the game has no such phase."""
    kind = KINDS[found["what"].lower()]
    season = SEASONS.get((found["season"].lower(), kind))
    return Phase(season, int(found["year"]), kind) if season else None


def phase_of_code(code: str) -> Phase | None:
    """Return the phase of a *code* such as `F1901B`, or `F1905BX` for a game that is over."""
    text = code.upper().removesuffix("X")
    if text[0] == "U":
        text = f"S{text[1:]}"
    try:
        return Phase.parse(text)
    except ValueError:
        return None


def ending_kind(found: re.Match[str]) -> EndKind:
    """Return how the game ended, from a match of `ENDED`."""
    if found["shared"]:
        return EndKind.DRAW
    return EndKind.SOLO if found["won"] else EndKind.CONCESSION


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of a list such as `England, France and Russia`."""
    return tuple(name for name in re.split(r",\s*(?:and\s+)?|\s+and\s+", text.strip()) if name)
