"""Dates and spans of time in a sentence, in every language of the judge."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from importlib import resources

from judge.mail.intents.features import plain

DATE, TIME = "{date}", "{time}"
_MORE = "(?:more|extra|full|weitere[nr]?|mehr|zusatzlichen?|petits?|de plus)"
_TO = (
    r"(?:-|\u2013|to|till?|until|through|bis|bis zum|bis einschliesslich|(?:jusqu')?au|and|und|et)"
)
_SUFFIX = r"(?:st|nd|rd|th|er|e|\.)?"
# Babel has the names of months and days, too, but takes 15 ms to load its languages.
_FILE = resources.files("judge.mail.intents") / "dates.toml"
_TABLES = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_HALF = (
    r" ?(?:in the |this )?(?:am|morning|pm|afternoon|evening|tonight|fruh|morgens|nachmittags?"
    r"|abends?|du (?:soir|matin)|de l'apres-midi)\b"
)
CLOCK = re.compile(
    rf"\b(?P<hour>[01]?\d|2[0-3])(?:(?:(?::|\.(?=\d\d{_HALF}))(?P<m1>[0-5]\d)"
    r"| ?(?:uhr|heures?|h|o'clock)(?: ?(?P<m2>[0-5]\d))?\b)"
    rf"(?P<half>{_HALF})?|(?P<only>{_HALF}))"
)
BEFORE_NOON = re.compile(r" ?(?:in the |this )?(?:am|morning|fruh|morgens|du matin)\b")
NOON = re.compile(r"(?<!apres-)\b(?:noon|midday|mittags?|midi)\b")
EARLIEST = 8  # hour of a deadline
PAST_DAYS_MAX = 31
MONTHS_A_YEAR = 12


def _listed(row: str) -> Iterator[str]:
    return (plain(" ".join(each.split())) for each in row.split(","))


def _by_word(table: str) -> dict[str, int]:
    return {word: int(number) for number, row in _TABLES[table].items() for word in _listed(row)}


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(each) for each in sorted(words, key=lambda each: (-len(each), each)))


@dataclass(frozen=True, slots=True)
class Found:
    """A date, or a span of time of so many *minutes*, at a place of a text.

    It may be a span of days, *first* to *last*.
    """

    start: int
    end: int
    first: date | None = None
    last: date | None = None
    minutes: int = 0


def find_times(text: str, today: date) -> tuple[Found, ...]:
    """Return the dates and spans of time in *text*, in order; dates are those that come next."""
    words = plain_at_same_places(text)
    found: list[Found] = []
    for match in _pattern().finditer(words):
        try:
            found.append(_meaning(match, today))
        except ValueError:  # the 31st of November
            continue
    return tuple(found)


def time_of_day(text: str, *, today: bool) -> time | None:
    """Return the time of day in *text*: `5:30 pm`, `17 h 30`, `half past five`, `noon`.

    An hour in words without its half of the day is in the afternoon, and so is an early one of
    *today*: no deadline is at night.
    """
    words = plain(text)
    if said := _clock_in_words().search(words):
        hour, offset = said["h1"] or said["h2"], CLOCK_WORDS[said["m1"] or said["m2"]]
        number = int(hour) if hour.isdecimal() else NUMBERS[hour]
        found = datetime.combine(date.min, time(number % 12 + 12)) + timedelta(minutes=offset)
        early = BEFORE_NOON.match(words, said.end())
        return found.time().replace(hour=found.hour % 12 if early else found.hour)
    if (found_clock := CLOCK.search(words)) is None:
        return time(12) if NOON.search(words) else None
    half = found_clock["half"] or found_clock["only"]
    hour, minute = int(found_clock["hour"]), int(found_clock["m1"] or found_clock["m2"] or 0)
    if half:
        hour = hour % 12 + (0 if BEFORE_NOON.match(half) else 12)
    elif today and 0 < hour < EARLIEST:
        hour += 12
    return time(hour, minute)


def with_date_marks(text: str) -> str:
    """Return *text* with a placeholder for each date and each span of time."""
    found = find_times(text, date(2000, 1, 1))
    return with_marks(
        text, ((each.start, each.end, DATE if each.first else TIME) for each in found)
    )


def with_marks(text: str, marks: Iterator[tuple[int, int, str]]) -> str:
    """Return *text* with each mark in the place of what it stands for."""
    parts, end = [], 0
    for start, stop, mark in marks:
        if start >= end:
            parts += [text[end:start], f" {mark} "]
            end = stop
    return "".join((*parts, text[end:]))


def plain_at_same_places(text: str) -> str:
    """Return *text* in small letters without accents, each letter in its place."""
    if text.isascii():
        return plain(text)
    return "".join(plain(each)[:1] or " " for each in text).replace("\u2019", "'")


DAYS, NUMBERS, UNITS = _by_word("days"), _by_word("numbers"), _by_word("units")
CLOCK_WORDS = _by_word("clock")
MONTHS, WEEKDAYS = _by_word("months"), _by_word("weekdays")


@cache
def _clock_in_words() -> re.Pattern[str]:
    number = rf"\d{{1,2}}|{_either(NUMBERS)}"
    before = _either(each for each in CLOCK_WORDS if not each.startswith(("et ", "moins ")))
    return re.compile(
        rf"\b(?:(?P<m1>{before}) (?P<h1>{number})"
        rf"|(?P<h2>{number}) ?h(?:eures?)? (?P<m2>{_either(CLOCK_WORDS)}))\b"
    )


@cache
def _pattern() -> re.Pattern[str]:
    month, weekday = _either(MONTHS), _either(WEEKDAYS)
    day = rf"(?:[12]\d|3[01]|0?[1-9]){_SUFFIX}"
    spans = "|".join(
        f"(?P<{name}>{_either(_listed(row))})" for name, row in _TABLES["spans"].items()
    )
    days = (
        rf"(?:the |le |den |dem )?(?:(?P<d0>{day}) ?{_TO} ?(?:the |le |zum )?)?(?P<d1>{day})"
        rf"(?: of|\.)? ?(?P<m1>{month})\b\.?(?:,? (?P<y1>\d{{4}}))?"
    )
    month_first = (
        rf"(?P<m2>{month})\.? (?P<d2>{day})(?![:\d])"
        rf"(?: ?{_TO} ?(?P<d3>{day})(?![.:\d]| ?(?:{month})))?(?:,? (?P<y2>\d{{4}}))?"
    )
    numbers = (
        rf"(?:(?P<n0>\d{{1,2}})\.? ?{_TO} ?(?:zum )?)?(?P<n1>\d{{1,2}})"
        r"(?:\.(?P<n2>\d{1,2})\.|/(?P<n3>\d{1,2}))/?(?P<n4>\d{4}|\d{2})?"
    )
    day_of_week = (
        r"(?:next |this |on |am |kommenden |nachsten |le )?"
        rf"(?P<weekday>{weekday})(?: prochain| soir)?\b"
    )
    forms = (
        r"(?P<iso>\d{4}-\d\d-\d\d)",
        days,
        month_first,
        numbers,
        spans,
        rf"(?P<count>\d{{1,3}}|{_either(NUMBERS)})[ -](?:{_MORE} )?(?P<unit>{_either(UNITS)})\b",
        r"(?P<short>\d{1,3}) ?(?P<letter>h|hrs?|d|min|minutes?|minuten)\b",
        day_of_week,
        rf"(?P<day>{_either(DAYS)})\b(?! fruh)",
        rf"the (?P<only>{day})(?! ?(?:turn|time|phase|year|round))",
    )
    return re.compile(rf"(?<![\w.])(?:{'|'.join(forms)})(?!\w)")


def _meaning(match: re.Match[str], today: date) -> Found:
    get = match.groupdict()
    length = get["count"] or get["short"]
    if length:
        number = int(length) if length.isdecimal() else NUMBERS[length]
        minutes = number * UNITS[get["unit"] or get["letter"]]
        return Found(match.start(), match.end(), minutes=minutes)
    first, last = _days_meant(get, today)
    return Found(match.start(), match.end(), first, last)


def _days_meant(  # noqa: PLR0911 - one for each form
    get: Mapping[str, str | None], today: date
) -> tuple[date, date]:
    monday = today + timedelta(days=7 - today.weekday())
    match get:
        case {"iso": str() as written}:
            return date.fromisoformat(written), date.fromisoformat(written)
        case {"m1": str() as month, "d1": str() as last}:
            return _next((get["d0"] or last, last), MONTHS[month], get["y1"], today)
        case {"m2": str() as month, "d2": str() as first}:
            return _next((first, get["d3"] or first), MONTHS[month], get["y2"], today)
        case {"n1": str() as one}:
            other = get["n2"] or get["n3"] or ""
            day, number = (one, other) if int(other) <= MONTHS_A_YEAR else (other, one)
            return _next((get["n0"] or day, day), int(number), get["n4"], today)
        case {"week": str()}:
            return monday, monday + timedelta(days=6)
        case {"rest": str()}:
            return today, monday - timedelta(days=1)
        case {"weekend": str()}:
            saturday = today + timedelta(days=(4 - today.weekday()) % 7 + 1)
            return saturday, saturday + timedelta(days=1)
        case _:
            day_meant = today + timedelta(days=_days_ahead(get, today))
            return day_meant, day_meant


def _days_ahead(get: Mapping[str, str | None], today: date) -> int:
    if get["weekday"]:
        return (WEEKDAYS[get["weekday"]] - today.weekday() - 1) % 7 + 1
    if get["day"]:
        return DAYS[get["day"]]
    wanted = _number(get["only"] or "")
    return next(ahead for ahead in range(62) if (today + timedelta(days=ahead)).day == wanted)


def _number(written: str) -> int:
    return int(re.sub(r"\D", "", written))


def _next(days: tuple[str, str], month: int, year: str | None, today: date) -> tuple[date, date]:
    """Return two *days* of *month*; without a *year*, as they come next."""
    in_year = int(year) % 100 + 2000 if year else today.year
    first, last = (date(in_year, month, _number(each)) for each in days)
    if year is None and last < today - timedelta(days=PAST_DAYS_MAX):
        first, last = first.replace(year=in_year + 1), last.replace(year=in_year + 1)
    return min(first, last), last
