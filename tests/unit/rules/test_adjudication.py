"""A phase is adjudicated and leads to the next one with orders to give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import (
    ConvoyParadox,
    Cut,
    Dislodged,
    Fails,
    Given,
    HeadOn,
    Illegal,
    Impossible,
    RetreatsClash,
    StoodOff,
    Strength,
    Succeeds,
    result_words,
)
from judge.rules.phase_sequence import duties, has_choice, leaders, sort_units, winner
from judge.rules.retreats import open_retreats
from judge.rules.rule_options import (
    ConvoyRoutes,
    ExcessRemovals,
    RemovalTies,
    RepeatedOrders,
    RetreatToConvoyedOrigin,
)
from judge.rules.rulebook import DATC, Rulebook, rulebook_named
from judge.rules.types import (
    Disband,
    DislodgedUnit,
    Phase,
    Position,
    Power,
    Unit,
    UnitKind,
    UnitName,
)
from tests.datc.case_notation import read_order
from tests.unit.rules.play_phase import (
    BOARD,
    fate_in,
    names,
    ordered,
    outcome_in,
    played,
    standing,
    verdict_in,
)

ROUT = Position(
    Phase.parse("F1901R"),
    (Unit("GERMANY", UnitKind.ARMY, "SIL"),),
    dislodged=(
        DislodgedUnit(
            Unit("RUSSIA", UnitKind.ARMY, "WAR"),
            "SIL",
            attacker_convoyed=False,
            retreats=("LVN", "MOS", "PRU"),
        ),
        DislodgedUnit(
            Unit("AUSTRIA", UnitKind.ARMY, "BER"),
            "MUN",
            attacker_convoyed=False,
            retreats=("PRU",),
        ),
        DislodgedUnit(
            Unit("AUSTRIA", UnitKind.ARMY, "VEN"), "ROM", attacker_convoyed=False, retreats=()
        ),
    ),
)


def test_retreats_are_skipped_when_nobody_can_retreat() -> None:
    result = played({"FRANCE": ["A PAR - BUR"]})

    assert result.after.phase.code == "F1901M"
    assert result.after.dislodged == ()


def test_a_retreat_phase_has_the_dislodged_and_the_contested_provinces() -> None:
    result = played(
        {
            "AUSTRIA": ["A BUD S A TRI - VIE", "A TRI - VIE"],
            "GERMANY": ["A MUN - BOH", "A SIL - BOH"],
            "ITALY": ["A VIE H"],
        }
    )

    assert result.after.phase.code == "S1901R"
    assert result.after.contested == {"BOH"}
    (dislodged,) = result.after.dislodged
    assert dislodged.attacked_from == "TRI"
    assert dislodged.retreats == ("GAL", "TYR")


def test_centers_change_hands_after_fall_only() -> None:
    units = {"FRANCE": ["A BEL", "A PAR"]}
    spring = ordered(standing(units, "S1901M"), {})
    fall = ordered(standing(units, "F1901M", centers={"ENGLAND": ["BEL", "LON"]}), {})

    assert spring.after.owners == {}
    assert fall.after.owners == {"BEL": "FRANCE", "PAR": "FRANCE", "LON": "ENGLAND"}


def test_a_center_stays_owned_when_it_is_left() -> None:
    position = standing({"FRANCE": ["A BUR"]}, "F1901M", centers={"FRANCE": ["BEL"]})

    assert ordered(position, {}).after.owners == {"BEL": "FRANCE"}


def test_a_fall_retreat_takes_a_center() -> None:
    result = ordered(ROUT, {"RUSSIA": ["A WAR R MOS"]})

    assert result.after.owners == {"MOS": "RUSSIA"}
    assert names(result.after.units) == ["GERMANY A SIL", "RUSSIA A MOS"]


def test_adjustments_come_if_somebody_can_build_or_must_remove() -> None:
    build = standing({"FRANCE": ["A BEL"]}, "F1901M", centers={"FRANCE": ["PAR"]})
    remove = standing({"FRANCE": ["A BUR"]}, "F1901M")
    neither = standing({"FRANCE": ["A BEL"]}, "F1901M", centers={"FRANCE": ["SPA"]})

    assert ordered(build, {}).after.phase.code == "W1901A"
    assert ordered(remove, {}).after.phase.code == "W1901A"
    assert ordered(neither, {}).after.phase.code == "S1902M"


def test_no_adjustments_come_where_all_have_as_many_units_as_centers() -> None:
    position = standing({"AUSTRIA": ["A GAL"]}, "F1901M", centers={"AUSTRIA": ["VIE"]})

    assert ordered(position, {}).after.phase.code == "S1902M"


def test_supports_that_name_a_coast_for_an_army_are_counted_each() -> None:
    result = played(
        {
            "TURKEY": ["A CON - BUL", "A GRE S A CON - BUL/EC", "A SER S A CON - BUL/SC"],
            "RUSSIA": ["A BUL H", "A RUM S A BUL"],
        }
    )

    assert result_words(outcome_in(result, "CON")) == ("succeeds",)


def test_a_disrupted_convoy_and_a_head_to_head_loser_make_no_standoff() -> None:
    result = played(
        {
            "GERMANY": ["A HOL - BEL", "A RUH S A HOL - BEL"],
            "FRANCE": ["A BEL - HOL"],
            "ENGLAND": ["A EDI - HOL VIA", "F NTH C A EDI - HOL"],
            "RUSSIA": ["F SKA - NTH", "F NWY S F SKA - NTH"],
        }
    )

    assert result_words(outcome_in(result, "EDI")) == ("fails",)
    assert result.contested == frozenset()


def test_a_fleet_on_a_coast_carries_nobody_though_the_sea_beside_it_would_do() -> None:
    orders = ["A VEN - ALB VIA", "F TRI C A VEN - ALB", "F ADR H"]

    result = played({"ITALY": orders})

    assert verdict_in(result, "TRI") == Illegal(Impossible.NOT_AT_SEA)


def test_a_fleet_that_is_called_by_its_coast_succeeds_with_its_own_strength() -> None:
    result = played({"TURKEY": ["F BUL/EC - CON"]})

    assert verdict_in(result, "BUL") == Succeeds(Strength("BUL"))


def test_a_dislodgement_names_the_supports_that_did_not_count() -> None:
    result = played(
        {
            "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
            "GERMANY": ["A BUR H", "A MUN S A PAR - BUR"],
        }
    )

    attack = Strength("PAR", ("MAR",), discounted=("MUN",))
    assert verdict_in(result, "PAR") == Succeeds(attack)
    assert fate_in(result, "BUR") == Dislodged("PAR", attack, ("BEL", "GAS", "PIC", "RUH"))


@pytest.mark.parametrize(("sea", "shore"), [("ADR", "APU"), ("BAL", "SWE"), ("WES", "TUN")])
def test_no_army_is_convoyed_from_inland(sea: str, shore: str) -> None:
    result = played({"AUSTRIA": [f"A BOH - {shore}", f"F {sea} C A BOH - {shore}"]})

    assert verdict_in(result, "BOH") == Illegal(Impossible.UNREACHABLE)


def test_an_empty_province_cannot_be_supported() -> None:
    result = played({"GERMANY": ["A MUN S A RUH", "A BUR H"]})

    assert verdict_in(result, "MUN") == Illegal(Impossible.NO_OTHER_UNIT)


def test_a_supported_unit_wins_though_its_supporter_is_attacked_by_its_own_power() -> None:
    result = played(
        {
            "ENGLAND": ["F NTH - ENG", "F LON S F NTH - ENG", "A YOR - LON"],
            "FRANCE": ["F BRE - ENG"],
        }
    )

    assert verdict_in(result, "NTH") == Succeeds(Strength("NTH", ("LON",)))


def test_support_against_the_own_unit_counts_if_that_unit_left() -> None:
    result = played({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A BUR - BEL", "A MUN S A PAR - BUR"]})

    assert verdict_in(result, "PAR") == Succeeds(Strength("PAR", ("MUN",)))


@pytest.mark.parametrize("powers", [("RUSSIA", "AUSTRIA"), ("AUSTRIA", "RUSSIA")])
def test_rivals_in_a_standoff_are_told_in_the_order_of_their_places(
    powers: tuple[str, str],
) -> None:
    moves = {"RUSSIA": ["A WAR - GAL", "A UKR - GAL"], "AUSTRIA": ["A VIE - GAL", "A BUD - GAL"]}

    result = played({power: moves[power] for power in powers})

    assert verdict_in(result, "UKR") == Fails(
        StoodOff(Strength("UKR"), (Strength("BUD"), Strength("VIE"), Strength("WAR")))
    )


def test_units_stand_in_the_order_of_powers_and_places() -> None:
    result = played({"TURKEY": ["A SMY H", "A CON H"], "AUSTRIA": ["A VIE H", "F TRI H"]})

    assert names(result.after.units) == [
        "AUSTRIA F TRI",
        "AUSTRIA A VIE",
        "TURKEY A CON",
        "TURKEY A SMY",
    ]


def test_retreats_to_one_province_disband_all() -> None:
    result = ordered(ROUT, {"RUSSIA": ["A WAR R PRU"], "AUSTRIA": ["A BER - PRU"]})

    assert verdict_in(result, "WAR") == Fails(RetreatsClash(("BER",)))
    assert names(result.disbanded) == ["RUSSIA A WAR", "AUSTRIA A BER", "AUSTRIA A VEN"]


def test_a_dislodged_unit_without_an_order_disbands() -> None:
    result = ordered(ROUT, {"RUSSIA": ["A WAR D", "WAIVE"], "AUSTRIA": ["A BER R MUN"]})

    assert verdict_in(result, "WAR") == Succeeds()
    assert len(result.disbanded) == 3
    assert [outcome.order for outcome in result.unordered] == [
        Disband(UnitName(UnitKind.ARMY, "VEN"))
    ]
    assert not any(outcome.written for outcome in result.unordered)


def test_a_fleet_retreats_to_the_coast_it_can_reach() -> None:
    fleet = Unit("FRANCE", UnitKind.FLEET, "MAR")
    rout = Position(
        Phase.parse("S1901R"),
        (),
        dislodged=(DislodgedUnit(fleet, "LYO", attacker_convoyed=False, retreats=("SPA/SC",)),),
    )

    assert names(ordered(rout, {"FRANCE": ["F MAR R SPA"]}).after.units) == ["FRANCE F SPA/SC"]


def test_a_convoyed_attacker_leaves_its_province_open_to_a_retreat() -> None:
    def retreats(*, convoyed: bool, rulebook: Rulebook = DATC) -> tuple[str, ...]:
        return open_retreats(
            BOARD,
            Unit("SWEDEN", UnitKind.ARMY, "SWE"),
            attacked_from="NWY",
            attacker_convoyed=convoyed,
            closed={"DEN"},
            rulebook=rulebook,
        )

    barred = Rulebook(retreat_to_convoyed_origin=RetreatToConvoyedOrigin.BARRED)
    assert retreats(convoyed=True) == ("FIN", "NWY")
    assert retreats(convoyed=False) == ("FIN",)
    assert retreats(convoyed=True, rulebook=barred) == ("FIN",)


def test_builds_fill_up_to_what_is_due() -> None:
    winter = standing(
        {}, "W1901A", centers={"RUSSIA": ["STP", "MOS", "SEV"]}, builds={"RUSSIA": 2}
    )
    result = ordered(winter, {"RUSSIA": ["F STP/NC B", "WAIVE", "A MOS B"]})

    assert names(result.after.units) == ["RUSSIA F STP/NC"]
    assert [result_words(outcome) for outcome in result.outcomes] == [
        ("succeeds",),
        ("succeeds",),
        ("illegal",),
    ]
    assert result.unordered == ()


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        (RepeatedOrders.FIRST, ["A MOS"]),
        (RepeatedOrders.LAST, ["F SEV"]),
        (RepeatedOrders.NONE, []),
    ],
)
def test_of_two_builds_in_one_center_the_rulebook_chooses(
    rule: RepeatedOrders, left: list[str]
) -> None:
    winter = standing({}, "W1901A", centers={"RUSSIA": ["SEV", "MOS"]}, builds={"RUSSIA": 1})
    orders = {"RUSSIA": ["A MOS B", "F SEV B"]}
    result = ordered(winter, orders, Rulebook(excess_builds=rule))
    same = ordered(winter, {"RUSSIA": ["A SEV B", "A SEV B"]}, Rulebook(builds_in_one_center=rule))

    assert [str(unit) for unit in result.after.units] == left
    assert len(same.after.units) == (0 if rule is RepeatedOrders.NONE else 1)


@pytest.mark.parametrize("rule", RepeatedOrders)
def test_builds_that_are_due_are_not_too_many(rule: RepeatedOrders) -> None:
    winter = standing({}, "W1901A", centers={"RUSSIA": ["SEV", "MOS"]})
    result = ordered(winter, {"RUSSIA": ["A MOS B", "F SEV B"]}, Rulebook(excess_builds=rule))

    assert names(result.after.units) == ["RUSSIA A MOS", "RUSSIA F SEV"]


@pytest.mark.parametrize(
    ("rule", "left"), [(ExcessRemovals.FIRST, "A PIC"), (ExcessRemovals.LAST, "A PAR")]
)
def test_of_too_many_removals_the_rulebook_chooses(rule: ExcessRemovals, left: str) -> None:
    winter = standing({"FRANCE": ["A PAR", "A PIC"]}, "W1901A", centers={"FRANCE": ["PAR"]})
    orders = {"FRANCE": ["A PAR D", "A PIC D"]}
    result = ordered(winter, orders, Rulebook(excess_removals=rule))

    assert [str(unit) for unit in result.after.units] == [left]
    assert result.removed == ()


def test_too_many_removals_may_count_only_for_those_that_would_go_unasked() -> None:
    winter = standing(
        {"FRANCE": ["A PAR", "A PIC", "A GAS", "F NTH"]},
        "W1901A",
        centers={"FRANCE": ["PAR"]},
        builds={"FRANCE": -2},
    )
    orders = {"FRANCE": ["A PAR D", "F NTH D", "A PIC D"]}
    result = ordered(winter, orders, Rulebook(excess_removals=ExcessRemovals.CIVIL_DISORDER))

    assert [type(each.verdict) for each in result.outcomes] == [Illegal, Succeeds, Illegal]
    assert verdict_in(result, "PAR") == Illegal(Impossible.TOO_MANY_UNASKED)
    assert names(result.removed) == ["FRANCE A GAS"]
    assert names(result.after.units) == ["FRANCE A PAR", "FRANCE A PIC"]


def test_the_rulebook_decides_which_unit_is_removed_without_orders() -> None:
    winter = standing({"ENGLAND": ["F NTH", "F NWG"]}, "W1901A", builds={"ENGLAND": -1})
    rulebook = Rulebook(
        excess_removals=ExcessRemovals.CIVIL_DISORDER, removal_ties=RemovalTies.RECORD_CODES
    )
    result = ordered(winter, {"ENGLAND": ["F NTH D", "F NWG D"]}, rulebook)

    assert names(result.after.units) == ["ENGLAND F NTH"]  # nth, after nrg


def test_every_power_in_disorder_loses_its_own() -> None:
    winter = standing({"ITALY": ["A APU", "A ROM"], "TURKEY": ["A CON"]}, "W1901A")

    assert names(ordered(winter, {}).removed) == ["ITALY A APU", "ITALY A ROM", "TURKEY A CON"]


def test_without_a_removal_order_the_farthest_unit_is_removed() -> None:
    winter = standing({"RUSSIA": ["A LVN", "A PRU"]}, "W1901A", centers={"RUSSIA": ["STP"]})

    assert names(ordered(winter, {}).removed) == ["RUSSIA A PRU"]


def test_too_few_removal_orders_are_completed_by_the_judge() -> None:
    units = {"ITALY": ["A APU", "A ROM", "A VEN"], "TURKEY": ["A CON"]}
    winter = standing(units, "W1901A", builds={"ITALY": -2, "TURKEY": 0})

    result = ordered(winter, {"ITALY": ["A VEN D"]})

    assert names(result.removed) == ["ITALY A APU"]
    assert names(result.after.units) == ["ITALY A ROM", "TURKEY A CON"]


def test_a_power_without_centers_loses_fleets_first_and_then_by_the_alphabet() -> None:
    winter = standing({"ITALY": ["A APU", "F NAP", "A ROM"]}, "W1901A", builds={"ITALY": -2})

    assert names(ordered(winter, {}).removed) == ["ITALY F NAP", "ITALY A APU"]


@pytest.mark.parametrize(
    ("rule", "target"),
    [(RepeatedOrders.FIRST, "BUR"), (RepeatedOrders.LAST, "GAS"), (RepeatedOrders.NONE, "PAR")],
)
def test_of_two_orders_for_one_unit_the_rulebook_chooses(
    rule: RepeatedOrders, target: str
) -> None:
    result = ordered(
        standing({"FRANCE": ["A PAR"]}),
        {"FRANCE": ["A PAR - MOS", "A PAR - BUR", "A PAR - PIC", "A PAR - GAS"]},
        Rulebook(orders_for_one_unit=rule),
    )

    assert [unit.province for unit in result.after.units] == [target]


@pytest.mark.parametrize(
    ("rule", "targets"),
    [(RepeatedOrders.FIRST, ["ARM"]), (RepeatedOrders.LAST, ["CON"]), (RepeatedOrders.NONE, [])],
)
def test_of_two_retreats_of_one_unit_the_rulebook_chooses(
    rule: RepeatedOrders, targets: list[str]
) -> None:
    beaten = DislodgedUnit(
        Unit("TURKEY", UnitKind.ARMY, "SMY"),
        "AEG",
        attacker_convoyed=False,
        retreats=("ARM", "CON"),
    )
    result = ordered(
        Position(Phase.parse("S1901R"), (), dislodged=(beaten,)),
        {"TURKEY": ["A SMY R ARM", "A SMY R CON"]},
        Rulebook(orders_for_one_unit=rule),
    )

    assert [unit.province for unit in result.after.units] == targets


def test_the_same_order_again_is_no_second_order() -> None:
    result = ordered(
        standing({"FRANCE": ["A PAR"]}),
        {"FRANCE": ["A PAR - BUR", "A PAR - BUR"]},
        Rulebook(orders_for_one_unit=RepeatedOrders.NONE),
    )

    assert [unit.province for unit in result.after.units] == ["BUR"]
    assert result.outcomes[1].verdict.why is Impossible.DUPLICATE_SAME  # type: ignore[union-attr] # it is illegal


def test_one_value_given_several_times_is_told_of_as_equal_ones_are() -> None:
    first, second = read_order("A PAR - BUR"), read_order("A PAR - PIC")
    position, last = (
        standing({"FRANCE": ["A PAR"]}),
        Rulebook(orders_for_one_unit=RepeatedOrders.LAST),
    )

    result = adjudicate(
        BOARD, position, {"GERMANY": [first], "FRANCE": [first, second, first]}, last
    )

    assert [result_words(each) for each in result.outcomes] == [
        ("illegal",),
        ("illegal",),
        ("illegal",),
        ("succeeds",),
    ]


def test_one_value_given_first_by_another_power_is_told_of_to_each() -> None:
    order = read_order("A PAR - BUR")

    result = adjudicate(
        BOARD, standing({"FRANCE": ["A PAR"]}), {"GERMANY": [order], "FRANCE": [order]}
    )

    assert [result_words(each) for each in result.outcomes] == [("illegal",), ("succeeds",)]


def test_a_support_that_is_given_again_is_counted_once() -> None:
    result = ordered(
        standing({"AUSTRIA": ["A VIE"], "ITALY": ["A TRI"]}),
        {"AUSTRIA": ["A VIE S A TRI", "A VIE S A TRI"]},
    )

    verdicts = [each.verdict for each in result.outcomes]
    assert verdicts == [Given(), Illegal(Impossible.DUPLICATE_SAME)]


def test_an_army_that_is_to_sail_and_then_to_stay_sails() -> None:
    result = ordered(
        standing({"TURKEY": ["A PIC"], "FRANCE": ["F ENG", "F NTH"]}),
        {
            "TURKEY": ["A PIC - DEN", "A PIC H"],
            "FRANCE": ["F ENG C A PIC - DEN", "F NTH C A PIC - DEN"],
        },
    )

    sailed, stayed, *_ = [each.verdict for each in result.outcomes]
    assert sailed == Succeeds(Strength("PIC"), ("ENG", "NTH"))
    assert stayed == Illegal(Impossible.DUPLICATE)


def test_ordering_the_unit_of_another_to_support_leaves_it_without_an_order() -> None:
    result = ordered(
        standing({"ENGLAND": ["A SIL"], "AUSTRIA": ["A WAR"]}), {"GERMANY": ["A SIL S A WAR"]}
    )

    assert [each.verdict for each in result.outcomes] == [Illegal(Impossible.NOT_YOURS)]
    assert [each.power for each in result.unordered] == ["ENGLAND", "AUSTRIA"]


def test_a_second_order_is_told_first_that_it_is_impossible() -> None:
    result = ordered(
        standing({"TURKEY": ["F SEV"]}),
        {"TURKEY": ["F SEV - RUM", "F SEV - ION"]},
        rulebook_named("datc,counted_orders=any_text"),
    )

    assert result.outcomes[1].verdict == Illegal(Impossible.FLEET_UNREACHABLE)


def test_a_supporter_of_the_fleet_that_convoys_its_attacker_is_cut() -> None:
    result = played(
        {"TURKEY": ["A CON - BUL VIA", "F AEG C A CON - BUL"], "ITALY": ["F BUL/SC S F AEG"]}
    )

    assert verdict_in(result, "BUL") == Cut("CON")


def test_a_board_without_units_has_nothing_to_tell_but_that_nobody_is_there() -> None:
    result = adjudicate(
        BOARD, Position(Phase.parse("S1901M"), ()), {"ITALY": [read_order("A ROM - VEN")]}
    )

    assert result.outcomes[0].verdict == Illegal(Impossible.NO_SUCH_UNIT)
    assert result.unordered == ()


def test_one_broken_route_stops_a_convoy_if_the_rulebook_says_so() -> None:
    orders = {
        "ENGLAND": ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"],
        "FRANCE": ["F MAO - ENG", "F BRE S F MAO - ENG"],
    }
    one_route = Rulebook(convoy_routes=ConvoyRoutes.ONE_ROUTE)

    assert result_words(outcome_in(played(orders), "LON")) == ("succeeds",)
    assert result_words(outcome_in(played(orders, rulebook=one_route), "LON")) == ("fails",)


def test_no_build_is_waived_before_winter() -> None:
    result = played({"FRANCE": ["A PAR - BUR"]})
    waived = ordered(standing({"FRANCE": ["A PAR"]}), {"FRANCE": ["A PAR - BUR", "WAIVE"]})

    assert waived.outcomes[1].verdict == Illegal(Impossible.WRONG_PHASE)
    assert waived.after == result.after


def choosing(position: Position) -> set[Power]:
    return {power for power in BOARD.powers if has_choice(BOARD, position, power)}


def test_duties_in_movement_are_the_units() -> None:
    assert duties(BOARD, BOARD.start) == dict.fromkeys(BOARD.powers, 3) | {"RUSSIA": 4}
    assert choosing(BOARD.start) == set(BOARD.powers)


def test_duties_in_retreats_are_the_units_that_can_go_anywhere() -> None:
    lost = replace(ROUT, dislodged=ROUT.dislodged[2:])

    assert duties(BOARD, ROUT) == {"RUSSIA": 1, "AUSTRIA": 1}
    assert choosing(ROUT) == {"RUSSIA", "AUSTRIA"}
    assert duties(BOARD, lost) == {}
    assert choosing(lost) == set()


def test_duties_in_adjustments_are_removals_and_usable_builds() -> None:
    winter = standing(
        {"FRANCE": ["A PAR"], "ITALY": ["A ROM", "A VEN"], "TURKEY": ["A CON"]},
        "W1901A",
        centers={"FRANCE": ["PAR", "MAR", "BEL", "HOL"], "ITALY": ["ROM"], "TURKEY": ["CON"]},
    )

    assert duties(BOARD, winter) == {"FRANCE": 1, "ITALY": 1}
    assert choosing(winter) == {"FRANCE", "ITALY"}


def test_adjustments_due_to_all_are_those_due_to_each() -> None:
    winter = standing(
        {"FRANCE": ["A PAR"], "ITALY": ["A ROM", "A VEN"], "TURKEY": ["A CON"]},
        "W1901A",
        centers={"FRANCE": ["PAR", "MAR"], "TURKEY": ["CON", "SMY", "ANK"]},
        builds={"TURKEY": 1},
    )

    dues = winter.dues(BOARD.powers)

    assert dues == {power: winter.due(power) for power in BOARD.powers}
    assert (dues["FRANCE"], dues["ITALY"], dues["TURKEY"]) == (1, -2, 1)


def test_to_build_one_first_unit_is_a_choice() -> None:
    winter = standing({}, "W1901A", centers={"FRANCE": ["PAR"]})

    assert duties(BOARD, winter) == {"FRANCE": 1}
    assert choosing(winter) == {"FRANCE"}


def test_to_remove_all_units_is_no_choice() -> None:
    winter = standing({"ITALY": ["A ROM", "A VEN"]}, "W1901A")

    assert duties(BOARD, winter) == {"ITALY": 2}
    assert choosing(winter) == set()


@pytest.mark.parametrize(
    ("counts", "won"),
    [
        ({}, None),
        ({"FRANCE": 17, "ITALY": 16}, None),
        ({"FRANCE": 18, "ITALY": 16}, "FRANCE"),
        ({"FRANCE": 18}, "FRANCE"),
    ],
)
def test_eighteen_centers_win(counts: dict[str, int], won: str | None) -> None:
    free = iter(BOARD.centers)
    centers = {power: [next(free) for _ in range(count)] for power, count in counts.items()}

    assert winner(BOARD, standing({}, "W1901A", centers)) == won


def test_no_power_wins_with_as_many_centers_as_another() -> None:
    small = replace(BOARD, victory_centers=1)

    assert winner(small, standing({}, "W1901A", {"FRANCE": ["PAR"], "ITALY": ["ROM"]})) is None


@pytest.mark.parametrize(
    ("centers", "first"),
    [
        pytest.param({}, (), id="nobody"),
        pytest.param({"ITALY": ["ROM"], "FRANCE": ["PAR", "BRE"]}, ("FRANCE",), id="one"),
        pytest.param(
            {"ITALY": ["ROM"], "FRANCE": ["PAR"]}, ("FRANCE", "ITALY"), id="two with as many"
        ),
    ],
)
def test_the_powers_with_the_most_centers_lead(
    centers: dict[str, list[str]], first: tuple[str, ...]
) -> None:
    assert leaders(standing({}, "W1901A", centers)) == first


def test_via_convoy_goes_by_land_where_the_law_does_not_insist_on_the_sea() -> None:
    lone, by_land = {"FRANCE": ["A PIC - BEL VIA"]}, rulebook_named("datc,via_without_convoy=land")

    assert verdict_in(played(lone), "PIC") == Illegal(Impossible.NO_WAY_BY_SEA)
    assert isinstance(verdict_in(played(lone, rulebook=by_land), "PIC"), Succeeds)


@pytest.mark.parametrize(
    ("origin", "arrives"),
    [
        pytest.param("from_start", True, id="the attacker comes from there"),
        pytest.param("from_fleet", False, id="the attacker comes from the sea"),
    ],
)
def test_a_dislodged_unit_has_no_effect_on_its_attackers_origin(
    origin: str, *, arrives: bool
) -> None:
    rulebook = rulebook_named(f"datc,dislodged_bounce=always_none,convoyed_attack_from={origin}")
    orders = {
        "ENGLAND": ["A SWE - NWY VIA", "F SKA C A SWE - NWY", "F NTH S A SWE - NWY"],
        "RUSSIA": ["A NWY - SWE"],
        "GERMANY": ["F DEN - SWE"],
    }

    result = played(orders, rulebook=rulebook)

    assert outcome_in(result, "NWY").fate
    assert isinstance(verdict_in(result, "DEN"), Succeeds) is arrives


def test_a_unit_head_to_head_with_a_convoyed_army_may_bounce_another_from_that_sea() -> None:
    orders = {
        "ENGLAND": ["F ENG C A LON - BRE", "A LON - BRE", "A PIC S A LON - BRE"],
        "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG"],
        "GERMANY": ["F IRI - ENG", "F NTH S F IRI - ENG"],
    }

    result = played(orders, rulebook=rulebook_named("datc,convoyed_attack_from=from_fleet"))

    assert outcome_in(result, "ENG").fate is None
    for unit, cause in (("LON", HeadOn), ("BRE", HeadOn), ("IRI", StoodOff)):
        verdict = verdict_in(result, unit)
        assert isinstance(verdict, Fails)
        assert isinstance(verdict.cause, cause)


def test_a_unit_whose_loss_would_stop_its_own_attacker_is_in_a_paradox() -> None:
    """Brest alone keeps Ireland from the fleet in the Channel that lands the army against it."""
    orders = {
        "ENGLAND": [
            "F ENG C A LON - BRE",
            "A LON - BRE",
            "A PIC S A LON - BRE",
            "A GAS S A LON - BRE",
        ],
        "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG"],
        "GERMANY": ["F IRI - ENG", "F NTH S F IRI - ENG"],
    }

    result = played(orders, rulebook=rulebook_named("datc,convoyed_attack_from=from_fleet"))

    assert verdict_in(result, "LON") == Fails(ConvoyParadox(("ENG",)))
    assert [each.convoys for each in result.paradoxes] == [("ENG",)]


def test_units_are_told_by_power_and_place_whichever_comes_first() -> None:
    units = standing({"TURKEY": ["F CON", "A ANK"], "ENGLAND": ["F NTH"]}).units

    assert names(sort_units(units)) == ["ENGLAND F NTH", "TURKEY A ANK", "TURKEY F CON"]


def test_the_name_of_a_rulebook_is_no_rulebook() -> None:
    with pytest.raises(TypeError, match="a text; named"):
        adjudicate(BOARD, BOARD.start, {}, "1982")  # type: ignore[arg-type] # the mistake
