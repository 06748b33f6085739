"""A calendar defines the seasons of a year, their order, and when centers change owners."""

from __future__ import annotations

import pytest

from judge.rules.calendar import STANDARD_CALENDAR, Calendar, Turn
from judge.rules.types import FALL, SPRING, WINTER, Phase

FIVE_YEARS = Calendar((Turn(SPRING), Turn(SPRING, 5, adjusts=True)), years=10, first_year=1425)
THREE_TURNS = Calendar((Turn(SPRING), Turn(FALL, adjusts=True), Turn(WINTER, adjusts=True)))


def codes(calendar: Calendar, first: str, count: int) -> str:
    phases = [Phase.parse(first)]
    while len(phases) < count:
        phases.append(calendar.following(phases[-1]))
    return " ".join(map(str, phases))


@pytest.mark.parametrize(
    ("calendar", "first", "phases"),
    [
        (STANDARD_CALENDAR, "F0000M", "F0000M F0000R W0000A S0001M"),
        (FIVE_YEARS, "S1425M", "S1425M S1425R S1430M S1430R W1430A S1435M"),
        (THREE_TURNS, "S1900R", "S1900R F1900M F1900R F1900A W1900M W1900R W1900A S1901M"),
    ],
)
def test_phases_follow_each_other(calendar: Calendar, first: str, phases: str) -> None:
    assert codes(calendar, first, len(phases.split())) == phases


@pytest.mark.parametrize(
    ("calendar", "year", "phases"),
    [
        (STANDARD_CALENDAR, 1901, "S1901M S1901R F1901M F1901R W1901A"),
        (FIVE_YEARS, 1425, "S1425M S1425R"),
        (FIVE_YEARS, 1440, "S1440M S1440R W1440A"),
        (FIVE_YEARS, 1441, ""),
    ],
)
def test_a_year_has_its_phases(calendar: Calendar, year: int, phases: str) -> None:
    assert " ".join(map(str, calendar.phases_of(year))) == phases
    assert all(phase in calendar for phase in calendar.phases_of(year))


@pytest.mark.parametrize("code", ["F1425M", "S1426M", "W1425A", "F1430M"])
def test_a_calendar_has_no_other_phases(code: str) -> None:
    phase = Phase.parse(code)

    assert phase not in FIVE_YEARS
    with pytest.raises(ValueError, match=f"no phase {code}"):
        FIVE_YEARS.next_movement(phase)


@pytest.mark.parametrize(
    ("turns", "years", "complaint"),
    [
        ((Turn(FALL, adjusts=True), Turn(SPRING)), 1, "not in order"),
        ((Turn(SPRING), Turn(FALL)), 1, "no turn of the calendar has adjustments"),
        ((Turn(SPRING), Turn(SPRING, 5, adjusts=True)), 5, "not in its 5 years"),
    ],
)
def test_a_calendar_that_makes_no_sense_is_refused(
    turns: tuple[Turn, ...], years: int, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        Calendar(turns, years)


@pytest.mark.parametrize(
    ("calendar", "before", "after", "counts"),
    [
        (STANDARD_CALENDAR, "S1901M", "F1901M", False),
        (STANDARD_CALENDAR, "F1901M", "F1901R", False),
        (STANDARD_CALENDAR, "F1901M", "S1902M", True),
        (STANDARD_CALENDAR, "F1901R", "W1901A", True),
        (STANDARD_CALENDAR, "W1901A", "S1902M", False),
        (FIVE_YEARS, "S1425M", "S1430M", False),
        (FIVE_YEARS, "S1430R", "S1435M", True),
    ],
)
def test_centers_change_owners_after_some_turns(
    calendar: Calendar, before: str, after: str, *, counts: bool
) -> None:
    assert calendar.counts_between(Phase.parse(before), Phase.parse(after)) is counts


@pytest.mark.parametrize(
    ("calendar", "phase", "year"),
    [
        (STANDARD_CALENDAR, "S1901M", 1900),
        (STANDARD_CALENDAR, "S1901R", 1900),
        (STANDARD_CALENDAR, "F1901M", 1901),
        (STANDARD_CALENDAR, "W1901A", 1901),
        (STANDARD_CALENDAR, "S1902M", 1901),
        (FIVE_YEARS, "S1430M", 1425),
        (FIVE_YEARS, "W1430A", 1430),
        (FIVE_YEARS, "S1435M", 1430),
        (FIVE_YEARS, "F1430M", 1430),
    ],
)
def test_a_chart_shows_the_centers_of_the_turn_before(
    calendar: Calendar, phase: str, year: int
) -> None:
    assert calendar.year_counted(Phase.parse(phase)) == year
