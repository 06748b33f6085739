"""What most outcomes have in common is made when first asked for, and is the same ever after."""

from __future__ import annotations

from judge.rules.commonplaces import (
    AIDED,
    CUT,
    HELD_OFF_ALONE,
    KEPT_OUT_ALONE,
    STOOD_OFF_ALONE,
    SUCCESS_ALONE,
    UNAIDED,
)
from judge.rules.outcome import Cut, Fails, HeldOff, OwnUnit, StoodOff, Strength, Succeeds


def test_what_is_known_by_a_province_names_it() -> None:
    assert UNAIDED["PAR"] == Strength("PAR")
    assert SUCCESS_ALONE["PAR"] == Succeeds(Strength("PAR"))
    assert CUT["PAR"] == Cut("PAR")


def test_what_is_known_by_two_names_the_first_as_the_one_it_tells_of() -> None:
    paris, munich = Strength("PAR"), Strength("MUN")

    assert AIDED["PAR"]["MUN"] == Strength("PAR", ("MUN",))
    assert STOOD_OFF_ALONE["PAR"]["MUN"] == Fails(StoodOff(paris, (munich,)))
    assert HELD_OFF_ALONE["PAR"]["MUN"] == Fails(HeldOff(paris, munich))
    assert KEPT_OUT_ALONE["PAR"]["MUN"] == Fails(OwnUnit(paris, "MUN"))


def test_it_is_the_same_ever_after() -> None:
    assert CUT["BUR"] is CUT["BUR"]
    assert HELD_OFF_ALONE["BUR"]["GAS"] is HELD_OFF_ALONE["BUR"]["GAS"]
