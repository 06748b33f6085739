"""Several orders in one clause, and what orders take from headings, helpers and remarks."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import Reading, Understood
from judge.rules.types import PhaseKind
from tests.support.emails_of_orders import carried_out, without_kinds

BOARD = load_map()


def told(reading: Reading) -> str:
    """Return an order with whose it is said to be and where its unit retreats to, `?` for none."""
    if not isinstance(reading, Understood):
        return "?"
    owner = f"{reading.power}: " if reading.power else ""
    return " > ".join([owner + write_order(reading.order), *map(write_order, reading.retreats)])


def orders(text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> list[str]:
    """Return what is read in *text*."""
    readings = read_for_phase(text, BOARD, kind)
    return [told(each) for each in readings]


SEVERAL = {
    "A Mar unterst. A Par-Bur": ["A MAR S A PAR - BUR"],
    "A Mar sout. A Par-Bur": ["A MAR S A PAR - BUR"],
    "F Bre conv. A Par-Pic": ["F BRE C A PAR - PIC"],
    "A Mar helps. A Par-Bur": ["?", "A PAR - BUR"],
    "F Bre begl. A Par-Pic. F Lon H": ["?", "A PAR - PIC", "F LON H"],
    "A Mar help. Thanks. A Par-Bur": ["?", "A PAR - BUR"],
    "A Mos St. A War-Gal": ["A MOS - STP", "A WAR - GAL"],
    "A Par hold. A Mar-Spa. F Bre bleibt. A Gas H": [
        "A PAR H",
        "A MAR - SPA",
        "F BRE H",
        "A GAS H",
    ],
    "A Par Bur. A Mar Spa.": ["A PAR - BUR", "A MAR - SPA"],
    "A Vie-Gal A Bud-Ser": ["A VIE - GAL", "A BUD - SER"],
    "A(Vie)-Gal A(Bud)-Ser F(Tri)-Alb": ["A VIE - GAL", "A BUD - SER", "F TRI - ALB"],
    "A Par S A Mar A Bur - Mun": ["A PAR S A MAR", "A BUR - MUN"],
    "A Bud. - Ser. F Tri-Alb": ["A BUD - SER", "F TRI - ALB"],
    "A Vie S. A Bud. - Gal. F Tri H.": ["A VIE S A BUD - GAL", "F TRI H"],
    "A Mos - St. Petersburg. A War-Gal": ["A MOS - STP", "A WAR - GAL"],
    "Hello judge. A Par-Bur. Yours, John": ["A PAR - BUR"],
    "F Nth C A Lon - Nwy via convoy": ["F NTH C A LON - NWY"],
    "F Nth C. A Lon - Nwy by convoy. A Yor H": ["F NTH C A LON - NWY", "A YOR H"],
    "A Par-Bur. Thanks!": ["A PAR - BUR"],
    "1) A Par-Bur 2) A Mar-Spa 3) F Bre-Mao": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
    "1. A Par-Bur 2. A Mar-Spa": ["A PAR - BUR", "A MAR - SPA"],
    "(1) A Par-Bur, (2) A Mar-Spa": ["A PAR - BUR", "A MAR - SPA"],
    "France: 1) A Par-Bur 2) A Mar H": ["FRANCE: A PAR - BUR", "FRANCE: A MAR H"],
    "1) A Par-Bur or 2) A Par-Gas": ["?", "?"],
    "1) A Par-Bur 2) A Mar-Spa?": ["A PAR - BUR", "?"],
    "Should I play 1) A Par-Bur 2) A Par-Gas": ["?", "?"],
    "Either 1) A Par-Bur, 2) A Par-Gas": ["?", "?"],
    "A Par ==> Bur": ["A PAR - BUR"],
    "* A Par - Bur * A Mar-Spa": ["A PAR - BUR", "A MAR - SPA"],
    "*Army Vienna* moves to *Galicia*": ["A VIE - GAL"],
    "**Army Vienna** - **Galicia**": ["A VIE - GAL"],
    "A(Vie) SA(Bud)-Gal": ["A VIE S A BUD - GAL"],
    "F(Lon) CA(Lvp)-Nwy": ["F LON C A LVP - NWY"],
    "AUSTRIA (John): A Vie-Gal": ["AUSTRIA: A VIE - GAL"],
    "A Mar S Fra. A Par": ["A MAR S A PAR"],
    "Eng A Lon H": ["ENGLAND: A LON H"],
}


@pytest.mark.parametrize(("text", "read"), SEVERAL.items(), ids=list(SEVERAL))
def test_a_clause_may_hold_several_orders(text: str, read: list[str]) -> None:
    assert orders(text) == read


SENTENCES = {
    "Paris to Burgundy. Marseilles to Spain.": ["PAR - BUR", "MAR - SPA"],
    "The army in Vienna moves to Galicia. The army in Budapest goes to Serbia! Thanks": [
        "A VIE - GAL",
        "A BUD - SER",
    ],
    "Move the army in Vienna to Galicia. Move the army in Budapest to Serbia.": [
        "A VIE - GAL",
        "A BUD - SER",
    ],
    "1) Paris to Burgundy 2) Marseilles to Spain": ["PAR - BUR", "MAR - SPA"],
}


@pytest.mark.parametrize(("text", "read"), SENTENCES.items(), ids=list(SENTENCES))
def test_a_line_may_hold_several_sentences(text: str, read: list[str]) -> None:
    assert carried_out(text, read) == set(map(without_kinds, read))


TORN = [
    "A Par S A Mar - A Bur S A Mun",
    "A Vie S A Bud S. A Gal",
    "A Bud supports Vie. - Gla. F Tri H",
    "F Nth - Norw. Se",
    "A Par-Bur. F Nth - Norw. Se",
    "A Par-Bur A Mar-Spian",
]


@pytest.mark.parametrize("text", TORN)
def test_text_that_may_be_another_order_is_asked_about(text: str) -> None:
    assert "?" in orders(text)


RETREATS = [
    "A Mar H (if dislodged, retreat to Gas)",
    "A Mar H (if it is dislodged: Gas)",
    "A Mar H, if dislodged retreat to Gas",
    "A Mar H; when dislodged, it retreats to Gas",
    "A Mar H. If dislodged retreat to Gas.",
    "A Mar H retreat to Gas",
    "A Mar H R Gas",
    "A Mar H, R Gas",
    "A Mar H or retreat to Gas",
    "A Mar H [retreat: Gas]",
    "A Mar H (retreat: Gas; OTB)",
    "A Mar H (or retreat to Gas or OTB)",
    "A Mar H or retreat to Gas or Pie",
    "A Mar H (retreat: Spa(nc), Gas)",
    "A Mar H, retreat Gas, Spa(nc), OTB",
    "A(Mar) stands (OTB)",
    "A(Mar) stands, OTB",
    "A Mar H (or disband)",
]


@pytest.mark.parametrize("text", RETREATS)
def test_where_a_unit_retreats_to_never_costs_it_its_order(text: str) -> None:
    readings = read_for_phase(text, BOARD)

    assert [write_order(each.order) for each in readings if isinstance(each, Understood)] == [
        "A MAR H"
    ]


def test_a_retreat_that_hangs_on_a_condition_alone_is_none() -> None:
    assert orders("If dislodged, A Mar retreats to Gas") == ["?"]


HEADED = {
    "builds: F Bre, A Par": ["F BRE B", "A PAR B"],
    "BUILDS:\nF Bre\n\nA Par": ["F BRE B", "A PAR B"],
    "REMOVALS:\nA Vie, F Tri": ["A VIE D", "F TRI D"],
    "Removals: A Vie; F Tri": ["A VIE D", "F TRI D"],
    "BUILDS:\nF Bre\nREMOVALS:\nA Par": ["F BRE B", "A PAR D"],
    "BUILDS:\nFRANCE: F Bre\nGERMANY: F Kie": ["FRANCE: F BRE B", "GERMANY: F KIE B"],
    "Build F Bre A Par": ["F BRE B", "A PAR B"],
    "Remove A Vie A Bud": ["A VIE D", "A BUD D"],
}


@pytest.mark.parametrize(("text", "read"), HEADED.items(), ids=list(HEADED))
def test_builds_and_removals_may_stand_below_their_heading(text: str, read: list[str]) -> None:
    readings = read_for_phase(text, BOARD, PhaseKind.ADJUSTMENTS)

    assert [told(each) for each in readings] == read


def test_retreats_stand_on_one_line_too() -> None:
    assert orders("A Mun R Ber A Kie retreats off the board", PhaseKind.RETREATS) == [
        *("A MUN R BER", "A KIE D")
    ]


def test_a_line_without_words_orders_nothing_in_winter() -> None:
    assert orders("___\nBuild F Bre", PhaseKind.ADJUSTMENTS) == ["F BRE B"]
