"""Names of provinces, written short and long."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.terms import names_of
from tests.support.selection import in_one

BOARD = load_map()

# Rulebook VII.7: the first three letters, except for those that begin with "Nor".
RULEBOOK = {"Nth": "NTH", "Nrg": "NWG", "Nwy": "NWY", "NAt": "NAO", "NAf": "NAF"}


@in_one(BOARD.places)
def test_every_code_name_and_alias_means_its_province(code: str) -> None:
    place = BOARD.places[code]

    for name in (code, place.name, *place.aliases):
        for written in (name, name.lower(), name.upper()):
            assert code in names_of(BOARD).find(written)


@in_one(BOARD.places)
def test_the_first_three_letters_mean_a_province(code: str) -> None:
    letters = [letter for letter in BOARD.places[code].name if letter.isalpha()][:3]
    short = "".join(letters)

    assert code in names_of(BOARD).find(short)


@pytest.mark.parametrize(("short", "code"), RULEBOOK.items())
def test_the_abbreviations_of_the_rulebook_have_one_meaning(short: str, code: str) -> None:
    assert names_of(BOARD).find(short) == (code,)


def test_nor_may_be_any_of_five() -> None:
    assert set(names_of(BOARD).find("Nor")) == set(RULEBOOK.values())


@pytest.mark.parametrize("text", ["", "Atlantis", "Par Bur"])
def test_an_unknown_name_means_nothing(text: str) -> None:
    assert names_of(BOARD).find(text) == ()


def test_all_places_that_a_line_may_name_are_found_behind_a_kind_too() -> None:
    assert {"ANK", "CON"} <= set(names_of(load_map()).all_in("FAnk-Con"))
