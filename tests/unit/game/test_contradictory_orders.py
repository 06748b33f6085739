"""Supports and convoys that contradict other orders of their own power."""

from __future__ import annotations

import pytest

from judge.game.submission import contradictory_orders
from judge.notation.order_text import read_order, write_order


@pytest.mark.parametrize(
    ("orders", "found"),
    [
        (("A MAR S A PAR - BUR", "A PAR - PIC"), ["A MAR S A PAR - BUR / A PAR - PIC"]),
        (("A MAR S A PAR - BUR", "A PAR H"), ["A MAR S A PAR - BUR / A PAR H"]),
        (("A MAR S A PAR - BUR", "A PAR - BUR"), []),
        (("A MAR S A PAR - BUR",), []),
        (("A MAR S A PAR", "A PAR - BUR"), ["A MAR S A PAR / A PAR - BUR"]),
        (("A MAR S A PAR", "A PAR S A MAR"), []),
        (("F WES S F MAO - SPA", "F MAO - SPA/SC"), []),
        (("F NTH C A LON - NWY", "A LON - WAL"), ["F NTH C A LON - NWY / A LON - WAL"]),
        (("F NTH C A LON - NWY", "A LON H"), ["F NTH C A LON - NWY / A LON H"]),
        (("F NTH C A LON - NWY", "A LON - NWY"), []),
        (
            ("F NTH C A LON - BEL", "A LON - ENG - BEL"),
            ["F NTH C A LON - BEL / A LON - ENG - BEL"],
        ),
        (("F ENG C A LON - BEL", "A LON - ENG - BEL"), []),
    ],
)
def test_a_support_or_convoy_of_another_order_is_found(
    orders: tuple[str, ...], found: list[str]
) -> None:
    given = [read_order(order) for order in orders]

    told = [
        f"{write_order(order)} / {write_order(other)}"
        for order, other in contradictory_orders(given)
    ]

    assert told == found


def test_builds_contradict_nothing() -> None:
    builds = [read_order("A PAR B"), read_order("WAIVE")]

    assert list(contradictory_orders(builds)) == []
