"""People name phases by the seasons and years of their board."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.mail.language.phase_names import phase_meant, phase_named, with_plain_phases
from judge.mail.reader.phase_hints import phase_heading, phase_hint, phase_in_subject
from judge.rules.board import Map
from judge.rules.types import Phase

HEADINGS = [
    ("spice-islands", "S1491M", "Monsoon 1491:", "F1491M"),
    ("spice-islands", "S1491M", "Here are my orders for the Monsoon of 1491:", "F1491M"),
    ("spice-islands", "S1491M", "Orders for Fall 1491", "F1491M"),
    ("ancient-med", "F0001M", "Spring 2:", "S0002M"),
    ("ancient-med", "S0001M", "Fall of 1", "F0001M"),
    ("ancient-med", "S0001M", "F0001M:", "F0001M"),
    ("ancient-med", "S0001M", "Winter 12:", "W0012A"),
    ("north-sea-wars", "S0000M", "Fall 0:", "F0000M"),
    ("three-kingdoms", "S0220M", "Spring 221 movement:", "S0221M"),
    ("western-world", "S0901M", "Fall 01:", "F0901M"),
    ("western-world", "S0901M", "F901M", "F0901M"),
    ("sengoku", "S1570M", "Fall 71:", "F1571M"),
    ("world", "S2000M", "Spring 2001:", "S2001M"),
    ("modern", "S1994M", "Fall 02:", "F2002M"),
    ("hundred", "S1425M", "1430:", "S1430M"),
    ("hundred", "S1430R", "Orders for 1430:", "S1430R"),
    ("hundred", "S1430R", "Adjustments 1430:", "W1430A"),
    ("standard", "S1901M", "Fall 02:", "F1902M"),
]


def meant(board: Map, line: str, now: str) -> str | None:
    heading = phase_heading(line, board) or phase_hint(line, board)
    return phase_meant(heading.code, Phase.parse(now), board.calendar) if heading else None


@pytest.mark.parametrize(("variant", "now", "line", "code"), HEADINGS)
def test_a_heading_names_a_phase_of_its_board(
    variant: str, now: str, line: str, code: str
) -> None:
    assert meant(load_map(variant), line, now) == code


@pytest.mark.parametrize(
    ("variant", "written", "code"),
    [
        ("spice-islands", "Monsoon 1492", "F1492M"),
        ("spice-islands", "F1492R", "F1492R"),
        ("ancient-med", "Spring 1 Movement", "S0001M"),
        ("ancient-med", "S0001R", "S0001R"),
        ("north-sea-wars", "W0000A", "W0000A"),
        ("world", "Fall 2003 retreats", "F2003R"),
        ("hundred", "1430", "S1430M"),
        ("hundred", "1430 Adjustments", "W1430A"),
        ("hundred", "1431", None),
        ("hundred", "F1430M", None),
        ("hundred", "W1425A", None),
        ("spice-islands", "Carnival 1491", None),
    ],
)
def test_a_phase_in_a_command_exists_on_its_board(
    variant: str, written: str, code: str | None
) -> None:
    assert phase_named(written.split(), load_map(variant)) == code


def test_a_subject_names_a_phase_of_its_board() -> None:
    assert phase_in_subject("my moves for Monsoon 1491", load_map("spice-islands")) == ("F1491M",)


@pytest.mark.parametrize("line", ["South Africa: Fall 2001:", "SOUTH-AFRICA - Fall 2001"])
def test_a_power_of_several_words_may_precede_the_phase(line: str) -> None:
    heading = phase_heading(line, load_map("world"))

    assert heading
    assert (heading.code, heading.rest) == ("F2001", "South Africa:")


@pytest.mark.parametrize(
    "line",
    [
        "Spring 2026 will be fine",
        "A Par S A Mar-Bur",
        "Fall 1902",
        "my number is S 15",
        "Monsoon 1491",
    ],
)
def test_the_standard_board_reads_as_ever(line: str) -> None:
    assert with_plain_phases(line, load_map()) == with_plain_phases(line)
