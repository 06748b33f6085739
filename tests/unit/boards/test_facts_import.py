"""A board as JSON becomes a variant; unsupported rules are named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judge.adapters.variant_files import folder_of, load_map, read_folder
from judge.boards.facts_import import FactsError, base_of, read_facts
from judge.boards.variant_text import check_variant
from judge.boards.variant_writer import write_variant
from judge.rules.board import BuildSites, Map
from judge.rules.calendar import Turn
from judge.rules.types import NEUTRAL, SPRING

ROAD: dict[str, Any] = {
    "name": "Road",
    "source": "our own",
    "first_phase": "Spring 1901 Movement",
    "build_rule": "home",
    "powers": [
        {"name": "Wörth", "letter": "W", "homes": ["AAA"], "units": ["A AAA"]},
        {"name": "New Rome", "letter": "N", "homes": ["BBB"], "owns": [], "units": ["A BBB"]},
    ],
    "provinces": [
        {
            "id": code,
            "name": name,
            "abbreviations": [code.lower(), f"old {name}"],
            "type": "land",
            "center": code != "CCC",
            "coasts": [],
        }
        for code, name in (("AAA", "First"), ("BBB", "Second"), ("CCC", "Third"))
    ],
    "army_borders": [["AAA", "BBB"], ["BBB", "CCC"]],
    "fleet_borders": [],
    "victory_centers": 2,
}


def road(**more: object) -> Map:
    """Return the board of the folder that is written, which must be sound."""
    facts, _ = read_facts(json.dumps(ROAD | more), "road")
    board, complaints = check_variant(write_variant(facts))
    assert complaints == []
    return board


def test_facts_become_a_board() -> None:
    board = road(doubts=["the road may be longer"])

    assert board.powers == ("WORTH", "NEW-ROME")
    assert board.nations["WORTH"].name == "Wörth"
    assert board.army["BBB"] == {"AAA", "CCC"}
    assert board.places["AAA"].aliases == ("old first",)
    assert board.start.owners == {"AAA": "WORTH"}
    assert board.homes_of("NEW-ROME") == ("BBB",)
    assert board.doubts == ("the road may be longer",)


def test_borders_of_one_way_neutral_units_and_build_rules_carry_over() -> None:
    board = road(
        army_borders=[["AAA", "BBB"]],
        one_way={"army": [["BBB", "CCC"]]},
        neutral_units=["A CCC"],
        special=["the neutral armies are built again"],
        build_rule="any_owned",
    )

    assert board.army["CCC"] == frozenset()
    assert board.start.units_of(NEUTRAL)
    assert board.rebuilt
    assert board.build_sites is BuildSites.ANY


def test_doubts_of_any_length_and_build_sites_of_one_power_carry_over() -> None:
    doubts = [
        "the sources differ in where the road ends",
        "it may be shorter in winter, when the river freezes",
    ]
    first, second = ROAD["powers"]

    board = road(doubts=doubts, powers=[first, {**second, "extra_build_sites": ["CCC"]}])

    assert board.doubts == tuple(doubts)
    assert board.extra_sites["NEW-ROME"] == ("CCC",)


@pytest.mark.parametrize(
    ("phase", "start"),
    [
        ("Fall 1850 Movement", "F1850M"),
        ("Winter", None),
        ("1425 Movement", "S1425M"),
        ("Fall 1900 Adjustment", "W1900A"),
    ],
)
def test_the_first_phase_is_the_start(phase: str, start: str | None) -> None:
    if start is None:
        with pytest.raises(FactsError, match="first_phase is 'Winter', not such as Spring 1901"):
            road(first_phase=phase)
    else:
        assert road(first_phase=phase).start.phase.code == start


def test_a_turn_may_take_years_and_a_season_may_have_another_name() -> None:
    slow = road(seasons={"step_years": 5}).calendar
    named = road(seasons={"names": ["Spring", "Monsoon"]}).calendar

    assert slow.turns == (Turn(SPRING), Turn(SPRING, 5, adjusts=True))
    assert [*named.names.values()] == ["Monsoon"]


def test_a_start_on_a_board_of_ours_extends_it() -> None:
    standard = load_map()
    france = {
        "name": "France",
        "letter": "F",
        "homes": ["BRE", "MAR", "PAR"],
        "units": ["F BRE", "A MAR", "A PAR"],
    }
    text = json.dumps(
        ROAD
        | {
            "board": "standard.json",
            "powers": [france, {**ROAD["powers"][1], "homes": ["ROM"], "units": ["F ROM"]}],
            "extra_centers": ["RUH"],
            "victory_centers": 18,
        }
    )

    facts, left_out = read_facts(text, "road", standard)
    texts = write_variant(facts)
    board, complaints = check_variant(texts, read_folder(folder_of("standard")).texts)

    assert base_of(text) == "standard"
    assert (complaints, left_out) == ([], [])
    assert "RUH" in board.centers
    assert board.powers == ("FRANCE", "NEW-ROME")


def test_a_start_with_builds_may_give_armies_without_orders() -> None:
    board = road(special=["no units at the start; who sends no order gets an army"])

    assert board.first_armies
    assert not road().first_armies


def test_a_rule_that_has_no_place_is_named() -> None:
    special = ["a ferry costs two coins", "the year 0 is called the first"]

    _, left_out = read_facts(json.dumps(ROAD | {"special": special}), "road")

    assert left_out == special[:1]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "it is not JSON"),
        ("[]", "it is not a JSON object"),
        ("{}", "it lacks 'powers'"),
        (json.dumps(ROAD | {"army_borders": [["AAA"]]}), "not enough values"),
        (json.dumps(ROAD | {"powers": 3}), "not iterable"),
    ],
)
def test_a_text_that_is_no_board_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(FactsError, match=complaint):
        read_facts(text, "road")
