"""Statistics of game 10713 in its three forms, against a count of its lines by hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli.root import archive

pytestmark = pytest.mark.skipif(
    "JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder"
)

FORMS = ("droidippy_game_10713.txt", "njudge_somme_history.txt", "dpjudge_lepanto_results.txt")

# Counted in the text of somme with a script of its own: given, cut, void; then ordered, arrived.
SUPPORTS = {
    "AUSTRIA": (25, 4, 4),
    "ENGLAND": (17, 2, 0),
    "FRANCE": (26, 12, 1),
    "GERMANY": (4, 1, 0),
    "ITALY": (10, 0, 2),
    "RUSSIA": (57, 3, 5),
    "TURKEY": (25, 1, 1),
}
CONVOYS = {"ENGLAND": (18, 15), "ITALY": (1, 1), "RUSSIA": (3, 3), "TURKEY": (1, 1)}
LOST = {"AUSTRIA": 7, "ENGLAND": 1, "FRANCE": 3, "GERMANY": 1, "ITALY": 1, "RUSSIA": 2}


def counted(form: str) -> dict[str, Any]:
    path = Path(os.environ["JUDGE_SAMPLES"]) / form
    told = json.loads(CliRunner().invoke(archive, ["stats", "--json", str(path)]).stdout)
    assert isinstance(told, dict)
    return told


@pytest.mark.parametrize("form", FORMS)
def test_supports_and_convoys_come_to_what_was_counted_by_hand(form: str) -> None:
    powers = counted(form)["powers"]

    supports = {power: each["orders"]["support"] for power, each in powers.items()}
    assert {
        power: (each["given"], each["cut"], each["void"]) for power, each in supports.items()
    } == SUPPORTS
    convoys = {power: each["orders"]["convoy"] for power, each in powers.items()}
    assert {
        power: (each["all"], each["arrived"]) for power, each in convoys.items() if each["all"]
    } == CONVOYS


@pytest.mark.parametrize("form", FORMS[:2])  # the third has the last retreats besides
def test_units_are_lost_as_was_counted_by_hand(form: str) -> None:
    units = {power: each["units"] for power, each in counted(form)["powers"].items()}

    lost = {power: each["destroyed"] + each["disbanded"] for power, each in units.items()}
    assert {power: count for power, count in lost.items() if count} == LOST


def test_openings_charts_and_eliminations_are_those_of_any_form() -> None:
    forms = [counted(form) for form in FORMS]

    for form in forms:
        eliminated = {power: each["eliminated"] for power, each in form["powers"].items()}
        assert eliminated == {
            "AUSTRIA": {"1910": 1},
            "ENGLAND": {},
            "FRANCE": {"1910": 1},
            "GERMANY": {"1904": 1},
            "ITALY": {"1908": 1},
            "RUSSIA": {},
            "TURKEY": {},
        }
        assert form["years"][:10] == forms[0]["years"][:10]
        assert [form["powers"][power]["openings"] for power in eliminated] == [
            forms[0]["powers"][power]["openings"] for power in eliminated
        ]
