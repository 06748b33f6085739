"""IX.5: equal attackers bounce over a unit that stays; they cut its support."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out

RUSSIA = {"A Rum-Ser": "fails", "A Bud S A Rum-Ser": "given"}
TURKEY = {"A Bul-Ser": "fails", "A Gre S A Bul-Ser": "given"}


def test_example_4_nothing_happens_to_the_unit_between(rulebook: Rulebook) -> None:
    comes_out(rulebook, {"AUSTRIA": {"A Ser H": "stands"}, "RUSSIA": RUSSIA, "TURKEY": TURKEY})


@pytest.mark.parametrize(
    "attacks",
    [
        {"RUSSIA": RUSSIA, "TURKEY": TURKEY},
        {"RUSSIA": {"A Rum-Ser": "fails"}},
        {"TURKEY": {"A Bul-Ser": "fails"}},
    ],
    ids=["both", "Russia alone", "Turkey alone"],
)
def test_the_support_that_it_gives_is_cut_by_both_or_either(
    rulebook: Rulebook, attacks: dict[str, dict[str, str]]
) -> None:
    comes_out(
        rulebook,
        {
            "AUSTRIA": {"A Ser S A Tri-Alb": "cut", "A Tri-Alb": "fails"},
            "ITALY": {"F Ion-Alb": "fails"},
            **attacks,
        },
    )
