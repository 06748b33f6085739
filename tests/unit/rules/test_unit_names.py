"""Missing or wrong details of a unit are read by the rulebook's choice (DATC 4.C)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.rules.adjudication import adjudicate
from judge.rules.legality import impossibility, is_loosely_named
from judge.rules.outcomes import Illegal, Impossible, result_words
from judge.rules.phase_context import PhaseContext
from judge.rules.rule_options import MisnamedUnit, RepeatedOrders
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
from tests.unit.rules.play_phase import BOARD, standing

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET

CHANNEL = standing({"ENGLAND": ["F ENG", "A LON"], "FRANCE": ["A PIC", "A BRE"]})
WINTER = standing({"FRANCE": ["A PAR"]}, "W1901A")
ROUT = Position(
    Phase.parse("S1901R"),
    (),
    dislodged=(
        DislodgedUnit(
            Unit("FRANCE", ARMY, "PAR"), "BUR", attacker_convoyed=False, retreats=("GAS",)
        ),
    ),
)

ENG, LON = UnitName(FLEET, "ENG"), UnitName(ARMY, "LON")
FRENCH_PIC = UnitName(ARMY, "PIC", "FRANCE")

STRICT = {
    Impossible.KIND_NEEDED: replace(DATC, kind_omitted=MisnamedUnit.ILLEGAL),
    Impossible.KIND_WRONG: replace(DATC, kind_wrong=MisnamedUnit.ILLEGAL),
    Impossible.POWER_NEEDED: replace(DATC, power_omitted=MisnamedUnit.ILLEGAL),
    Impossible.POWER_WRONG: replace(DATC, power_wrong=MisnamedUnit.ILLEGAL),
}
LENIENT = Rulebook(
    kind_omitted=MisnamedUnit.LEGAL_UNLESS_BETTER,
    kind_wrong=MisnamedUnit.LEGAL_UNLESS_BETTER,
    power_omitted=MisnamedUnit.LEGAL_UNLESS_BETTER,
    power_wrong=MisnamedUnit.LEGAL_UNLESS_BETTER,
)

SLIPS = [
    (CHANNEL, Hold(UnitName(None, "ENG")), Impossible.KIND_NEEDED),
    (CHANNEL, Move(UnitName(ARMY, "ENG"), "NTH"), Impossible.KIND_WRONG),
    (CHANNEL, Move(UnitName(FLEET, "ENG", "FRANCE"), "NTH"), Impossible.POWER_WRONG),
    (CHANNEL, SupportHold(ENG, UnitName(None, "LON")), Impossible.KIND_NEEDED),
    (CHANNEL, SupportHold(ENG, UnitName(FLEET, "LON")), Impossible.KIND_WRONG),
    (CHANNEL, SupportHold(ENG, replace(LON, power="FRANCE")), Impossible.POWER_WRONG),
    (CHANNEL, SupportHold(ENG, replace(FRENCH_PIC, kind=None)), Impossible.KIND_NEEDED),
    (CHANNEL, SupportHold(ENG, replace(FRENCH_PIC, power=None)), Impossible.POWER_NEEDED),
    (CHANNEL, SupportMove(ENG, UnitName(ARMY, "PIC"), "BEL"), Impossible.POWER_NEEDED),
    (CHANNEL, SupportMove(ENG, replace(FRENCH_PIC, kind=FLEET), "BEL"), Impossible.KIND_WRONG),
    (CHANNEL, Convoy(ENG, UnitName(ARMY, "BRE", "GERMANY"), "BEL"), Impossible.POWER_WRONG),
    (CHANNEL, Convoy(ENG, UnitName(None, "LON"), "BEL"), Impossible.KIND_NEEDED),
    (ROUT, Retreat(UnitName(None, "PAR"), "GAS"), Impossible.KIND_NEEDED),
    (ROUT, Disband(UnitName(FLEET, "PAR")), Impossible.KIND_WRONG),
    (WINTER, Disband(UnitName(None, "PAR")), Impossible.KIND_NEEDED),
]
PROPER = [
    (CHANNEL, SupportMove(ENG, FRENCH_PIC, "BEL")),
    (CHANNEL, SupportHold(ENG, LON)),
    (CHANNEL, SupportHold(ENG, replace(LON, power="ENGLAND"))),
    (ROUT, Retreat(UnitName(ARMY, "PAR"), "GAS")),
    (WINTER, Disband(UnitName(ARMY, "PAR"))),
]


def owner(position: Position) -> str:
    return "ENGLAND" if position is CHANNEL else "FRANCE"


@pytest.mark.parametrize(("position", "order", "why"), SLIPS)
def test_a_slip_passes_unless_the_rulebook_minds_that_very_slip(
    position: Position, order: Order, why: Impossible
) -> None:
    power = owner(position)

    assert impossibility(BOARD, position, power, order, DATC) is None
    assert {impossibility(BOARD, position, power, order, book) for book in STRICT.values()} == {
        None,
        why,
    }
    assert impossibility(BOARD, position, power, order, STRICT[why]) is why


@pytest.mark.parametrize(("position", "order", "why"), SLIPS)
def test_an_order_with_a_slip_is_not_carried_out_where_the_rulebook_minds_it(
    position: Position, order: Order, why: Impossible
) -> None:
    result = adjudicate(BOARD, position, {owner(position): [order]}, STRICT[why])

    assert [each.verdict for each in result.outcomes] == [Illegal(why)]


@pytest.mark.parametrize(("position", "order"), PROPER)
def test_properly_named_units_need_no_choice(position: Position, order: Order) -> None:
    power = owner(position)

    assert {impossibility(BOARD, position, power, order, book) for book in STRICT.values()} == {
        None
    }
    assert not is_loosely_named(PhaseContext(BOARD, position, LENIENT), order)


@pytest.mark.parametrize(("position", "order"), [(each, order) for each, order, _ in SLIPS])
def test_a_slip_gives_way_to_a_better_order_only_if_the_rulebook_says_so(
    position: Position, order: Order
) -> None:
    assert is_loosely_named(PhaseContext(BOARD, position, LENIENT), order)
    assert not is_loosely_named(PhaseContext(BOARD, position, DATC), order)


def test_builds_are_never_loosely_named() -> None:
    scene = PhaseContext(BOARD, WINTER, LENIENT)

    assert not is_loosely_named(scene, Build(UnitName(None, "PAR")))
    assert not is_loosely_named(scene, Waive())


@pytest.mark.parametrize(
    ("rulebook", "words"),
    [
        pytest.param(DATC, ["succeeds", "illegal"], id="the first counts"),
        pytest.param(LENIENT, ["illegal", "succeeds"], id="the better one counts"),
        pytest.param(
            replace(LENIENT, orders_for_one_unit=RepeatedOrders.NONE),
            ["illegal", "succeeds"],
            id="the better one is the only one",
        ),
    ],
)
def test_the_better_of_two_orders_for_one_unit_counts(
    rulebook: Rulebook, words: list[str]
) -> None:
    orders = {"ENGLAND": [Move(UnitName(None, "LON"), "WAL"), Move(LON, "YOR")]}

    result = adjudicate(BOARD, CHANNEL, orders, rulebook)

    assert [word for each in result.outcomes for word in result_words(each)] == words
