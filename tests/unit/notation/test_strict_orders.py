"""A text that is one order and nothing else, as programs and zines print it."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.order_text import write_owned_order
from judge.notation.strict_orders import read_location, read_parts, read_strictly
from judge.rules.board import Map
from judge.rules.types import PhaseKind

BOARD = load_map()
MOVES, RETREATS, ADJUSTMENTS = PhaseKind


def read(text: str, kind: PhaseKind = MOVES, board: Map = BOARD) -> list[str]:
    found = read_strictly(text, board, kind)
    return [f"{each.power or ''} {write_owned_order(each.order)}".strip() for each in found]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Army Vienna HOLD.", "A VIE H"),
        ("- A Vie-H", "A VIE H"),
        ("A Vie S", "A VIE H"),
        ("**A Vie stands**", "A VIE H"),
        ("Army Vienna -> Bohemia.", "A VIE - BOH"),
        ("A Vie\u2192Boh", "A VIE - BOH"),
        ("F Mao Iri", "F MAO - IRI"),
        ("move A Vie to Boh", "A VIE - BOH"),
        ("A(Vie) moves to Boh", "A VIE - BOH"),
        ("AUS A Vie-Boh", "AUSTRIA A VIE - BOH"),
        ("Army Apulia -> Ionian Sea -> Tunis.", "A APU - ION - TUN"),
        ("A Lon-Bel via convoy", "A LON - BEL VIA"),
        ("A Lon-Nwy (via Nth and Nwg)", "A LON - NTH - NWG - NWY"),
        ("Army Vienna SUPPORT Fleet Trieste -> Venice.", "A VIE S F TRI - VEN"),
        ("A Mar SA Par-Bur via convoy", "A MAR S A PAR - BUR"),
        ("A Vie S *Italian* A Tri", "A VIE S ITALY A TRI"),
        ("A Vie S (I) A Tri-H", "A VIE S ITALY A TRI"),
        ("F NTS CA LON-BEL", "F NTH C A LON - BEL"),
        ("Fleet North Sea CONVOY English Army London -> Belgium.", "F NTH C ENGLAND A LON - BEL"),
        ("A Vie R Boh", "A VIE R BOH"),
        ("A Vie retreats disbanded", "A VIE D"),
        ("A Vie R", "A VIE D"),
        ("A Vie - OTB", "A VIE D"),
        ("A Vie built", "A VIE B"),
        ("F(Spa)sc-Mao", "F SPA/SC - MAO"),
        ("F(Spa/sc)-Mao", "F SPA/SC - MAO"),
        ("Fleet Spain (south coast) -> Gulf of Lyon.", "F SPA/SC - LYO"),
        ("F Spa[s.c.]-Lyo", "F SPA/SC - LYO"),
        ("F Spain south coast - Lyo", "F SPA/SC - LYO"),
        ("F Mao-Spa-nc", "F MAO - SPA/NC"),
        ("F Mao-Spa/xc", "F MAO - SPA/XC"),
    ],
)
def test_an_order_is_read_as_it_is_printed(text: str, order: str) -> None:
    assert read(text) == [order]


@pytest.mark.parametrize(
    ("text", "kind", "order"),
    [
        ("Army Vienna -> Bohemia.", RETREATS, "A VIE R BOH"),
        ("A Vie", ADJUSTMENTS, "A VIE B"),
        ("+ A Vie", ADJUSTMENTS, "A VIE B"),
        ("- A Vie", ADJUSTMENTS, "A VIE D"),
        ("Builds a fleet in St Petersburg (north coast).", ADJUSTMENTS, "F STP/NC B"),
        ("Removes the army in Burgundy.", ADJUSTMENTS, "A BUR D"),
        ("Waives one build", ADJUSTMENTS, "WAIVE"),
    ],
)
def test_a_bare_move_or_unit_is_an_order_of_its_phase(
    text: str, kind: PhaseKind, order: str
) -> None:
    assert read(text, kind) == [order]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "no orders",
            "A Par-Bur, A Mar-Spa",
            "A Par-Bur and then",
            "A Par -",
            "A Par S German",
        ),
        *(
            "Build the boat",
            "F Nth C A Lon",
            "A(Par-Bur",
            "A Lon-Bel (via Nth",
            "F Spa(s",
            "A Par",
        ),
        "A Par-Bur " * 30,
        "F Nor S F Nor-Nor-Nor-Nor",
    ],
)
def test_a_text_that_is_not_exactly_one_order_is_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("F Edi-Nor", ["F EDI - NTH", "F EDI - NWG"]),
        ("A Pru-Liv", ["A PRU - LVN"]),
        ("A Liv H", ["A LVN H", "A LVP H"]),
        ("F Tyr H", ["F TYS H"]),
        ("A Lon-Nor", ["A LON - NAF", "A LON - NWY"]),
        ("A Liv-Nao-Nwg-Nwy", ["A LVP - NAO - NWG - NWY"]),
        ("Liv R Mos", ["LVN R MOS"]),
        ("A Mos S Liv", ["A MOS S LVN"]),
        ("F Eng S A Liv-Wal", ["F ENG S A LVP - WAL"]),
        ("F Iri C A Liv-Wal", ["F IRI C A LVP - WAL"]),
        ("build A Liv", ["A LVP B"]),
    ],
)
def test_an_ambiguous_name_is_what_fits_the_board_best(text: str, orders: list[str]) -> None:
    assert read(text) == orders


def test_a_remark_in_brackets_is_told_apart() -> None:
    assert [each.remark for each in read_strictly("A Par-Bur (bounced)", BOARD, MOVES)] == [True]
    assert [each.remark for each in read_strictly("F Spa(sc) H", BOARD, MOVES)] == [False]


def test_powers_and_coasts_have_the_names_of_their_board() -> None:
    board = load_map("vietnam-war")

    found = read("F Mekong (river coast) S South Vietnam A Saigon", board=board)

    assert found == ["F MEO/RIVER S SOUTH-VIETNAM A SAG"]


@pytest.mark.parametrize(
    ("text", "location"),
    [
        *(("Vienna", "VIE"), ("St Petersburg (south coast)", "STP/SC"), ("Nor", None)),
        *(("Vie Bud", None), ("Vie/sc", None), ("nowhere", None)),
    ],
)
def test_a_location_is_one_place_with_a_coast_that_it_has(text: str, location: str | None) -> None:
    assert read_location(text, BOARD) == location


def test_each_part_between_commas_may_be_an_order() -> None:
    found = read_parts("A Par-Bur, hello; A Lon-Nwy (via Nth, Nwg), A Liv H\nF Bre", BOARD, MOVES)

    assert [len(each) for each in found] == [1, 0, 1, 2, 0]
