"""Reasons for the outcome of an order, as players read them."""

from __future__ import annotations

import re

import pytest

from judge.reports.render import explain_reason
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Outcome
from judge.rules.reasons import Reasons
from judge.rules.rulebook import RULEBOOKS, rulebook_named
from tests.datc.cases_file import (
    cases_of_other_editions,
    cases_of_the_edition,
    orders_of,
    position_of,
)
from tests.unit.rules.play_phase import BOARD, played

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


VERBS = (
    *(
        "bounced",
        "failed",
        "was cut",
        "was not cut",
        "was void",
        "was impossible",
        "was disrupted",
    ),
    *("was dislodged", "was ready", "succeeded", "counted", "held"),
)
UNIT = re.compile(r"\b[AF] [A-Z][a-z]{2}(?:-[A-Z][a-z]{2})?")
RULE = re.compile(r"(?:rulebook|DATC) ([\w.]+(?:, [IVX]+[.\d]*)*)")
STRENGTH = re.compile(r"(?<=[:d] )\d\b|(?<=against )\d\b|(?<=, )\d\b")


def facts(sentence: str) -> str:
    """Return verb, strengths, units, moves and rules of *sentence*."""
    verb = min((each for each in VERBS if f" {each}" in sentence), key=sentence.index)
    said = sentence.partition(f" {verb}")[2]
    told, by, cited = re.split(r" \((rulebook|DATC)(?= )", said, maxsplit=1)
    strengths, units = STRENGTH.findall(told), dict.fromkeys(UNIT.findall(told))
    rules = RULE.findall(f"{by}{cited}")
    return "; ".join([verb, *(", ".join(each) for each in (strengths, units, rules) if each)])


def sentences(orders: str, rulebook: str = "datc", language: str = "en") -> dict[str, str]:
    """Return the reason for each order of a movement phase; *orders* has one power per line."""
    lines = [line.strip().partition(": ") for line in orders.strip().splitlines()]
    result = played(
        {power: texts.split(", ") for power, _, texts in lines}, rulebook=rulebook_named(rulebook)
    )
    outcomes: tuple[Outcome, ...] = (*result.outcomes, *result.unordered)
    reasons = Reasons(outcomes, result.paradoxes, result.disbanded)
    said = (
        explain_reason(BOARD, reasons.of(each), reasons.units, language=language)
        for each in outcomes
    )
    texts = [text for _, _, several in lines for text in several.split(", ")]
    return dict(zip(texts, said, strict=True))


@pytest.mark.parametrize(
    ("order", "orders", "told"),
    [
        pytest.param(
            "A GAL - RUM",
            """AUSTRIA: A GAL - RUM, A SER S A GAL - RUM
               TURKEY: A RUM H, F BLA S A RUM""",
            "bounced; 2, 2; A Ser, A Rum, F Bla; VIII",
            id="held off",
        ),
        pytest.param(
            "A GAL - RUM",
            """AUSTRIA: A GAL - RUM, A BUD S A GAL - RUM
               TURKEY: A RUM H
               ITALY: A TRI - BUD""",
            "bounced; 1, 1; A Rum; VIII",
            id="a support was cut",
        ),
        pytest.param(
            "A BUD S A GAL - RUM",
            """AUSTRIA: A GAL - RUM, A BUD S A GAL - RUM
               ITALY: A TRI - BUD""",
            "was cut; A Tri-Bud; X",
            id="cut",
        ),
        pytest.param(
            "A MUN - BUR",
            """GERMANY: A MUN - BUR
               FRANCE: A PAR - BUR, A MAR S A PAR - BUR""",
            "bounced; 1, 2; A Par-Bur, A Mar; VIII",
            id="stood off",
        ),
        pytest.param(
            "A VIE - BUD",
            "AUSTRIA: A SER - BUD, A VIE - BUD",
            "bounced; 1, 1; A Ser-Bud; IX.4",
            id="stood off by its own power",
        ),
        pytest.param(
            "A BER - MUN",
            """GERMANY: A BER - MUN
               AUSTRIA: A MUN - BER""",
            "bounced; 1, 1; A Mun-Ber; VIII",
            id="head-on",
        ),
        pytest.param(
            "A BOH - MUN",
            """GERMANY: A MUN - BUR, A KIE S A BOH - MUN
               FRANCE: A BUR H
               AUSTRIA: A BOH - MUN""",
            "bounced; 2, 1; A Kie, A Mun; IX.3, 6.D.13",
            id="helped against the helper's own",
        ),
        pytest.param(
            "A VIE - TRI",
            "AUSTRIA: A VIE - TRI, F TRI H",
            "bounced; F Tri; VIII",
            id="its own unit stayed",
        ),
        pytest.param(
            "A LON - HOL",
            """ENGLAND: F NTH C A LON - HOL, A LON - HOL
               GERMANY: F SKA - NTH, F DEN S F SKA - NTH""",
            "failed; F Nth, F Ska-Nth; XII",
            id="a broken convoy",
        ),
        pytest.param(
            "F NTH C A LON - HOL",
            """ENGLAND: F NTH C A LON - HOL, A LON - HOL
               GERMANY: F SKA - NTH, F DEN S F SKA - NTH""",
            "was disrupted; XII",
            id="a disrupted fleet",
        ),
        pytest.param(
            "F TRI H",
            """AUSTRIA: F TRI H
               ITALY: A VEN - TRI, A TYR S A VEN - TRI""",
            "was dislodged; 1, 2; A Ven-Tri, A Tyr; IX.2",
            id="dislodged",
        ),
        pytest.param(
            "A VEN - TRI",
            """AUSTRIA: F TRI H
               ITALY: A VEN - TRI, A TYR S A VEN - TRI""",
            "succeeded; 2, 1; A Tyr, F Tri; IX.2",
            id="dislodges",
        ),
        pytest.param(
            "A SER H",
            """AUSTRIA: A SER H
               RUSSIA: A RUM - SER, A BUD S A RUM - SER
               TURKEY: A BUL - SER, A GRE S A BUL - SER""",
            "held; 1, 2, 2; A Rum-Ser, A Bud, A Bul-Ser, A Gre; IX.5",
            id="a beleaguered garrison",
        ),
        pytest.param(
            "A BOH S A MUN",
            "GERMANY: A BOH S A MUN, A MUN - BER",
            "was void; A Mun-Ber; IX.6",
            id="void",
        ),
        pytest.param(
            "F ROM S A APU - VEN",
            "ITALY: F ROM S A APU - VEN, A APU - VEN",
            "was impossible; IX.1, 6.A.10",
            id="impossible",
        ),
        pytest.param(
            "A BUD - SER",
            "AUSTRIA: A BUD - SER",
            "succeeded; IX.2",
            id="unopposed",
        ),
    ],
)
def test_an_order_is_explained_in_one_sentence(order: str, orders: str, told: str) -> None:
    assert facts(sentences(orders)[order]) == told


@pytest.mark.parametrize(
    ("rulebook", "order", "orders", "told"),
    [
        pytest.param(
            "1982",
            "F SKA C A SWE - NWY",
            GOES_BY_LAND,
            "was disrupted; F Nth-Ska; XII.6, 4.A.3",
            id="a fleet endangered only by the convoy",
        ),
        pytest.param(
            "1982",
            "A SWE - NWY",
            GOES_BY_LAND,
            "succeeded; 2, 1; F Bar, F Nwy; IX.2, XII.6, 4.A.3",
            id="by land after all",
        ),
        pytest.param(
            "datc,convoy_to_neighbor=intent_fallback",
            "F SKA C A SWE - NWY",
            GOES_BY_LAND,
            "was disrupted; 4.A.2",
            id="a paradox before the army went by land",
        ),
        pytest.param(
            "datc",
            "F NWY S F NTH - SKA",
            GOES_BY_LAND,
            "counted; A Swe-Nwy; 4.A.2",
            id="a paradox spares a support",
        ),
        pytest.param(
            "droidippy",
            "A PIC - BEL VIA",
            "FRANCE: A PIC - BEL VIA",
            "succeeded; IX.2, XII.6, 4.A.3",
            id="nobody carries it",
        ),
        pytest.param(
            "datc",
            "F ENG C A PIC - BEL",
            """ENGLAND: F ENG C A PIC - BEL
               FRANCE: A PIC - BEL""",
            "was ready; A Pic; XII.6, 4.A.3",
            id="nobody asked to be carried",
        ),
        pytest.param(
            "1982",
            "A BEL - LON",
            SWAP_AND_THIRD,
            "bounced; 1, 1; A Yor-Lon; IX.7, 4.A.7",
            id="no effect by sea",
        ),
        pytest.param(
            "1982",
            "A YOR - LON",
            SWAP_AND_THIRD,
            "succeeded; A Bel-Lon; IX.7, 4.A.7",
            id="the beneficiary of a convoy",
        ),
        pytest.param(
            "datc",
            "A YOR - LON",
            SWAP_AND_THIRD,
            "bounced; 1, 1; A Bel-Lon; VIII",
            id="an effect by sea",
        ),
        pytest.param(
            "datc",
            "F KIE - BER",
            """GERMANY: A BER - PRU, F KIE - BER, A SIL S A BER - PRU
               RUSSIA: A PRU - BER""",
            "succeeded; A Pru-Ber; IX.7, 6.E.1",
            id="the beneficiary of a head-on battle",
        ),
        pytest.param(
            "datc",
            "A CON - ANK",
            RING,
            "bounced; 1, 1; F Bla-Ank; VIII",
            id="a ring that a standoff stops",
        ),
        pytest.param(
            "datc",
            "A SMY - CON",
            RING,
            "bounced; A Con; VIII",
            id="a column behind its own",
        ),
        pytest.param(
            "datc",
            "F BLA - ANK",
            RING,
            "bounced; 1, 1; A Con-Ank; VIII",
            id="the attacker that stops a ring",
        ),
        pytest.param(
            "datc",
            "F YOR - NTH",
            OWN_ATTACK,
            "bounced; F Nth; IX.3, 6.D.10",
            id="strong enough for its own",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            OWN_ATTACK,
            "held; 1, 2; F Yor-Nth, F Edi; IX.3, 6.D.10",
            id="withstands its own",
        ),
        pytest.param(
            "datc",
            "F EDI S F YOR - NTH",
            OWN_ATTACK,
            "counted; F Nth; IX.3, 6.D.10",
            id="a support against its own by its own",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            """ENGLAND: F NTH H, F YOR S F HOL - NTH
               GERMANY: F HOL - NTH""",
            "held; 1, 2; F Hol-Nth, F Yor, F Nth; IX.3, 6.D.12",
            id="withstands an attacker helped by its own power",
        ),
        pytest.param(
            "datc",
            "F YOR S F NWY - NTH",
            GARRISON,
            "counted; F Nth; IX.3, 6.E.7",
            id="a support against its own",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            GARRISON,
            "held; 1, 2, 3; F Hol-Nth, F Hel, F Nwy-Nth, F Ska, F Yor, F Nth; IX.3, IX.5, 6.E.7",
            id="a garrison whose power helps against it",
        ),
        pytest.param(
            "datc",
            "F NWY - NTH",
            GARRISON,
            "bounced; 3, 2; F Ska, F Yor, F Hol-Nth, F Hel, F Nth; IX.3, 6.E.7",
            id="the support that does not count would decide",
        ),
        pytest.param(
            "datc",
            "F HOL - NTH",
            GARRISON,
            "bounced; 2, 3; F Hel, F Nwy-Nth, F Ska, F Yor; VIII",
            id="a support against its own keeps others out",
        ),
        pytest.param(
            "datc",
            "F NTH H",
            """ENGLAND: F NTH H, F YOR - NTH
               GERMANY: F HOL - NTH, F HEL S F HOL - NTH
               RUSSIA: F SKA - NTH, F NWY S F SKA - NTH""",
            "held; 1, 1, 2, 2; F Yor-Nth, F Hol-Nth, F Hel, F Ska-Nth, F Nwy; IX.5",
            id="a garrison whose power attacks it weakly",
        ),
        pytest.param(
            "datc",
            "A VIE S A BUD",
            "AUSTRIA: A VIE S A BUD, A BUD H, A TRI - VIE",
            "counted; A Tri-Vie; IX.6, 6.D.20",
            id="attacked by its own",
        ),
        pytest.param(
            "datc",
            "A VIE S A BUD - TRI",
            """AUSTRIA: A VIE S A BUD - TRI, A BUD - TRI
               ITALY: A TRI - VIE""",
            "counted; A Tri-Vie; X, 6.D.15",
            id="attacked from its aim",
        ),
        pytest.param(
            "datc",
            "F CON S F BLA - ANK",
            """RUSSIA: F CON S F BLA - ANK, F BLA - ANK
               TURKEY: F ANK - CON, A SMY S F ANK - CON""",
            "was cut; F Ank-Con; X, 6.D.17",
            id="dislodged from its aim",
        ),
        pytest.param(
            "2000",
            "F LON S F WAL - ENG",
            """ENGLAND: F LON S F WAL - ENG, F WAL - ENG
               FRANCE: A BRE - LON, F ENG C A BRE - LON""",
            "counted; A Bre-Lon; XII.5, 4.A.2",
            id="a printed rule spares it",
        ),
        pytest.param(
            "1982",
            "F LON S F WAL - ENG",
            """ENGLAND: F LON S F WAL - ENG, F WAL - ENG, F IRI S F WAL - ENG
               FRANCE: A BRE - LON, F ENG C A BRE - LON""",
            "counted; A Bre-Lon; XII.5",
            id="its convoy breaks anyway",
        ),
        pytest.param(
            "1971",
            "A LON - BEL",
            TWO_ROUTES,
            "failed; F Eng, F Bre-Eng; XII, 4.A.1",
            id="another route is left",
        ),
        pytest.param(
            "datc",
            "F CON - BUL/EC",
            "TURKEY: F BUL/SC - CON, F CON - BUL/EC",
            "bounced; F Bul; VIII",
            id="a swap with its own power's unit",
        ),
        pytest.param(
            "datc",
            "A BUR S A PIC - BEL",
            """FRANCE: A PIC - BEL VIA, A BUR S A PIC - BEL
               ENGLAND: F ENG C A PIC - BEL
               GERMANY: F NTH - ENG, F LON S F NTH - ENG""",
            "was not cut; A Pic; XII",
            id="a support for an army that was not convoyed",
        ),
        pytest.param(
            "datc",
            "F BLA - ANK",
            """RUSSIA: F CON S F BLA - ANK, F BLA - ANK, A BUL S F CON
               TURKEY: F ANK - CON, A SMY S F ANK - CON, A ARM - ANK""",
            "succeeded; 2, 1, 1; F Con, A Arm-Ank, F Ank; IX.2",
            id="a dislodged unit that attacked elsewhere, DATC 6.D.18",
        ),
    ],
)
def test_the_rule_that_decided_is_cited(rulebook: str, order: str, orders: str, told: str) -> None:
    assert facts(sentences(orders, rulebook)[order]) == told


@pytest.mark.parametrize(
    ("language", "why"),
    [
        pytest.param("en", "1 against 2 (F Adr-Ven with A Apu), but no power", id="English"),
        pytest.param("de", "1 gegen 2 (F Adr-Ven mit A Apu), aber keine Macht", id="German"),
        pytest.param("fr", "1 contre 2 (F Adr-Ven avec A Apu), mais aucune", id="French"),
    ],
)
def test_a_unit_that_stays_against_its_own_power_says_why_2_does_not_beat_1(
    language: str, why: str
) -> None:
    orders = "ITALY: F VEN H, F ADR - VEN, A APU S F ADR - VEN"

    assert why in sentences(orders, language=language)["F VEN H"]


@pytest.mark.parametrize(
    ("language", "why"),
    [
        pytest.param("en", "the support by A Vie does not count against F Tri", id="English"),
        pytest.param("de", "die Unterstützung von A Vie zählt nicht gegen F Tri", id="German"),
        pytest.param("fr", "le soutien de A Vie ne compte pas contre F Tri", id="French"),
    ],
)
def test_a_unit_that_lives_on_its_own_support_says_why_2_does_not_beat_1(
    language: str, why: str
) -> None:
    orders = """AUSTRIA: F TRI H, A VIE S A VEN - TRI
                ITALY: A VEN - TRI"""

    told = sentences(orders, language=language)

    assert why in told["F TRI H"]
    assert why in told["A VEN - TRI"]


@pytest.mark.parametrize(
    ("language", "why"),
    [
        pytest.param("en", "but equally strong attacks bounce off each other", id="English"),
        pytest.param("de", "aber gleich starke Angriffe prallen aneinander ab", id="German"),
        pytest.param("fr", "mais, à force égale, les attaques rebondissent", id="French"),
    ],
)
def test_a_garrison_besieged_by_two_equal_attacks_says_that_they_bounce(
    language: str, why: str
) -> None:
    orders = """AUSTRIA: A SER H
                RUSSIA: A RUM - SER, A BUD S A RUM - SER
                TURKEY: A BUL - SER, A GRE S A BUL - SER"""

    assert why in sentences(orders, language=language)["A SER H"]


def test_a_garrison_whose_power_helps_against_it_says_both_reasons() -> None:
    why = sentences(GARRISON)["F NTH H"]

    assert "the support by F Yor does not count against F Nth" in why
    assert "and the attacks bounced off each other (rulebook IX.3, IX.5, DATC 6.E.7)" in why


def test_a_unit_that_two_powers_attack_the_stronger_its_own_says_both_reasons() -> None:
    orders = """GERMANY: A MUN H, A BER - MUN, A KIE S A BER - MUN, A SIL S A BER - MUN
                FRANCE: A BUR - MUN, A RUH S A BUR - MUN"""

    why = sentences(orders)["A MUN H"]

    assert "but no power dislodges its own units, and the attacks bounced" in why
    assert "(rulebook IX.3, IX.5, DATC 6.D.10)" in why


def test_a_support_that_other_supports_make_needless_is_left_out_of_the_strength() -> None:
    orders = """AUSTRIA: F TRI H, A VIE S A VEN - TRI
                ITALY: A VEN - TRI, A TYR S A VEN - TRI, F ADR S A VEN - TRI"""

    told = sentences(orders)

    assert "1 against 3 (A Ven-Tri with F Adr and A Tyr)" in told["F TRI H"]
    assert "the support by A Vie does not count against F Tri" in told["A VEN - TRI"]


NUMBERS = {**cases_of_the_edition(), **cases_of_other_editions()}


def reasons_of_case(number: str, language: str) -> list[str]:
    """Return the reason for each order of a DATC case."""
    case = NUMBERS[number]
    result = adjudicate(BOARD, position_of(case), orders_of(case))
    outcomes = (*result.outcomes, *result.unordered)
    reasons = Reasons(outcomes, result.paradoxes, result.disbanded)
    return [
        explain_reason(BOARD, reasons.of(each), reasons.units, language=language)
        for each in outcomes
    ]


@pytest.mark.parametrize(
    ("language", "without"), [("en", "without"), ("de", "ohne"), ("fr", "sans")]
)
def test_no_reason_counts_a_strength_without_a_unit(language: str, without: str) -> None:
    said = [each for number in NUMBERS for each in reasons_of_case(number, language)]

    assert [each for each in said if re.search(rf"\b{without} [AF] [A-Z]", each)] == []


@pytest.mark.parametrize(
    "rulebook",
    [
        pytest.param(each, marks=[] if each in {"datc", "1971", "2023"} else [pytest.mark.gate])
        for each in RULEBOOKS
    ],
)
def test_every_datc_case_is_explained_under_every_rulebook(rulebook: str) -> None:
    for case in (cases_of_the_edition() | cases_of_other_editions()).values():
        result = adjudicate(BOARD, position_of(case), orders_of(case), RULEBOOKS[rulebook])
        reasons = Reasons((*result.outcomes, *result.unordered), result.paradoxes)
        for outcome in (*result.outcomes, *result.unordered):
            assert explain_reason(BOARD, reasons.of(outcome), reasons.units).endswith(".")
