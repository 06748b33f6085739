"""Features of other boards that the standard board lacks."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_owned_order
from judge.notation.readings import NotUnderstood, Unclear, Understood
from judge.notation.terms import names_of
from judge.rules.types import Hold, UnitKind, UnitName


def read(variant: str, text: str) -> str:
    (reading,) = read_for_phase(text, load_map(variant))
    assert isinstance(reading, Understood)
    return f"{reading.power}: {write_owned_order(reading.order)}"


@pytest.mark.parametrize(
    "text",
    [
        "F Meo/river - Pak",
        "F Meo (river) - Pak",
        "F Meo(river coast)-Pak",
        "F Meo river - Pak",
        "Fleet Meo river coast moves to Pak",
        "F(Meo)river - Pak",
    ],
)
def test_a_coast_may_have_a_name(text: str) -> None:
    assert read("vietnam-war", text) == "None: F MEO/RIVER - PAK"


@pytest.mark.parametrize(
    "heading",
    [
        "East Frankish Kingdom:",
        "EAST FRANKISH KINGDOM (Ada):",
        "EAST-FRANKISH-KINGDOM:",
    ],
)
def test_a_power_may_have_several_words(heading: str) -> None:
    board = load_map("western-world")
    unit = board.start.units_of("EAST-FRANKISH-KINGDOM")[0]

    (reading,) = read_for_phase(f"{heading} {unit} H", board)

    assert isinstance(reading, Understood)
    assert reading.power == "EAST-FRANKISH-KINGDOM"
    assert write_owned_order(reading.order) == f"{unit} H"


def test_the_owner_of_a_helped_unit_may_have_several_words() -> None:
    board = load_map("vietnam-war")
    helper, helped = board.start.units_of("LAOS")[0], board.start.units_of("NORTH-VIETNAM")[0]

    for owner in ("North Vietnam", "NORTH-VIETNAM", "(North Vietnam)"):
        assert (
            read("vietnam-war", f"{helper} S {owner} {helped}")
            == f"None: {helper} S NORTH-VIETNAM {helped}"
        )


def test_digits_are_letters_of_powers() -> None:
    assert names_of(load_map("chaos")).letters["0"] == "SEVASTOPOL"
    assert read("chaos", "1) A Par-Bur") == "None: A PAR - BUR"


def test_a_neutral_unit_is_named_and_its_letter_is_no_dash() -> None:
    board = load_map("sengoku")

    assert "-" not in names_of(board).letters
    assert read("sengoku", "A Kii S neutral A Biz") == "None: A KII S NEUTRAL A BIZ"


@pytest.mark.parametrize("text", ["F Kag-Not", "F KAG - NOT"])
def test_a_place_may_be_called_like_a_denial(text: str) -> None:
    assert read("sengoku-7", text) == "None: F KAG - NOT"


def test_a_denial_still_denies() -> None:
    (reading,) = read_for_phase("Do not order F Kag - Etc", load_map("sengoku-7"))

    assert isinstance(reading, NotUnderstood)


def test_a_name_of_two_provinces_is_asked_for() -> None:
    (reading,) = read_for_phase("F Gulf H", load_map("1908"))

    assert isinstance(reading, Unclear)
    assert {order.unit.province for order in reading.orders if isinstance(order, Hold)} == {
        "GOB",
        "GOL",
    }


def test_two_powers_that_begin_alike_are_not_shortened() -> None:
    shortened = names_of(load_map("world")).shortened_powers

    assert shortened["ken"] == "KENYA"
    assert names_of(load_map("western-world")).shortened_powers.get("eas") is None


@pytest.mark.parametrize("text", ["F Meo (delta) H", "F Meo (river H"])
def test_another_word_is_no_coast(text: str) -> None:
    (reading,) = read_for_phase(text, load_map("vietnam-war"))

    assert not isinstance(reading, Understood) or reading.order == Hold(
        UnitName(UnitKind.FLEET, "MEO")
    )
