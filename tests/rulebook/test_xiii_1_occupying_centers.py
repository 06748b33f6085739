"""XIII.1: the unit in a supply center after Fall, retreats included, takes ownership of it."""

from __future__ import annotations

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import places, played, position

START = position("S1901M", {"AUSTRIA": "A Bud", "TURKEY": "A Smy"})
OWNED = position(
    "S1902M", {"AUSTRIA": "A Ser", "TURKEY": "A Bul"}, centers={"AUSTRIA": "SER", "TURKEY": "BUL"}
)
ATTACKED = {"AUSTRIA": "A Ser-Bul, A Rum S A Ser-Bul", "TURKEY": "A Bul H"}
RETREATED = {"TURKEY": "A Bul-Gre"}


def test_spring_in_and_fall_out_changes_nothing(rulebook: Rulebook) -> None:
    after = played(rulebook, START, {"AUSTRIA": "A Bud-Ser"}, {"AUSTRIA": "A Ser-Alb"})

    assert "SER" not in after.owners


def test_the_unit_there_after_fall_owns_it(rulebook: Rulebook) -> None:
    stayed = played(rulebook, START, {"AUSTRIA": "A Bud-Ser"}, {"AUSTRIA": "A Ser H"})
    came = played(rulebook, START, {"TURKEY": "A Smy-Con"}, {"TURKEY": "A Con-Bul"})

    assert stayed.owners["SER"] == "AUSTRIA"
    assert came.owners["BUL"] == "TURKEY"


def test_a_vacant_center_stays_owned(rulebook: Rulebook) -> None:
    after = played(rulebook, OWNED, {"AUSTRIA": "A Ser-Alb"}, {"AUSTRIA": "A Alb H"})

    assert after.owners["SER"] == "AUSTRIA"


def test_until_another_power_is_there_at_the_close_of_fall(rulebook: Rulebook) -> None:
    left = {"AUSTRIA": "A Ser-Alb", "TURKEY": "A Bul-Ser"}
    spring = played(rulebook, OWNED, left)
    passed = played(rulebook, spring, {"TURKEY": "A Ser-Bud"})
    stayed = played(rulebook, spring, {"TURKEY": "A Ser H"})

    assert spring.owners["SER"] == "AUSTRIA"
    assert passed.owners["SER"] == "AUSTRIA"
    assert stayed.owners["SER"] == "TURKEY"


def test_a_fall_retreat_into_a_center_takes_it(rulebook: Rulebook) -> None:
    fall = position("F1901M", {"AUSTRIA": "A Ser, A Rum", "TURKEY": "A Bul"})

    after = played(rulebook, fall, ATTACKED, RETREATED)

    assert after.owners["GRE"] == "TURKEY"


def test_a_spring_retreat_does_not(rulebook: Rulebook) -> None:
    spring = position("S1901M", {"AUSTRIA": "A Ser, A Rum", "TURKEY": "A Bul"})

    after = played(rulebook, spring, ATTACKED, RETREATED)

    assert places(after.units)["TURKEY"] == "A GRE"
    assert "GRE" not in after.owners
