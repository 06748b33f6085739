"""IX.6: a unit that is not ordered to move is supported to hold, others in their move."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out

FRANCE = {"A Bur-Mun": "fails", "A Ruh S A Bur-Mun": "given"}


def test_a_unit_that_holds_is_supported_in_place(rulebook: Rulebook) -> None:
    comes_out(
        rulebook, {"GERMANY": {"A Mun H": "stands", "A Boh S A Mun": "given"}, "FRANCE": FRANCE}
    )


def test_so_is_one_that_supports(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {
                "A Mun S A Kie-Ber": "cut",
                "A Kie-Ber": "succeeds",
                "A Boh S A Mun": "given",
            },
            "FRANCE": FRANCE,
        },
    )


def test_so_is_one_without_an_order(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {"GERMANY": {"A Boh S A Mun": "given"}, "FRANCE": FRANCE},
        unordered={"GERMANY": "A Mun"},
    )


def test_so_is_a_fleet_that_convoys(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ENGLAND": {
                "F Nth C A Lon-Bel": "available",
                "A Lon-Bel": "succeeds",
                "F Hel S F Nth": "given",
            },
            "GERMANY": {"F Den-Nth": "fails", "F Ska S F Den-Nth": "given"},
        },
    )


def test_one_ordered_to_move_is_not_even_if_its_move_fails(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {
                "A Mun-Ber": "fails, dislodged",
                "A Boh S A Mun": "invalid",
                "F Ber H": "stands",
            },
            "FRANCE": {"A Bur-Mun": "succeeds", "A Ruh S A Bur-Mun": "given"},
        },
    )


def test_support_cannot_be_convoyed(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ENGLAND": {"A Lon S A Ruh-Bel": "illegal", "F Nth H": "stands"},
            "GERMANY": {"A Ruh-Bel": "succeeds"},
        },
    )


@pytest.mark.parametrize(
    ("attacker", "support"), [("GERMANY", "given"), ("FRANCE", "cut")], ids=["own", "other"]
)
def test_no_power_cuts_the_support_of_its_own_unit(
    rulebook: Rulebook, attacker: str, support: str
) -> None:
    orders = {
        "GERMANY": {"A Mun S A Ber-Sil": support, "A Ber-Sil": "succeeds"},
        "FRANCE": {"A Bur H": "stands"},
    }
    orders[attacker] |= {"A Ruh-Mun": "fails"}

    comes_out(rulebook, orders)
