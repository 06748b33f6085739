"""Games that the `diplomacy` package saved: one JSON object a line, or one over many lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from judge.archive.json_games import BEGINS_A_GAME, keys_of
from judge.archive.reading import Format, Reading
from judge.archive.record import Record
from judge.archive.record_json import FORMAT as RECORD
from judge.archive.saved_games import Dialect, read_saved_games

# What the tests of the package show of its law.
RULEBOOK = "datc,convoy_to_neighbor=intent_fallback,automatic_removal=home_dptg"
DIALECT = Dialect("diplomacy", RULEBOOK, tick=timedelta(microseconds=1))
OWN_KEYS = frozenset({"phases", "state", "units"})
SEARCHBOTS_KEYS = frozenset({"is_full_press", "scoring_system"})


def recognizes(head: str) -> bool:
    """Tell whether *head* begins such a file."""
    keys = keys_of(head)
    return keys >= OWN_KEYS and not keys & SEARCHBOTS_KEYS and f'"{RECORD}"' not in head


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    return read_saved_games(reading, lines, DIALECT)


FORMAT = Format(
    name=DIALECT.format,
    title="saved games of the diplomacy package",
    rulebook=RULEBOOK,
    recognizes=recognizes,
    reads=read,
    begins_with=BEGINS_A_GAME,
)
