"""IX.4: equally supported attacks of one power bounce; the stronger one succeeds."""

from __future__ import annotations

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out


def test_equal_attacks_of_one_power_stand_each_other_off(rulebook: Rulebook) -> None:
    result = comes_out(rulebook, {"AUSTRIA": {"A Ser-Bud": "fails", "A Vie-Bud": "fails"}})

    assert result.contested == {"BUD"}


def test_example_3_the_one_that_another_power_supports_succeeds(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "AUSTRIA": {"A Ser-Bud": "succeeds", "A Vie-Bud": "fails"},
            "RUSSIA": {"A Gal S. AUSTRIAN A Ser-Bud": "given"},
        },
    )


def test_and_likewise_with_a_support_of_its_own(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "AUSTRIA": {
                "A Ser-Bud": "succeeds",
                "A Vie-Bud": "fails",
                "A Gal S. A Ser-Bud": "given",
            }
        },
    )


def test_but_not_if_it_already_held_that_space(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "AUSTRIA": {"A Ser-Bud": "fails", "A Vie-Bud": "fails", "A Bud H": "stands"},
            "RUSSIA": {"A Gal S. AUSTRIAN A Ser-Bud": "given"},
        },
    )
