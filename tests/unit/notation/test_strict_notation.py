"""The exact notation that programs exchange."""

from __future__ import annotations

import pytest

from judge.notation.order_text import (
    UnreadableOrderError,
    read_order,
    read_owned_order,
    write_order,
    write_owned_order,
)

ORDERS = [
    "A PAR H",
    "A LON - BEL",
    "A LON - BEL VIA",
    "A LON - NTH - BEL",
    "A LON - ENG - MAO - SPA",
    "F STP/NC - BAR",
    "A MUN S A BER",
    "A MUN S A BER - SIL",
    "F NTH C A LON - BEL",
    "A VIE R BOH",
    "A VIE D",
    "F STP/NC B",
    "WAIVE",
]


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_reads_as_it_is_written(order: str) -> None:
    assert write_order(read_order(order)) == order


@pytest.mark.parametrize(
    "order",
    [
        *ORDERS,
        "A MUN S FRANCE A BUR",
        "A MUN S FRANCE A BUR - RUH",
        "F NTH C ENGLAND A LON - BEL",
        "RUSSIA F STP/SC - BOT",
        "MUN S BUR",
        "VIE H",
        "ANK B",
    ],
)
def test_an_order_with_owners_reads_as_it_is_written(order: str) -> None:
    assert write_owned_order(read_owned_order(order)) == order


def test_capitals_and_spaces_do_not_matter() -> None:
    assert read_order("  a lon  - bel via ") == read_order("A LON - BEL VIA")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("LON - BEL", id="no kind"),
        pytest.param("A Liverpool - BEL", id="a full name"),
        pytest.param("A LON-BEL", id="no spaces"),
        pytest.param("A LON R BEL VIA", id="a retreat by sea"),
        pytest.param("A LON R NTH - BEL", id="a retreat over seas"),
        pytest.param("F NTH C A LON", id="a convoy to nowhere"),
        pytest.param("A MUN S BER", id="a support of no unit"),
        pytest.param("A PAR H\nA LON H", id="two orders"),
    ],
)
def test_anything_else_is_no_order(text: str) -> None:
    with pytest.raises(UnreadableOrderError, match="is not an order"):
        read_order(text)
