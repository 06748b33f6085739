"""IX.2: a unit has its own strength and its supports; the stronger moves and dislodges."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out

# Munich between France and Germany, one support more each time.
ATTACK = ["A Bur-Mun", "A Ruh S A Bur-Mun", "A Tyr S A Bur-Mun"]
DEFENSE = ["A Mun H", "A Sil S A Mun", "A Boh S A Mun"]


@pytest.mark.parametrize("defenders", [1, 2, 3])
@pytest.mark.parametrize("attackers", [1, 2, 3])
def test_only_the_stronger_enters_and_dislodges(
    rulebook: Rulebook, attackers: int, defenders: int
) -> None:
    stronger = attackers > defenders
    attack = dict.fromkeys(ATTACK[:attackers], "given")
    attack[ATTACK[0]] = "succeeds" if stronger else "fails"
    defense = dict.fromkeys(DEFENSE[:defenders], "given")
    defense[DEFENSE[0]] = "dislodged" if stronger else "stands"

    comes_out(rulebook, {"FRANCE": attack, "GERMANY": defense})


@pytest.mark.parametrize(("one", "other"), [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_of_two_attackers_of_an_empty_space_the_stronger_enters(
    rulebook: Rulebook, one: int, other: int
) -> None:
    germany = dict.fromkeys(["A Ber-Sil", "A Mun S A Ber-Sil"][:one], "given")
    russia = dict.fromkeys(["A War-Sil", "A Gal S A War-Sil"][:other], "given")
    germany["A Ber-Sil"] = "succeeds" if one > other else "fails"
    russia["A War-Sil"] = "succeeds" if other > one else "fails"

    comes_out(rulebook, {"GERMANY": germany, "RUSSIA": russia})


def test_the_dislodged_unit_retreats(rulebook: Rulebook) -> None:
    result = comes_out(
        rulebook,
        {
            "FRANCE": {"A Bur-Mun": "succeeds", "A Ruh S A Bur-Mun": "given"},
            "GERMANY": {"A Mun H": "dislodged"},
        },
    )

    (dislodged,) = result.after.dislodged
    assert result.after.phase.code == "S1901R"
    assert dislodged.retreats == ("BER", "BOH", "KIE", "SIL", "TYR")


def test_it_is_disbanded_where_no_retreat_is_open(rulebook: Rulebook) -> None:
    result = comes_out(
        rulebook,
        {
            "RUSSIA": {"F Bla-Ank": "succeeds", "A Arm S F Bla-Ank": "given"},
            "TURKEY": {"F Ank H": "destroyed"},
        },
        unordered={"TURKEY": "F Con"},
    )

    assert result.after.phase.code == "F1901M"
