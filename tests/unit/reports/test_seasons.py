"""Emails name phases by the calendar of the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.reports.emails.contexts import Heading
from judge.reports.render import template_environment
from judge.rules.board import Map, TranslatedNames
from judge.rules.types import FALL, Phase


def words(board: Map, language: str = "en") -> dict[str, Callable[[Phase], str]]:
    template = template_environment(language).get_template("mail/words/phases.txt.j2")
    return vars(template.make_module({"heading": Heading("", board=board, language=language)}))


@pytest.mark.parametrize(
    ("variant", "phase", "full", "headed"),
    [
        ("standard", "F1901M", "Movement for Fall of 1901", "Fall 1901"),
        ("spice-islands", "S1491M", "Movement for Spring of 1491", "Spring 1491"),
        ("spice-islands", "F1491M", "Movement for Monsoon of 1491", "Monsoon 1491"),
        ("spice-islands", "W1491A", "Adjustments for Winter of 1491", "Winter 1491"),
        ("hundred", "S1425M", "Movement for 1425", "1425"),
        ("hundred", "W1430A", "Adjustments for 1430", "1430"),
    ],
)
def test_a_season_is_named_as_on_its_board(
    variant: str, phase: str, full: str, headed: str
) -> None:
    said = words(load_map(variant))

    assert said["full"](Phase.parse(phase)) == full
    assert said["headed"](Phase.parse(phase)) == headed


def test_a_season_is_translated_if_the_variant_says_how() -> None:
    board = load_map("spice-islands")
    german = TranslatedNames({}, {}, {}, {FALL: "Regenzeit"})

    said = words(replace(board, tongues={"de": german}), "de")

    assert said["full"](Phase.parse("F1491M")) == "Züge, Regenzeit 1491"
    assert said["full"](Phase.parse("S1491M")) == "Züge, Frühjahr 1491"


def test_a_build_out_of_season_is_refused_in_the_words_of_the_board() -> None:
    template = template_environment().get_template("mail/words/impossible.txt.j2")
    said = [
        vars(template.make_module({"heading": Heading("", board=load_map(variant))}))["builds"]
        for variant in ("standard", "hundred")
    ]

    assert "after Fall" in said[0]["wrong_phase"]
    assert "in adjustment phases" in said[1]["wrong_phase"]
