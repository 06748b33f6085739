"""IX.6: a support helps only the order that it names."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out

FRANCE = {"A Bur-Mun": "succeeds", "A Ruh S A Bur-Mun": "given"}


def test_a_support_to_move_does_not_help_a_unit_that_holds(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {"A Mun H": "dislodged", "A Boh S A Mun-Tyr": "invalid"},
            "FRANCE": FRANCE,
        },
    )


def test_nor_one_that_moves_elsewhere(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {"A Mun-Sil": "fails", "A Boh S A Mun-Tyr": "invalid"},
            "RUSSIA": {"A War-Sil": "fails"},
        },
    )


def test_a_support_in_place_does_not_help_a_unit_that_moves(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {"A Mun-Sil": "fails, dislodged", "A Boh S A Mun": "invalid"},
            "RUSSIA": {"A War-Sil": "fails"},
            "FRANCE": FRANCE,
        },
    )


@pytest.mark.parametrize("support", ["A Boh S A Mun", "A Boh S Mun"])
def test_a_unit_that_stays_may_be_supported_by_its_province_alone(
    rulebook: Rulebook, support: str
) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {"A Mun H": "stands", support: "given"},
            "FRANCE": {"A Bur-Mun": "fails", "A Ruh S A Bur-Mun": "given"},
        },
    )
