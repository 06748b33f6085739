"""Games of searchbot and Cicero: the shape of the `diplomacy` package, without results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from judge.archive.json_games import BEGINS_A_GAME, keys_of
from judge.archive.reading import Format, Reading
from judge.archive.record import Record
from judge.archive.saved_games import Dialect, read_saved_games

# Its adjudicator was tried on recorded games of webDiplomacy.
DIALECT = Dialect("searchbot", "webdiplomacy", tick=timedelta(milliseconds=10))
OWN_KEYS = frozenset({"phases", "state", "units"})
EITHER_KEY = frozenset({"is_full_press", "scoring_system"})


def recognizes(head: str) -> bool:
    """Tell whether *head* begins such a file."""
    keys = keys_of(head)
    return keys >= OWN_KEYS and bool(keys & EITHER_KEY)


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    return read_saved_games(reading, lines, DIALECT)


FORMAT = Format(
    name=DIALECT.format,
    title="games of searchbot and Cicero",
    rulebook=DIALECT.rulebook,
    recognizes=recognizes,
    reads=read,
    begins_with=BEGINS_A_GAME,
)
