"""Powers, places, units, orders and dates in recorded text."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from judge.notation.strict_orders import StrictOrder, read_location, read_strictly, read_unit
from judge.notation.terms import names_of
from judge.rules import types
from judge.rules.board import Map

ORDERS_KEPT = 65_536  # Many games share orders.
ABBREVIATION_LETTERS = 3  # `AUS`


@lru_cache(ORDERS_KEPT)
def power_named(board: Map, text: str) -> types.Power | None:
    """Return the power with this name, adjective or three-letter code, if it is the only one."""
    word = text.strip().casefold()
    shortened = [
        power for power in board.powers if word == power[:ABBREVIATION_LETTERS].casefold()
    ]
    for power, nation in board.nations.items():
        if word in {power.casefold(), nation.name.casefold(), nation.adjective.casefold()}:
            return power
    return shortened[0] if len(shortened) == 1 else None


@lru_cache(ORDERS_KEPT)
def location_named(board: Map, text: str) -> types.Location | None:
    """Return the location with this name, None if there is not exactly one."""
    return read_location(text, board)


@lru_cache(ORDERS_KEPT)
def center_named(board: Map, text: str) -> types.Province | None:
    """Return the supply center with this name; `NOR` can only be Norway."""
    found = [each for each in names_of(board).find(text) if board.places[each].center]
    return found[0] if len(found) == 1 else None


@lru_cache(ORDERS_KEPT)
def orders_meant(board: Map, text: str, kind: types.PhaseKind) -> tuple[StrictOrder, ...]:
    """Return the order that is all of *text*, or several if its names are unclear."""
    return read_strictly(text, board, kind)


def read_single_order(
    board: Map, text: str, kind: types.PhaseKind
) -> tuple[types.Order, types.Power | None] | None:
    """Return the one order in *text* and any power it names, None if unclear."""
    match orders_meant(board, text, kind):
        case (StrictOrder(order=order, power=power),):
            return order, power
        case _:
            return None


@lru_cache(ORDERS_KEPT)
def unit_named(board: Map, text: str) -> types.UnitName | None:
    """Return the unit called *text*, such as `Fleet St Petersburg (south coast)`."""
    return read_unit(text, board)


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
HOURS_EAST = {  # UTC offsets of old judges' time zones
    **dict.fromkeys(("GMT", "UTC", "UT", "WET"), 0),
    **dict.fromkeys(("BST", "WEST", "CET", "MET"), 1),
    **dict.fromkeys(("CEST", "MEST", "EET"), 2),
    "EDT": -4,
    "EST": -5,
    "CDT": -5,
    "CST": -6,
    "MDT": -6,
    "MST": -7,
    "PDT": -7,
    "PST": -8,
    "AEST": 10,
    "AEDT": 11,
    "NZST": 12,
    "NZDT": 13,
}
EPOCH = re.compile(r"\((\d{6,12})\)")
MONTH = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]*\b", re.IGNORECASE)
DAY = re.compile(r"(?<![\d:+-])(\d{1,2})(?![\d:])")
YEAR = re.compile(r"(?<![\d:+-])(\d{4})(?![\d:])")
TIME = re.compile(r"\b(\d{1,2}):(\d{2})(?::(\d{2}))?")
OFFSET = re.compile(r"([+-])(\d{2})(\d{2})\b")
ZONE = re.compile(r"\b([A-Z]{2,4})\b")
UNSET_YEAR = 1970  # Judges print the Unix epoch for a missing deadline.


def read_date(text: str) -> datetime | None:
    """Read `Mon Mar 09 1998 23:30:00 +0000`, `Mon Mar  2 09:05:00 1998 (888829500)` and the like.

    Returns None for anything else, or an unknown time zone.
    """
    try:
        if epoch := EPOCH.search(text):
            return datetime.fromtimestamp(int(epoch[1]), UTC)
        found = _read_parts(text)
    except (ValueError, OverflowError, OSError):
        return None
    return found if found and found.year > UNSET_YEAR else None


def _read_parts(text: str) -> datetime | None:
    month, day, year = MONTH.search(text), DAY.search(text), YEAR.search(text)
    time, zone = TIME.search(text), _zone(text)
    if not (month and day and year and time and zone):
        return None
    number = MONTHS.index(month[1].lower()) + 1
    hour, minute, second = (int(part or 0) for part in time.groups())
    return datetime(
        int(year[1]), number, int(day[1]), hour, minute, second, tzinfo=zone
    ).astimezone(UTC)


def _zone(text: str) -> timezone | None:
    if found := OFFSET.search(text):
        offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
        return timezone(-offset if found[1] == "-" else offset)
    for name in ZONE.findall(text):
        if name in HOURS_EAST:
            return timezone(timedelta(hours=HOURS_EAST[name]))
    return None
