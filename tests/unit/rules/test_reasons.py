"""The reasons for the outcome of an order, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

import pytest

from judge.rules.adjudication import adjudicate
from judge.rules.citations import FAILURES, IMPOSSIBLE, UNMATCHED, Rule
from judge.rules.outcomes import FailCause, Impossible, Strength, Unmatched
from judge.rules.reasons import Reason, explain
from judge.rules.rule_applied import Conflict
from judge.rules.rulebook import RULEBOOKS
from judge.rules.types import Waive
from tests.datc.case_notation import read_order
from tests.datc.cases_file import cases_of_the_edition, orders_of, position_of
from tests.support.selection import in_one
from tests.unit.rules.play_phase import BOARD, ordered, outcome_in, played, standing

CASES = cases_of_the_edition()


def units_in(reasons: tuple[Reason, ...]) -> list[str]:
    return [place_of(each) for each in reasons]


def place_of(reason: Reason) -> str:
    order = reason.outcome.order
    return "" if isinstance(order, Waive) else order.unit.province


def chain(reason: Reason) -> Iterator[Reason]:
    """Yield *reason* and all that it hung on."""
    yield reason
    for each in reason.because:
        yield from chain(each)


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        pytest.param(IMPOSSIBLE, list(Impossible), id="impossible"),
        pytest.param(UNMATCHED, list(Unmatched), id="void"),
        pytest.param(FAILURES, get_args(FailCause), id="failed"),
    ],
)
def test_every_cause_cites_a_rule(table: Mapping[object, Rule], keys: list[object]) -> None:
    assert list(table) == list(keys)
    assert all(rule.section or rule.datc for rule in table.values())


def test_a_failed_move_is_explained_by_the_strengths_and_all_that_made_them() -> None:
    result = played(
        {
            "AUSTRIA": ["A GAL - RUM", "A SER S A GAL - RUM", "A BUD S A GAL - RUM"],
            "TURKEY": ["A RUM H", "F BLA S A RUM"],
            "ITALY": ["A TRI - BUD"],
        }
    )

    reason = explain(result, read_order("A GAL - RUM"))

    attack, defense = Strength("GAL", ("SER",)), Strength("RUM", ("BLA",))
    assert reason.conflict == Conflict(attack, defense=defense)
    assert reason.rule == Rule("VIII")
    assert units_in(reason.because) == ["RUM", "SER", "BUD"]
    assert units_in(reason.lost) == ["BUD"]
    assert units_in(reason.lost[0].because) == ["TRI"]


def test_a_broken_convoy_is_followed_to_the_fleet_that_broke_it_and_to_its_support() -> None:
    result = played(
        {
            "ENGLAND": ["F NTH C A LON - HOL", "A LON - HOL"],
            "GERMANY": ["F SKA - NTH", "F DEN S F SKA - NTH"],
        }
    )

    told = chain(explain(result, read_order("A LON - HOL")))

    assert [place_of(each) for each in told] == ["LON", "NTH", "SKA", "DEN"]


def test_a_head_to_head_loser_is_no_rival_of_its_attacker() -> None:
    """DATC 6.E.1: a dislodged unit has no effect on where its attacker came from."""
    result = played(
        {
            "GERMANY": ["A BER - PRU", "F KIE - BER", "A SIL S A BER - PRU"],
            "RUSSIA": ["A PRU - BER"],
        }
    )

    assert explain(result, outcome_in(result, "KIE")).conflict == Conflict(Strength("KIE"))


@pytest.mark.parametrize(
    ("support", "orders", "rulebook", "rule"),
    [
        pytest.param(
            "A VIE S A BUD",
            {"AUSTRIA": ["A VIE S A BUD", "A BUD H", "A TRI - VIE"]},
            "datc",
            Rule("IX.6", "6.D.20"),
            id="by its own power",
        ),
        pytest.param(
            "A VIE S A BUD - TRI",
            {"AUSTRIA": ["A VIE S A BUD - TRI", "A BUD - TRI"], "ITALY": ["A TRI - VIE"]},
            "datc",
            Rule("X", "6.D.15"),
            id="from where it is aimed",
        ),
        pytest.param(
            "F NAP S F ION - TYS",
            {
                "ITALY": ["F NAP S F ION - TYS", "F ION - TYS"],
                "FRANCE": ["A TUN - NAP", "F TYS C A TUN - NAP"],
            },
            "datc",
            Rule(datc="4.A.2"),
            id="by an army whose convoy hangs on itself",
        ),
        pytest.param(
            "F LON S F WAL - ENG",
            {
                "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
                "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
            },
            "2000",
            Rule("XII.5", "4.A.2"),
            id="by an army whose convoy it breaks",
        ),
        pytest.param(
            "A VIE S A BUD", {"AUSTRIA": ["A VIE S A BUD"]}, "datc", Rule("IX.2"), id="not at all"
        ),
    ],
)
def test_a_support_that_is_attacked_in_vain_names_the_rule_that_spares_it(
    support: str, orders: dict[str, list[str]], rulebook: str, rule: Rule
) -> None:
    units = {
        power: [*(" ".join(text.split()[:2]) for text in texts)] for power, texts in orders.items()
    }
    units["AUSTRIA"] = [*{*units.get("AUSTRIA", ()), "A BUD"}]
    result = ordered(standing(units), orders, RULEBOOKS[rulebook])

    assert explain(result, read_order(support)).rule == rule


def test_an_order_given_twice_is_told_apart_by_its_outcome() -> None:
    result = ordered(
        standing({"AUSTRIA": ["A VIE"]}, "W1901A", builds={"AUSTRIA": -1}),
        {"AUSTRIA": ["A VIE D", "A VIE D"]},
    )

    first, second = (explain(result, each) for each in result.outcomes)

    assert (first.rule, second.rule) == (Rule("XIII.2"), Rule(datc="4.D.3"))
    assert second.because[0].outcome is result.outcomes[0]
    assert explain(result, read_order("A VIE D")) == first


def test_an_order_that_nobody_gave_is_not_explained() -> None:
    with pytest.raises(ValueError, match="not an order of this phase"):
        explain(played({"AUSTRIA": ["A VIE H"]}), read_order("A BUD H"))


@in_one(CASES)
def test_a_chain_of_reasons_tells_nothing_twice_and_has_an_end(number: str) -> None:
    case = CASES[number]
    result = adjudicate(BOARD, position_of(case), orders_of(case))
    for outcome in (*result.outcomes, *result.unordered):
        told = [id(each.outcome) for each in chain(explain(result, outcome))]

        assert len(told) == len(set(told))
