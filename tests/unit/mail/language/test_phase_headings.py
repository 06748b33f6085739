"""The phase of orders below a line, or a subject, that names one."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.mail.language.phase_names import phase_meant, phase_named
from judge.mail.reader.phase_hints import LINE_MAX, PhaseHeading, phase_heading, phase_in_subject
from judge.rules.calendar import STANDARD_CALENDAR
from judge.rules.types import Phase

BOARD = load_map()


@pytest.mark.parametrize(
    ("line", "said", "rest"),
    [
        # as the judges have it
        ("PHASE F1902M", "F1902M", ""),
        ("PHASE FALL 1902 MOVEMENT", "F1902M", ""),
        ("PHASE F 1902 B", "W1902A", ""),
        ("phase spr 1902 ret", "S1902R", ""),
        ("PHASE F1901", "F1901", ""),
        ("PHASE RETREATS", "R", ""),
        ("PHASE FALL 1901 MOVEMENT: A Par-Bur", "F1901M", "A Par-Bur"),
        ("f1902m", "F1902M", ""),
        ("F1901B:", "W1901A", ""),
        ("F01M", "F1901M", ""),
        # as people do
        ("Fall 1901", "F1901", ""),
        ("**Fall 1901**", "F1901", ""),
        ("Fall '01:", "F1901", ""),
        ("Autumn 1901", "F1901", ""),
        ("Summer 1901", "S1901R", ""),
        ("Winter 1901 builds", "W1901A", "build:"),
        ("Orders for Fall 1901", "F1901", ""),
        ("And these are the orders for the fall of 1901:", "F1901", ""),
        ("Hello, here are my moves for Fall 1901.", "F1901M", ""),
        ("And for Spring 1902:", "S1902", ""),
        ("As we said, in Spring 1902:", "S1902", ""),
        ("Here are the Fall 1901 orders below", "F1901", ""),
        ("My orders for next fall:", "F", ""),
        ("baltic, Fall 1901", "F1901", ""),
        ("Game baltic - Fall 1901 orders", "F1901", ""),
        ("FALL1901", "F1901", ""),
        ("F 1901: A Par-Bur", "F1901", "A Par-Bur"),
        ("F 1901 A Par-Bur", "F1901", "A Par-Bur"),
        ("F1901 M", "F1901M", ""),
        # with whose they are
        ("FRANCE - Autumn 1901", "F1901", "France:"),
        ("France, Fall 1901: A Par-Bur", "F1901", "France: A Par-Bur"),
        ("FRANCE: Fall 1901: A Par-Bur", "F1901", "France: A Par-Bur"),
        ("French orders for Fall 1901:", "F1901", "France:"),
        # with orders behind
        ("F1901M: A Par-Pic; A Mar-Spa", "F1901M", "A Par-Pic; A Mar-Spa"),
        ("Fall 1901 - A Par-Bur", "F1901", "A Par-Bur"),
        ("Fall 1901 Paris to Burgundy", "F1901", "Paris to Burgundy"),
        ("Winter 1901 build F Bre", "W1901A", "build: F Bre"),
        ("Winter 1901 remove F Bre", "W1901", "remove F Bre"),
        # of no year
        ("Fall", "F", ""),
        ("Fall orders", "F", ""),
        ("WINTER:", "W", ""),
        ("Retreats", "R", ""),
        ("RETREATS: A Par-Gas, Pic", "R", "A Par-Gas, Pic"),
        ("MOVES:", "M", ""),
        ("BUILDS: F Bre, A Par", "WA", "build: F Bre, A Par"),
        ("REMOVALS: F Bre", "WA", "remove: F Bre"),
        # in other languages
        ("Herbst 1901", "F1901", ""),
        ("Befehle f\xfcr Fr\xfchjahr 1902:", "S1902", ""),
        ("Rueckzuege:", "R", ""),
        ("Ordres pour l'automne 1901", "F1901", ""),
        ("\xc9t\xe9 1901", "S1901R", ""),
        # of a phase that there is not
        ("PHASE XYZ", "PHASE XYZ", ""),
        ("PHASE ?", "PHASE ?", ""),
        ("phase fall 1902 mvoement", "phase fall 1902 mvoement", ""),
        ("W1901M:", "W1901M", ""),
        ("Spring 1902 builds", "S1902A", "build:"),
        ("Spring and Fall 1901", "Spring and Fall 1901", ""),
        ("Spring 1901 and Spring 1902:", "Spring 1901 and Spring 1902", ""),
    ],
)
def test_a_line_names_the_phase_of_what_stands_below(line: str, said: str, rest: str) -> None:
    assert phase_heading(line, BOARD) == PhaseHeading(said, rest)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "FRANCE:",
        "Orders:",
        "My orders, as agreed:",
        "The fall of France",
        "Winter is here.",
        "Fall 1901 was good",
        "I loved your moves in Spring 1901.",
        "That was my plan for Spring 1902",
        "A Par-Bur for Fall 1901",
        "Retreat: Alb, OTB",
        "Build",
        "my retreats",
        "Phase two of my plan will follow",
        "1901",
        "Spring 2026",
        "He left Boston in Spring 1901",
        "Fall 1901 " + "x" * LINE_MAX,
    ],
)
def test_another_line_names_none(line: str) -> None:
    assert phase_heading(line, BOARD) is None


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("F1901M orders", ("F1901M",)),
        ("lepanto: French orders for Autumn 1901!", ("F1901",)),
        ("Re: Spring 1901 and lepanto, Fall 1901", ("S1901", "F1901")),
        ("Retreats", ("R",)),
        ("Re: retreats", ()),
        ("ORDERS [#f1901m]", ()),
        ("Moves 2026-11-21", ()),
        ("", ()),
    ],
)
def test_a_subject_names_phases(subject: str, said: tuple[str, ...]) -> None:
    assert phase_in_subject(subject, BOARD) == said


@pytest.mark.parametrize(
    ("said", "now", "code"),
    [
        ("F1901", "S1901M", "F1901M"),
        ("F1901", "F1901R", "F1901R"),
        ("F1901", "W1901A", "F1901M"),
        ("F1902M", "S1901M", "F1902M"),
        ("S", "S1901R", "S1901R"),
        ("S", "F1901M", "S1902M"),
        ("R", "S1901M", "S1901R"),
        ("R", "F1901M", "F1901R"),
        ("1901R", "F1901M", "F1901R"),
        ("WA", "W1901A", "W1901A"),
        ("M", "W1901A", "S1902M"),
        ("F1902", None, "F1902M"),
        ("R", None, None),
        ("S1902A", "S1901M", None),
        ("PHASE XYZ", "S1901M", None),
    ],
)
def test_as_little_as_is_said_means_the_open_phase_or_the_next(
    said: str, now: str | None, code: str | None
) -> None:
    assert phase_meant(said, Phase.parse(now) if now else None, STANDARD_CALENDAR) == code


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("Spring 1902", "S1902M"),
        ("f 1902 r", "F1902R"),
        ("winter 1902", "W1902A"),
        ("F1902B", "W1902A"),
        ("F02 Frühjahr", "S1902M"),
        ("Retreats", None),
        ("Spring", None),
        ("S1902A", None),
        ("the 1902 retreats", None),
    ],
)
def test_one_phase_is_named_by_a_whole_code(written: str, code: str | None) -> None:
    assert phase_named(written.split(), BOARD) == code
