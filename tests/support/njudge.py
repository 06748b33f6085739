"""Sample nJudge emails: a first Spring and the phases after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.adapters.variant_files import load_map
from judge.archive.formats.njudge import readers
from judge.archive.reading import Doubts, Reading
from judge.archive.records import Record

SPRING = {
    "Austria": ["Army Budapest", "Army Vienna", "Fleet Trieste"],
    "England": ["Army Liverpool", "Fleet Edinburgh", "Fleet London"],
    "France": ["Army Marseilles", "Army Paris", "Fleet Brest"],
    "Germany": ["Army Berlin", "Army Munich", "Fleet Kiel"],
    "Italy": ["Army Rome", "Army Venice", "Fleet Naples"],
    "Russia": [
        *("Army Moscow", "Army Warsaw", "Fleet Sevastopol"),
        "Fleet St Petersburg (south coast)",
    ],
    "Turkey": ["Army Constantinople", "Army Smyrna", "Fleet Ankara"],
}
HEAD = """\
:: Judge: SEED  Game: Lagoon  Variant: Standard
:: Deadline: S1901M Mon Mar 09 1998 23:30:00 +0000

"""
NEXT = """\
The next phase of 'lagoon' will be Movement for Fall of 1901.
The deadline for orders will be Thu Mar 12 1998 23:30:00 +0000.
"""


def spring(orders: Mapping[str, str] | None = None, tail: str = NEXT) -> str:
    """Return the results of a Spring of 1901 in which units hold, but for *orders* by unit."""
    return "\n".join(_spring(orders or {}, tail))


def _spring(orders: Mapping[str, str], tail: str) -> Iterator[str]:
    yield HEAD + "Movement results for Spring of 1901. (lagoon.001)\n"
    for power, units in SPRING.items():
        yield from [f"{power}: {unit}{orders.get(unit, ' HOLD.')}" for unit in units]
        yield ""
    yield tail


def reading(*, strict: bool = True, keep_addresses: bool = False) -> Reading:
    """Return a reading of a file called `mails.txt`."""
    doubts = Doubts("mails.txt", strict=strict)
    return Reading(load_map(), "mails.txt", "0" * 64, doubts, keep_addresses)


def read(text: str, *, strict: bool = True, keep_addresses: bool = False) -> list[Record]:
    """Return the games in *text*."""
    how = reading(strict=strict, keep_addresses=keep_addresses)
    return list(readers.NJUDGE.read(how, text.split("\n")))
