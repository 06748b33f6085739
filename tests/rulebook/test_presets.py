"""Positions that hold each preset (`judge.rules.presets`) to the outcome of its program."""

from __future__ import annotations

import importlib

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_position, read_written_orders, write_position
from judge.game.payloads import position_from_payload, position_to_payload
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Adjudication, Illegal, Succeeds
from judge.rules.presets import PRESETS, Basis
from judge.rules.rulebook import QUESTIONS, answer_of, rulebook_name, rulebook_named
from judge.rules.types import Build, UnitName

BOARD = load_map()
TESTED = [
    (preset, question)
    for preset in PRESETS
    for question in QUESTIONS
    if answer_of(preset, question).basis is Basis.TESTED
]
TWO_CONVOYS_THAT_CONTRADICT = {
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    "FRANCE": ["F ENG C A BRE - BEL", "A BRE - BEL"],
    "RUSSIA": ["F NTH C A NWY - LON", "A NWY - LON"],
    "GERMANY": ["F BEL S F DEN - NTH", "F DEN - NTH"],
    "ITALY": ["F MAO - ENG", "F IRI S F MAO - ENG"],
}


def played(
    preset: str,
    orders: dict[str, list[str]],
    *,
    phase: str = "S1901M",
    units: dict[str, list[str]] | None = None,
    centers: dict[str, list[str]] | None = None,
) -> Adjudication:
    """Adjudicate *orders* by *preset*; without *units* each order has its own."""
    stood = units or {
        power: [" ".join(text.split()[:2]) for text in texts] for power, texts in orders.items()
    }
    rulebook = rulebook_named(preset)
    written = {"phase": phase, "units": stood, "centers": centers or {}}
    position = read_position(BOARD, written, rulebook)
    return adjudicate(
        BOARD,
        position,
        {power: read_written_orders(BOARD, each) for power, each in orders.items()},
        rulebook,
    )


def standing(result: Adjudication) -> set[str]:
    """Return the units after it, without their powers."""
    return {str(unit) for unit in result.after.units}


@pytest.mark.parametrize(("preset", "question"), TESTED)
def test_every_preset_called_tested_has_a_test(preset: str, question: str) -> None:
    module, name = answer_of(preset, question).test.split("::")

    found = importlib.import_module(module.removesuffix(".py").replace("/", "."))

    assert callable(getattr(found, name))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_choice_that_is_not_assumed_names_its_source(preset: str) -> None:
    for question in QUESTIONS:
        answer = answer_of(preset, question)
        assert answer.source or answer.basis is Basis.ASSUMED


def test_jdip_dislodges_london_in_its_own_6_f_17() -> None:
    result = played(
        "jdip",
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON", "F YOR S A BRE - LON"],
            "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"],
        },
    )

    assert "A LON" in standing(result)


@pytest.mark.parametrize("army", ["A SWE - NWY", "A SWE - NWY VIA"])
def test_jdip_falls_back_to_no_land_in_its_own_6_g_11(army: str) -> None:
    result = played(
        "jdip",
        {
            "ENGLAND": ["F NWY S F NTH - SKA", "F NTH - SKA"],
            "RUSSIA": [army, "F SKA C A SWE - NWY", "F BAR S A SWE - NWY"],
        },
    )

    assert {"A SWE", "F NWY", "F SKA"} <= standing(result)


def test_webdiplomacy_bounces_an_army_that_its_own_fleet_would_convoy() -> None:
    result = played(
        "webdiplomacy", {"TURKEY": ["A CON - BUL", "F BUL/EC - CON", "F AEG C A CON - BUL"]}
    )

    assert standing(result) == {"A CON", "F BUL/EC", "F AEG"}


@pytest.mark.parametrize(("army", "there"), [("A BEL - HOL", True), ("A BEL - HOL VIA", False)])
def test_diplomacy_falls_back_to_land_unless_the_order_says_via(army: str, *, there: bool) -> None:
    result = played(
        "diplomacy",
        {
            "FRANCE": [army, "F NTH C A BEL - HOL"],
            "ENGLAND": ["F YOR - NTH", "F NWG S F YOR - NTH"],
        },
    )

    assert ("A HOL" in standing(result)) is there


def test_diplomacy_minds_a_wrong_coast_in_a_support_to_hold_only() -> None:
    units = {"FRANCE": ["F SPA/SC", "F MAO", "A GAS"]}
    result = played(
        "diplomacy",
        {"FRANCE": ["F SPA/NC H", "F MAO S F SPA/NC", "A GAS S F SPA/SC"]},
        units=units,
    )

    held, wrong, right = result.outcomes
    assert not isinstance(held.verdict, Illegal)
    assert isinstance(wrong.verdict, Illegal)
    assert not isinstance(right.verdict, Illegal)


@pytest.mark.parametrize("preset", ["diplomacy", "jdip", "godip"])
def test_a_superfluous_coast_is_illegal_for_a_fleet_and_ignored_for_an_army(preset: str) -> None:
    result = played(preset, {"FRANCE": ["A GAS - SPA/NC", "F BRE - PIC/NC"]})

    army, fleet = result.outcomes
    assert isinstance(army.verdict, Succeeds)
    assert isinstance(fleet.verdict, Illegal)


def test_diplomacy_removes_lon_before_lvp_by_their_codes() -> None:
    units, centers = {"ENGLAND": ["A LON", "A LVP"]}, {"ENGLAND": ["LON"]}

    result = played("diplomacy", {}, phase="W1901A", units=units, centers=centers)

    assert standing(result) == {"A LVP"}
    by_names = played("datc,4.D.8=home_dptg", {}, phase="W1901A", units=units, centers=centers)
    assert standing(by_names) == {"A LON"}


@pytest.mark.parametrize("preset", ["1971", "1976", "1982", "jdip", "godip"])
def test_printed_editions_and_jdip_count_from_home_centers(preset: str) -> None:
    units, centers = {"AUSTRIA": ["A VIE", "A SEV"]}, {"AUSTRIA": ["RUM"]}

    result = played(preset, {}, phase="W1901A", units=units, centers=centers)

    assert standing(result) == {"A VIE"}


def test_webdiplomacy_today_removes_by_name_alone_and_from_owned_centers() -> None:
    units, centers = {"ENGLAND": ["A EDI", "F LON"]}, {"ENGLAND": ["YOR", "LVP"]}
    centers = {"ENGLAND": ["LVP"], "GERMANY": ["EDI", "LON"]}

    result = played("webdiplomacy", {}, phase="W1901A", units=units, centers=centers)

    assert standing(result) == {"A EDI"}  # LON is farther from LVP than EDI
    alike = {"ENGLAND": ["A BEL", "F HOL"]}
    for preset, left in (("webdiplomacy", "F HOL"), ("datc", "A BEL")):
        result = played(preset, {}, phase="W1901A", units=alike, centers={"ENGLAND": ["LON"]})
        assert standing(result) == {left}


def test_webdiplomacy_2023_removes_as_older_records_show() -> None:
    units, centers = {"AUSTRIA": ["A VIE", "A SEV"]}, {"AUSTRIA": ["RUM"]}

    for preset, left in (("webdiplomacy_2023", "A VIE"), ("webdiplomacy", "A SEV")):
        result = played(preset, {}, phase="W1901A", units=units, centers=centers)
        assert standing(result) == {left}


def test_njudge_removes_the_oldest_unit_that_is_on_no_center_of_its_power() -> None:
    units = {"FRANCE": ["F MAO", "A PAR", "A BUR", "A GAS"]}

    result = played("njudge", {}, phase="W1901A", units=units, centers={"FRANCE": ["PAR"]})

    assert standing(result) == {"A PAR"}
    spared = played(
        "njudge",
        {},
        phase="W1901A",
        units={"FRANCE": ["A BUR", "A PAR", "F MAO"]},
        centers={"FRANCE": ["PAR", "BRE"]},
    )
    assert standing(spared) == {"A PAR", "F MAO"}


def test_njudge_removes_no_unit_on_a_center_of_its_power() -> None:
    result = played(
        "njudge",
        {},
        phase="W1901A",
        units={"FRANCE": ["A PAR", "F BRE"]},
        centers={"FRANCE": ["PAR", "BRE"], "ENGLAND": ["MAR"]},
    )

    assert standing(result) == {"A PAR", "F BRE"}


def test_the_list_of_njudge_keeps_its_sequence_through_moves_retreats_and_builds() -> None:
    rulebook = rulebook_named("njudge")
    position = read_position(
        BOARD,
        {
            "phase": "F1901M",
            "units": {"GERMANY": ["A MUN", "F KIE", "A BER"], "FRANCE": ["A BUR", "A RUH"]},
            "centers": {"GERMANY": ["MUN", "KIE", "BER", "HOL"], "FRANCE": ["PAR", "BRE"]},
        },
        rulebook,
    )

    def after(orders: dict[str, list[str]]) -> list[str]:
        nonlocal position
        given = {power: read_written_orders(BOARD, each) for power, each in orders.items()}
        position = adjudicate(BOARD, position, given, rulebook).after
        return [str(unit) for unit in position.listed if unit.power == "GERMANY"]

    assert after(
        {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"], "GERMANY": ["F KIE - DEN"]}
    ) == ["A MUN", "F DEN", "A BER"]
    assert after({"GERMANY": ["A MUN R TYR"]}) == ["A TYR", "F DEN", "A BER"]
    assert after({"GERMANY": ["A KIE B"]}) == ["A TYR", "F DEN", "A BER", "A KIE"]


def test_dpjudge_removes_by_place_off_the_centers_first_and_own_homes_late() -> None:
    units = {"GERMANY": ["A BER", "A HOL", "A RUH", "F BAL", "A PAR"]}
    held = {"GERMANY": ["BER", "HOL", "MUN", "DEN"], "FRANCE": ["PAR"]}

    order = []
    while held["GERMANY"]:
        held["GERMANY"] = held["GERMANY"][:-1] if len(held["GERMANY"]) > 2 else held["GERMANY"]
        result = played("dpjudge", {}, phase="W1901A", units=units, centers=held)
        gone = [each for each in units["GERMANY"] if each not in standing(result)]
        order += gone
        units = {"GERMANY": [each for each in units["GERMANY"] if each in standing(result)]}
        if len(units["GERMANY"]) <= 2:
            break

    assert order == ["A RUH", "F BAL", "A HOL"]


def test_jdip_builds_an_army_where_the_kind_is_left_out() -> None:
    position = read_position(
        BOARD,
        {"phase": "W1901A", "units": {"FRANCE": ["A GAS"]}, "centers": {"FRANCE": ["BRE", "PAR"]}},
        rulebook_named("jdip"),
    )
    build = Build(UnitName(None, "BRE", None))

    result = adjudicate(BOARD, position, {"FRANCE": [build]}, rulebook_named("jdip"))

    assert standing(result) == {"A GAS", "A BRE"}


def test_dptg_differs_from_szykman_where_two_convoys_contradict_each_other() -> None:
    by_szykman = played("datc", TWO_CONVOYS_THAT_CONTRADICT)
    by_guide = played("datc,4.A.2=dptg", TWO_CONVOYS_THAT_CONTRADICT)

    assert "F NTH" in {str(each.unit) for each in by_szykman.after.dislodged}
    assert not by_guide.after.dislodged


@pytest.mark.parametrize("name", [*PRESETS, "1976,4.A.2=szykman"])
def test_a_rulebook_is_shown_by_the_preset_that_was_chosen(name: str) -> None:
    rulebook = rulebook_named(name)

    assert rulebook_name(rulebook).split(",")[0] == name.split(",", maxsplit=1)[0]
    assert rulebook_named(rulebook_name(rulebook)) == rulebook


def test_the_list_of_njudge_is_in_the_log_and_in_json() -> None:
    rulebook = rulebook_named("njudge")
    written = {
        "phase": "F1901R",
        "units": {"GERMANY": ["*A MUN", "F KIE", "A BER"], "FRANCE": ["A MUN"]},
        "dislodged": {"GERMANY": {"A MUN": {"from": "BUR", "convoyed": False}}},
    }
    position = read_position(BOARD, written, rulebook)

    assert [str(unit) for unit in position.listed] == ["A MUN", "F KIE", "A BER", "A MUN"]
    assert write_position(position)["units"] == written["units"]
    logged = position_from_payload(position_to_payload(position))
    assert [unit for unit in logged.listed if unit.power == "GERMANY"] == list(position.listed[:3])
    assert logged == position
