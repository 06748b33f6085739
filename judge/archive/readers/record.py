"""Our own form: a record as JSON, one a line, or over many lines.

Where a game was first read, and what was doubted then, stays with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from judge.archive.json_games import BEGINS_A_GAME, json_games, keys_of
from judge.archive.reading import Format, Reading
from judge.archive.record import Record
from judge.archive.record_json import FORMAT as RECORD
from judge.archive.record_reading import from_json
from judge.archive.values import MalformedError

KEYS = frozenset({"format", "version", "id", "map"})


def recognizes(head: str) -> bool:
    """Tell whether *head* begins such a file."""
    return keys_of(head) >= KEYS and f'"{RECORD}"' in head


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records in *lines*."""
    for found in json_games(reading.doubts, lines, reading.first_line):
        try:
            record = from_json(reading.board, found.value)
        except MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))
            continue
        yield replace(record, doubts=(*record.doubts, *reading.doubts.taken()))


FORMAT = Format(
    name="record",
    title="our records",
    rulebook="datc",
    recognizes=recognizes,
    reads=read,
    begins_with=BEGINS_A_GAME,
)
