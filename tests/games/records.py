"""Read recorded games into the shape that `judge adjudicate` reads: an object for each phase.

Three forms are read: our own, a line of JSON a phase (`*.jsonl`); the text of droidippy (`*.txt`);
a game a line, as the `diplomacy` package writes it (`*.json`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypeAlias, TypedDict

from judge.adapters.variant_files import load_map
from judge.archive import records
from judge.archive.formats import droidippy
from judge.archive.position_json import write_position
from judge.archive.reading import Doubts, Reading
from judge.notation.order_text import write_order

# What the tests of the `diplomacy` package show of its rulebook.
DIPLOMACY = "datc,convoy_to_neighbor=intent_fallback,automatic_removal=home_dptg"
GAME_10713 = Path(__file__).with_name("10713.jsonl")
ByPower: TypeAlias = dict[str, list[str]]


class RecordedPhase(TypedDict):
    """A phase as it was recorded; a unit with an asterisk is dislodged."""

    phase: str
    units: ByPower
    centers: ByPower
    orders: ByPower
    rulebook: str
    results: NotRequired[dict[str, list[str]]]  # of some units, in the words of `diplomacy`


Game: TypeAlias = Sequence[RecordedPhase]


def game_10713() -> Game:
    """Return game 10713 of droidippy, from Spring 1901 to the retreats of Fall 1911."""
    return read_lines(GAME_10713.read_text())


def sample_games() -> Iterator[tuple[str, Game]]:
    """Yield the games in the folder JUDGE_SAMPLES, each with its name."""
    for path in sorted(Path(os.environ["JUDGE_SAMPLES"]).rglob("*")):
        match path.suffix:
            case ".jsonl":
                yield path.name, read_lines(path.read_text())
            case ".txt" if path.read_text(errors="replace").startswith("PHASE "):
                yield path.name, read_droidippy(path.read_text())
            case ".json":
                for line in path.read_text().splitlines():
                    game = json.loads(line)
                    yield f"{path.name}, {game['id']}", read_diplomacy(game)
            case _:
                pass


def read_lines(text: str) -> Game:
    """Read our own form."""
    return [json.loads(line) for line in text.splitlines()]


def read_diplomacy(game: Mapping[str, Any]) -> Game:
    """Read a game of the `diplomacy` package."""
    return [
        RecordedPhase(
            phase=each["name"],
            units=each["state"]["units"],
            centers=each["state"]["centers"],
            orders={power: orders or [] for power, orders in each["orders"].items()},
            rulebook=DIPLOMACY,
            results=each.get("results", {}),
        )
        for each in game["phases"]
    ]


def read_droidippy(text: str, *, lenient: bool = False) -> Game:
    """Read a game of droidippy; if *lenient*, skip lines that are no orders."""
    board = load_map()
    reading = Reading(board, "droidippy", "", Doubts("droidippy", strict=not lenient))
    (game,) = droidippy.read(reading, text.splitlines())
    return [_phase(each) for each in game.phases]


def _phase(recorded: records.RecordedPhase) -> RecordedPhase:
    assert recorded.position
    position: dict[str, Any] = write_position(recorded.position)
    orders: ByPower = {}
    for each in recorded.orders:
        assert each.order
        orders.setdefault(each.power, []).append(write_order(each.order))
    return RecordedPhase(
        phase=position["phase"],
        units=position["units"],
        centers=position["centers"],
        orders=orders,
        rulebook="droidippy",
    )
