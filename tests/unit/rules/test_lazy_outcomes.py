"""Fields of outcomes computed on first access stay the same afterwards."""

from __future__ import annotations

from judge.rules.outcomes import Cut, Fails, HeldOff, OwnUnit, StoodOff, Strength, Succeeds
from judge.rules.resolution.verdicts import (
    BLOCKED_BY_OWN_UNIT,
    CUT_FROM,
    HELD_OFF_ALONE,
    STOOD_OFF_ALONE,
    SUCCESS_ALONE,
    SUPPORTED_BY,
    UNSUPPORTED,
)


def test_outcomes_of_one_province_name_it() -> None:
    assert UNSUPPORTED["PAR"] == Strength("PAR")
    assert SUCCESS_ALONE["PAR"] == Succeeds(Strength("PAR"))
    assert CUT_FROM["PAR"] == Cut("PAR")


def test_outcomes_of_two_provinces_name_the_subject_first() -> None:
    paris, munich = Strength("PAR"), Strength("MUN")

    assert SUPPORTED_BY["PAR"]["MUN"] == Strength("PAR", ("MUN",))
    assert STOOD_OFF_ALONE["PAR"]["MUN"] == Fails(StoodOff(paris, (munich,)))
    assert HELD_OFF_ALONE["PAR"]["MUN"] == Fails(HeldOff(paris, munich))
    assert BLOCKED_BY_OWN_UNIT["PAR"]["MUN"] == Fails(OwnUnit(paris, "MUN"))


def test_it_is_the_same_ever_after() -> None:
    assert CUT_FROM["BUR"] is CUT_FROM["BUR"]
    assert HELD_OFF_ALONE["BUR"]["GAS"] is HELD_OFF_ALONE["BUR"]["GAS"]
