"""Read names of phases as players write and misspell them: `F1902M`, `Herbst 1902`, `Sprng 02`.

The meaning is written as the part of a code that it gives: `F1902M`, `F1902`, `F`, `R`.

`F.1901` and `1901F` become `F1901`, `Spr. 02` and `Sprng 02` become `spring 02`, `<b>Fall</b>`
becomes `Fall`. All other text stays as it is.

On a board whose seasons have other names, or which begins in another age, these and its years are
first written as on the standard board: `Monsoon 1491` becomes `fall 1491`, `Spring of 2` `S0002`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from judge.mail.words import single_words
from judge.notation.terms import closest_matches, spellings
from judge.rules.board import Map
from judge.rules.calendar import Calendar
from judge.rules.types import Phase, Season


def _spelled(tables: Mapping[str, str]) -> MappingProxyType[str, str]:
    return MappingProxyType(
        {
            spelling: meaning
            for meaning, words in tables.items()
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
SUMMER = frozenset(_spelled({"SR": "summer sommer été"}))  # as zines call spring retreats
IN_FULL = (  # for season, year and kind the first letters suffice, as in nJudge
    ("spring", "fall", "autumn", "winter"),
    (),
    ("movement", "retreats", "adjustments", "builds"),
)
CODE = re.compile(r"([sfwhp])(\d{4}|\d{2})([mrab]?)")
GERMAN_SPRING = frozenset(_spelled({"S": "frühjahr frühling"}))  # `F02 Frühjahr` is no fall
ELSEWHERE = {"H": "F", "P": "S"}  # `H03` for Herbst, `P03` for printemps
JOINED = re.compile(r"([^\W\d_]+)(1\d{3}|\d{2})")  # `Fall1901`
YEAR = re.compile(r"1\d{3}")  # `Spring 2026` is the date of the email
SHORT_YEAR = re.compile(r"\d{2}")
CENTURY = "19"  # of a two-digit year
COMBINED = MappingProxyType(  # seasons and a kind that head orders of two phases
    {
        **dict.fromkeys((("F", "W", ""), ("F", "W", "A")), "A"),
        ("S", "S", "R"): "R",
    }
)
EITHER_SEASON = "E"  # `F01` in German: Frühjahr, or Fall
PARTIAL = re.compile(r"([SFWE]?)(\d{4})?([MRA]?)")


def is_of_phase(word: str) -> bool:
    """Return whether *word* is part of the name of a phase."""
    return any(_parts(word.casefold(), "spring"))


def partial_code(words: Sequence[str]) -> str | None:
    """Return the part of a code that *words* give; None without a season or a single kind.

    Other words are skipped. Contradicting words are returned as they are, and match no phase.
    """
    lower = [word.casefold() for word in words]
    parts = [_parts(word, before) for word, before in zip(lower, ("", *lower), strict=False)]
    seasons, years, kinds = ({each[i] for each in parts} - {""} for i in range(3))
    if not (seasons or kinds):
        return None
    if GERMAN_SPRING.intersection(lower):
        seasons.discard("F")
    if len(seasons) > 1 or len(years) > 1:
        return " ".join(words)
    kind = "".join(kinds) if len(kinds) == 1 else ""
    if kind == "A" and seasons <= {"F"}:
        seasons = {"W"}
    return "".join((*seasons, *years, kind)) or None


def combined_codes(words: Sequence[str]) -> tuple[str, str] | None:
    """Return the codes of a movement phase and of the next, if *words* name both.

    Zines combine `Autumn 1901 & Winter 1901`, `Fall and Winter 1901`, `Spring and Summer 1901`.
    """
    lower = [word.casefold() for word in words]
    named = [_parts(word, before) for word, before in zip(lower, ("", *lower), strict=False)]
    seasons = [at for at, (season, _, _) in enumerate(named) if season]
    if len(seasons) != len(("first", "second")):
        return None
    found = [
        PARTIAL.fullmatch(partial_code(words[: seasons[1]]) or "-"),
        PARTIAL.fullmatch(partial_code(words[seasons[1] :]) or "-"),
    ]
    if found[0] is None or found[1] is None:
        return None
    (season, year, kind), (second, other, then) = found[0].groups(), found[1].groups()
    following = COMBINED.get((season, second, then))
    if following is None or kind == "R" or (year and other and year != other):
        return None
    in_year = year or other or ""
    return f"{season}{in_year}M", f"{second}{in_year}{following}"


def phase_named(words: Sequence[str], board: Map) -> str | None:
    """Return the code of the phase that *words* name completely, with no other words; else None.

    A season alone means its movement phase, as on other judges.
    """
    code = phase_written(with_standard_phases(" ".join(words), board).split())
    named = PARTIAL.fullmatch(code or "")
    return phase_meant(named[0], None, board.calendar) if named and named[1] and named[2] else None


def phase_written(words: Sequence[str]) -> str | None:
    """Return the part of a code that *words* give; None if any of them means something else."""
    written = _in_full([word.casefold() for word in words])
    return partial_code(written) if all(map(is_of_phase, written)) else None


def phase_meant(code: str, now: Phase | None, calendar: Calendar) -> str | None:
    """Return the full code of the phase that *code* means while *now* is open, if there is one.

    Of the phases that match, it is the open one, else the next, else the first of that year.
    """
    found = PARTIAL.fullmatch(code)
    if found is None:
        return None
    season, year, kind = found.groups()
    if season not in ("", EITHER_SEASON) and calendar.names.get(Season(season)) == "":
        season = ""  # it was not written
    if year:
        candidates = calendar.phases_of(int(year))
    else:
        candidates = tuple(calendar.cycle_from(now)) if now else ()
    fit = [
        phase
        for phase in candidates
        if season in ("", phase.season.value, *_either(phase)) and kind in ("", phase.kind.value)
    ]
    to_come = [phase for phase in fit if now is None or phase >= now]
    best = now if now in fit else next(iter((*to_come, *fit)), None)
    return best.code if best else None


def _either(phase: Phase) -> tuple[str, ...]:
    return () if phase.season is Season.WINTER else (EITHER_SEASON,)


def _parts(word: str, before: str) -> tuple[str, str, str]:
    if word.isalpha():  # most words are, and cannot be a code or a year
        return (
            ("S", "", "R") if word in SUMMER else (SEASONS.get(word, ""), "", KINDS.get(word, ""))
        )
    if code := CODE.fullmatch(word):
        letter, year, kind = code.groups()
        season = ELSEWHERE.get(letter.upper(), letter.upper())
        return season, _in_century(year), kind.upper().replace("B", "A")
    joined = JOINED.fullmatch(word)
    if joined and joined[1] in SEASONS:
        return SEASONS[joined[1]], _in_century(joined[2]), ""
    if YEAR.fullmatch(word) or (SHORT_YEAR.fullmatch(word) and before in SEASONS):
        return "", _in_century(word), ""
    return SEASONS.get(word, ""), "", KINDS.get(word, "")


def _in_century(year: str) -> str:
    return f"{CENTURY}{year}"[-4:]


def _in_full(words: Sequence[str]) -> Sequence[str]:
    """Expand the initials in `f 1902 m` and `spr 1902 mov` to words."""
    if len(words) not in (2, 3) or not YEAR.fullmatch(words[1]):
        return words
    return [
        next((full for full in table if full.startswith(word)), word)
        for word, table in zip(words, IN_FULL, strict=False)
    ]


def spelled_words(table: str) -> frozenset[str]:
    """Return the single words in *table* of `words.toml`, in every spelling."""
    return frozenset(spelled for word in single_words(table) for spelled in spellings(word))


ADORNING = re.compile(  # `<b>`, `<p class="a">`, and the s of `Fall's moves`
    r"</?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,200}=[^<>]{0,200})?/?>|['\u2019]s\b", re.IGNORECASE
)
APART = re.compile(  # `F 1901 M`, `F.1901`, `F-01`; a following A may be an army
    r"\b([SFW])[ .'\u2019/-]{1,2}(1\d{3}|0\d)(?: ?([MRB]))?(?!\w)"
    r"|\b([SFW]1\d{3}) ([MRB])\b",
    re.IGNORECASE,
)
TURNED = re.compile(  # `1901F`, and `1901-F` at the end
    r"\b(1\d{3})([SFW])([MRBA]?)\b|\b(1\d{3})[ ./-]([SFW])(?=\W*$)", re.IGNORECASE
)
SHORT_SEASONS = MappingProxyType(
    {
        **dict.fromkeys(("sp", "spr"), "spring"),
        **dict.fromkeys(("fa", "fal", "fll", "falll", "faal"), "fall"),
        **dict.fromkeys(("au", "aut"), "autumn"),
        **dict.fromkeys(("wi", "win", "wint"), "winter"),
    }
)
SHORTENED = re.compile(  # Only a year makes a season of these.
    rf"\b({'|'.join(SHORT_SEASONS)})[. '\u2019-]{{0,2}}(1\d{{3}}|0\d)(?!\d)", re.IGNORECASE
)
LONG_SEASONS = re.compile(r"[^\W\d_]{5,11}")  # In shorter words each typo is another word.
SEASON_WORDS = sorted(spelled_words("long_seasons"))
NOT_SEASONS = spelled_words("no_seasons")


MISTYPED = re.compile(r"(?<!\w)([^\W\d_]*)(1[89](?=\d?[OoIl])[\dOoIl]{2})(?=[MRAB]?(?!\w))")
DIGITS = str.maketrans("OoIl", "0011")
GERMAN = re.compile(  # `Herbstzug 1901`
    r"\b(fr(?:ü|ue)hjahr|fr(?:ü|ue)hling|herbst|winter)s?(?:z(?:u|ü|ue)ge?|runde|phase|befehle?)\b",
    re.IGNORECASE,
)
FOREIGN = re.compile(r"\b([AP])(1[89]\d\d|0\d)(?=[\s:.,!*_]*$)")  # alone: `A1901`, `P1902:`
SEASON_OF = MappingProxyType({"A": "F", "P": "S"})  # Autumn and automne, printemps
YEAR_BEGINS = re.compile(r"[01]\d")


def with_plain_phases(line: str, board: Map | None = None) -> str:
    """Return *line* with the names of phases written in full, as on the standard board."""
    line = with_standard_phases(line, board) if board else line
    dated = YEAR_BEGINS.search(line)  # without it, five of the patterns cannot match
    if dated:
        line = MISTYPED.sub(lambda found: found[1] + found[2].translate(DIGITS), line)
    line = GERMAN.sub(r"\1", line)
    if dated:
        line = FOREIGN.sub(lambda found: SEASON_OF[found[1]] + found[2], line)
    line = ADORNING.sub(" ", line)
    if dated:
        line = TURNED.sub(_turned, APART.sub(_joined, line))
        line = SHORTENED.sub(
            lambda found: f"{SHORT_SEASONS[found[1].casefold()]} {found[2]}", line
        )
    return LONG_SEASONS.sub(lambda found: _corrected(found[0]), line)


USUAL_STARTS = range(1900, 1931)  # of boards whose years are read as on the standard board
YEARS_MAX = 100  # of a game
RECENT = 2000  # `Spring 2026` may be the date of the email
RECENT_YEARS_MAX = 20
BOARDS_CACHED_MAX = 16
LETTERS_ALONE_MIN = 3  # digits of a year after a letter, as in `S220`, without the kind of phase


PLAIN_SEASONS = {Season.SPRING: "spring", Season.FALL: "fall", Season.WINTER: "winter"}


@dataclass(frozen=True, slots=True)
class _OwnPhases:
    """The names of a board's phases: its *seasons*, and *years* by what people write.

    If its turns are years without seasons, these are *unnamed*.
    """

    seasons: Mapping[str, str]
    named: re.Pattern[str]
    years: Mapping[str, str]
    unnamed: Mapping[str, str]


def with_standard_phases(line: str, board: Map) -> str:
    """Return *line* with seasons and years of *board* written as on the standard board."""
    own = _own_phases(board)
    if own is None:
        return line
    line = own.named.sub(lambda found: own.seasons[found[0].casefold()], line)
    line = DATED.sub(lambda found: _with_standard_year(found, own.years), line)
    return SOLE_YEAR.sub(lambda found: own.unnamed.get(found[0], found[0]), line)


@lru_cache(BOARDS_CACHED_MAX)
def _own_phases(board: Map) -> _OwnPhases | None:
    calendar, first = board.calendar, board.start.phase.year
    if (
        calendar.names == {}
        and first in USUAL_STARTS
        and not any(tongue.seasons for tongue in board.tongues.values())
    ):
        return None
    named = (calendar.names, *(tongue.seasons for tongue in board.tongues.values()))
    seasons = {
        spelling: PLAIN_SEASONS[season]
        for names in named
        for season, name in names.items()
        if name
        for spelling in spellings(name)
    }
    years: dict[str, str] = {}
    length = YEARS_MAX if first + YEARS_MAX <= RECENT else max(RECENT - first, RECENT_YEARS_MAX)
    for year in reversed(range(first, first + length)):
        years[f"{year % 100:02}"] = f"{year:04}"
    for year in range(first, first + length):
        years |= dict.fromkeys((str(year), f"{year:04}"), f"{year:04}")
    is_unnamed = all(calendar.names.get(turn.season) == "" for turn in calendar.turns)
    unnamed = {
        f"{year}": f"spring {year}"
        for year in range(first, first + YEARS_MAX * calendar.years)
        if is_unnamed and calendar.phases_of(year)
    }
    return _OwnPhases(
        seasons,
        re.compile(rf"\b(?:{'|'.join(map(re.escape, seasons)) or '(?!)'})\b", re.IGNORECASE),
        years,
        unnamed,
    )


SEASON_OR_LETTER = "|".join(sorted(SEASONS, key=len, reverse=True))
SOLE_YEAR = re.compile(r"\b\d{4}\b")
DATED = re.compile(  # `Spring of 2`, `fall 220`, `S0002M`, `901 Spring`
    rf"\b(?P<season>{SEASON_OR_LETTER})[ ,.'\u2019/-]{{0,2}}(?:(?:of|de|der|anno|year)\s)?"
    r"(?P<year>\d{1,4})(?!\w)"
    r"|\b(?P<letter>[SFW])[ .'\u2019/-]?(?P<digits>\d{1,4})(?P<kind>[MRAB]?)(?!\w)"
    rf"|\b(?P<early>\d{{3,4}})[ ./-](?P<late>{SEASON_OR_LETTER})\b",
    re.IGNORECASE,
)


def _with_standard_year(found: re.Match[str], years: Mapping[str, str]) -> str:
    written = found["year"] or found["digits"] or found["early"]
    year = years.get(written)
    if year is None or (
        found["digits"] and not found["kind"] and len(written) < LETTERS_ALONE_MIN
    ):
        return found[0]
    season = found["season"] or found["late"]
    letter = found["letter"].upper() if found["letter"] else SEASONS[season.casefold()]
    return f"{letter}{year}{(found['kind'] or '').upper()}"


def _joined(found: re.Match[str]) -> str:
    return "".join(part or "" for part in found.groups())


def _turned(found: re.Match[str]) -> str:
    year, season, kind, other_year, other_season = found.groups()
    return f"{season or other_season}{year or other_year}{kind or ''}"


WORDS_CACHED_MAX = 1_024


@lru_cache(maxsize=WORDS_CACHED_MAX)
def _corrected(word: str) -> str:
    lower = word.casefold()
    if lower in NOT_SEASONS or lower in SEASON_WORDS:
        return word
    return next((season for season in SEASON_WORDS if is_one_letter_off(lower, season)), word)


@lru_cache(maxsize=WORDS_CACHED_MAX)
def deletions_of(word: str) -> frozenset[str]:
    """Return *word*, and the word without each of its letters."""
    return frozenset({word, *(word[:i] + word[i + 1 :] for i in range(len(word)))})


def is_one_letter_off(word: str, right: str) -> bool:
    """Return whether *word* is one typo away from *right*, with the same first letter."""
    if word == right or word[:1] != right[:1] or abs(len(word) - len(right)) > 1:
        return False
    return not deletions_of(word).isdisjoint(deletions_of(right))


LIKENESS_MIN = 0.7  # One typo in four letters.
NEAR_LETTERS_MIN, NEAR_LETTERS_MAX = 4, 20  # Letters; LIS is Lisbon and not a typo of LIST.


def nearest_word(word: str, words: tuple[str, ...]) -> str | None:
    """Return the one of *words* that *word* may misspell."""
    is_like_one = NEAR_LETTERS_MIN <= len(word) <= NEAR_LETTERS_MAX
    return _nearest_word(word.upper(), words) if is_like_one else None


@lru_cache(maxsize=WORDS_CACHED_MAX)
def _nearest_word(word: str, words: tuple[str, ...]) -> str | None:
    found = closest_matches(word, words)
    return found[0][1] if found and found[0][0] >= LIKENESS_MIN else None
