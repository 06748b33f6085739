"""Write the current schema of every event: `python -m tests.support.event_schemas`.

A schema that has been released stays as it is: a change of a type is a new version beside it.
"""

from __future__ import annotations

import json
from pathlib import Path

from judge.game.events import CODEC, EVENT_TYPES

FOLDER = Path(__file__).parents[2] / "events"


def schema_file(name: str, version: int) -> Path:
    return FOLDER / f"{name}.v{version}.schema.json"


def sample_file(name: str, version: int) -> Path:
    return FOLDER / f"{name}.v{version}.sample.json"


def schema_text(name: str) -> str:
    return json.dumps(CODEC.json_schema(name), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for each in EVENT_TYPES:
        schema_file(each, CODEC.schema_version(each)).write_text(
            schema_text(each), encoding="utf-8"
        )
