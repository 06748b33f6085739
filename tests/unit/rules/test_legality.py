"""An illegal order states the reason; other orders are completed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.rules.legality import completed_order, counts_as_move, find_fault, impossibility
from judge.rules.outcomes import Impossible
from judge.rules.phase_context import PhaseContext
from judge.rules.rule_options import (
    BuildKindOmitted,
    CoastSuperfluous,
    CountedOrders,
    WaivedBuilds,
    WrittenRoute,
)
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    DislodgedUnit,
    Hold,
    Move,
    Order,
    Phase,
    Position,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
)
from tests.datc.case_notation import read_order
from tests.unit.rules.play_phase import BOARD, standing

WESTERN = standing(
    {
        "ENGLAND": ["F NTH", "A LON", "F POR", "A YOR"],
        "FRANCE": ["A GAS", "F SPA/NC", "F MAR"],
        "RUSSIA": ["F STP/SC"],
    }
)
WINTER = standing(
    {"RUSSIA": ["A WAR", "F SEV"], "GERMANY": ["A BER", "A KIE"]},
    phase="W1901A",
    centers={"RUSSIA": ["STP", "MOS", "WAR", "SEV"], "GERMANY": ["BER"], "FRANCE": ["MUN"]},
)
ROUT = Position(
    Phase.parse("S1901R"),
    (Unit("GERMANY", UnitKind.ARMY, "PRU"),),
    dislodged=(
        DislodgedUnit(
            Unit("RUSSIA", UnitKind.ARMY, "WAR"),
            "SIL",
            attacker_convoyed=False,
            retreats=("LVN", "MOS"),
        ),
        DislodgedUnit(
            Unit("TURKEY", UnitKind.FLEET, "CON"),
            "BLA",
            attacker_convoyed=True,
            retreats=("BUL/EC", "BUL/SC", "SMY"),
        ),
    ),
    contested=frozenset({"GAL"}),
)


@pytest.mark.parametrize(
    ("power", "order", "why"),
    [
        ("ENGLAND", "A LON - HOL", None),
        ("ENGLAND", "A LON - WAL", None),
        ("ENGLAND", "A PAR H", Impossible.NO_SUCH_UNIT),
        ("FRANCE", "A LON H", Impossible.NOT_YOURS),
        ("ENGLAND", "A LON - LON", Impossible.SAME_PROVINCE),
        ("ENGLAND", "A LON - PAR", Impossible.UNREACHABLE),
        ("ENGLAND", "A LON - TUN", Impossible.UNREACHABLE),
        ("ENGLAND", "A LON - XXX", Impossible.UNREACHABLE),
        ("ENGLAND", "A LON - WAL VIA", Impossible.NO_WAY_BY_SEA),
        ("ENGLAND", "A LON - NTH", Impossible.NO_ARMY_AT_SEA),
        ("ENGLAND", "F NTH - RUH", Impossible.NO_FLEET_INLAND),
        ("ENGLAND", "F NTH - BRE", Impossible.FLEET_UNREACHABLE),
        ("ENGLAND", "F NTH - XXX", Impossible.FLEET_UNREACHABLE),
        ("ENGLAND", "F POR - SPA", Impossible.COAST_NEEDED),
        ("FRANCE", "F MAR - SPA/NC", Impossible.COAST_UNREACHABLE),
        ("FRANCE", "F SPA/SC - LYO", Impossible.OTHER_COAST),
        ("FRANCE", "F SPA/EC - LYO", Impossible.FLEET_UNREACHABLE),
        ("FRANCE", "F SPA/SC - MAO", None),
        ("FRANCE", "F MAR S F MAR", Impossible.SELF_SUPPORT),
        ("FRANCE", "F MAR S F MAR - SPA", Impossible.SELF_SUPPORT),
        ("FRANCE", "F MAR S A PAR", Impossible.NO_OTHER_UNIT),
        ("FRANCE", "F MAR S A PAR - GAS", Impossible.NO_OTHER_UNIT),
        ("FRANCE", "F MAR S A LON", Impossible.SUPPORTER_CANNOT_REACH),
        ("FRANCE", "F MAR S A GAS - PAR", Impossible.SUPPORTER_CANNOT_REACH),
        ("ENGLAND", "F POR S A GAS - SPA", None),
        ("ENGLAND", "F NTH S A GAS - BEL", Impossible.SUPPORTED_CANNOT_REACH),
        ("ENGLAND", "F NTH S A LON - HOL", Impossible.SUPPORTED_CANNOT_REACH),
        ("ENGLAND", "F NTH S A YOR - LON", None),
        ("ENGLAND", "F POR S F MAR - SPA/NC", Impossible.COAST_UNREACHABLE),
        ("ENGLAND", "F POR C A LON - BRE", Impossible.NOT_AT_SEA),
        ("ENGLAND", "F NTH C A EDI - BEL", Impossible.NO_OTHER_UNIT),
        ("ENGLAND", "F NTH C F POR - BEL", Impossible.FLEET_CONVOYED),
        ("ENGLAND", "F NTH C A LON - LON", Impossible.SAME_PROVINCE),
        ("ENGLAND", "F NTH C A LON - BRE", Impossible.NO_ROUTE),
        ("ENGLAND", "A LON R WAL", Impossible.WRONG_PHASE),
        ("ENGLAND", "A LON D", Impossible.WRONG_PHASE),
        ("ENGLAND", "A LON B", Impossible.WRONG_PHASE),
        ("ENGLAND", "WAIVE", Impossible.WRONG_PHASE),
    ],
)
def test_movement_orders(power: str, order: str, why: Impossible | None) -> None:
    assert impossibility(BOARD, WESTERN, power, read_order(order)) is why


@pytest.mark.parametrize(
    ("power", "order", "why"),
    [
        ("RUSSIA", "A WAR R MOS", None),
        ("RUSSIA", "A WAR - MOS", None),
        ("RUSSIA", "A WAR D", None),
        ("RUSSIA", "A WAR R UKR", Impossible.NOT_A_RETREAT),
        ("RUSSIA", "A WAR R PAR", Impossible.RETREAT_UNREACHABLE),
        ("RUSSIA", "A WAR R PRU", Impossible.RETREAT_OCCUPIED),
        ("RUSSIA", "A WAR R GAL", Impossible.RETREAT_CONTESTED),
        ("RUSSIA", "A WAR R SIL", Impossible.RETREAT_TO_ATTACKER),
        ("TURKEY", "F CON R AEG", Impossible.NOT_A_RETREAT),
        ("TURKEY", "F CON R BLA", Impossible.RETREAT_TO_CONVOYED),
        ("TURKEY", "F CON R BUL", Impossible.COAST_NEEDED),
        ("TURKEY", "A WAR R MOS", Impossible.NOT_YOURS),
        ("GERMANY", "A PRU R BER", Impossible.NOT_DISLODGED),
        ("GERMANY", "A PAR R BUR", Impossible.NO_SUCH_UNIT),
        ("RUSSIA", "A WAR H", Impossible.WRONG_PHASE),
        ("RUSSIA", "A WAR B", Impossible.WRONG_PHASE),
    ],
)
def test_retreat_orders(power: str, order: str, why: Impossible | None) -> None:
    assert impossibility(BOARD, ROUT, power, read_order(order)) is why


@pytest.mark.parametrize(
    ("power", "order", "why"),
    [
        ("RUSSIA", "F STP/NC B", None),
        ("RUSSIA", "A MOS B", None),
        ("RUSSIA", "WAIVE", None),
        ("RUSSIA", "F STP B", Impossible.COAST_NEEDED),
        ("RUSSIA", "F MOS B", Impossible.NO_FLEET_INLAND),
        ("RUSSIA", "A WAR B", Impossible.OCCUPIED),
        ("RUSSIA", "A BER B", Impossible.NOT_A_HOME_CENTER),
        ("RUSSIA", "A XXX B", Impossible.NOT_A_HOME_CENTER),
        ("RUSSIA", "A WAR D", Impossible.NOTHING_DUE),
        ("RUSSIA", "A WAR H", Impossible.WRONG_PHASE),
        ("GERMANY", "A MUN B", Impossible.CENTER_NOT_OWNED),
        ("GERMANY", "A KIE D", None),
        ("GERMANY", "A WAR D", Impossible.NOT_YOURS),
        ("GERMANY", "A MUN D", Impossible.NO_SUCH_UNIT),
        ("GERMANY", "WAIVE", Impossible.NOTHING_DUE),
    ],
)
def test_adjustment_orders(power: str, order: str, why: Impossible | None) -> None:
    assert impossibility(BOARD, WINTER, power, read_order(order)) is why


def test_a_build_without_a_right_to_it_is_impossible() -> None:
    even = replace(WINTER, builds={"RUSSIA": 0})

    assert impossibility(BOARD, even, "RUSSIA", read_order("A MOS B")) is Impossible.NOTHING_DUE


@pytest.mark.parametrize(
    ("position", "power", "order"),
    [
        (ROUT, "TURKEY", "F CON/NC D"),
        (WINTER, "RUSSIA", "A MOS/NC B"),
        (WINTER, "GERMANY", "A KIE/NC D"),
    ],
)
def test_a_coast_that_is_none_is_ignored_unless_the_rulebook_is_strict(
    position: Position, power: str, order: str
) -> None:
    strict = Rulebook(coast_superfluous=CoastSuperfluous.ILLEGAL)
    read = read_order(order)

    assert impossibility(BOARD, position, power, read) is None
    assert impossibility(BOARD, position, power, read, strict) is Impossible.COAST_SUPERFLUOUS


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (Move(UnitName(None, "GAS"), "SPA/NC"), "A GAS - SPA"),
        (Move(UnitName(UnitKind.ARMY, "SPA"), "GAS"), "F SPA/NC - GAS"),
        (Move(UnitName(None, "MAR"), "SPA"), "F MAR - SPA/SC"),
        (Move(UnitName(None, "POR"), "SPA"), "F POR - SPA"),
        (Move(UnitName(UnitKind.ARMY, "PAR"), "BUR"), "A PAR - BUR"),
        (Hold(UnitName(None, "SPA")), "F SPA/NC H"),
    ],
)
def test_kind_and_coast_are_filled_in(written: Order, read: str) -> None:
    assert completed_order(BOARD, WESTERN, written) == read_order(read)


def test_owners_of_other_units_are_filled_in() -> None:
    marseilles = UnitName(UnitKind.FLEET, "MAR")
    spain = UnitName(UnitKind.FLEET, "SPA/NC", "FRANCE")
    london = UnitName(UnitKind.ARMY, "LON", "ENGLAND")
    north_sea = UnitName(UnitKind.FLEET, "NTH")

    def read(order: Order) -> Order:
        return completed_order(BOARD, WESTERN, order)

    assert read(SupportHold(UnitName(None, "MAR"), UnitName(None, "SPA"))) == SupportHold(
        marseilles, spain
    )
    assert read(SupportMove(UnitName(None, "MAR"), UnitName(None, "SPA"), "GAS")) == SupportMove(
        marseilles, spain, "GAS"
    )
    assert read(Convoy(UnitName(None, "NTH"), UnitName(None, "LON"), "HOL")) == Convoy(
        north_sea, london, "HOL"
    )


def test_a_convoy_is_read_as_one_to_the_province() -> None:
    read = completed_order(BOARD, WESTERN, read_order("F NTH C A LON - STP/NC"))

    assert isinstance(read, Convoy)
    assert read.target == "STP"


@pytest.mark.parametrize(
    ("position", "order"),
    [
        pytest.param(ROUT, Retreat(UnitName(UnitKind.ARMY, "WAR", "RUSSIA"), "MOS"), id="retreat"),
        pytest.param(ROUT, Disband(UnitName(UnitKind.ARMY, "WAR", "RUSSIA")), id="disband"),
        pytest.param(WINTER, Disband(UnitName(UnitKind.ARMY, "WAR", "RUSSIA")), id="remove"),
        pytest.param(WINTER, Build(UnitName(UnitKind.ARMY, "MOS", "RUSSIA")), id="build"),
    ],
)
def test_an_owner_that_is_written_is_kept(position: Position, order: Order) -> None:
    assert completed_order(BOARD, position, order) == order


@pytest.mark.parametrize("order", ["A LON H", "A LON D", "A LON B", "A LON R WAL", "WAIVE"])
def test_a_complete_order_is_read_as_written(order: str) -> None:
    assert completed_order(BOARD, WESTERN, read_order(order)) == read_order(order)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (Move(UnitName(None, "WAR"), "MOS"), "A WAR R MOS"),
        (Retreat(UnitName(None, "CON"), "SMY"), "F CON R SMY"),
        (Retreat(UnitName(UnitKind.ARMY, "PAR"), "BUR"), "A PAR R BUR"),
        (Disband(UnitName(None, "CON")), "F CON D"),
        (Disband(UnitName(UnitKind.ARMY, "PAR")), "A PAR D"),
        (read_order("A WAR H"), "A WAR H"),
    ],
)
def test_a_retreat_is_read_as_one(written: Order, read: str) -> None:
    assert completed_order(BOARD, ROUT, written) == read_order(read)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (Build(UnitName(None, "MOS")), "A MOS B"),
        (Build(UnitName(UnitKind.FLEET, "STP")), "F STP B"),
        (Disband(UnitName(None, "SEV")), "F SEV D"),
        (Disband(UnitName(UnitKind.ARMY, "PAR")), "A PAR D"),
        (Waive(), "WAIVE"),
        (read_order("A XXX B"), "A XXX B"),
        (read_order("A NTH B"), "A NTH B"),
    ],
)
def test_an_adjustment_is_read_with_its_kind(written: Order, read: str) -> None:
    assert completed_order(BOARD, WINTER, written) == read_order(read)


@pytest.mark.parametrize(
    ("place", "rulebook", "why"),
    [
        ("MOS", DATC, None),
        ("STP/NC", DATC, None),
        ("STP", DATC, Impossible.KIND_NEEDED),
        ("MOS", Rulebook(build_kind_omitted=BuildKindOmitted.ARMY_INLAND), None),
        (
            "STP/NC",
            Rulebook(build_kind_omitted=BuildKindOmitted.ARMY_INLAND),
            Impossible.KIND_NEEDED,
        ),
        ("MOS", Rulebook(build_kind_omitted=BuildKindOmitted.FAILS), Impossible.KIND_NEEDED),
    ],
)
def test_a_build_of_no_kind_is_what_the_place_says_if_the_rulebook_lets_it(
    place: str, rulebook: Rulebook, why: Impossible | None
) -> None:
    assert impossibility(BOARD, WINTER, "RUSSIA", Build(UnitName(None, place)), rulebook) is why


def test_no_army_is_built_at_sea_not_even_where_a_variant_has_a_home_center_there() -> None:
    adriatic = replace(BOARD.places["ADR"], center=True, home_of=("ITALY",))
    board = replace(BOARD, places={**BOARD.places, "ADR": adriatic})
    winter = standing({}, "W1901A", centers={"ITALY": ["ADR"]})

    def fault(text: str) -> Impossible | None:
        return impossibility(board, winter, "ITALY", read_order(text))

    assert fault("A ADR B") is Impossible.NO_ARMY_AT_SEA
    assert fault("F ADR B") is None


@pytest.mark.parametrize("order", ["A PAR D", "A MAR B", "WAIVE"])
@pytest.mark.parametrize("centers", [1, 2, 3])
def test_only_what_is_due_can_be_ordered_in_winter(order: str, centers: int) -> None:
    held = ["MAR", "PAR", "BRE"][:centers]
    winter = standing({"FRANCE": ["A PAR", "A PIC"]}, "W1901A", centers={"FRANCE": held})
    due = {1: ["A PAR D"], 2: [], 3: ["A MAR B", "WAIVE"]}[centers]

    why = impossibility(BOARD, winter, "FRANCE", read_order(order))

    assert why is (None if order in due else Impossible.NOTHING_DUE)


def test_a_power_that_must_use_all_builds_cannot_waive() -> None:
    rulebook = Rulebook(waived_builds=WaivedBuilds.NOT_ALLOWED)

    assert impossibility(BOARD, WINTER, "RUSSIA", Waive()) is None
    assert (
        impossibility(BOARD, WINTER, "RUSSIA", Waive(), rulebook) is Impossible.WAIVE_NOT_ALLOWED
    )


CHANNEL = standing({"ENGLAND": ["A LON", "F ENG", "F NTH"], "FRANCE": ["F MAO"]})


@pytest.mark.parametrize(
    ("route", "rule", "why"),
    [
        pytest.param((), WrittenRoute.OPTIONAL, None, id="optional, none"),
        pytest.param(("ENG", "MAO"), WrittenRoute.OPTIONAL, None, id="a chain"),
        pytest.param(("ENG", "MAO"), WrittenRoute.REQUIRED, None, id="a chain where it must be"),
        pytest.param((), WrittenRoute.REQUIRED, Impossible.ROUTE_NEEDED, id="required, none"),
        pytest.param(
            ("MAO", "ENG"), WrittenRoute.OPTIONAL, Impossible.ROUTE_IMPOSSIBLE, id="reversed"
        ),
        pytest.param(("ENG",), WrittenRoute.OPTIONAL, Impossible.ROUTE_IMPOSSIBLE, id="too short"),
        pytest.param(
            ("NTH", "MAO"), WrittenRoute.OPTIONAL, Impossible.ROUTE_IMPOSSIBLE, id="a gap"
        ),
        pytest.param(
            ("ENG", "BRE"), WrittenRoute.OPTIONAL, Impossible.ROUTE_IMPOSSIBLE, id="land"
        ),
        pytest.param(
            ("ENG", "IRI", "MAO"),
            WrittenRoute.OPTIONAL,
            Impossible.ROUTE_IMPOSSIBLE,
            id="no fleet",
        ),
        pytest.param(("BRE",), WrittenRoute.IGNORED, None, id="ignored"),
    ],
)
def test_a_written_route_binds_if_the_rulebook_says_so(
    route: tuple[str, ...], rule: WrittenRoute, why: Impossible | None
) -> None:
    move = Move(UnitName(UnitKind.ARMY, "LON"), "POR", via_convoy=True, route=route)

    assert impossibility(BOARD, CHANNEL, "ENGLAND", move, Rulebook(written_route=rule)) is why


@pytest.mark.parametrize(
    ("route", "why"),
    [
        pytest.param(("ADR",), None, id="over the sea"),
        pytest.param(("TRI",), Impossible.ROUTE_IMPOSSIBLE, id="over land"),
        pytest.param(
            ("NTH", "ADR"), Impossible.ROUTE_IMPOSSIBLE, id="by a detour that starts afar"
        ),
    ],
)
def test_a_written_route_leads_from_the_army_over_seas_alone(
    route: tuple[str, ...], why: Impossible | None
) -> None:
    adriatic = standing({"ITALY": ["A ALB", "F ADR"], "ENGLAND": ["F NTH"]})
    move = Move(UnitName(UnitKind.ARMY, "ALB"), "VEN", via_convoy=True, route=route)
    rulebook = Rulebook(written_route=WrittenRoute.OPTIONAL)

    assert impossibility(BOARD, adriatic, "ITALY", move, rulebook) is why


@pytest.mark.parametrize(
    ("power", "order", "now", "sometime"),
    [
        ("ENGLAND", "A LON - TUN", Impossible.UNREACHABLE, None),
        ("ENGLAND", "A LON - MUN", Impossible.UNREACHABLE, Impossible.UNREACHABLE),
        ("ENGLAND", "F ENG S A LON - BRE", Impossible.SUPPORTED_CANNOT_REACH, None),
        (
            "FRANCE",
            "F MAO S A LON - NAF",  # There is no way around the fleet itself.
            Impossible.SUPPORTED_CANNOT_REACH,
            Impossible.SUPPORTED_CANNOT_REACH,
        ),
        ("ENGLAND", "F NTH C A LON - BRE", Impossible.NO_ROUTE, None),
    ],
)
def test_fleets_may_be_anywhere_if_what_is_possible_sometime_counts(
    power: str, order: str, now: Impossible | None, sometime: Impossible | None
) -> None:
    rulebook = Rulebook(counted_orders=CountedOrders.POSSIBLE_SOMETIME)
    read = read_order(order)

    assert impossibility(BOARD, CHANNEL, power, read) is now
    assert impossibility(BOARD, CHANNEL, power, read, rulebook) is sometime


def test_an_army_on_land_supports_another_that_comes_over_any_sea() -> None:
    adriatic = standing({"ITALY": ["A ALB", "F ADR", "A TYR"]})

    assert impossibility(BOARD, adriatic, "ITALY", read_order("A TYR S A ALB - VEN")) is None


@pytest.mark.parametrize(
    ("order", "sometime", "named"),
    [
        pytest.param("F SPA/NC - LYO", True, True, id="from the other coast"),
        pytest.param("F SPA/NC - ADR", False, True, id="from neither coast"),
        pytest.param("A GAS - MUN", False, True, id="too far"),
        pytest.param("A GAS - GAS", False, True, id="to where it stands"),
        pytest.param("A GAS - XXX", False, False, id="to no place"),
        pytest.param("A PAR - LON", False, False, id="of nobody"),
        pytest.param("F MAR S A PAR", False, False, id="no move"),
    ],
)
def test_an_impossible_move_counts_as_one_if_the_rulebook_is_that_lenient(
    order: str, *, sometime: bool, named: bool
) -> None:
    def counts(rule: CountedOrders) -> bool:
        scene = PhaseContext(BOARD, WESTERN, Rulebook(counted_orders=rule))
        read = read_order(order)
        fault = find_fault(scene, "FRANCE", read)
        return fault is not None and counts_as_move(scene, read, fault)

    assert not counts(CountedOrders.POSSIBLE_NOW)
    assert counts(CountedOrders.POSSIBLE_SOMETIME) is sometime
    assert counts(CountedOrders.MAP_NAMES) is named
    assert counts(CountedOrders.ANY_TEXT) is (named or order == "A GAS - XXX")


def test_an_impossible_retreat_is_no_move() -> None:
    scene = PhaseContext(BOARD, ROUT, Rulebook(counted_orders=CountedOrders.ANY_TEXT))

    assert not counts_as_move(scene, read_order("A WAR - PAR"), Impossible.NOT_A_RETREAT)
