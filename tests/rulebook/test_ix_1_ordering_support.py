"""IX.1: a support order names its unit and the supported order, into a province it can reach."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out


def test_a_supporter_need_not_be_next_to_the_unit_that_it_supports(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ITALY": {"A Tyr-Mun": "succeeds", "A Bur S A Tyr-Mun": "given"},
            "GERMANY": {"A Mun H": "dislodged"},
        },
    )


def test_the_units_of_others_are_supported_unasked_and_cannot_refuse(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {"A Sil S RUSSIAN A War-Pru": "given", "A Ber-Pru": "fails"},
            "RUSSIA": {"A War-Pru": "succeeds"},
        },
    )


def test_a_fleet_supports_only_along_its_own_coast(rulebook: Rulebook) -> None:
    comes_out(rulebook, {"ITALY": {"F Rom S A Apu-Ven": "illegal", "A Apu-Ven": "succeeds"}})


def test_an_army_does_not_support_into_water(rulebook: Rulebook) -> None:
    comes_out(rulebook, {"FRANCE": {"A Bre S F Eng": "illegal", "F Eng H": "stands"}})
    comes_out(
        rulebook,
        {"FRANCE": {"A Bre S F Lon-Eng": "illegal"}, "ENGLAND": {"F Lon-Eng": "succeeds"}},
    )


def test_a_fleet_does_not_support_inland(rulebook: Rulebook) -> None:
    comes_out(rulebook, {"GERMANY": {"F Kie S A Ber-Mun": "illegal", "A Ber-Mun": "succeeds"}})


def test_a_unit_that_reaches_one_coast_supports_into_either(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "FRANCE": {"F Mar S F Gas-Spa(nc)": "given", "F Gas-Spa(nc)": "succeeds"},
            "ITALY": {"A Por-Spa": "fails"},
        },
    )


@pytest.mark.parametrize("mover", ["A Gas-Spa", "F Wes-Spa(sc)", "F Gas-Spa(nc)"])
def test_fleets_support_armies_and_fleets(rulebook: Rulebook, mover: str) -> None:
    comes_out(
        rulebook,
        {
            "FRANCE": {f"F MID S {mover}": "given", mover: "succeeds"},
            "ITALY": {"A Por-Spa": "fails"},
        },
    )


def test_armies_support_fleets(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "FRANCE": {"A Gas S F Mid-Spa(nc)": "given", "F Mid-Spa(nc)": "succeeds"},
            "ITALY": {"A Por-Spa": "fails"},
        },
    )


def test_a_coast_in_the_support_must_be_that_of_the_move(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {"FRANCE": {"F Mar S F Mid-Spa(sc)": "invalid", "F Mid-Spa(nc)": "succeeds"}},
    )
    comes_out(
        rulebook,
        {"FRANCE": {"F Mar S F Mid-Spa(nc)": "given", "F Mid-Spa(nc)": "succeeds"}},
    )


def test_it_may_be_left_out(rulebook: Rulebook) -> None:
    comes_out(rulebook, {"FRANCE": {"F Mar S F Mid-Spa": "given", "F Mid-Spa(nc)": "succeeds"}})
