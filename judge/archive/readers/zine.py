"""Reports written by hand, in zines and mails: as far as the order lines are understood.

A file may hold reports of several games, each under a heading that names it. Reports without a
name are of one game, until they go back in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from judge.archive.reading import Doubts, Format, Reading, UnreadableError
from judge.archive.record import Ending, Record, RecordedPhase, Seat, Source, YearChart
from judge.archive.standing import Standing
from judge.archive.zine.chapters import Chapter, ChapterReader
from judge.archive.zine.headings import Heading, heading_of, phase_in
from judge.archive.zine.telling import ChapterTeller
from judge.rules.types import Season

ORDER = re.compile(
    r"(?:^[^\S\n]*(?:\w{3,}(?: \([^()\n]*\))?:[^\S\n]*)?|,[^\S\n]*)(?:<u>|[(<_])*"
    r"(?:A|F|Army|Fleet)[^\S\n(]"
    r"<?[A-Za-z][\w .()/>]*?(?:[-\u2013]|\b(?:S|SA|SF|C|CA|H|supports?|convoys?|holds?|stands)\b)",
    re.IGNORECASE | re.MULTILINE,
)
ORDERS_MIN = 3
QUOTED = ">"  # how a line begins that is press, or of somebody else's mail: it orders nothing
# What programs write, whose order lines look alike.
PROGRAMS = re.compile(
    r"^[ \t]*(?:[{\[]|PHASE \w|POSITIONS$|PRESTATE|GAME \w+$|SIGN ?ON "
    r"|:: (?:Judge:|[SFW]\d{4}[MRA] )"
    r"|(?:Movement|Retreat|Adjustment)s? (?:results|orders) for )",
    re.MULTILINE,
)
NOTHING = Heading(None, None, None, {}, None, None)


def recognizes(head: str) -> bool:
    """Tell whether *head* has orders as people write them, and no sign of a program."""
    if PROGRAMS.search(head):
        return False
    return len(list(islice(ORDER.finditer(head), ORDERS_MIN))) == ORDERS_MIN


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read the games of a file; those that have names when it ends."""
    games: dict[str, _Game] = {}
    for chapter in _chapters(reading, lines):
        name = chapter.heading.game or ""
        game = games.get(name)
        if game and not name and game.is_past(chapter):
            yield from game.record()
            game = None
        if game is None:
            game = games[name] = _Game(reading, name, chapter.first_line)
        game.take(chapter)
    records = [record for game in games.values() for record in game.record()]
    if not records:
        raise UnreadableError(reading.name, None, "no order that can be read")
    yield from records


def _chapters(reading: Reading, lines: Iterable[str]) -> Iterator[Chapter]:
    """Cut *lines* at headings; one that only adds to that before it goes on with its chapter."""
    reader = ChapterReader(reading.board, NOTHING, 1)
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise UnreadableError(reading.name, number, "not a text, but bytes")
        if line.startswith(QUOTED):
            continue
        heading = heading_of(line)
        if heading is None:
            reader.take(line, number)
            continue
        chapter, known = reader.chapter, reader.chapter.heading
        if heading.game is None and (heading.season, heading.year) == (known.season, known.year):
            continue
        if heading.game is None:
            heading = replace(heading, game=known.game)
            if known.season is None and not chapter.lines:
                chapter.heading = replace(known, season=heading.season, year=heading.year)
                continue
        yield chapter
        reader = ChapterReader(reading.board, heading, number)
    yield reader.chapter


class _Game:
    def __init__(self, reading: Reading, name: str, line: int) -> None:
        self._reading, self._name = reading, name
        self._doubts = Doubts(reading.doubts.name, reading.doubts.strict)
        self._heading = NOTHING
        self._first_line = self._last_line = line
        self._standing = Standing(reading.board, self._doubts)
        self._teller = ChapterTeller(self._standing, self._doubts)
        self._phases: list[RecordedPhase] = []
        self._charts: list[YearChart] = []
        self._seats: dict[Seat, None] = {}
        self._gamemaster: str | None = None
        self._ending: Ending | None = None

    def is_past(self, chapter: Chapter) -> bool:
        """Tell whether *chapter* is of a season before the last that is not told yet."""
        season, year = chapter.heading.season, chapter.heading.year
        played = [each.phase for each in self._phases]
        if not season or not year or not played:
            return False
        phase = phase_in(season, year, movement=season in {"spring", "fall"})
        return phase is not None and phase < max(played) and phase not in played

    def take(self, chapter: Chapter) -> None:
        """Take in what *chapter* tells."""
        heading = chapter.heading
        self._heading = replace(
            heading,
            numbers={**self._heading.numbers, **heading.numbers},
            zine=self._heading.zine or heading.zine,
            issue=self._heading.issue or heading.issue,
        )
        self._last_line = chapter.last_line
        self._gamemaster = chapter.gamemaster or self._gamemaster
        self._ending = chapter.ending or self._ending
        for each in chapter.faults:
            self._doubts.note(each.line, each.text, each.why)
        phases = list(self._teller.phases(chapter))
        self._phases += phases
        self._seats.update(
            (Seat(power, player), None) for power, player in chapter.players.items()
        )
        year_ended = any(each.phase.season is Season.FALL for each in phases)
        if not year_ended and (chart := self._teller.chart(chapter)):
            self._charts.append(chart)

    def record(self) -> Iterator[Record]:
        """Yield the record, if anything of the game was understood."""
        if not self._phases and not self._charts:
            self._reading.doubts.found += self._doubts.taken()
            return
        reading, heading = self._reading, self._heading
        phases = [*self._phases, *self._standing.still_open()]
        yield Record(
            name=self._name or reading.title,
            source=Source(
                FORMAT.name, reading.name, reading.sha256, self._first_line, self._last_line
            ),
            variant=reading.board.name,
            numbers=heading.numbers,
            gamemaster=self._gamemaster,
            zine=heading.zine,
            issue=heading.issue,
            seats=tuple(self._seats),
            phases=tuple(sorted(phases, key=lambda each: (each.phase, each.edition))),
            charts=tuple(self._charts),
            ending=self._ending,
            doubts=self._doubts.taken(),
        )


FORMAT = Format(
    name="zine",
    title="reports written by hand, in zines and mails",
    rulebook="1982",
    recognizes=recognizes,
    reads=read,
)
