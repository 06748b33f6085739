"""Formats of recorded games, and the doubts that arise in reading them.

A reader gets the lines of a file and yields each complete game, so large files need little memory.
Uncertain parts go to `Doubts`, which stops a strict reading with file and line, and collects them
in a lenient one. Format modules are imported on first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TypeAlias, cast

from judge.archive.json_input import MalformedError
from judge.archive.records import (
    Doubt,
    Record,
    RecordedPhase,
    redact_addresses,
    redact_doubt,
    redact_record,
)
from judge.errors import abridged
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook, rulebook_named
from judge.rules.types import Phase

HEAD_CHARACTERS = 65_536  # enough of a file to recognize its format
TRIED_LINES = 200  # of a file in no known format
KEY = re.compile(r'"(\w+)"\s*:')


class UnreadableError(ValueError):
    """A file or game cannot be read; if it is *skippable*, a lenient reading goes on there."""

    def __init__(self, name: str, line: int | None, why: str, *, skippable: bool = False) -> None:
        super().__init__(name, line, why)
        self.name, self.line, self.why, self.skippable = name, line, why, skippable

    def __str__(self) -> str:
        where = self.name if self.line is None else f"{self.name}:{self.line}"
        return f"{where}: {self.why}"


@dataclass(slots=True)
class Doubts:
    """Uncertain parts of the file *name*; a *strict* reading stops at the first."""

    name: str
    strict: bool = True
    found: list[Doubt] = field(default_factory=list)

    def note(self, line: int | None, text: str, why: str) -> None:
        """Note a doubt. Raises `UnreadableError` in a strict reading."""
        if self.strict:
            reason = f"{why}: {abridged(text)}" if text else why
            raise UnreadableError(self.name, line, reason, skippable=True)
        self.found.append(Doubt(line, text, why))

    def leave_out(self, line: int | None, part: str, why: str) -> None:
        """Note that *part* is left out. Raises `UnreadableError` in a strict reading."""
        self.note(line, "" if self.strict else f"{part} is left out", why)

    def gap(self, line: int, lost: Phase | None, error: Exception) -> RecordedPhase | None:
        """Leave out the phase *lost* for *error*, and return the gap in its place.

        Without its name all that follows is left out, and None is returned. Raises
        `UnreadableError` in a strict reading.
        """
        part = lost.code if lost else "what follows the readable phases"
        self.leave_out(line, part, str(error))
        return RecordedPhase(lost, None) if lost else None

    def taken(self) -> tuple[Doubt, ...]:
        """Return and clear the doubts noted so far, those of one game."""
        found = tuple(self.found)
        self.found.clear()
        return found


def no_other_board(_: str) -> Map | None:
    """Return no board."""
    return None


@dataclass(frozen=True, slots=True)
class Reading:
    """The context for reading one file: its *name*, hash and *board*.

    *boards* finds the boards of games that name another. A part of a file is read with the number
    of its *first_line*.
    """

    board: Map
    name: str
    sha256: str
    doubts: Doubts
    keep_addresses: bool = False
    first_line: int = 1
    boards: Callable[[str], Map | None] = no_other_board

    def on_board_named(self, variant: str) -> Reading:
        """Return the context for a game on the board *variant*. Raises `MalformedError`."""
        if variant == self.board.name:
            return self
        board = self.boards(variant)
        if board is None:
            raise MalformedError(variant, "no map of this judge")
        return replace(self, board=board)

    @property
    def title(self) -> str:
        """Return the file name without folders, the name of an unnamed game."""
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its *name* in `--from` and `Source.format`, and its *title* for people.

    *recognizes* gets the head of a file. *reads* gets its lines without line ends, and may leave
    email addresses in records. If each game starts with a line that *begins_with* these
    characters, and games are independent, a file may be read in parts. *keys* are those that a
    JSON format cannot do without.
    """

    name: str
    title: str
    rulebook: str  # the default for its records
    recognizes: Callable[[str], bool]
    reads: Callable[[Reading, Iterable[str]], Iterator[Record]]
    begins_with: str | None = None
    keys: frozenset[str] = frozenset()

    def read(self, reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
        """Yield the games in *lines*, without email addresses unless *reading* keeps them.

        Raises `UnreadableError`.
        """
        games = self.reads(reading, lines)
        return games if reading.keep_addresses else _redact_games(reading, games)


def _redact_games(reading: Reading, games: Iterator[Record]) -> Iterator[Record]:
    try:
        yield from map(redact_record, games)
    except UnreadableError as error:
        why = redact_addresses(error.why)
        raise UnreadableError(error.name, error.line, why, skippable=error.skippable) from None
    found = reading.doubts.found  # of skipped games
    found[:] = map(redact_doubt, found)


# The module below `judge.archive.formats` and the name of its `Format`.
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
# These have a sign that no other format has; whatever else their text contains does not matter.
UNMISTAKABLE = ("record", "droidippy")
# The module with `write_record`.
WRITERS: Mapping[str, str] = {
    "daide": "daide_writer",
    "diplomacy": "diplomacy_writer",
    "droidippy": "droidippy",
    "njudge": "njudge.history_writer",
    "record": "record_json",
}

Writer: TypeAlias = Callable[[Record, Map], Iterator[str]]

WITHOUT_POSITIONS = frozenset({"njudge", "record"})  # can express a game of press alone


@cache
def format_named(name: str) -> Format:
    """Return the format *name* for reading."""
    module, attribute = READERS[name]
    return cast("Format", getattr(import_module(f"judge.archive.formats.{module}"), attribute))


@cache
def writer_named(name: str) -> Writer:
    """Return the function that writes the format *name*."""
    module = import_module(f"judge.archive.formats.{WRITERS[name]}")
    return cast("Writer", module.write_record)


def refusal(record: Record, name: str) -> str | None:
    """Return why *record* cannot be written in the format *name*, None if it can."""
    if name in WITHOUT_POSITIONS or any(each.position for each in record.phases):
        return None
    others = " or --to ".join(sorted(WITHOUT_POSITIONS))
    return f"{name} needs positions, and none is known of {record.name}; use --to {others}"


def recognized_formats(head: str) -> list[Format]:
    """Return the formats that recognize *head*, the start of a file."""
    for each in map(format_named, UNMISTAKABLE):
        if each.recognizes(head):
            return [each]
    return [each for each in map(format_named, READERS) if each.recognizes(head)]


def explain_unknown(board: Map, head: str) -> str:
    """Return the known formats, and which came nearest to *head* and where it stopped."""
    if not head.strip() and len(head) < HEAD_CHARACTERS:
        return "the file is empty"
    found = KEY.findall(head)
    known = f"unknown format; known are {', '.join(READERS)} (--from sets one)"
    formats = [format_named(name) for name in READERS]
    if head.lstrip().startswith("{"):
        shares = {each: each.keys.intersection(found) for each in formats if each.keys}
        nearest = max(shares, key=lambda each: len(shares[each]) / len(each.keys))
        missing = ", ".join(sorted(nearest.keys - shares[nearest]))
        near = f"{nearest.name}, but the keys {missing} are missing" if shares[nearest] else ""
    else:
        near = _nearest_text(board, formats, head.split("\n")[:TRIED_LINES])
    return f"{known}. Nearest is {near}" if near else known


def _nearest_text(board: Map, formats: Iterable[Format], lines: Sequence[str]) -> str:
    """Return which text format understands most orders of *lines*, or reads on longest."""
    near, most = "", (0, 1)
    for each in formats:
        reading = Reading(board, "", "", Doubts("", strict=False))
        orders, stops = 0, list[Doubt]()
        try:
            for game in each.read(reading, [] if each.keys else lines):
                orders += sum(bool(written.order) for p in game.phases for written in p.orders)
                stops += game.doubts
        except UnreadableError as error:
            stops.append(Doubt(error.line, "", error.why))
        stops += reading.doubts.taken()
        stop = next((doubt for doubt in stops if doubt.line), None)
        if stop and stop.line and (orders, 0 if orders else stop.line) > most:
            near = f"{each.name}, which stops at line {stop.line}: {stop.why}"
            most = orders, 0 if orders else stop.line
    return near


def rulebook_of(record: Record) -> Rulebook:
    """Return the rulebook of *record*, by default that of its format.

    Raises `UnknownRulebookError`.
    """
    return rulebook_named(record.rulebook or format_named(record.source.format).rulebook)
