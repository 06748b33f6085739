"""The rule that decided an outcome, where several were possible."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.notation.order_text import read_order
from judge.rules.adjudication import adjudicate
from judge.rules.citations import Protection, Rule
from judge.rules.outcomes import Given
from judge.rules.reasons import Reason, explain
from judge.rules.rule_applied import unit_of
from judge.rules.rulebook import rulebook_named
from judge.rules.types import DislodgedUnit, Phase, SupportMove
from tests.datc.cases_file import cases_of_the_edition, orders_of, position_of
from tests.unit.rules.play_phase import BOARD, Written, ordered, standing

FROM_FLEET = "datc,4.A.4=from_fleet"


def why(rulebook: str, orders: Written, order: str) -> Reason:
    """Return the reason for the result of *order*; each unit is where its order says."""
    read = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
    units = {power: [text[:5] for text in texts] for power, texts in orders.items()}
    chosen = rulebook_named(rulebook)
    result = adjudicate(BOARD, standing(units), read, chosen)
    return explain(result, read_order(order), chosen)


@pytest.mark.parametrize(
    ("orders", "rule"),
    [
        pytest.param(["F ANK - CON", "A CON - SMY", "A SMY - ANK"], Rule("VIII"), id="in a ring"),
        pytest.param(["F ANK - CON", "A CON - SMY", "A SMY - SYR"], Rule("IX.2"), id="in a row"),
        pytest.param(
            ["F ANK - CON", "A CON - ANK VIA", "F BLA C A CON - ANK"],
            Rule("IX.2"),
            id="past an army at sea",
        ),
    ],
)
def test_units_that_move_one_behind_the_other(orders: list[str], rule: Rule) -> None:
    assert why("datc", {"TURKEY": orders}, "F ANK - CON").rule == rule


@pytest.mark.parametrize(
    ("orders", "rule"),
    [
        pytest.param({"AUSTRIA": ["A VIE H", "A TRI - VIE"]}, Rule("VIII"), id="its own, alone"),
        pytest.param(
            {"AUSTRIA": ["A VIE H", "A TYR S A TRI - VIE"], "ITALY": ["A TRI - VIE"]},
            Rule("IX.3", "6.D.12"),
            id="one that its own helps",
        ),
        pytest.param(
            {
                "GERMANY": ["A MUN H", "A BER - MUN", "A KIE S A BER - MUN"],
                "FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"],
                "AUSTRIA": ["A BOH - MUN", "A TYR S A BOH - MUN"],
            },
            Rule("IX.5"),
            id="two, as strong as its own",
        ),
        pytest.param(
            {
                "AUSTRIA": ["A VIE H", "A BUD S A TRI - VIE"],
                "GERMANY": ["A BOH - VIE", "A GAL S A BOH - VIE"],
                "ITALY": ["A TRI - VIE"],
            },
            Rule("IX.5"),
            id="one, and one whom its own helps",
        ),
    ],
)
def test_a_unit_that_stays_and_is_attacked_by(orders: Written, rule: Rule) -> None:
    (stays,) = (text for texts in orders.values() for text in texts if text.endswith(" H"))

    assert why("datc", orders, stays).rule == rule


@pytest.mark.parametrize(
    ("stays", "datc"),
    [
        pytest.param("A VIE H", "6.D.12", id="it did not try to leave"),
        pytest.param("A VIE - GAL", "6.D.13", id="it came back"),
    ],
)
def test_support_against_a_unit_of_the_supporting_power(stays: str, datc: str) -> None:
    orders = {
        "AUSTRIA": [stays, "A TYR S A TRI - VIE"],
        "ITALY": ["A TRI - VIE"],
        "RUSSIA": ["A WAR - GAL"],
    }

    assert why("datc", orders, "A TRI - VIE").rule == Rule("IX.3", datc)


@pytest.mark.parametrize(
    ("stays", "rule"),
    [
        pytest.param("A VIE H", Rule("IX.3", "6.D.10"), id="it did not try to leave"),
        pytest.param("A VIE - GAL", Rule("IX.3", "6.D.11"), id="it came back"),
    ],
)
def test_a_move_that_would_dislodge_an_own_unit(stays: str, rule: Rule) -> None:
    orders = {
        "AUSTRIA": [stays, "A TRI - VIE", "A TYR S A TRI - VIE"],
        "RUSSIA": ["A WAR - GAL"],
    }

    assert why("datc", orders, "A TRI - VIE").rule == rule


@pytest.mark.parametrize(
    ("number", "cited"),
    [
        pytest.param("6.C.8", "6.D.11", id="a ring that stops, by its own power"),
        pytest.param("6.C.9", "6.D.13", id="a ring that stops, with own help"),
        pytest.param("6.D.10", "6.D.10", id="its own unit"),
        pytest.param("6.D.11", "6.D.11", id="its own unit that came back"),
        pytest.param("6.D.12", "6.D.12", id="own help"),
        pytest.param("6.D.13", "6.D.13", id="own help against a unit that came back"),
        pytest.param("6.E.2", "6.E.2", id="its own unit, head-on"),
        pytest.param("6.E.3", "6.E.3", id="own help, head-on"),
        pytest.param("6.E.6", "6.E.3", id="own help, head-on with other supports"),
        pytest.param("6.E.7", "6.E.7", id="own help against a garrison"),
        pytest.param("6.E.8", "6.E.8", id="own help against a garrison, head-on"),
        pytest.param("6.E.10", "6.E.7", id="own help against a garrison that came back"),
    ],
)
def test_a_move_against_a_unit_of_the_power_that_helps_cites_the_case_that_its_support_cites(
    number: str, cited: str
) -> None:
    case = cases_of_the_edition()[number]
    result = adjudicate(BOARD, position_of(case), orders_of(case))
    told = [explain(result, each) for each in (*result.outcomes, *result.unordered)]
    units = {unit_of(each.outcome): each for each in told}
    supports = [each for each in told if each.barred and isinstance(each.outcome.verdict, Given)]

    for support in supports:
        assert isinstance(support.outcome.order, SupportMove)
        move = units[support.outcome.order.supported.province]
        assert (move.rule, support.rule) == (Rule("IX.3", cited), Rule("IX.3", cited))
    assert len(supports) == 1


def test_a_support_of_its_own_power_that_others_make_needless_cites_datc_6_d_14() -> None:
    orders = {
        "AUSTRIA": ["F TRI H", "A VIE S A VEN - TRI"],
        "ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI", "F ADR S A VEN - TRI"],
    }

    assert why("datc", orders, "A VIE S A VEN - TRI").rule == Rule("IX.3", "6.D.14")
    assert why("datc", orders, "A VEN - TRI").rule == Rule("IX.2")


def test_a_garrison_that_its_own_power_also_attacks_weakly_is_besieged() -> None:
    orders = {
        "GERMANY": ["A MUN H", "A BER - MUN"],
        "FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"],
        "AUSTRIA": ["A BOH - MUN", "A TYR S A BOH - MUN"],
    }

    assert why("datc", orders, "A MUN H").protections == (Protection.BOUNCE,)


def test_an_army_that_is_convoyed_meets_nobody_head_on() -> None:
    by_land = {"ENGLAND": ["A NWY - SWE"], "RUSSIA": ["A SWE - NWY"]}
    by_sea = {"ENGLAND": ["A NWY - SWE VIA", "F SKA C A NWY - SWE"], "RUSSIA": ["A SWE - NWY"]}

    assert why("datc", by_land, "A SWE - NWY").head_on
    assert not why("datc", by_sea, "A SWE - NWY").head_on
    assert not why("datc", by_sea, "A NWY - SWE VIA").head_on


@pytest.mark.parametrize(
    ("rulebook", "order", "rule"),
    [
        pytest.param("jdip", "A LON - ENG - BEL", Rule("XII", "4.A.6"), id="named, and heeded"),
        pytest.param("jdip", "A LON - BEL", Rule("XII"), id="not named"),
        pytest.param("datc", "A LON - ENG - BEL", Rule("XII"), id="named, and not heeded"),
    ],
)
def test_no_fleet_was_ordered_to_carry_the_army_on_a_route(
    rulebook: str, order: str, rule: Rule
) -> None:
    assert why(rulebook, {"ENGLAND": [order, "F ENG H"]}, order).rule == rule


@pytest.mark.parametrize(
    ("rulebook", "order", "datc"),
    [
        pytest.param("jdip", "A LON - ENG - BEL", "4.A.6", id="which the order did not name"),
        pytest.param("datc,4.A.1=one_route", "A LON - BEL", "4.A.1", id="which does not help"),
        pytest.param(
            "datc,4.A.1=one_route", "A LON - ENG - BEL", "4.A.1", id="nor if a route is written"
        ),
    ],
)
def test_a_convoy_broke_and_another_route_was_left(rulebook: str, order: str, datc: str) -> None:
    orders = {
        "ENGLAND": [order, "F NTH C A LON - BEL", "F ENG C A LON - BEL"],
        "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG"],
    }

    assert why(rulebook, orders, order).rule == Rule("XII", datc)


@pytest.mark.parametrize(
    ("helpers", "rule"),
    [
        pytest.param([], Rule("X", "4.A.4"), id="does not dislodge it"),
        pytest.param(["F ENG S A YOR - LON"], Rule("X", "6.D.17"), id="dislodges it"),
    ],
)
def test_a_support_is_cut_from_where_it_is_aimed_by_an_army_at_sea_that(
    helpers: list[str], rule: Rule
) -> None:
    orders = {
        "ENGLAND": ["A YOR - LON VIA", "F NTH C A YOR - LON", *helpers],
        "FRANCE": ["F LON S A WAL - YOR", "A WAL - YOR"],
    }

    assert why(FROM_FLEET, orders, "F LON S A WAL - YOR").rule == rule


@pytest.mark.parametrize(
    ("rulebook", "rule"),
    [
        pytest.param(FROM_FLEET, Rule("X", "4.A.4"), id="it comes from the fleet"),
        pytest.param("2000", Rule("XII.5", "4.A.2"), id="it comes from where it was"),
    ],
)
def test_a_support_against_the_fleet_that_lands_an_army_on_it(rulebook: str, rule: Rule) -> None:
    orders = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }

    assert why(rulebook, orders, "F LON S F WAL - ENG").rule == rule


@pytest.mark.parametrize(
    ("orders", "army", "rule"),
    [
        pytest.param(
            {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]},
            "A LON - BEL",
            Rule("XII"),
            id="there was no other",
        ),
        pytest.param(
            {
                "ENGLAND": ["A NWY - SWE VIA", "F SKA C A NWY - SWE"],
                "RUSSIA": ["A SWE - NWY"],
            },
            "A NWY - SWE VIA",
            Rule("XII.6", "4.A.3"),
            id="it changed places with another",
        ),
        pytest.param(
            {"ENGLAND": ["A LON - WAL", "F NTH H"]}, "A LON - WAL", None, id="it did not"
        ),
    ],
)
def test_an_army_that_went_by_sea(orders: Written, army: str, rule: Rule | None) -> None:
    assert why("datc", orders, army).oversea == rule


def test_a_unit_that_disbands_in_retreat_leaves_by_another_rule_than_one_too_many() -> None:
    beaten = standing({"RUSSIA": ["F CON"], "TURKEY": ["A SMY"]}, "S1901M")
    fleet, army = beaten.units
    rout = replace(
        beaten,
        phase=Phase.parse("S1901R"),
        units=(army,),
        dislodged=(DislodgedUnit(fleet, "ANK", attacker_convoyed=False, retreats=("AEG",)),),
    )
    result = ordered(rout, {"RUSSIA": ["F CON D", "F CON R AEG"]})

    left, refused = (explain(result, each) for each in result.outcomes)

    assert (left.rule, left.disbanded) == (Rule("XI"), True)
    assert (refused.rule.datc, refused.disbanded) == ("4.D.3", False)
