"""Our own form: a line of JSON a game."""

from __future__ import annotations

import json
from collections.abc import Iterator

from judge.archive.record import Record
from judge.archive.record_json import to_json
from judge.rules.board import Map


def write(record: Record, board: Map) -> Iterator[str]:
    """Yield *record* as one line."""
    yield f"{json.dumps(to_json(record, board))}\n"
