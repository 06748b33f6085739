"""Every form of order that judges by e-mail and postal gamemasters take, a line each.

The forms are those of nJudge, DPjudge, droidippy and zines, with the abbreviations that
each has for the same space. Where a row has several orders, `|` stands between them.
"""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear, Understood, WhyNotUnderstood
from judge.rules.types import PhaseKind
from tests.support.emails_of_orders import carried_out, without_kinds

BOARD = load_map()

MOVEMENT = {
    "A(Par) stands": "A PAR H",
    "F(Spa)nc-Gas": "F SPA/NC - GAS",
    "F(Mao)-Spa(nc)": "F MAO - SPA/NC",
    "F Nth ff A Lon-Bel": "F NTH C A LON - BEL",
    "F Nth fast ferry A Lon-Bel": "F NTH C A LON - BEL",
    "F Nth ferry A Lon-Bel": "F NTH C A LON - BEL",
    "F Nth ferries A Lon-Bel": "F NTH C A LON - BEL",
    "F Nth f A Lon-Bel": "F NTH C A LON - BEL",
    "F Nth transport A Lon-Bel": "F NTH C A LON - BEL",
    "F Nth t A Lon-Bel": "F NTH C A LON - BEL",
    "A Par stand": "A PAR H",
    "A Par move to Bur": "A PAR - BUR",
    "A Par moves Bur": "A PAR - BUR",
    "Army Paris moves to Burgundy.": "A PAR - BUR",
    "The army in Paris attacks Burgundy": "A PAR - BUR",
    "The army in Paris supports the German army in Munich to Burgundy": "A PAR S A MUN - BUR",
    "The army in Paris supports the army in Munich moving to Burgundy": "A PAR S A MUN - BUR",
    "The army in Paris supports the army in Munich into Burgundy": "A PAR S A MUN - BUR",
    "The army in Paris supports the army in Munich in holding": "A PAR S A MUN",
    "The army in Paris supports Munich's attack on Burgundy": "A PAR S MUN - BUR",
    "My army in Paris holds": "A PAR H",
    "Move the army in Paris to Burgundy": "A PAR - BUR",
    "The fleet in the North Sea convoys the army in London to Belgium": "F NTH C A LON - BEL",
    "The fleet in the North Sea convoys the army from London to Belgium": "F NTH C A LON - BEL",
    "The army in London moves to Belgium via the North Sea": "A LON - NTH - BEL",
    "The army in London is convoyed to Belgium": "A LON - BEL VIA",
    "A Edi-Nwy via convoy": "A EDI - NWY VIA",
    "A Edi - Nth - Nwy": "A EDI - NTH - NWY",
    "A Par - Bur (bounce)": "A PAR - BUR",
    "[ENGLAND] F Lon H": "F LON H",
    "ENGLAND: F Lon H": "F LON H",
    "E) F Lon H": "F LON H",
    "*German* A Hol H": "A HOL H",
    "F Con - Bul (ec)": "F CON - BUL/EC",
    "F Con - Bul/east coast": "F CON - BUL/EC",
    "F Con-Bul/ec": "F CON - BUL/EC",
    "F St Petersburg/nc H": "F STP/NC H",
    "A PAR HOLD": "A PAR H",
    "A Par-H": "A PAR H",
    "A Vie - Tri.": "A VIE - TRI",
    "Army Vienna -> Trieste.": "A VIE - TRI",
    "Fleet English Channel CONVOY French Army Gascony -> Wales.": "F ENG C A GAS - WAL",
    "Army Belgium -> English Channel -> Wales.": "A BEL - ENG - WAL",
    "Fleet St Petersburg (south coast) -> Spain (south coast).": "F STP/SC - SPA/SC",
    "vie move gal": "VIE - GAL",
    "mos support war move gal": "MOS S WAR - GAL",
    "nth convoy yor move nwy": "NTH C YOR - NWY",
    "lon move bre via convoy": "LON - BRE VIA",
    "kie hold": "KIE H",
    "A IRI - MAO VIA": "A IRI - MAO VIA",
    "A WAL S F MAO - IRI": "A WAL S F MAO - IRI",
    "A Par to Bur, A Mar to Spa; F Bre H": "A PAR - BUR|A MAR - SPA|F BRE H",
    "A PAR- BUR": "A PAR - BUR",
    "A Par support A Mar to Bur": "A PAR S A MAR - BUR",
    "A Par supports A Mar hold": "A PAR S A MAR",
    "A Par s A Mar s": "A PAR S A MAR",
    "A Par S A Mar stand": "A PAR S A MAR",
}
SHORT = {
    "A norw H": "A NWY H",
    "F norwsea H": "F NWG H",
    "F nts-nao": "F NTH - NAO",
    "F nat H": "F NAO H",
    "F mat H": "F MAO H",
    "F gol H": "F LYO H",
    "F gob H": "F BOT H",
    "F ech H": "F ENG H",
    "A trl H": "A TYR H",
    "A tyl H": "A TYR H",
    "A tyo H": "A TYR H",
    "F tyn H": "F TYS H",
    "F tyh H": "F TYS H",
    "F tyrr H": "F TYS H",
    "A lvn H": "A LVN H",
    "A livo H": "A LVN H",
    "A lvo H": "A LVN H",
    "A lva H": "A LVN H",
    "A livp H": "A LVP H",
    "A lpl H": "A LVP H",
    "F emed H": "F EAS H",
    "F ems H": "F EAS H",
    "F eme H": "F EAS H",
    "F emd H": "F EAS H",
    "F wmed H": "F WES H",
    "F wms H": "F WES H",
    "F wme H": "F WES H",
    "F wmd H": "F WES H",
    "F norg H": "F NWG H",
}
RETREATS = {
    "A(Mun) OTB": "A MUN D",
    "A Mun - OTB": "A MUN D",
    "A Mun R OTB": "A MUN D",
    "A Mun off the board": "A MUN D",
    "A Mun disbands": "A MUN D",
    "A Mun -> Ber": "A MUN R BER",
    "RETREAT A Mun - Ber": "A MUN R BER",
    "bel move bur": "BEL R BUR",
    "aeg disband": "AEG D",
    "The army in Munich retreats to Berlin": "A MUN R BER",
    "Retreat the army in Munich to Berlin": "A MUN R BER",
    "A Mun retreat Ber": "A MUN R BER",
    "disband the army in Munich": "A MUN D",
}
ADJUSTMENTS = {
    "build Fleet ber": "F BER B",
    "remove bla": "BLA D",
    "A LON B": "A LON B",
    "WAIVE": "WAIVE",
    "builds F Bre": "F BRE B",
    "+F Bre": "F BRE B",
    "-F Bre": "F BRE D",
    "remove F Bre": "F BRE D",
    "F Bre remove": "F BRE D",
    "A Par build": "A PAR B",
    "no build": "WAIVE",
    "w": "WAIVE",
    "Build an army in Paris and a fleet in Brest": "A PAR B|F BRE B",
    "Build A Par and F Bre": "A PAR B|F BRE B",
    "Build F Stp(nc)": "F STP/NC B",
    "Remove the army in Munich": "A MUN D",
    "A(Par), F(Bre)": "A PAR B|F BRE B",
    "Builds A Par, F Bre": "A PAR B|F BRE B",
    "Removes A Par, F Bre": "A PAR D|F BRE D",
    "Austria:    Builds an army in Budapest.": "A BUD B",
    "Austria:    Removes the army in Burgundy.": "A BUR D",
    "Build waived.": "WAIVE",
}
SIGNALS = {  # nonsense that is an order all the same: nJudge lets it pass as a signal
    "F Nth C A Par-Mos": "F NTH C A PAR - MOS",
    "A Tyr S A Lon-Edi": "A TYR S A LON - EDI",
}
ASKED = ["A Nor H", "F nor - nrg", "A Liv H"]
NO_ORDER = ["// see above", "(NMR)", "F(Spa)nc", "Army Paris, No Order Processed."]
CASES = [
    *((text, orders, PhaseKind.MOVEMENT) for text, orders in (MOVEMENT | SHORT | SIGNALS).items()),
    *((text, orders, PhaseKind.RETREATS) for text, orders in RETREATS.items()),
    *((text, orders, PhaseKind.ADJUSTMENTS) for text, orders in ADJUSTMENTS.items()),
]


OF_RECORDS = {  # which players do not write
    "The army in Paris supports the army in Munich in holding",
    "The army in London moves to Belgium via the North Sea",
    "The army in London is convoyed to Belgium",
}
PLANNED = [case for case in CASES if case[0] not in OF_RECORDS]


@pytest.mark.parametrize(("text", "orders", "kind"), PLANNED, ids=[case[0] for case in PLANNED])
def test_an_order_is_read_as_it_is_written_elsewhere(
    text: str, orders: str, kind: PhaseKind
) -> None:
    readings = read_for_phase(text, BOARD, kind)

    understood = [write_order(each.order) for each in readings if isinstance(each, Understood)]
    assert "|".join(understood) == orders


OWNED = ("[ENGLAND]", "ENGLAND:", "E)", "*German*", "Austria:")
IMPLIED = {"F NTH C A LON - BEL": "LON - BEL"}  # in words, of an own army that is convoyed


@pytest.mark.parametrize(
    ("text", "orders"),
    [case[:2] for case in CASES if not case[0].startswith(OWNED) and case[0] not in OF_RECORDS],
)
def test_a_player_may_write_it_in_an_email(text: str, orders: str) -> None:
    meant = orders.split("|")

    found = carried_out(text, meant)

    implied = {IMPLIED[each] for each in meant if each in IMPLIED}
    assert found - implied == set(map(without_kinds, meant))


@pytest.mark.parametrize("text", ["A Par S", "A Par s", "A Par s."])
def test_a_support_of_nothing_is_offered_as_a_hold(text: str) -> None:
    (asked,) = read_for_phase(text, BOARD)

    assert isinstance(asked, NotUnderstood)
    assert (asked.why, asked.nearest and write_order(asked.nearest)) == (
        WhyNotUnderstood.INCOMPLETE,
        "A PAR H",
    )


@pytest.mark.parametrize("text", ASKED)
def test_a_name_of_several_spaces_is_asked_about(text: str) -> None:
    assert [type(each) for each in read_for_phase(text, BOARD)] == [Unclear]


@pytest.mark.parametrize("text", NO_ORDER)
def test_other_text_is_no_order(text: str) -> None:
    assert not any(isinstance(each, Understood) for each in read_for_phase(text, BOARD))


def test_denying_one_order_of_two_gives_neither() -> None:
    readings = read_for_phase("Do not move A Par-Bur and A Mar-Spa", BOARD)

    assert not any(isinstance(each, Understood) for each in readings)
