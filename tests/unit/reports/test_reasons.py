"""Why an order came out as it did, in the words that players read."""

from __future__ import annotations

import pytest

from judge.reports.render import explain_reason
from judge.rules.adjudication import adjudicate
from judge.rules.explanation.reasons import Reasons
from judge.rules.outcome import Outcome
from judge.rules.rulebook import RULEBOOKS, rulebook_named
from tests.datc.facts import cases_of_other_editions, cases_of_the_edition, orders_of, position_of
from tests.unit.rules.playing import BOARD, played

GOES_BY_LAND = """ENGLAND: F NWY S F NTH - SKA, F NTH - SKA
                  RUSSIA: A SWE - NWY, F SKA C A SWE - NWY, F BAR S A SWE - NWY"""
SWAP_AND_THIRD = """ENGLAND: A LON - BEL, F NTH C A LON - BEL, A PIC S A LON - BEL
                    GERMANY: A BEL - LON, F ENG C A BEL - LON
                    FRANCE: A YOR - LON"""
RING = """TURKEY: A CON - ANK, A SMY - CON, A ANK - SMY
          RUSSIA: F BLA - ANK"""
OWN_ATTACK = "ENGLAND: F NTH H, F YOR - NTH, F EDI S F YOR - NTH"
GARRISON = """ENGLAND: F NTH H, F YOR S F NWY - NTH
              GERMANY: F HOL - NTH, F HEL S F HOL - NTH
              RUSSIA: F NWY - NTH, F SKA S F NWY - NTH"""
TWO_ROUTES = """ENGLAND: A LON - BEL, F ENG C A LON - BEL, F NTH C A LON - BEL
                FRANCE: F BRE - ENG, F MAO S F BRE - ENG"""


def sentences(orders: str, rulebook: str = "datc") -> dict[str, str]:
    """Return what is said of each order, in a movement phase with *orders*, a power a line."""
    lines = [line.strip().partition(": ") for line in orders.strip().splitlines()]
    result = played(
        {power: texts.split(", ") for power, _, texts in lines}, rulebook=rulebook_named(rulebook)
    )
    outcomes: tuple[Outcome, ...] = (*result.outcomes, *result.unordered)
    reasons = Reasons(outcomes, result.paradoxes, result.disbanded)
    said = (explain_reason(BOARD, reasons.of(each), reasons.units) for each in outcomes)
    texts = [text for _, _, several in lines for text in several.split(", ")]
    return dict(zip(texts, said, strict=True))


@pytest.mark.parametrize(
    ("order", "orders", "sentence"),
    [
        pytest.param(
            "A GAL - RUM",
            """AUSTRIA: A GAL - RUM, A SER S A GAL - RUM
               TURKEY: A RUM H, F BLA S A RUM""",
            "A Gal-Rum fails: 2 (with A Ser) against 2 (A Rum held by F Bla): a standoff "
            "(rulebook VIII).",
            id="held off",
        ),
        pytest.param(
            "A GAL - RUM",
            """AUSTRIA: A GAL - RUM, A BUD S A GAL - RUM
               TURKEY: A RUM H
               ITALY: A TRI - BUD""",
            "A Gal-Rum fails: 1 against 1 (A Rum): a standoff (rulebook VIII); "
            "the support of A Bud was cut by A Tri-Bud.",
            id="a support was cut",
        ),
        pytest.param(
            "A BUD S A GAL - RUM",
            """AUSTRIA: A GAL - RUM, A BUD S A GAL - RUM
               ITALY: A TRI - BUD""",
            "A Bud S A Gal-Rum is cut by A Tri-Bud (rulebook X).",
            id="cut",
        ),
        pytest.param(
            "A MUN - BUR",
            """GERMANY: A MUN - BUR
               FRANCE: A PAR - BUR, A MAR S A PAR - BUR""",
            "A Mun-Bur fails: 1 against 2 (A Par-Bur with A Mar): too weak (rulebook VIII).",
            id="stood off",
        ),
        pytest.param(
            "A VIE - BUD",
            "AUSTRIA: A SER - BUD, A VIE - BUD",
            "A Vie-Bud fails: 1 against 1 (A Ser-Bud): a standoff (rulebook IX.4).",
            id="stood off by its own power",
        ),
        pytest.param(
            "A BER - MUN",
            """GERMANY: A BER - MUN
               AUSTRIA: A MUN - BER""",
            "A Ber-Mun fails: 1 against 1 (A Mun-Ber): a standoff (rulebook VIII).",
            id="head-on",
        ),
        pytest.param(
            "A BOH - MUN",
            """GERMANY: A MUN - BUR, A KIE S A BOH - MUN
               FRANCE: A BUR H
               AUSTRIA: A BOH - MUN""",
            "A Boh-Mun fails: 1 (A Kie may not help to dislodge a unit of the same power) "
            "against 1 (A Mun): a standoff (rulebook IX.3, DATC 6.D.13).",
            id="helped against the helper's own",
        ),
        pytest.param(
            "A VIE - TRI",
            "AUSTRIA: A VIE - TRI, F TRI H",
            "A Vie-Tri fails: F Tri, of the same power, stayed (rulebook VIII).",
            id="its own unit stayed",
        ),
        pytest.param(
            "A LON - HOL",
            """ENGLAND: F NTH C A LON - HOL, A LON - HOL
               GERMANY: F SKA - NTH, F DEN S F SKA - NTH""",
            "A Lon-Hol fails: its convoy broke where F Nth was dislodged by F Ska-Nth "
            "(rulebook XII).",
            id="a broken convoy",
        ),
        pytest.param(
            "F NTH C A LON - HOL",
            """ENGLAND: F NTH C A LON - HOL, A LON - HOL
               GERMANY: F SKA - NTH, F DEN S F SKA - NTH""",
            "F Nth C A Lon-Hol is disrupted (rulebook XII); dislodged by F Ska-Nth.",
            id="a disrupted fleet",
        ),
        pytest.param(
            "F TRI H",
            """AUSTRIA: F TRI H
               ITALY: A VEN - TRI, A TYR S A VEN - TRI""",
            "F Tri H is dislodged by A Ven-Tri: 1 against 2 (A Ven-Tri with A Tyr) "
            "(rulebook IX.2).",
            id="dislodged",
        ),
        pytest.param(
            "A VEN - TRI",
            """AUSTRIA: F TRI H
               ITALY: A VEN - TRI, A TYR S A VEN - TRI""",
            "A Ven-Tri succeeds: 2 (with A Tyr) against 1 (F Tri) (rulebook IX.2).",
            id="dislodges",
        ),
        pytest.param(
            "A SER H",
            """AUSTRIA: A SER H
               RUSSIA: A RUM - SER, A BUD S A RUM - SER
               TURKEY: A BUL - SER, A GRE S A BUL - SER""",
            "A Ser H stands: 1 against 2 (A Rum-Ser with A Bud) and 2 (A Bul-Ser with A Gre) "
            "(rulebook IX.5).",
            id="a beleaguered garrison",
        ),
        pytest.param(
            "A BOH S A MUN",
            "GERMANY: A BOH S A MUN, A MUN - BER",
            "A Boh S A Mun is void: a unit that is ordered to move cannot be supported in place; "
            "the order was A Mun-Ber (rulebook IX.6).",
            id="void",
        ),
        pytest.param(
            "F ROM S A APU - VEN",
            "ITALY: F ROM S A APU - VEN, A APU - VEN",
            "F Rom S A Apu-Ven is impossible: a unit supports only into a province to which it "
            "could move itself (rulebook IX.1, DATC 6.A.10).",
            id="impossible",
        ),
        pytest.param(
            "A BUD - SER",
            "AUSTRIA: A BUD - SER",
            "A Bud-Ser succeeds (rulebook IX.2).",
            id="unopposed",
        ),
    ],
)
def test_an_order_is_explained_in_one_sentence(order: str, orders: str, sentence: str) -> None:
    assert sentences(orders)[order] == sentence


@pytest.mark.parametrize(
    ("rulebook", "order", "orders", "sentence"),
    [
        pytest.param(
            "1982",
            "F SKA C A SWE - NWY",
            GOES_BY_LAND,
            "F Ska C A Swe-Nwy is disrupted: F Nth-Ska would dislodge it if the army went by "
            "sea (rulebook XII.6, DATC 4.A.3).",
            id="a fleet that only the voyage endangers",
        ),
        pytest.param(
            "1982",
            "A SWE - NWY",
            GOES_BY_LAND,
            "A Swe-Nwy succeeds: 2 (with F Bar) against 1 (F Nwy) (rulebook IX.2); it went by "
            "land, without the convoy by F Ska (rulebook XII.6, DATC 4.A.3).",
            id="by land after all",
        ),
        pytest.param(
            "jdip",
            "F SKA C A SWE - NWY",
            GOES_BY_LAND,
            "F Ska C A Swe-Nwy carries nobody: the convoy would decide its own fate (rulebook "
            "XII.5, DATC 4.A.2).",
            id="a paradox before the army went by land",
        ),
        pytest.param(
            "datc",
            "F NWY S F NTH - SKA",
            GOES_BY_LAND,
            "F Nwy S F Nth-Ska counts, in spite of A Swe-Nwy (whose convoy would decide its "
            "own fate) (rulebook XII.5, DATC 4.A.2).",
            id="a paradox spares a support",
        ),
        pytest.param(
            "droidippy",
            "A PIC - BEL VIA",
            "FRANCE: A PIC - BEL VIA",
            "A Pic-Bel via convoy succeeds (rulebook IX.2); it went by land (rulebook XII.6, "
            "DATC 4.A.3).",
            id="nobody carries it",
        ),
        pytest.param(
            "datc",
            "F ENG C A PIC - BEL",
            """ENGLAND: F ENG C A PIC - BEL
               FRANCE: A PIC - BEL""",
            "F Eng C A Pic-Bel is there to carry the army, but A Pic went by land (rulebook "
            "XII.6, DATC 4.A.3).",
            id="nobody asked to be carried",
        ),
        pytest.param(
            "1982",
            "A BEL - LON",
            SWAP_AND_THIRD,
            "A Bel-Lon fails: 1 against 1 (A Yor-Lon): it has no effect where its attacker "
            "came from (rulebook IX.7, DATC 4.A.7); dislodged by A Lon-Bel.",
            id="no effect by sea",
        ),
        pytest.param(
            "1982",
            "A YOR - LON",
            SWAP_AND_THIRD,
            "A Yor-Lon succeeds, for A Bel-Lon has no effect where its attacker came from "
            "(rulebook IX.7, DATC 4.A.7).",
            id="who profits by sea",
        ),
        pytest.param(
            "datc",
            "A YOR - LON",
            SWAP_AND_THIRD,
            "A Yor-Lon fails: 1 against 1 (A Bel-Lon): a standoff (rulebook VIII).",
            id="an effect by sea",
        ),
        pytest.param(
            "datc",
            "F KIE - BER",
            """GERMANY: A BER - PRU, F KIE - BER, A SIL S A BER - PRU
               RUSSIA: A PRU - BER""",
            "F Kie-Ber succeeds, for A Pru-Ber has no effect where its attacker came from "
            "(rulebook IX.7, DATC 6.E.1).",
            id="who profits head-on",
        ),
        pytest.param(
            "datc",
            "A CON - ANK",
            RING,
            "A Con-Ank fails: 1 against 1 (F Bla-Ank): a standoff (rulebook VIII).",
            id="a ring that a standoff stops",
        ),
        pytest.param(
            "datc",
            "A SMY - CON",
            RING,
            "A Smy-Con fails: A Con, of the same power, did not get away (rulebook VIII).",
            id="a column behind its own",
        ),
        pytest.param(
            "datc",
            "F BLA - ANK",
            RING,
            "F Bla-Ank fails: 1 against 1 (A Con-Ank): a standoff (rulebook VIII).",
            id="who stops a ring",
        ),
        pytest.param(
            "datc",
            "F YOR - NTH",
            OWN_ATTACK,
            "F Yor-Nth fails: F Nth stayed, and no power dislodges a unit of its own "
            "(rulebook IX.3, DATC 6.D.10).",
            id="strong enough for its own",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            OWN_ATTACK,
            "F Nth H stands: 1 against 1 (F Yor-Nth without F Edi) (rulebook IX.3, DATC 6.D.10).",
            id="withstands its own",
        ),
        pytest.param(
            "datc",
            "F EDI S F YOR - NTH",
            OWN_ATTACK,
            "F Edi S F Yor-Nth counts, but not to dislodge F Nth, of the same power (rulebook "
            "IX.3, DATC 6.D.10).",
            id="a support against its own by its own",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            """ENGLAND: F NTH H, F YOR S F HOL - NTH
               GERMANY: F HOL - NTH""",
            "F Nth H stands: 1 against 1 (F Hol-Nth without F Yor) (rulebook IX.3, DATC 6.D.12).",
            id="withstands one whom its own helps",
        ),
        pytest.param(
            "datc",
            "F YOR S F NWY - NTH",
            GARRISON,
            "F Yor S F Nwy-Nth counts, but not to dislodge F Nth, of the same power (rulebook "
            "IX.3, DATC 6.D.12).",
            id="a support against its own",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            GARRISON,
            "F Nth H stands: 1 against 2 (F Hol-Nth with F Hel) and 2 (F Nwy-Nth with F Ska "
            "without F Yor) (rulebook IX.5).",
            id="a garrison whose power helps against it",
        ),
        pytest.param(
            "datc",
            "F NWY - NTH",
            GARRISON,
            "F Nwy-Nth fails: 2 (with F Ska; F Yor may not help to dislodge a unit of the "
            "same power) against 2 (F Hol-Nth with F Hel): a standoff (rulebook IX.3, DATC "
            "6.D.12).",
            id="the support that it may not have would decide",
        ),
        pytest.param(
            "datc",
            "F HOL - NTH",
            GARRISON,
            "F Hol-Nth fails: 2 (with F Hel) against 3 (F Nwy-Nth with F Ska and F Yor): too "
            "weak (rulebook VIII).",
            id="a support against its own keeps others out",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            """ENGLAND: F NTH H, F YOR - NTH
               GERMANY: F HOL - NTH, F HEL S F HOL - NTH
               RUSSIA: F SKA - NTH, F NWY S F SKA - NTH""",
            "F Nth H stands: 1 against 1 (F Yor-Nth), 2 (F Hol-Nth with F Hel) and 2 (F "
            "Ska-Nth with F Nwy) (rulebook IX.5).",
            id="a garrison whose power attacks it weakly",
        ),
        pytest.param(
            "datc",
            "A VIE S A BUD",
            "AUSTRIA: A VIE S A BUD, A BUD H, A TRI - VIE",
            "A Vie S A Bud counts, in spite of A Tri-Vie (of the same power) (rulebook IX.6, "
            "DATC 6.D.20).",
            id="attacked by its own",
        ),
        pytest.param(
            "datc",
            "A VIE S A BUD - TRI",
            """AUSTRIA: A VIE S A BUD - TRI, A BUD - TRI
               ITALY: A TRI - VIE""",
            "A Vie S A Bud-Tri counts, in spite of A Tri-Vie (from where the support is "
            "aimed) (rulebook X, DATC 6.D.15).",
            id="attacked from its aim",
        ),
        pytest.param(
            "datc",
            "F CON S F BLA - ANK",
            """RUSSIA: F CON S F BLA - ANK, F BLA - ANK
               TURKEY: F ANK - CON, A SMY S F ANK - CON""",
            "F Con S F Bla-Ank is cut by F Ank-Con (rulebook X, DATC 6.D.17); dislodged by F "
            "Ank-Con.",
            id="dislodged from its aim",
        ),
        pytest.param(
            "2000",
            "F LON S F WAL - ENG",
            """ENGLAND: F LON S F WAL - ENG, F WAL - ENG
               FRANCE: A BRE - LON, F ENG C A BRE - LON""",
            "F Lon S F Wal-Eng counts, in spite of A Bre-Lon (a convoyed army cuts no support "
            "in the fight over a convoy) (rulebook XII.5, DATC 4.A.2).",
            id="a printed rule spares it",
        ),
        pytest.param(
            "1982",
            "F LON S F WAL - ENG",
            """ENGLAND: F LON S F WAL - ENG, F WAL - ENG, F IRI S F WAL - ENG
               FRANCE: A BRE - LON, F ENG C A BRE - LON""",
            "F Lon S F Wal-Eng counts, in spite of A Bre-Lon (whose convoy broke) (rulebook "
            "XII.5).",
            id="its convoy breaks anyway",
        ),
        pytest.param(
            "1971",
            "A LON - BEL",
            TWO_ROUTES,
            "A Lon-Bel fails: its convoy broke where F Eng was dislodged by F Bre-Eng, though "
            "another route was left (rulebook XII, DATC 4.A.1).",
            id="another route is left",
        ),
    ],
)
def test_the_rule_that_decided_is_told(
    rulebook: str, order: str, orders: str, sentence: str
) -> None:
    assert sentences(orders, rulebook)[order] == sentence


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_whatever_the_datc_asks_is_explained_under_every_rulebook(rulebook: str) -> None:
    for case in (cases_of_the_edition() | cases_of_other_editions()).values():
        result = adjudicate(BOARD, position_of(case), orders_of(case), RULEBOOKS[rulebook])
        reasons = Reasons((*result.outcomes, *result.unordered), result.paradoxes)
        for outcome in (*result.outcomes, *result.unordered):
            assert explain_reason(BOARD, reasons.of(outcome), reasons.units).endswith(".")
