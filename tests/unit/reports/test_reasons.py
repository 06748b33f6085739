"""Why an order came out as it did, in the words that players read."""

from __future__ import annotations

import pytest

from judge.reports.render import explained
from judge.rules.adjudication import adjudicate
from judge.rules.outcome import Outcome
from judge.rules.reasons import Reasons
from judge.rules.rulebook import RULEBOOKS
from tests.datc.facts import cases_of_other_editions, cases_of_the_edition, orders_of, position_of
from tests.unit.rules.playing import BOARD, played


def sentences(orders: str) -> dict[str, str]:
    """Return what is said of each order, in a movement phase with *orders*, a power a line."""
    lines = [line.strip().partition(": ") for line in orders.strip().splitlines()]
    result = played({power: texts.split(", ") for power, _, texts in lines})
    outcomes: tuple[Outcome, ...] = (*result.outcomes, *result.unordered)
    reasons = Reasons(outcomes, result.paradoxes, result.disbanded)
    said = (explained(BOARD, reasons.of(each), reasons.units) for each in outcomes)
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


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_whatever_the_datc_asks_is_explained_under_every_rulebook(rulebook: str) -> None:
    for case in (cases_of_the_edition() | cases_of_other_editions()).values():
        result = adjudicate(BOARD, position_of(case), orders_of(case), RULEBOOKS[rulebook])
        reasons = Reasons((*result.outcomes, *result.unordered), result.paradoxes)
        for outcome in (*result.outcomes, *result.unordered):
            assert explained(BOARD, reasons.of(outcome), reasons.units).endswith(".")
