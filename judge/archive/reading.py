"""Read recorded games: files, doubts, and the formats that can be read or written.

A reader opens no file: it gets the lines of one and yields each game as soon as it is complete, so
a file of many games never sits in memory. Uncertain parts go to `Doubts`, which stops a strict
reading with file and line, and collects them in a lenient one. Modules of formats are imported
when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TypeAlias, cast

from judge.archive.records import Doubt, Record, redact_addresses, redact_doubt, redact_record
from judge.overriding import override
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook, rulebook_named

HEAD_CHARACTERS = 65_536  # how much of a file a reader sees when it is asked whether it knows it


class UnreadableError(ValueError):
    """A file, or a game in it, cannot be read: *name*, *line* (from 1) and *why* say what."""

    def __init__(self, name: str, line: int | None, why: str) -> None:
        super().__init__(name, line, why)  # which is all that another process needs
        self.name, self.line, self.why = name, line, why

    @override
    def __str__(self) -> str:
        where = self.name if self.line is None else f"{self.name}:{self.line}"
        return f"{where}: {self.why}"


@dataclass(slots=True)
class Doubts:
    """What was not read for certain in the file *name*; a *strict* reading stops at the first."""

    name: str
    strict: bool = True
    found: list[Doubt] = field(default_factory=list)

    def note(self, line: int | None, text: str, why: str) -> None:
        """Note a doubt. Raises `UnreadableError` in a strict reading."""
        if self.strict:
            raise UnreadableError(self.name, line, f"{why}: {text}" if text else why)
        self.found.append(Doubt(line, text, why))

    def taken(self) -> tuple[Doubt, ...]:
        """Return the doubts noted since they were last taken: those of one game."""
        found = tuple(self.found)
        self.found.clear()
        return found


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a file: its *board*, *name* and *digest*, and how it is to be read.

    Its lines count from *first_line*, if only a part of it is read.
    """

    board: Map
    name: str
    sha256: str
    doubts: Doubts
    keep_addresses: bool = False
    first_line: int = 1

    @property
    def title(self) -> str:
        """Return the name of the file without its folders: that of a game that has none."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its *name* as `--from` and `Source.format` have it, and what it is in words.

    *recognizes* is asked with the head of a file; *reads* is given its lines, numbered from 1 by
    their place, without line ends, and may leave addresses in what it reads. If each game
    *begins_with* the same characters of a line, and knows nothing of those before it, a file may
    be read in parts.
    """

    name: str
    title: str
    rulebook: str  # the law that its source followed, unless the record says otherwise
    recognizes: Callable[[str], bool]
    reads: Callable[[Reading, Iterable[str]], Iterator[Record]]
    begins_with: str | None = None

    def read(self, reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
        """Yield the games in *lines*; addresses stay here, unless they are to be kept.

        Raises `UnreadableError`.
        """
        games = self.reads(reading, lines)
        return games if reading.keep_addresses else _redact_games(reading, games)


def _redact_games(reading: Reading, games: Iterator[Record]) -> Iterator[Record]:
    try:
        yield from map(redact_record, games)
    except UnreadableError as error:
        raise UnreadableError(error.name, error.line, redact_addresses(error.why)) from None
    found = reading.doubts.found  # of a game that was left out
    found[:] = map(redact_doubt, found)


# Where each format is read: a module below `judge.archive.formats`, and its `Format`.
READERS: Mapping[str, tuple[str, str]] = {
    "daide": ("daide_session", "FORMAT"),
    "diplomacy": ("diplomacy", "DIPLOMACY"),
    "dpjudge": ("dpjudge", "FORMAT"),
    "droidippy": ("droidippy", "FORMAT"),
    "jdip": ("jdip", "FORMAT"),
    "log": ("log_json", "FORMAT"),
    "mailbox": ("njudge.readers", "MAILBOX"),
    "njudge": ("njudge.readers", "NJUDGE"),
    "ours": ("njudge.readers", "OWN_MAILBOX"),
    "record": ("record_json", "FORMAT"),
    "searchbot": ("diplomacy", "SEARCHBOT"),
    "webdiplomacy": ("webdiplomacy", "FORMAT"),
    "zine": ("zine_reports", "FORMAT"),
}
# Where each format is written: a module there with `write_record`.
WRITERS: Mapping[str, str] = {
    "daide": "daide_writer",
    "diplomacy": "diplomacy_writer",
    "droidippy": "droidippy",
    "njudge": "njudge.history_writer",
    "record": "record_json",
}

Writer: TypeAlias = Callable[[Record, Map], Iterator[str]]


@cache
def format_named(name: str) -> Format:
    """Return the format that is read as *name*."""
    module, attribute = READERS[name]
    return cast("Format", getattr(import_module(f"judge.archive.formats.{module}"), attribute))


@cache
def writer_named(name: str) -> Writer:
    """Return what writes records as *name*."""
    module = import_module(f"judge.archive.formats.{WRITERS[name]}")
    return cast("Writer", module.write_record)


def recognized_formats(head: str) -> list[Format]:
    """Return the formats that the file which begins with *head* may be in."""
    return [each for each in map(format_named, READERS) if each.recognizes(head)]


def rulebook_of(record: Record) -> Rulebook:
    """Return the rulebook of *record*, or else that of its format.

    Raises `UnknownRulebookError`.
    """
    return rulebook_named(record.rulebook or format_named(record.source.format).rulebook)
