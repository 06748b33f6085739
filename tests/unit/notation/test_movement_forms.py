"""The forms in which players write movement orders, and the orders they mean."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import Understood
from judge.rules.types import Hold, Move, SupportMove, UnitKind, UnitName
from tests.support.emails_of_orders import carried_out, without_kinds

BOARD = load_map()

HOLDS = {
    "A Ser Holds": "A SER H",
    "A Ser h": "A SER H",
    "a ser hold": "A SER H",
    "A SER STANDS.": "A SER H",
    "A(Mun) stands": "A MUN H",
    "A Mun -H": "A MUN H",
    "Army Paris HOLD.": "A PAR H",
    "Ser H": "SER H",
    "A Ser to hold": "A SER H",
    "A Ser bleibt stehen": "A SER H",
    "A Norway Hold": "A NWY H",
    "F Stp(sc) H": "F STP/SC H",
}
MOVES = {
    "A Tyr-Mun": "A TYR - MUN",
    "A TYR - MUN": "A TYR - MUN",
    "a tyr -> mun": "A TYR - MUN",
    "A Tyr--Mun": "A TYR - MUN",
    "A Tyr \u2013 Mun": "A TYR - MUN",
    "A Tyr\u2014Mun": "A TYR - MUN",
    "A Tyr \u2212 Mun": "A TYR - MUN",
    "A Tyr \u2192 Mun": "A TYR - MUN",
    "A\u00a0Tyr\u00a0- Mun": "A TYR - MUN",
    "A Tyr => Mun": "A TYR - MUN",
    "A Tyr > Mun": "A TYR - MUN",
    "A Tyr to Mun": "A TYR - MUN",
    "A Tyr m Mun": "A TYR - MUN",
    "A Tyr move Mun": "A TYR - MUN",
    "A Tyr moves to Mun": "A TYR - MUN",
    "Tyrolia-Munich": "TYR - MUN",
    "A(Par)-Bur": "A PAR - BUR",
    "A Bud. - Ser.": "A BUD - SER",
    "Army Budapest to Serbia": "A BUD - SER",
    "mao iri": "MAO - IRI",
    "F Mao Iri": "F MAO - IRI",
    "F Mid-Atlantic Ocean \u2013 Spain(sc)": "F MAO - SPA/SC",
    "F Eng-Mid-Atlantic": "F ENG - MAO",
    "F MID-ENG": "F MAO - ENG",
    "F English Channel-English Channel": "F ENG - ENG",
    "F Gulf of Lyon - Gulf of the Lion": "F LYO - LYO",
    "F Aeg-Con": "F AEG - CON",
    "F Aeg Con": "F AEG - CON",
    "F Nrg-NAt": "F NWG - NAO",
    "A NAf-Tun": "A NAF - TUN",
    "F nts - nwy": "F NTH - NWY",
    "A Mars-Spa": "A MAR - SPA",
    "A Const-Smy": "A CON - SMY",
    "A StP - Mos": "A STP - MOS",
}
COASTS = {
    "F Stp(nc)-Bar": "F STP/NC - BAR",
    "F StP/NC-Bar": "F STP/NC - BAR",
    "F Stp/nc - Bar": "F STP/NC - BAR",
    "F Stp (NC) - Bar": "F STP/NC - BAR",
    "F Stp nc - Bar": "F STP/NC - BAR",
    "F St Petersburg (north coast) - Bar": "F STP/NC - BAR",
    "F Stp/north coast - Bar": "F STP/NC - BAR",
    "F(Stp)nc - Bar": "F STP/NC - BAR",
    "F(Stp nc) - Bar": "F STP/NC - BAR",
    "F Con - Bulgaria(east)": "F CON - BUL/EC",
    "F Gas - Spa north coast": "F GAS - SPA/NC",
    "F Gas-Spa": "F GAS - SPA",
    "A GAS - SPA/NC": "A GAS - SPA/NC",
}
SUPPORTS = {
    "A Bur S A Tyr-Mun": "A BUR S A TYR - MUN",
    "A Bur S. A Tyr-Mun": "A BUR S A TYR - MUN",
    "A Bur sup Tyr-Mun": "A BUR S TYR - MUN",
    "A Bur to support A Tyr-Mun": "A BUR S A TYR - MUN",
    "A Bur in support of A Tyr-Mun": "A BUR S A TYR - MUN",
    "A Bur Supports A Tyr \u2192 Mun": "A BUR S A TYR - MUN",
    "A Bur S A Tyr Mun": "A BUR S A TYR - MUN",
    "A Ber SA Mun-Sil": "A BER S A MUN - SIL",
    "A Mar SF Lyo-Spa(sc)": "A MAR S F LYO - SPA/SC",
    "A Serbia SUPPORT Fleet Greece.": "A SER S F GRE",
    "A Ser S F Gre H": "A SER S F GRE",
    "A Ser S F Gre holds": "A SER S F GRE",
    "A Mun supports Berlin": "A MUN S BER",
    "F Mar S F Gas-Spa(nc)": "F MAR S F GAS - SPA/NC",
    "F Ska S A Lon-Nwy via convoy": "F SKA S A LON - NWY",
    "Army in Munich supports the army in Berlin": "A MUN S A BER",
}
CONVOYS = {
    "F Nth C A Lon-Bel": "F NTH C A LON - BEL",
    "F Nth con Lon-Bel": "F NTH C LON - BEL",
    "F Nth CA Lon-Bel": "F NTH C A LON - BEL",
    "F Nth transports A Lon to Bel": "F NTH C A LON - BEL",
    "Fleet North Sea Convoys Army Yorkshire \u2013 Belgium": "F NTH C A YOR - BEL",
    "F Aeg con A Smy-Con": "F AEG C A SMY - CON",
    "A Lon-Bel VIA": "A LON - BEL VIA",
    "A Lon-Bel via convoy": "A LON - BEL VIA",
    "A Lon-Bel by convoy": "A LON - BEL VIA",
    "A Lon-Bel (via convoy)": "A LON - BEL VIA",
    "A Lon-Nth-Nwy": "A LON - NTH - NWY",
    "A Lon - Nwy via Nth": "A LON - NTH - NWY",
    "A Lon - Nwy via Nth and Nwg": "A LON - NTH - NWG - NWY",
    "Army London -> North Sea -> Norway.": "A LON - NTH - NWY",
}
LISTS = {
    "* A Tyr-Mun": "A TYR - MUN",
    "- A Tyr-Mun": "A TYR - MUN",
    "1. A Tyr-Mun": "A TYR - MUN",
    "2) A Tyr-Mun": "A TYR - MUN",
    "**A Tyr-Mun**": "A TYR - MUN",
    "and A Tyr-Mun please!": "A TYR - MUN",
    "A Tyr-Mun.  (*Fails* NOT CONNECTED)": "A TYR - MUN",
}
SENTENCES = {
    "The fleet in St. Petersburg (south coast) holds.": "F STP/SC H",
    "The army in Vienna moves to Trieste": "A VIE - TRI",
    "army in vienna goes to trieste": "A VIE - TRI",
    "The army of Moscow marches to Ukraine": "A MOS - UKR",
    "Warsaw advances to Galicia": "WAR - GAL",
    "The fleet at St. Petersburg (south coast) sails to the Gulf of Bothnia.": "F STP/SC - BOT",
}
ALL = HOLDS | MOVES | COASTS | SUPPORTS | CONVOYS | LISTS


@pytest.mark.parametrize(("text", "order"), ALL.items(), ids=ALL.keys())
def test_a_movement_order_is_read(text: str, order: str) -> None:
    assert read(text) == [order]


@pytest.mark.parametrize(("text", "order"), SENTENCES.items(), ids=SENTENCES.keys())
def test_a_movement_order_is_read_in_a_sentence(text: str, order: str) -> None:
    assert carried_out(text, [order]) == {without_kinds(order)}


@pytest.mark.parametrize("text", ["A Lon-Bel via convoy", "A Lon-Nth-Bel", "A Lon-Bel via Nth"])
def test_naming_the_convoy_path_insists_on_the_convoy(text: str) -> None:
    (reading,) = read_for_phase(text, BOARD)

    assert isinstance(reading, Understood)
    assert isinstance(reading.order, Move)
    assert reading.order.via_convoy


OWNERS = [
    "A Sil S RUSSIAN A War-Pru",
    "A Sil S Russian A War-Pru",
    "A Sil S Russia A War-Pru",
    "A Sil S [RUSSIA] A War-Pru",
    "A Sil S (Russian) A War-Pru",
    "A Sil S R) A War-Pru",
    "A Sil S *Russian* A War-Pru",
    "A Sil S Russia's A War-Pru",
    "Army Silesia SUPPORT Russian Army Warsaw -> Prussia.",
]


@pytest.mark.parametrize("text", OWNERS)
def test_the_owner_of_a_supported_unit_is_kept(text: str) -> None:
    (reading,) = read_for_phase(text, BOARD)

    war = UnitName(UnitKind.ARMY, "WAR", "RUSSIA")
    assert isinstance(reading, Understood)
    assert reading.order == SupportMove(UnitName(UnitKind.ARMY, "SIL"), war, "PRU")
    assert reading.power is None


def test_english_is_an_owner_or_a_sea() -> None:
    assert read("A Nwy S English F Eng") == ["A NWY S F ENG"]
    assert read("F English-Nth") == ["F ENG - NTH"]


POWERS = ["Germany: A Hol-Kie", "GERMAN A Hol-Kie", "*German* A Hol-Kie", "G) A Hol-Kie"]


@pytest.mark.parametrize("text", POWERS)
def test_the_owner_of_the_unit_is_kept_beside_the_order(text: str) -> None:
    (reading,) = read_for_phase(text, BOARD)

    assert isinstance(reading, Understood)
    assert reading.power == "GERMANY"
    assert reading.order == Move(UnitName(UnitKind.ARMY, "HOL"), "KIE")


def test_several_orders_stand_on_one_line() -> None:
    assert read("A Vie-Tri, A Bud-Ser; F Tri-Alb") == ["A VIE - TRI", "A BUD - SER", "F TRI - ALB"]


def test_a_heading_names_the_power_of_the_lines_below() -> None:
    readings = read_for_phase(
        "Austria:\nA Vie-Tri\n\n**TURKEY:**\r\nA Con-Bul; Italy H\nItaly: A Ven H", BOARD
    )

    assert [getattr(each, "power", None) for each in readings] == ["AUSTRIA", "TURKEY", "ITALY"]


def test_the_report_of_a_judge_is_read_back() -> None:
    report = """
        Austria: Army Vienna -> Trieste.  (*bounce, dislodged*)
        Austria: Fleet Trieste, No Order Processed.
        Germany: Fleet St Petersburg (north coast) CONVOY Austrian Army Finland -> Norway.
    """

    readings = read_for_phase(report, BOARD)

    assert [write_order(each.order) for each in readings if isinstance(each, Understood)] == [
        "A VIE - TRI",
        "F STP/NC C A FIN - NWY",
    ]


def test_a_reading_says_where_its_clause_stood() -> None:
    first, second = read_for_phase("\n  A Vie-Tri,  A Bud H.", BOARD)

    assert (first.line, first.column, first.text) == (2, 3, "A Vie-Tri")
    assert (second.line, second.column, second.text) == (2, 15, "A Bud H")


def test_retreats_may_be_listed_in_parentheses() -> None:
    (reading,) = read_for_phase("A(Mun) stands (retreat: Ber, Kie, Sil)", BOARD)

    assert isinstance(reading, Understood)
    assert reading.order == Hold(UnitName(UnitKind.ARMY, "MUN"))
    assert [write_order(each) for each in reading.retreats] == [
        *("A MUN R BER", "A MUN R KIE", "A MUN R SIL")
    ]


def test_another_power_may_head_orders_within_a_line() -> None:
    readings = read_for_phase("AUSTRIA: A Vie-Bud. ITALY: A Ven-Tri", BOARD)

    powers = [each.power for each in readings if isinstance(each, Understood)]
    assert powers == ["AUSTRIA", "ITALY"]


def read(text: str) -> list[str]:
    readings = read_for_phase(text, BOARD)
    return [
        write_order(each.order) if isinstance(each, Understood) else str(each) for each in readings
    ]
