"""The forms in which players write retreats, builds, removals and waives."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.parser import parse
from judge.notation.reading import Prose, Understood
from judge.notation.writer import write
from judge.rules.phase import PhaseKind

BOARD = load_map()

RETREATS = {
    "A Vie-Boh": "A VIE R BOH",
    "A Vie R Boh": "A VIE R BOH",
    "*A VIE R BOH": "A VIE R BOH",
    "A Vie retreats to Boh": "A VIE R BOH",
    "Army Belgium -> Burgundy.": "A BEL R BUR",
    "France:                   Army  Belgium -> Burgundy.": "A BEL R BUR",
    "A Vie OTB": "A VIE D",
    "A Vie - OTB": "A VIE D",
    "A Vie retreats OTB": "A VIE D",
    "A Vie d": "A VIE D",
    "A Vie disbands": "A VIE D",
    "Disband A Vie": "A VIE D",
    "Austria:    Fleet Greece DISBAND.": "F GRE D",
    "F Gre-Bul(sc)": "F GRE R BUL/SC",
    "A Vie S A Bud": "A VIE S A BUD",
}
ADJUSTMENTS = {
    "build a Par": "A PAR B",
    "Build Fleet StP(nc)": "F STP/NC B",
    "builds F Bre": "F BRE B",
    "A Par B": "A PAR B",
    "A Par build": "A PAR B",
    "+ A Par": "A PAR B",
    "F STP/NC": "F STP/NC B",
    "Build A Liv": "A LVP B",
    "Austria:                  Builds an army in Budapest.": "A BUD B",
    "build a fleet in Brest": "F BRE B",
    "Builds a unit in Paris.": "PAR B",
    "remove A Vie": "A VIE D",
    "disband A Vie": "A VIE D",
    "-A Vie": "A VIE D",
    "- A Vie": "A VIE D",
    "D A Vie": "A VIE D",
    "R Vie": "VIE D",
    "A Vie R": "A VIE D",
    "A Vie disbanded": "A VIE D",
    "Removes the fleet in the Black Sea.": "F BLA D",
    "waive": "WAIVE",
    "Waives.": "WAIVE",
    "w": "WAIVE",
    "Build waived.": "WAIVE",
    "1. waive build": "WAIVE",
    "no build": "WAIVE",
}


@pytest.mark.parametrize(("text", "order"), RETREATS.items(), ids=RETREATS.keys())
def test_a_retreat_is_read(text: str, order: str) -> None:
    assert read(text, PhaseKind.RETREATS) == [order]


@pytest.mark.parametrize(("text", "order"), ADJUSTMENTS.items(), ids=ADJUSTMENTS.keys())
def test_an_adjustment_is_read(text: str, order: str) -> None:
    assert read(text, PhaseKind.ADJUSTMENTS) == [order]


@pytest.mark.parametrize("text", ["F Stp(nc)", "A Par", "Paris"])
def test_a_unit_alone_is_no_order_in_movement(text: str) -> None:
    (reading,) = parse(text, BOARD)

    assert isinstance(reading, Prose)


def test_a_name_alone_is_no_build() -> None:
    (reading,) = parse("Paris", BOARD, PhaseKind.ADJUSTMENTS)

    assert isinstance(reading, Prose)


@pytest.mark.parametrize("kind", PhaseKind)
def test_a_line_that_says_no_order_is_none(kind: PhaseKind) -> None:
    (reading,) = parse("Army Belgium, No Order Processed (DISBAND)", BOARD, kind)

    assert isinstance(reading, Prose)


def read(text: str, kind: PhaseKind) -> list[str]:
    readings = parse(text, BOARD, kind)
    return [write(each.order) if isinstance(each, Understood) else str(each) for each in readings]
