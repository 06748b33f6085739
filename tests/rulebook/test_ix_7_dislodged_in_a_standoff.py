"""IX.7: equal moves to one province bounce, even if one of the units is dislodged."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook, rulebook_named
from tests.rulebook.examples import TESTED_RULEBOOKS, comes_out


def test_dislodged_from_another_space_it_still_stands_its_equal_off(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "AUSTRIA": {"A Boh-Mun": "fails, dislodged"},
            "FRANCE": {"A Bur-Mun": "fails"},
            "RUSSIA": {"A Gal-Boh": "succeeds", "A Sil S A Gal-Boh": "given"},
        },
    )


def test_dislodged_from_that_very_space_it_has_no_effect_there(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "AUSTRIA": {"A Boh-Mun": "fails, dislodged"},
            "FRANCE": {"A Bur-Mun": "succeeds"},
            "GERMANY": {"A Mun-Boh": "succeeds", "A Sil S A Mun-Boh": "given"},
        },
    )


@pytest.mark.parametrize("name", TESTED_RULEBOOKS)
def test_if_its_attacker_came_from_there_by_sea_the_rulebooks_differ(name: str) -> None:
    # DATC 4.A.7: the printed words know of no exception for a convoy, the DATC prefers one.
    enters = "fails" if name == "datc" else "succeeds"

    comes_out(
        rulebook_named(name),
        {
            "ENGLAND": {
                "A Swe-Den via convoy": "succeeds",
                "F Ska C A Swe-Den": "available",
                "F Nth S A Swe-Den": "given",
            },
            "GERMANY": {"A Den-Swe": "fails, dislodged"},
            "RUSSIA": {"A Nwy-Swe": enters},
        },
    )
