"""Adjudication of one position with its orders as JSON."""

from __future__ import annotations

from typing import Any, cast

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.json_adjudication import ReasonTexts, adjudicate_question, read_question
from judge.archive.json_input import MalformedError
from judge.rules.outcomes import result_words
from judge.rules.reasons import Reason

BOARD = load_map()


def answered(**source: object) -> dict[str, Any]:
    return adjudicate_question(BOARD, read_question(BOARD, source))


def test_results_stand_in_the_order_given_with_their_causes() -> None:
    judged = answered(
        phase="S1901M",
        units={"AUSTRIA": ["A BUD", "A VIE", "F TRI"], "ITALY": ["A VEN"]},
        orders={"ITALY": ["a ven - tri"], "AUSTRIA": ["F TRI S A BUD", "A VIE - LON"]},
    )

    assert judged["results"] == {
        "ITALY": [
            {
                "order": "a ven - tri",
                "result": ["fails"],
                "causes": [
                    {
                        "kind": "held_off",
                        "attack": strength("VEN"),
                        "defender": strength("TRI"),
                    }
                ],
            }
        ],
        "AUSTRIA": [
            {
                "order": "F TRI S A BUD",
                "result": ["illegal"],
                "causes": [{"kind": "supporter_cannot_reach"}],
            },
            {"order": "A VIE - LON", "result": ["illegal"], "causes": [{"kind": "unreachable"}]},
        ],
    }
    assert judged["unordered"] == [
        {"power": "AUSTRIA", "order": "A BUD H", "result": ["stands"], "causes": []}
    ]


def test_a_unit_driven_out_is_told_of_and_marked_in_the_next_position() -> None:
    judged = answered(
        phase="S1901M",
        units={"AUSTRIA": ["A VIE"], "ITALY": ["A TRI", "A TYR"]},
        orders={"AUSTRIA": ["A VIE H"], "ITALY": ["A TRI - VIE", "A TYR S A TRI - VIE"]},
    )

    assert judged["results"]["AUSTRIA"] == [
        {
            "order": "A VIE H",
            "result": ["dislodged"],
            "causes": [{"kind": "dislodged", "by": "TRI", "strength": strength("TRI", "TYR")}],
        }
    ]
    assert judged["next"] == {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["*A VIE"], "ITALY": ["A TYR", "A VIE"]},
        "dislodged": {"AUSTRIA": {"A VIE": {"from": "TRI", "convoyed": False}}},
        "retreats": {"AUSTRIA": {"A VIE": ["BOH", "BUD", "GAL"]}},
        "centers": {},
    }


def test_the_next_position_can_be_asked_about_in_turn() -> None:
    judged = answered(
        phase="S1901M",
        units={"AUSTRIA": ["A VIE"], "ITALY": ["A TRI", "A TYR"]},
        orders={"ITALY": ["A TRI - VIE", "A TYR S A TRI - VIE"]},
    )
    following = judged["next"] | {"orders": {"AUSTRIA": ["A VIE R BOH"]}}

    after = answered(**following)

    assert after["next"]["units"]["AUSTRIA"] == ["A BOH"]


def test_a_standoff_leaves_a_province_contested() -> None:
    judged = answered(
        phase="S1901M",
        units={"AUSTRIA": ["A VIE"], "ITALY": ["A VEN"]},
        orders={"AUSTRIA": ["A VIE - TYR"], "ITALY": ["A VEN - TYR"]},
    )

    assert judged["contested"] == ["TYR"]


def test_a_unit_that_nobody_removes_is_removed() -> None:
    judged = answered(phase="W1901A", units={"AUSTRIA": ["A VIE"]}, builds={"AUSTRIA": -1})

    assert judged["removed"] == [{"power": "AUSTRIA", "unit": "A VIE"}]


def test_builds_follow_from_centers_and_units() -> None:
    judged = answered(
        phase="W1901A",
        units={"AUSTRIA": ["A VIE"]},
        centers={"AUSTRIA": ["VIE", "BUD"]},
        orders={"AUSTRIA": ["A BUD B"]},
    )

    assert judged["next"]["units"] == {"AUSTRIA": ["A BUD", "A VIE"]}


def test_the_game_is_completed_when_a_power_holds_18_centers_after_fall() -> None:
    held = list(BOARD.centers[:18])
    game = {"units": {"RUSSIA": ["A MOS"]}, "centers": {"RUSSIA": held}}

    after = {phase: answered(phase=phase, **game)["next"] for phase in ("F1907M", "S1907M")}

    assert after["F1907M"]["phase"] == "COMPLETED"
    assert after["S1907M"]["phase"] == "F1907M"


def test_a_support_cut_and_one_for_nobody_say_why() -> None:
    judged = answered(
        phase="S1901M",
        units={"AUSTRIA": ["A VIE", "A BUD"], "ITALY": ["A TRI"], "RUSSIA": ["A GAL"]},
        orders={
            "AUSTRIA": ["A VIE S A BUD", "A BUD S A TRI - SER"],
            "ITALY": ["A TRI - VIE"],
        },
    )

    causes = [each["causes"] for each in judged["results"]["AUSTRIA"]]
    assert causes == [
        [{"kind": "cut", "by": "TRI"}],
        [{"kind": "no_such_move", "instead": "A TRI - VIE"}],
    ]


def test_a_standoff_names_the_rivals_and_a_convoy_who_disrupted_it() -> None:
    judged = answered(
        phase="S1901M",
        units={"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["F ENG", "F BEL", "A PIC", "A RUH"]},
        orders={
            "ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"],
            "FRANCE": ["F ENG - NTH", "F BEL S F ENG - NTH", "A PIC - BUR", "A RUH - BUR"],
        },
    )

    results = judged["results"]
    assert results["ENGLAND"][1]["causes"][0] == {"kind": "disrupted", "by": "ENG"}
    assert results["FRANCE"][2]["causes"] == [
        {"kind": "stood_off", "attack": strength("PIC"), "rivals": [strength("RUH")]}
    ]


def test_an_unknown_rulebook_is_named() -> None:
    with pytest.raises(MalformedError, match="rulebook: no such rulebook: 'chess'"):
        answered(phase="S1901M", rulebook="chess")


def test_single_choices_may_follow_the_rulebook() -> None:
    march: dict[str, object] = {
        "phase": "S1901M",
        "units": {"FRANCE": ["F POR"]},
        "orders": {"FRANCE": ["F POR - SPA"]},
    }

    assert answered(**march)["next"]["units"] == {"FRANCE": ["F POR"]}
    judged = answered(**march, rulebook="datc, moved_coast_open=default_coast")
    assert judged["next"]["units"] == {"FRANCE": ["F SPA/SC"]}


def strength(unit: str, *supporters: str) -> dict[str, object]:
    return {
        "unit": unit,
        "supporters": list(supporters),
        "discounted": [],
        "total": 1 + len(supporters),
    }


PARADOX = {
    "phase": "S1901M",
    "units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]},
    "orders": {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    },
}


def test_a_paradox_is_told_with_the_rule_that_decided() -> None:
    """DATC 6.F.14."""
    (paradox,) = answered(**PARADOX)["paradoxes"]

    assert paradox["convoys"] == ["ENG"]
    assert (paradox["rule"], paradox["stood_in"]) == ("szykman", False)


def test_reasons_are_told_where_somebody_can_say_them() -> None:
    question = read_question(
        BOARD,
        {
            "phase": "S1901M",
            "units": {"AUSTRIA": ["A VIE"], "ITALY": ["A TRI"]},
            "orders": {"AUSTRIA": ["A VIE H"], "ITALY": ["A TRI - VIE"]},
        },
    )

    def say(reason: Reason, _units: object, _meant: object) -> str:
        return " ".join(result_words(reason.outcome))

    texts = ReasonTexts(say, str)
    results = cast("dict[str, Any]", adjudicate_question(BOARD, question, texts)["results"])

    assert results["ITALY"][0]["reason"] == {
        "says": "fails",
        "rule": {"rulebook": "VIII", "datc": None},
        "because": [{"says": "stands", "rule": {"rulebook": "VIII", "datc": None}, "because": []}],
    }
