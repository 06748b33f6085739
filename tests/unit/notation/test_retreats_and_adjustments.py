"""The forms in which players write retreats, builds, removals and waives."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_order
from judge.notation.readings import Understood
from judge.rules.types import PhaseKind, Waive
from tests.support.emails_of_orders import carried_out, without_kinds

BOARD = load_map()

RETREATS = {
    "A Vie-Boh": "A VIE R BOH",
    "A Vie R Boh": "A VIE R BOH",
    "*A VIE R BOH": "A VIE R BOH",
    "A Vie retreats to Boh": "A VIE R BOH",
    "Army Belgium -> Burgundy.": "A BEL R BUR",
    "France:                   Army  Belgium -> Burgundy.": "A BEL R BUR",
    "A Vie OTB": "A VIE D",
    "A Vie - OTB": "A VIE D",
    "A Vie retreats OTB": "A VIE D",
    "A Vie d": "A VIE D",
    "A Vie disbands": "A VIE D",
    "Disband A Vie": "A VIE D",
    "Austria:    Fleet Greece DISBAND.": "F GRE D",
    "F Gre-Bul(sc)": "F GRE R BUL/SC",
    "A Vie S A Bud": "A VIE S A BUD",
}
ADJUSTMENTS = {
    "build a Par": "A PAR B",
    "Build Fleet StP(nc)": "F STP/NC B",
    "builds F Bre": "F BRE B",
    "A Par B": "A PAR B",
    "A Par build": "A PAR B",
    "+ A Par": "A PAR B",
    "F STP/NC": "F STP/NC B",
    "Build A Liv": "A LVP B",
    "Austria:                  Builds an army in Budapest.": "A BUD B",
    "build a fleet in Brest": "F BRE B",
    "Builds a unit in Paris.": "A PAR B",
    "remove A Vie": "A VIE D",
    "disband A Vie": "A VIE D",
    "-A Vie": "A VIE D",
    "- A Vie": "A VIE D",
    "D A Vie": "A VIE D",
    "R Vie": "VIE D",
    "A Vie R": "A VIE D",
    "A Vie disbanded": "A VIE D",
    "Removes the fleet in the Black Sea.": "F BLA D",
    "waive": "WAIVE",
    "Waives.": "WAIVE",
    "w": "WAIVE",
    "Build waived.": "WAIVE",
    "1. waive build": "WAIVE",
    "Par A": "A PAR B",
    "Brest (fleet)": "F BRE B",
    "Build Paris army": "A PAR B",
    "I build A Par": "A PAR B",
    "We would like to build A Par": "A PAR B",
    "We remove A Vie": "A VIE D",
    "Ich baue A Par": "A PAR B",
    "Builds - A Par": "A PAR B",
    "Our builds will be: A Par": "A PAR B",
    "Disbands - F Bre": "F BRE D",
}
LISTS = {
    "Builds - A Par and A Mar": ["A PAR B", "A MAR B"],
    "Builds: Paris army, Brest fleet": ["A PAR B", "F BRE B"],
    "My builds are A Par and F Bre": ["A PAR B", "F BRE B"],
    "I'd like to build A Par & A Mar": ["A PAR B", "A MAR B"],
    "+A Par +F Bre": ["A PAR B", "F BRE B"],
    "Build: A Par + A Mar": ["A PAR B", "A MAR B"],
    "Bre F, Par A": ["F BRE B", "A PAR B"],
    "build armies in Paris and Marseilles": ["A PAR B", "A MAR B"],
    "2 fleets in Brest, Mar": ["F BRE B", "F MAR B"],
    "remove Brest and Paris": ["BRE D", "PAR D"],
    "Removals: Vienna and Budapest": ["VIE D", "BUD D"],
    "Removals:\n1) A Vie\n2) A Bud": ["A VIE D", "A BUD D"],
    "Builds:\n- A Par\n* F Bre": ["A PAR B", "F BRE B"],
    "waive one, build A Par": ["WAIVE", "A PAR B"],
    "remove Brest and & Paris": ["BRE D", "PAR D"],
    "A Par, Mar": ["A PAR B", "A MAR B"],
}
WAIVES = {
    "waive": 1,
    "I waive": 1,
    "2. waive": 1,
    "waive one build": 1,
    "Waive 2": 2,
    "two waives": 2,
    "1) 2 waives": 2,
    "waive all": 1,
    "Waive the rest": 1,
    "builds waived": 1,
    "I build nothing": 1,
    "no builds please": 1,
    "build none": 1,
}
MEANT = {  # as an order, though no place is named
    PhaseKind.ADJUSTMENTS: (
        *("build 2 armies", "I build an army", "remove both", "remove nothing", "disband it"),
        *("I do not build anything", "We don't want to build"),
    ),
    PhaseKind.RETREATS: ("disband both", "I retreat", "remove it", "I won't disband them"),
}
TALK = {
    PhaseKind.ADJUSTMENTS: (
        *("Builds are due on Friday", "My builds are late, sorry", "No builds for Germany"),
        *("No builds yet", "What will you build?", "France has two builds and Germany one"),
        *("I build my hopes on you", "Our armies are strong", "You build, we remove ourselves"),
        *("Paris, 12 December", "Thanks for the builds", "nothing"),
        *("Save me from these builds, please", "save Paris", "Keep the build", "I saved a build"),
        *("Builds save lives", "Save the date: builds are due", "God save the king"),
        *("My builds - later", "His 2 armies in Munich worry me", "You build fleets"),
    ),
    PhaseKind.RETREATS: (
        *("I retreat from this discussion", "to whom it may concern", "Retreats are due"),
        "Paris is lost",
        *("Germany disbands something", "We remove the doubt", "Let us disband the alliance"),
    ),
    PhaseKind.MOVEMENT: ("I build nothing", "no builds", "Par A", "disband it", "build 2 armies"),
}


@pytest.mark.parametrize(("text", "order"), RETREATS.items(), ids=RETREATS.keys())
def test_a_retreat_is_read(text: str, order: str) -> None:
    assert read(text, PhaseKind.RETREATS) == [order]


@pytest.mark.parametrize(("text", "order"), ADJUSTMENTS.items(), ids=ADJUSTMENTS.keys())
def test_an_adjustment_is_read(text: str, order: str) -> None:
    assert read(text, PhaseKind.ADJUSTMENTS) == [order]


@pytest.mark.parametrize("text", [*RETREATS, *ADJUSTMENTS])
def test_a_player_may_write_it_in_an_email(text: str) -> None:
    order = {**RETREATS, **ADJUSTMENTS}[text]
    if text.startswith("Austria:"):
        text = text.removeprefix("Austria:")

    assert carried_out(text, [order]) == {without_kinds(order)}


@pytest.mark.parametrize(("text", "orders"), LISTS.items(), ids=LISTS.keys())
def test_several_adjustments_stand_in_a_line(text: str, orders: list[str]) -> None:
    assert carried_out(text, orders) == set(map(without_kinds, orders))


@pytest.mark.parametrize(("text", "times"), WAIVES.items(), ids=WAIVES.keys())
def test_builds_are_waived_one_by_one_or_all_together(text: str, times: int) -> None:
    readings = read_for_phase(text, BOARD, PhaseKind.ADJUSTMENTS)

    assert [each.order for each in readings if isinstance(each, Understood)] == [Waive()] * times


@pytest.mark.parametrize(("kind", "text"), [(k, text) for k in MEANT for text in MEANT[k]])
def test_an_order_without_a_province_is_not_understood(kind: PhaseKind, text: str) -> None:
    assert not any(isinstance(each, Understood) for each in read_for_phase(text, BOARD, kind))


@pytest.mark.parametrize(("kind", "text"), [(k, text) for k in TALK for text in TALK[k]])
def test_talk_of_builds_and_retreats_is_no_order(kind: PhaseKind, text: str) -> None:
    assert not any(isinstance(each, Understood) for each in read_for_phase(text, BOARD, kind))


@pytest.mark.parametrize("text", ["F Stp(nc)", "A Par", "Paris"])
def test_a_unit_alone_is_no_order_in_movement(text: str) -> None:
    assert not any(isinstance(each, Understood) for each in read_for_phase(text, BOARD))


def test_a_name_alone_is_no_build() -> None:
    readings = read_for_phase("Paris", BOARD, PhaseKind.ADJUSTMENTS)

    assert not any(isinstance(each, Understood) for each in readings)


@pytest.mark.parametrize("kind", PhaseKind)
def test_a_line_that_says_no_order_is_none(kind: PhaseKind) -> None:
    readings = read_for_phase("Army Belgium, No Order Processed (DISBAND)", BOARD, kind)

    assert not any(isinstance(each, Understood) for each in readings)


def read(text: str, kind: PhaseKind) -> list[str]:
    readings = read_for_phase(text, BOARD, kind)
    return [
        write_order(each.order) if isinstance(each, Understood) else str(each) for each in readings
    ]
