"""VII.7: the province of the unit, then its order; three letters abbreviate a province."""

from __future__ import annotations

import pytest

from judge.notation.strict_orders import read_strictly
from judge.rules.board import Terrain
from judge.rules.types import Hold, Move, PhaseKind, SupportMove, UnitKind, UnitName
from tests.rulebook.examples import BOARD, order_in

# The rulebook abbreviates these otherwise than by their first three letters, because five spaces
# begin with "Nor"; the others here share theirs, and the sort of unit decides, or is asked.
NOR = {"NTH": "Nth", "NWG": "Nrg", "NWY": "Nwy", "NAO": "NAt", "NAF": "NAf"}
SHARED = {"Liv": {"LVN", "LVP"}, "Gul": {"BOT", "LYO"}}


def unit_in(code: str) -> str:
    return "F" if BOARD.places[code].terrain is Terrain.SEA else "A"


def short(code: str) -> str:
    name = "".join(letter for letter in BOARD.places[code].name if letter.isalpha())
    return NOR.get(code, name[:3])


@pytest.mark.parametrize("code", BOARD.places)
def test_three_letters_in_any_case_abbreviate_a_space(code: str) -> None:
    kind, letters = unit_in(code), short(code)
    for written in {letters, letters.lower(), letters.upper()}:
        read = read_strictly(f"{kind} {written} H", BOARD, PhaseKind.MOVEMENT)
        assert {each.order for each in read} == {
            Hold(UnitName(UnitKind(kind), each)) for each in SHARED.get(letters, {code})
        }


@pytest.mark.parametrize("code", BOARD.places)
def test_each_name_of_a_space_in_any_case_means_it(code: str) -> None:
    place = BOARD.places[code]
    hold = Hold(UnitName(UnitKind(unit_in(code)), code))
    for name in (code, place.name, *place.aliases):
        for written in (name, name.lower(), name.upper()):
            read = read_strictly(f"{unit_in(code)} {written} H", BOARD, PhaseKind.MOVEMENT)
            assert hold in {each.order for each in read}, written


def test_the_space_of_the_unit_comes_first() -> None:
    paris, war = UnitName(UnitKind.ARMY, "PAR"), UnitName(UnitKind.ARMY, "WAR", "RUSSIA")

    assert order_in("A Par-Bur") == Move(paris, "BUR")
    assert order_in("a par - bur") == Move(paris, "BUR")
    assert order_in("A Sil S RUSSIAN A War-Pru") == SupportMove(
        UnitName(UnitKind.ARMY, "SIL"), war, "PRU"
    )
    assert order_in("Gal S. AUSTRIAN A Ser-Bud") == SupportMove(
        UnitName(None, "GAL"), UnitName(UnitKind.ARMY, "SER", "AUSTRIA"), "BUD"
    )
