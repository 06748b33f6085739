"""A real game as a record: 10713 of droidippy, 1901 to the retreats of 1911."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from judge.adapters.variant_files import load_map
from judge.archive.formats.record_json import write_record
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.notation.order_text import read_order
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import rulebook_named

LINES = Path(__file__).parents[1] / "games" / "10713.jsonl"
BOARD = load_map()
RULEBOOK = "droidippy"


@cache
def game_10713() -> Record:
    position, phases = BOARD.start, []
    for line in LINES.read_text().splitlines():
        told = json.loads(line)["orders"]
        orders = {power: [read_order(text) for text in texts] for power, texts in told.items()}
        written = tuple(
            WrittenOrder(power, text, read_order(text))
            for power, texts in told.items()
            for text in texts
        )
        phases.append(RecordedPhase(position.phase, position, written))
        position = adjudicate(BOARD, position, orders, rulebook_named(RULEBOOK)).after
    source = Source("droidippy", "games/10713.txt", "0" * 64)
    return Record(name="10713", source=source, rulebook=RULEBOOK, phases=tuple(phases))


def write_10713(folder: Path, *others: Record, phases: int | None = None) -> Path:
    """Write the game, or its first *phases*, and *others* after it, into a file in *folder*."""
    file = folder / "10713.jsonl"
    game = replace(game_10713(), phases=game_10713().phases[:phases])
    pieces = [piece for each in (game, *others) for piece in write_record(each, BOARD)]
    file.write_text("".join(pieces))
    return file
