"""A line as it would say its phase plainly: in full, spelled right, without what adorns it.

`F.1901` and `1901F` become `F1901`, `Spr. 02` and `Sprng 02` `spring 02`, `<b>Fall</b>` `Fall`.
What names no phase stays as it is.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from judge.mail.language.slips import is_slip_of
from judge.notation.vocabulary import spellings


def spelled(words: str) -> frozenset[str]:
    """Return each of *words*, in every spelling."""
    return frozenset(spelling for word in words.split() for spelling in spellings(word))


ADORNING = re.compile(  # `<b>`, `<p class="a">`, and the s of `Fall's moves`
    r"</?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,200}=[^<>]{0,200})?/?>|['\u2019]s\b", re.IGNORECASE
)
APART = re.compile(  # `F 1901 M`, `F.1901`, `F-01`; an A behind it may be an army
    r"\b([SFW])[ .'\u2019/-]{1,2}(1\d{3}|0\d)(?: ?([MRB]))?(?!\w)"
    r"|\b([SFW]1\d{3}) ([MRB])\b",
    re.IGNORECASE,
)
TURNED = re.compile(  # `1901F`, and where nothing follows `1901-F`
    r"\b(1\d{3})([SFW])([MRBA]?)\b|\b(1\d{3})[ ./-]([SFW])(?=\W*$)", re.IGNORECASE
)
SHORT = MappingProxyType(
    {
        **dict.fromkeys(("sp", "spr"), "spring"),
        **dict.fromkeys(("fa", "fal", "fll", "falll", "faal"), "fall"),
        **dict.fromkeys(("au", "aut"), "autumn"),
        **dict.fromkeys(("wi", "win", "wint"), "winter"),
    }
)
SHORTENED = re.compile(  # Only a year makes a season of them.
    rf"\b({'|'.join(SHORT)})[. '\u2019-]{{0,2}}(1\d{{3}}|0\d)(?!\d)", re.IGNORECASE
)
LONG = re.compile(r"[^\W\d_]{5,11}")  # Of a shorter word each slip is another word.
SEASONS = spelled("spring autumn winter frühjahr frühling herbst printemps automne")
WORDS = spelled(  # that are like one of these, and are none
    "springs sprints sprint string sprung sprang sprig spying springy wintry winters winner winger"
    " winder wither whiter writer winker winery autumns herbs herbste"
)


MISTYPED = re.compile(r"(?<!\w)([^\W\d_]*)(1[89](?=\d?[OoIl])[\dOoIl]{2})(?=[MRAB]?(?!\w))")
DIGITS = str.maketrans("OoIl", "0011")
GERMAN = re.compile(  # `Herbstzug 1901`
    r"\b(fr(?:ü|ue)hjahr|fr(?:ü|ue)hling|herbst|winter)s?(?:z(?:u|ü|ue)ge?|runde|phase|befehle?)\b",
    re.IGNORECASE,
)
FOREIGN = re.compile(r"\b([AP])(1[89]\d\d|0\d)(?=[\s:.,!*_]*$)")  # alone: `A1901`, `P1902:`
SEASON_OF = MappingProxyType({"A": "F", "P": "S"})  # Autumn and automne, printemps


def plain(line: str) -> str:
    """Return *line* with the names of phases in it as they are written in full."""
    line = MISTYPED.sub(lambda found: found[1] + found[2].translate(DIGITS), line)
    line = FOREIGN.sub(lambda found: SEASON_OF[found[1]] + found[2], GERMAN.sub(r"\1", line))
    line = APART.sub(_joined, ADORNING.sub(" ", line))
    line = TURNED.sub(_turned, line)
    line = SHORTENED.sub(lambda found: f"{SHORT[found[1].casefold()]} {found[2]}", line)
    return LONG.sub(lambda found: _mended(found[0]), line)


def _joined(found: re.Match[str]) -> str:
    return "".join(part or "" for part in found.groups())


def _turned(found: re.Match[str]) -> str:
    year, season, kind, other_year, other_season = found.groups()
    return f"{season or other_season}{year or other_year}{kind or ''}"


def _mended(word: str) -> str:
    """Return the season for which *word* may be a slip of the pen, or else the word."""
    lower = word.casefold()
    if lower in WORDS | SEASONS:
        return word
    return next((season for season in sorted(SEASONS) if is_slip_of(lower, season)), word)
