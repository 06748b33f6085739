"""A text that is one order and nothing else, as programs and zines print it."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.grammar import read_whole
from judge.notation.order_text import write_short
from judge.rules.types import PhaseKind


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Army Vienna SUPPORT Fleet Trieste -> Venice.", ["A Vie S F Tri-Ven"]),
        ("Army Apulia -> Ionian Sea -> Tunis.", ["A Apu-Ion-Tun"]),
        ("Fleet Spain (south coast) HOLD.", ["F Spa(sc) H"]),
        ("F Edi-Nor", ["F Edi-Nth", "F Edi-Nwg"]),
        ("A Pru-Liv", ["A Pru-Lvn"]),
        ("A Liv H", ["A Lvn H", "A Lvp H"]),
        ("A Par-Bur, A Mar-Spa", []),
        ("A Par-Bur and then", []),
        ("no orders", []),
        ("", []),
    ],
)
def test_a_whole_text_is_one_order_or_the_orders_that_it_may_mean(
    text: str, orders: list[str]
) -> None:
    board = load_map()

    read = read_whole(text, board, PhaseKind.MOVEMENT)

    assert [write_short(each.order, board) for each in read] == orders
