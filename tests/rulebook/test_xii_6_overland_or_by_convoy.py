"""XII.6: where both land and convoy are possible, the power's orders show which is meant."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook, rulebook_named
from tests.rulebook.examples import TESTED_RULEBOOKS, comes_out

# DATC 4.A.3: before 1982 the rulebooks left it open, and the army goes by sea if only that works.
BY_INTENT = [name for name in TESTED_RULEBOOKS if name not in {"1971", "1976"}]


def test_a_fleet_of_its_own_that_convoys_it_means_by_sea(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ENGLAND": {"A Nwy-Swe": "succeeds", "F Ska C A Nwy-Swe": "available"},
            "RUSSIA": {"A Swe-Nwy": "succeeds"},
        },
    )


def test_words_in_its_order_mean_by_sea(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ENGLAND": {"A Nwy-Swe via convoy": "succeeds"},
            "GERMANY": {"F Ska C A Nwy-Swe": "available"},
            "RUSSIA": {"A Swe-Nwy": "succeeds"},
        },
    )


@pytest.mark.parametrize("name", TESTED_RULEBOOKS)
def test_by_intent_a_foreign_fleet_carries_no_army_off(name: str) -> None:
    trades = "fails" if name in BY_INTENT else "succeeds"

    comes_out(
        rulebook_named(name),
        {
            "ENGLAND": {"A Nwy-Swe": trades},
            "GERMANY": {"F Ska C A Nwy-Swe": "available"},
            "RUSSIA": {"A Swe-Nwy": trades},
        },
    )


@pytest.mark.parametrize("name", BY_INTENT)
def test_an_order_without_any_convoy_means_overland(name: str) -> None:
    comes_out(
        rulebook_named(name),
        {"ENGLAND": {"A Nwy-Swe": "succeeds", "F Ska-Den": "succeeds"}},
    )


@pytest.mark.parametrize("name", TESTED_RULEBOOKS)
def test_one_route_is_used_and_the_other_disregarded(name: str) -> None:
    # The convoy is disrupted. DATC 3.2 prefers that the army then stays; a printed rulebook since
    # 1982 leaves open whether it goes overland, and there it does; before, it always could.
    goes = "fails" if name == "datc" else "succeeds"

    comes_out(
        rulebook_named(name),
        {
            "ENGLAND": {"A Nwy-Swe": goes, "F Ska C A Nwy-Swe": "disrupted, dislodged"},
            "GERMANY": {"F Nth-Ska": "succeeds", "F Den S F Nth-Ska": "given"},
        },
    )
