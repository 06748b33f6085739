"""Replaying recorded games reproduces every recorded position."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_written_orders, write_position
from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Adjudication, result_words
from judge.rules.rulebook import rulebook_named
from judge.rules.types import PhaseKind
from tests.games.records import Game, game_10713, sample_games

BOARD = load_map()
TROUBLES = {  # the words of the DATC, and of the `diplomacy` package
    "fails": "bounce",
    "illegal": "void",
    "invalid": "void",
    "cut": "cut",
    "dislodged": "dislodged",
    "destroyed": "dislodged",
}


def test_game_10713_comes_out_as_it_was_recorded() -> None:
    game = game_10713()

    assert len(game) == 43
    assert differences(game) == []


@pytest.mark.skipif("JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder")
def test_more_games_come_out_as_they_were_recorded() -> None:
    games = dict(sample_games())

    assert games
    assert {name: found for name, game in games.items() if (found := differences(game))} == {}


def differences(game: Game) -> list[tuple[object, object]]:
    """Play the orders of *game*; return what comes out otherwise, and what was recorded."""
    position, pairs = BOARD.start, []
    for recorded in game:
        pairs.append((facts(write_position(position)), facts(recorded)))
        orders = {
            power: read_written_orders(BOARD, texts) for power, texts in recorded["orders"].items()
        }
        judged = adjudicate(BOARD, position, orders, rulebook_named(recorded["rulebook"]))
        if "results" in recorded and position.phase.kind is PhaseKind.MOVEMENT:
            theirs = {unit: words for unit, words in recorded["results"].items() if words}
            pairs.append((dict(troubles(judged)), theirs))
        position = judged.after
    return [(ours, theirs) for ours, theirs in pairs if ours != theirs]


def facts(phase: Mapping[str, Any]) -> object:
    """Return a recorded phase: its code, units and owners."""
    units, centers = (
        {power: sorted(each) for power, each in phase[key].items() if each}
        for key in ("units", "centers")
    )
    return phase["phase"], units, centers


def troubles(judged: Adjudication) -> Iterator[tuple[str, list[str]]]:
    """Yield each unit that failed, or was dislodged, with the words of that package."""
    for outcome in (*judged.outcomes, *judged.unordered):
        words = [TROUBLES[word] for word in result_words(outcome) if word in TROUBLES]
        if words:
            order = write_order(outcome.order)
            yield " ".join(order.split()[:2]), words
