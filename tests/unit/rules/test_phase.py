"""Phases have codes, an order and successors."""

from __future__ import annotations

import pytest

from judge.rules.calendar import STANDARD_CALENDAR
from judge.rules.types import Phase


@pytest.mark.parametrize(
    ("code", "phase"),
    [("S1901M", "S1901M"), (" f1901r ", "F1901R"), ("W1901A", "W1901A"), ("F1901B", "W1901A")],
)
def test_a_code_is_read(code: str, phase: str) -> None:
    assert str(Phase.parse(code)) == phase


@pytest.mark.parametrize("code", ["", "SPRING 1901", "S19011M", "S1901B", "X1901M"])
def test_an_invalid_phase_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="no phase"):
        Phase.parse(code)


def test_a_year_has_five_phases() -> None:
    phases = [Phase.parse("S1901M")]
    while len(phases) < 6:
        phases.append(STANDARD_CALENDAR.following(phases[-1]))

    assert [phase.code for phase in phases] == [
        "S1901M",
        "S1901R",
        "F1901M",
        "F1901R",
        "W1901A",
        "S1902M",
    ]
    assert phases == sorted([*phases[3:], *phases[:3]])


@pytest.mark.parametrize("code", ["S1901A", "F1901A", "W1901M", "W1901R"])
def test_the_standard_year_has_no_other_phases(code: str) -> None:
    assert Phase.parse(code) not in STANDARD_CALENDAR


def test_no_phase_is_before_itself() -> None:
    assert not Phase.parse("F1901M") < Phase.parse("F1901M")
