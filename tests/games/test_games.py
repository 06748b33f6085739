"""Games that people played, adjudicated again: every recorded position comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.adapters.variant_files import load_map
from judge.archive.positions import read_orders, write_position
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import DATC, Rulebook
from tests.games.records import Game, game_10713

BOARD = load_map()


def test_game_10713_comes_out_as_droidippy_recorded_it() -> None:
    assert differences(game_10713(), DATC) == []


def differences(game: Game, rulebook: Rulebook) -> list[tuple[object, object]]:
    """Play the orders of *game*; return the phases that the record has otherwise."""
    position, played = BOARD.start, []
    for recorded in game:
        played.append((shape(write_position(position)), shape(recorded)))
        orders = {power: read_orders(BOARD, texts) for power, texts in recorded["orders"].items()}
        position = adjudicate(BOARD, position, orders, rulebook).after
    return [(ours, theirs) for ours, theirs in played if ours != theirs]


def shape(phase: Mapping[str, Any]) -> object:
    """Return what a record says: when it is, what stands where, whose each center is."""
    lists = {
        key: {power: sorted(each) for power, each in phase[key].items() if each}
        for key in ("units", "centers")
    }
    return {"phase": phase["phase"], **lists}
