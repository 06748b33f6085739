"""The formats there are: those that are read, those that are written, and how a file is known.

A format is a module of `readers` or `writers`; it is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import TypeAlias, cast

from judge.archive.reading import Format
from judge.archive.record import Record
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook, rulebook_named

READERS = (
    "daide",
    "diplomacy",
    "dpjudge",
    "droidippy",
    "jdip",
    "log",
    "mailbox",
    "njudge",
    "ours",
    "record",
    "searchbot",
    "webdiplomacy",
    "zine",
)
WRITERS = ("daide", "diplomacy", "droidippy", "njudge", "record")

Writer: TypeAlias = Callable[[Record, Map], Iterator[str]]


@cache
def reader(name: str) -> Format:
    """Return the format that is read as *name*."""
    return cast("Format", import_module(f"judge.archive.readers.{name}").FORMAT)


@cache
def writer(name: str) -> Writer:
    """Return what writes records as *name*."""
    return cast("Writer", import_module(f"judge.archive.writers.{name}").write)


def recognized(head: str) -> list[Format]:
    """Return the formats that the file which begins with *head* may be in."""
    return [each for each in map(reader, READERS) if each.recognizes(head)]


def law_of(record: Record) -> Rulebook:
    """Return the law that *record* says, or else that of its format.

    Raises `UnknownRulebookError`.
    """
    return rulebook_named(record.rulebook or reader(record.source.format).rulebook)
