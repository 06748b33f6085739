"""The strengths in each conflict of the rulebook, the deciding rule, and its conditions."""

from __future__ import annotations

import pytest

from judge.rules.citations import Rule
from judge.rules.outcomes import (
    Dislodged,
    Fails,
    Given,
    HeadOn,
    Invalid,
    ParadoxHold,
    Strength,
    Succeeds,
    Unmatched,
    Verdict,
)
from judge.rules.reasons import Reason, explain
from judge.rules.rule_applied import Conflict, unit_of
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.rulebook import rulebook_named
from tests.datc.case_notation import read_order
from tests.unit.rules.play_phase import Written, ordered, outcome_in, played, standing, verdict_in

STANDOFF = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"],
}
CROWD = STANDOFF | {"ENGLAND": ["A BEL - BUR", "A PIC S A BEL - BUR"], "ITALY": ["F ENG - PIC"]}
TURNED_BACK = {
    "GERMANY": ["A BER - PRU", "A SIL S A BER - PRU", "F KIE - BER"],
    "RUSSIA": ["A PRU - BER"],
    "AUSTRIA": ["A MUN - BER"],
}
ADVANCE = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
HEAD_ON = {
    "GERMANY": ["A BER - PRU", "A SIL S A BER - PRU"],
    "RUSSIA": ["A PRU - BER"],
    "ENGLAND": ["F BAL - PRU"],
}
OWN_UNIT = {
    "AUSTRIA": ["A GAL - VIE", "A BUD S A GAL - VIE", "A VIE H"],
    "ITALY": ["A TRI - VIE", "A TYR S A TRI - VIE"],
}
BELEAGUERED = {
    "AUSTRIA": ["A VIE H"],
    "GERMANY": ["A BOH - VIE", "A GAL S A BOH - VIE"],
    "ITALY": ["A TRI - VIE", "A TYR S A TRI - VIE"],
}
CONQUEST = {
    "GERMANY": ["A PRU - WAR", "A SIL S A PRU - WAR", "A GAL S A PRU - WAR"],
    "RUSSIA": ["A WAR H", "A MOS S A WAR", "A SEV H", "A RUM S A SEV"],
    "AUSTRIA": ["A UKR - WAR"],
}
SURPRISE = {
    "FRANCE": ["A PAR - MOS"],
    "GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"],
}
SELF_STANDOFF = {"AUSTRIA": ["A SER - BUD", "A VIE - BUD"]}
CONVOY = {
    "ENGLAND": ["A LON - HOL", "F NTH C A LON - HOL", "F EDI S F NTH"],
    "GERMANY": ["F SKA - NTH", "F DEN S F SKA - NTH", "F HEL S F SKA - NTH"],
}
PARADOX = {  # DATC 6.F.14
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
}
BELEAGUERED_FLEET = PARADOX | {"GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"]}  # DATC 6.F.16
TWO_CONVOYS = {  # DATC 6.F.22
    "ENGLAND": ["F EDI - NTH", "F LON S F EDI - NTH"],
    "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    "GERMANY": ["F BEL S F PIC - ENG", "F PIC - ENG"],
    "RUSSIA": ["A NWY - BEL", "F NTH C A NWY - BEL"],
}
OTHER_COAST = {"RUSSIA": ["F STP/SC - NWY"], "ENGLAND": ["F SWE - NWY"]}


def told(orders: Written, province: str, rulebook: str = "datc") -> Reason:
    result = played(orders, rulebook=rulebook_named(rulebook))
    return explain(result, outcome_in(result, province))


def hung_on(reason: Reason) -> list[str]:
    return [unit_of(each.outcome) for each in reason.because]


@pytest.mark.parametrize(
    ("orders", "unit", "conflict"),
    [
        pytest.param(
            STANDOFF,
            "PAR",
            Conflict(Strength("PAR", ("MAR",)), (Strength("MUN", ("RUH",)),)),
            id="a bounce",
        ),
        pytest.param(
            CROWD,
            "PAR",
            Conflict(Strength("PAR", ("MAR",)), (Strength("MUN", ("RUH",)),)),
            id="a bounce off the stronger of two",
        ),
        pytest.param(
            {
                "GERMANY": ["A MUN - BUR"],
                "FRANCE": ["A BUR - GAS", "A PAR S A MUN - BUR"],
                "ITALY": ["A MAR - BUR"],
            },
            "MUN",
            Conflict(Strength("MUN", ("PAR",)), (Strength("MAR"),)),
            id="a move into a province that its unit leaves",
        ),
        pytest.param(
            TURNED_BACK,
            "KIE",
            Conflict(Strength("KIE"), (Strength("MUN"),)),
            id="a bounce without the loser of a head-to-head battle",
        ),
        pytest.param(
            ADVANCE,
            "PAR",
            Conflict(Strength("PAR", ("MAR",)), (Strength("MUN"),)),
            id="the stronger of two in an empty province",
        ),
        pytest.param(
            HEAD_ON,
            "PRU",
            Conflict(Strength("PRU"), (Strength("BER", ("SIL",)),)),
            id="the loser of a head-to-head battle",
        ),
        pytest.param(
            HEAD_ON,
            "BER",
            Conflict(Strength("BER", ("SIL",)), (Strength("BAL"), Strength("PRU"))),
            id="the winner of a head-to-head battle",
        ),
        pytest.param(
            OWN_UNIT,
            "GAL",
            Conflict(Strength("GAL", ("BUD",)), defense=Strength("VIE")),
            id="a unit strong enough to dislodge its own power's",
        ),
        pytest.param(
            BELEAGUERED,
            "VIE",
            Conflict(Strength("VIE"), (Strength("BOH", ("GAL",)), Strength("TRI", ("TYR",)))),
            id="a beleaguered garrison",
        ),
        pytest.param(
            CONQUEST,
            "PRU",
            Conflict(
                Strength("PRU", ("GAL", "SIL")), (Strength("UKR"),), Strength("WAR", ("MOS",))
            ),
            id="a dislodging move",
        ),
        pytest.param(
            CONQUEST,
            "WAR",
            Conflict(
                Strength("WAR", ("MOS",)), (Strength("PRU", ("GAL", "SIL")), Strength("UKR"))
            ),
            id="a dislodged unit",
        ),
        pytest.param(
            CONQUEST,
            "SEV",
            Conflict(Strength("SEV", ("RUM",))),
            id="a unit not attacked",
        ),
        pytest.param(
            SURPRISE,
            "PAR",
            Conflict(Strength("PAR"), (Strength("BUR", ("PIC",)),)),
            id="a dislodged unit without a possible order",
        ),
        pytest.param({"FRANCE": ["A PAR - MOS"]}, "PAR", None, id="an impossible order"),
        pytest.param(CONVOY, "LON", None, id="a disrupted convoy"),
    ],
)
def test_the_conflict_has_these_strengths(
    orders: Written, unit: str, conflict: Conflict | None
) -> None:
    assert told(orders, unit).conflict == conflict


@pytest.mark.parametrize(
    ("orders", "unit", "rule"),
    [
        pytest.param(STANDOFF, "PAR", Rule("VIII"), id="standoff"),
        pytest.param(SELF_STANDOFF, "VIE", Rule("IX.4"), id="with an own unit"),
        pytest.param(CONQUEST, "PRU", Rule("IX.2"), id="the stronger advances"),
        pytest.param(CONQUEST, "WAR", Rule("IX.2"), id="the weaker is dislodged"),
        pytest.param(CONQUEST, "SEV", Rule("VIII"), id="no attack"),
        pytest.param(BELEAGUERED, "VIE", Rule("IX.5"), id="beleaguered"),
        pytest.param(OWN_UNIT, "VIE", Rule("IX.5"), id="beleaguered, also by its own power"),
        pytest.param(CONVOY, "NTH", Rule("XII"), id="a fleet is dislodged"),
        pytest.param(BELEAGUERED_FLEET, "ENG", Rule(datc="4.A.2"), id="a fleet is besieged"),
        pytest.param(PARADOX, "BRE", Rule(datc="4.A.2"), id="paradox"),
    ],
)
def test_this_rule_decided(orders: Written, unit: str, rule: Rule) -> None:
    assert told(orders, unit).rule == rule


@pytest.mark.parametrize(
    ("orders", "unit", "others"),
    [
        pytest.param(STANDOFF, "PAR", ["MUN", "MAR"], id="a rival and an own support"),
        pytest.param(CONQUEST, "SEV", ["RUM"], id="a support where one stays"),
        pytest.param(CONVOY, "NTH", ["SKA"], id="the attack that disrupted the convoy"),
        pytest.param(
            {"AUSTRIA": ["A VIE S A BUD", "A BUD - GAL"]},
            "VIE",
            ["BUD"],
            id="the supported unit that moved",
        ),
        pytest.param(
            {"ENGLAND": ["A LON - BEL", "F ENG H", "F NTH C A LON - NWY", "F EDI S A LON - NWY"]},
            "NTH",
            ["LON"],
            id="the convoyed army with another target",
        ),
        pytest.param(
            {"ENGLAND": ["A LON - TUN", "F ENG C A LON - TUN", "F MAO H", "F WES C A LON - TUN"]},
            "LON",
            ["ENG", "WES"],
            id="a chain with a gap",
        ),
    ],
)
def test_these_outcomes_were_conditions(orders: Written, unit: str, others: list[str]) -> None:
    assert hung_on(told(orders, unit)) == others


def test_a_unit_in_a_paradox_has_it_among_its_reasons() -> None:
    attacker, fleet = told(PARADOX, "WAL").paradox, told(PARADOX, "ENG").paradox

    assert attacker is not None
    assert attacker == fleet
    assert (attacker.convoys, attacker.moves) == (("ENG",), ("WAL",))
    assert told(PARADOX, "LON").paradox is None


def test_a_fleet_that_moves_to_a_convoyed_armys_last_sea_meets_it_head_to_head() -> None:
    """DATC 4.A.4: an army counts as coming from the fleet that lands it."""
    orders = {
        "ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY", "F NWG S A LON - NWY"],
        "RUSSIA": ["F NWY - NTH", "F SKA S F NWY - NTH"],
    }

    reason = told(orders, "NWY", "datc,convoyed_attack_from=from_fleet")

    attack, opponent = Strength("NWY", ("SKA",)), Strength("LON", ("NWG",))
    assert reason.outcome.verdict == Fails(HeadOn(attack, opponent))


@pytest.mark.parametrize(
    ("rulebook", "orders", "verdict"),
    [
        pytest.param("fails", {}, Invalid(Unmatched.POWER_ABSENT), id="absent"),
        pytest.param("fails", {"FRANCE": ["A PIC H"]}, Given(), id="there after all"),
        pytest.param("succeeds", {}, Given(), id="absent, and it does not matter"),
    ],
)
def test_a_unit_without_an_order_cannot_be_supported_if_the_rulebook_says_so(
    rulebook: str, orders: Written, verdict: Verdict
) -> None:
    position = standing({"FRANCE": ["A PAR", "A PIC"], "GERMANY": ["A BUR"]})
    result = ordered(
        position,
        {"GERMANY": ["A BUR S A PAR"], **orders},
        rulebook_named(f"datc,4.D.9={rulebook}"),
    )

    assert verdict_in(result, "BUR") == verdict


def test_where_all_hold_in_a_paradox_a_move_fails_for_that_alone() -> None:
    reason = told(PARADOX, "WAL", "datc,convoy_paradoxes=all_hold")

    assert reason.outcome.verdict == Fails(ParadoxHold(("ENG",)))
    assert hung_on(reason) == ["ENG", "LON"]


def test_a_unit_without_an_order_is_told_who_dislodged_it() -> None:
    position = standing({"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A PIC"]})
    invasion = {"GERMANY": ["A PAR H", "A BUR - PAR", "A PIC S A BUR - PAR"]}
    result = ordered(position, invasion)

    attack = Strength("BUR", ("PIC",))
    (silent,) = result.unordered
    assert silent.power == "FRANCE"
    assert silent.fate == Dislodged("BUR", attack, ("BRE", "GAS"))


@pytest.mark.parametrize(
    ("rulebook", "rule", "stood_in"),
    [
        pytest.param("datc", ConvoyParadoxes.SZYKMAN, False, id="as the rulebook says"),
        pytest.param("datc,4.A.2=all_hold", ConvoyParadoxes.ALL_HOLD, False, id="by another rule"),
        pytest.param("1971", ConvoyParadoxes.SZYKMAN, True, id="where the rulebook is silent"),
    ],
)
def test_a_paradox_names_the_rule_that_broke_it(
    rulebook: str, rule: ConvoyParadoxes, *, stood_in: bool
) -> None:
    (paradox,) = played(TWO_CONVOYS, rulebook=rulebook_named(rulebook)).paradoxes

    assert (paradox.rule, paradox.stood_in) == (rule, stood_in)


def test_a_paradox_is_told_once_though_an_army_elsewhere_goes_by_land_after_all() -> None:
    by_land = {
        "TURKEY": ["A CON - BUL VIA", "F BLA C A CON - BUL"],
        "RUSSIA": ["F SEV - BLA", "F RUM S F SEV - BLA"],
    }
    rulebook = rulebook_named("datc,convoy_to_neighbor=intent_fallback")

    result = played(PARADOX | by_land, rulebook=rulebook)

    assert [paradox.convoys for paradox in result.paradoxes] == [("ENG",)]
    assert isinstance(outcome_in(result, "CON").verdict, Succeeds)


def test_a_move_that_only_counts_as_one_meets_no_unit() -> None:
    reason = told(OTHER_COAST, "SWE", "datc,counted_orders=possible_sometime")

    assert reason.conflict == Conflict(Strength("SWE"))
    assert reason.because == ()


def test_an_order_from_abroad_is_not_taken_for_the_order_of_the_unit() -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A PIC"]}
    orders = {
        "GERMANY": ["A PAR H", "A BUR - PAR", "A PIC S A BUR - PAR"],
        "FRANCE": ["A PAR - MOS"],
    }

    reason = explain(ordered(standing(units), orders), read_order("A BUR - PAR"))

    assert [each.outcome.power for each in reason.because] == ["GERMANY", "FRANCE"]


def test_of_two_orders_for_a_unit_others_hang_on_the_one_that_counts() -> None:
    units = {"FRANCE": ["A PAR", "A MAR"]}
    orders = {"FRANCE": ["A PAR - MOS", "A PAR - GAS", "A MAR S A PAR - BUR"]}

    reason = explain(ordered(standing(units), orders), read_order("A MAR S A PAR - BUR"))

    assert [each.outcome.order for each in reason.because] == [read_order("A PAR - GAS")]


def test_a_paradox_caused_by_an_army_that_fell_back_to_land_is_reported_with_the_first() -> None:
    """Rome moves by land and cuts Tuscany, so the convoy to Spain depends on itself too."""
    result = played(
        {
            "ENGLAND": ["F NWY S F NTH - SKA", "F NTH - SKA"],
            "RUSSIA": ["A SWE - NWY", "F SKA C A SWE - NWY"],
            "AUSTRIA": ["A ROM - TUS", "F TYS C A ROM - TUS"],
            "TURKEY": ["F ION - TYS", "F NAP S F ION - TYS"],
            "FRANCE": ["A MAR - SPA", "F LYO C A MAR - SPA", "F TUS S F LYO"],
            "ITALY": ["F SPA/SC S F WES - LYO", "F WES - LYO"],
        },
        rulebook=rulebook_named("datc,convoy_to_neighbor=intent_fallback"),
    )

    assert [paradox.convoys for paradox in result.paradoxes] == [("SKA",), ("LYO",)]
