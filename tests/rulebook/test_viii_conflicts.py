"""VIII: equal forces bounce, a unit that stays blocks, and no two units swap places."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out, places


def test_equal_forces_ordered_to_one_space_all_stay(rulebook: Rulebook) -> None:
    result = comes_out(
        rulebook, {"GERMANY": {"A Ber-Sil": "fails"}, "RUSSIA": {"A War-Sil": "fails"}}
    )

    assert places(result.after.units) == {"GERMANY": "A BER", "RUSSIA": "A WAR"}
    assert result.contested == {"SIL"}


@pytest.mark.parametrize("holder", ["AUSTRIA", "GERMANY", "RUSSIA"])
def test_a_unit_that_stays_between_them_is_not_dislodged(rulebook: Rulebook, holder: str) -> None:
    result = comes_out(
        rulebook,
        {"GERMANY": {"A Ber-Sil": "fails"}, "RUSSIA": {"A War-Sil": "fails"}},
        unordered={holder: "A Sil"},
    )

    assert result.after.dislodged == ()
    assert "A SIL" in places(result.after.units)[holder]


@pytest.mark.parametrize(
    "orders",
    [
        {"RUSSIA": {"A Lvn-Pru": "fails"}, "GERMANY": {"F Bal-Pru": "fails"}},
        {"RUSSIA": {"F Lvn-Bal": "fails"}, "GERMANY": {"F Kie-Bal": "fails"}},
        {"RUSSIA": {"A War-Sil": "fails", "A Gal-Sil": "fails"}},
        {"RUSSIA": {"F Sev-Bla": "fails", "F Rum-Bla": "fails"}},
    ],
    ids=["an army and a fleet", "two fleets", "two armies of one", "two fleets of one"],
)
def test_it_is_the_same_for_armies_and_fleets_of_one_power_or_of_two(
    rulebook: Rulebook, orders: dict[str, dict[str, str]]
) -> None:
    comes_out(rulebook, orders)


def test_a_unit_that_stays_blocks_all_behind_it(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "GERMANY": {"A Ber-Pru": "fails", "F Kie-Ber": "fails"},
            "RUSSIA": {"A Pru H": "stands"},
        },
    )


def test_units_in_a_ring_all_move(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "TURKEY": {
                "F Ank-Con": "succeeds",
                "A Con-Smy": "succeeds",
                "A Smy-Ank": "succeeds",
            }
        },
    )


def test_two_units_cannot_trade_places(rulebook: Rulebook) -> None:
    comes_out(rulebook, {"GERMANY": {"A Ber-Kie": "fails", "F Kie-Ber": "fails"}})
    comes_out(rulebook, {"GERMANY": {"A Mun-Sil": "fails"}, "RUSSIA": {"A Sil-Mun": "fails"}})


def test_they_can_if_one_goes_by_convoy(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "ENGLAND": {"A Nwy-Swe": "succeeds", "F Ska C A Nwy-Swe": "available"},
            "RUSSIA": {"A Swe-Nwy": "succeeds"},
        },
    )
