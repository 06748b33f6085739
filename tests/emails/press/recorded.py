"""Messages that people sent each other in recorded games: the samples in a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_position
from judge.rules.rulebook import DATC
from tests.emails.press.generated import Press


def recorded_press(samples: Path) -> Iterator[Press]:
    """Yield the messages of powers in the games of the `diplomacy` package in *samples*."""
    board = load_map()
    for path in sorted(samples.rglob("python_diplomacy_*.json")):
        for phase in json.loads(path.read_text())["phases"]:
            state = phase["state"]
            retreats = {power: at for power, at in state["retreats"].items() if at}
            source = {"phase": state["name"], "units": state["units"], "retreats": retreats}
            position = read_position(board, source | {"centers": state["centers"]}, DATC)
            for each in phase["messages"]:
                power, to = each["sender"], each["recipient"]
                if power in board.players:
                    other = next(one for one in board.players if one != power)
                    meant = to if to in board.players else other
                    yield Press(board, position, power, meant, each["message"], asks=False)
