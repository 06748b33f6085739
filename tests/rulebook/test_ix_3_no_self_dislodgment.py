"""IX.3: no power dislodges its own unit or helps to do so."""

from __future__ import annotations

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out


def test_example_1_four_moves_fail_and_both_supports_are_good(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ENGLAND": {
                "F Den-Kie": "fails",
                "F Nth-Den": "fails",
                "F Hel S F Nth-Den": "given",
            },
            "RUSSIA": {
                "A Ber-Kie": "fails",
                "F Bal S F Ska-Den": "given",
                "F Ska-Den": "fails",
            },
        },
    )


def test_the_russian_attack_succeeds_if_the_english_one_is_not_made(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ENGLAND": {"F Den-Kie": "fails, dislodged"},
            "RUSSIA": {
                "A Ber-Kie": "fails",
                "F Bal S F Ska-Den": "given",
                "F Ska-Den": "succeeds",
            },
        },
    )


def test_example_2_a_support_does_not_help_another_power_to_dislodge(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "FRANCE": {"A Bur H": "stands"},
            "GERMANY": {"A Mun-Bur": "fails", "A Kie S AUSTRIAN A Boh-Mun": "given"},
            "AUSTRIA": {"A Boh-Mun": "fails"},
        },
    )


def test_with_a_support_of_its_own_the_attack_dislodges(rulebook: Rulebook) -> None:
    result = comes_out(
        rulebook,
        {
            "FRANCE": {"A Bur H": "stands"},
            "GERMANY": {"A Mun-Bur": "fails, dislodged", "A Kie S AUSTRIAN A Boh-Mun": "given"},
            "AUSTRIA": {"A Boh-Mun": "succeeds", "A Tyr S A Boh-Mun": "given"},
        },
    )

    assert [str(each.unit) for each in result.after.dislodged] == ["A MUN"]
