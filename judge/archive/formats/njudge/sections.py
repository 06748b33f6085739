"""Sort the sentences of judges' emails by game and section, before they are parsed.

Banners, footers and notices between sections are skipped, unknown sentences within a section kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import ClassVar, TypeAlias

from judge.archive.formats.njudge import sentence_patterns
from judge.archive.formats.njudge.mail_text import Line, Sentence
from judge.archive.records import EndKind
from judge.archive.text_parsing import read_date
from judge.rules.types import Phase

Handler: TypeAlias = "Callable[[SentenceSorter, re.Match[str], Sentence], bool]"

GROUP_NAME = re.compile(r"\(\?P<\w+>")  # a pattern cannot repeat one
CHARACTERS_MAX = 1000  # longer sentences are cut; a list of 34 centers has 400
UNOWNED = frozenset({"unowned", "neutral", "uncontrolled"})


class PatternTable:
    """Patterns for the start of a sentence, each with its handler.

    *any_of* matches all of them at once, since most sentences match none.
    """

    def __init__(self, *entries: tuple[re.Pattern[str], Handler]) -> None:
        nameless = (GROUP_NAME.sub("(?:", pattern.pattern) for pattern, _ in entries)
        self.entries = entries
        self.any_of = re.compile("|".join(f"(?:{each})" for each in nameless), re.IGNORECASE)


class SentenceSorter:
    """Sorts the sentences of one file into games; *powers* are words in lower case.

    Emails of several games may be mixed. A game is yielded once it is complete.
    """

    def __init__(self, powers: Collection[str]) -> None:
        self._powers = powers
        self._games: dict[str, list[GameText]] = {}  # by name; several judges may share one
        self._complete: list[str] = []
        self._game: GameText | None = None
        self._draft: ReportText | None = None
        self._press: PressText | None = None
        self._summary: GameText | None = None
        self._code: Phase | None = None
        self._due: datetime | None = None
        self._dated: datetime | None = None
        self._predicting = False
        self._announcing = False

    def sort(self, sentences: Iterable[Sentence]) -> Iterator[GameText]:
        """Sort *sentences*, yield each complete game, and the rest at the end."""
        for sentence in sentences:
            self.add(sentence)
            if self._complete and self._game and not self._game.complete:
                yield from self._finished()
        yield from self.rest()

    def rest(self) -> Iterator[GameText]:
        """Yield the remaining games at the end of the file."""
        self.end_mail()
        for same_name in self._games.values():
            yield from same_name
        self._games = {}

    def _finished(self) -> Iterator[GameText]:
        for name in self._complete:
            same_name = self._games[name]
            yield from [each for each in same_name if each.complete]
            self._games[name] = [each for each in same_name if not each.complete]
        self._complete = []

    def end_mail(self) -> None:
        """End the current email and its game."""
        self._close()
        self._game = self._code = self._due = self._dated = None

    def add(self, sentence: Sentence) -> None:
        """Add *sentence* to its game and section."""
        text = sentence.text
        depth = self._press.depth if self._press else sentence.depth
        if sentence.depth <= depth and self._first(self._BOUNDARIES, sentence):
            return
        if self._press:
            if sentence.depth <= depth and sentence_patterns.PRESS_ENDS.match(text):
                self._press = None
            else:
                self._press.lines.extend(sentence.lines)
            return
        if self._draft and self._draft.heading.depth != sentence.depth:
            self._close()
        if not text or self._first(self._PARTS, sentence):
            return
        if self._draft:
            self._tabulate(self._draft, sentence)
        elif self._summary:
            self._summary.summary.extend(sentence.lines)

    def _first(self, table: PatternTable, sentence: Sentence) -> bool:
        if not table.any_of.match(sentence.text, 0, CHARACTERS_MAX):
            return False
        for pattern, put in table.entries:
            found = pattern.match(sentence.text, 0, CHARACTERS_MAX)
            if found and put(self, found, sentence):
                if self._game:
                    self._game.last = sentence.last
                return True
        return False

    def _open_game(self, name: str | None, judge: str | None, line: int) -> GameText:
        key = (name or "").strip().casefold()
        same_name = self._games.setdefault(key, [])
        for game in reversed(same_name):
            if judge is None or game.judge in {None, judge}:
                break
        else:
            game = GameText(key, first=line)
            same_name.append(game)
        game.judge = game.judge or judge
        self._game = game
        return game

    def _named_or_current_game(self, found: re.Match[str], sentence: Sentence) -> GameText:
        name = found.groupdict().get("game")
        if name and self._game and self._game.name == name.casefold():
            return self._game
        if name or not self._game:
            return self._open_game(name, None, sentence.number)
        return self._game

    def _close(self) -> None:
        self._draft = self._press = self._summary = None
        self._predicting = self._announcing = False

    # Start of an email

    def _masthead(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        if found["game"]:
            game = self._open_game(found["game"], found["judge"], sentence.number)
            game.variant = found["variant"] or game.variant
        return True

    def _deadline(self, found: re.Match[str], _: Sentence) -> bool:
        self._code = sentence_patterns.phase_of_code(found["code"])
        self._due = read_date(found["date"])
        return True

    def _date(self, found: re.Match[str], _: Sentence) -> bool:
        date = read_date(found["date"])
        if date is None:
            return False
        self._close()
        self._dated = date
        return True

    def _subject(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        self._open_game(found["game"], found["judge"], sentence.number)
        self._code, self._due = sentence_patterns.phase_of_code(found["code"]), None
        return True

    def _notice(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        self._open_game(found["game"] or found["plain"], None, sentence.number)
        return True

    def _mail(self, _found: re.Match[str], _: Sentence) -> bool:
        self.end_mail()
        return True

    def _history_ends(self, found: re.Match[str], sentence: Sentence) -> bool:
        if self._game:
            self._game.complete = found["whole"] is not None
            self._complete.append(self._game.name)
            self._game.history, self._game.last = None, sentence.last
        self.end_mail()
        return True

    # Start of a section

    def _title(self, found: re.Match[str], sentence: Sentence) -> bool:
        kind = TableKind(found["told"].lower())
        if kind is TableKind.ORDERS and self._predicting:
            return False
        return self._table(kind, found, sentence)

    def _status(self, found: re.Match[str], sentence: Sentence) -> bool:
        return self._table(TableKind.STATUS, found, sentence)

    def _table(self, kind: TableKind, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._named_or_current_game(found, sentence)
        phase = sentence_patterns.phase_of(found)
        self._close()
        self._draft = ReportText(kind, phase, sentence, last=sentence.last)
        self._draft.reported = self._dated
        self._draft.deadline = self._due if self._code == phase else None
        game.drafts.append(self._draft)
        return True

    def _start(self, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._named_or_current_game(found, sentence)
        self._close()
        phase = Phase.parse(f"{found['season'][0]}{found['year']}M")
        self._draft = ReportText(TableKind.START, phase, sentence, last=sentence.last)
        self._draft.following_due = self._due if self._code == phase else None
        game.drafts.append(self._draft)
        return True

    def _predict(self, _found: re.Match[str], _: Sentence) -> bool:
        self._predicting = True
        return True

    def _players(self, _found: re.Match[str], _: Sentence) -> bool:
        self._draft, self._announcing = None, True
        return True

    def _player(self, found: re.Match[str], _: Sentence) -> bool:
        if not (self._announcing and self._game):
            return False
        self._game.addresses.setdefault(found["word"].casefold(), found["address"])
        return True

    def _summarize(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        self._summary = self._open_game(found["game"], None, sentence.number)
        self._summary.summary = list(sentence.lines)
        return True

    def _begin_game(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        self._open_game(found["game"], None, sentence.number)
        return True

    def _begin_history(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._begin_game(found, sentence)
        assert self._game, "the listing opened it"
        if self._game.complete:  # another game of this name, or a copy
            self._game = GameText(self._game.name, self._game.judge, first=sentence.number)
            self._games[self._game.name].append(self._game)
        self._game.history = sentence.number
        return True

    def _setting(self, found: re.Match[str], _: Sentence) -> bool:
        if self._game is None or self._draft or not found["value"]:
            return False
        self._game.settings[found["key"].lower()] = found["value"]
        return True

    def _takeover(self, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._named_or_current_game(found, sentence)
        game.taken.append(TakeoverNotice(found["power"], found["address"], self._code))
        return True

    def _ended(self, found: re.Match[str], sentence: Sentence) -> bool:
        kind, words = (
            sentence_patterns.ending_kind(found),
            sentence_patterns.names_in(found["powers"]),
        )
        game = self._named_or_current_game(found, sentence)
        game.endings.append(EndingNotice(kind, words, self._code, sentence.text, sentence.number))
        return True

    def _message(self, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._named_or_current_game(found, sentence)
        words = found.groupdict()
        readers = sentence_patterns.names_in(words.get("readers") or "")
        self._close()
        self._press = PressText(
            signed=words["signed"],
            readers=readers,
            phase=self._code,
            sent=self._dated,
            depth=sentence.depth,
            number=sentence.number,
        )
        game.press.append(self._press)
        return True

    # Rows of a table

    def _tabulate(self, draft: ReportText, sentence: Sentence) -> None:
        row = sentence_patterns.ROW.fullmatch(sentence.text)
        word = row["word"].casefold() if row else ""
        if row and not draft.whole and (word in self._powers or word in UNOWNED):
            _put_row(draft, TableRow(row["word"], row["text"], sentence.number))
        elif sentence_patterns.DRIVEN.fullmatch(sentence.text):
            draft.dislodged.append(sentence)
        elif sentence_patterns.OWNERS_TITLE.fullmatch(sentence.text):
            draft.chart_line = sentence.number
        elif found := sentence_patterns.NEXT.match(sentence.text):
            draft.following, draft.whole = sentence_patterns.phase_of(found), True
        elif sentence_patterns.OVER.match(sentence.text):
            draft.whole = True
        elif found := sentence_patterns.NEXT_DUE.match(sentence.text):
            draft.following_due = read_date(found["date"])
        elif not sentence_patterns.DRIVEN_TITLE.match(sentence.text) and not _is_ignored(sentence):
            if draft.kind is TableKind.RESULTS and not draft.whole:
                draft.unknown.append(sentence)
            else:
                self._draft = None
                return
        draft.last = sentence.last

    # A handler returns False to decline a sentence that matches its pattern.
    _BOUNDARIES: ClassVar[PatternTable] = PatternTable(
        (sentence_patterns.MASTHEAD, _masthead),
        (sentence_patterns.DUE, _deadline),
        (sentence_patterns.DATED, _date),
        (sentence_patterns.SUBJECT, _subject),
        (sentence_patterns.NOTICE, _notice),
        (sentence_patterns.MAIL_STARTS, _mail),
        (sentence_patterns.HISTORY_ENDS, _history_ends),
    )
    _PARTS: ClassVar[PatternTable] = PatternTable(
        (sentence_patterns.TITLE, _title),
        (sentence_patterns.STATUS, _status),
        (sentence_patterns.STARTING, _start),
        (sentence_patterns.PREDICTING, _predict),
        (sentence_patterns.GAME_STARTS, _begin_game),
        (sentence_patterns.PLAYERS, _players),
        (sentence_patterns.LISTED_PLAYER, _player),
        (sentence_patterns.SUMMARY, _summarize),
        (sentence_patterns.LISTING, _begin_game),
        (sentence_patterns.HISTORY, _begin_history),
        (sentence_patterns.SETTING, _setting),
        (sentence_patterns.TIMING, _setting),
        (sentence_patterns.NUMBER, _setting),
        (sentence_patterns.TAKEN, _takeover),
        (sentence_patterns.ENDED, _ended),
        (sentence_patterns.PRESS, _message),
        (sentence_patterns.POSTAL, _message),
    )


def _put_row(draft: ReportText, row: TableRow) -> None:
    if sentence_patterns.COUNTED.match(row.text):
        draft.counts.append(row)
    elif draft.chart_line is not None:
        draft.owners.append(row)
    else:
        draft.rows.append(row)


def _is_ignored(sentence: Sentence) -> bool:
    return bool(
        sentence_patterns.SILENT.match(sentence.text)
        or sentence_patterns.LINK.match(sentence.text)
    )


class TableKind(Enum):
    """The kind of a table of units."""

    RESULTS = "results"
    ORDERS = "orders"  # one player's; in old versions and DPjudge, results
    STATUS = "status"
    START = "start"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table line `POWER: text`; *word* is the power as written."""

    word: str
    text: str
    number: int


@dataclass(slots=True)
class ReportText:
    """A table of units under its *heading*, with everything that belongs to it.

    *phase* is None if the game has no such phase, *whole* marks a complete report, and *unknown*
    are the sentences that were not understood.
    """

    kind: TableKind
    phase: Phase | None
    heading: Sentence
    rows: list[TableRow] = field(default_factory=list)
    dislodged: list[Sentence] = field(default_factory=list)
    owners: list[TableRow] = field(default_factory=list)
    counts: list[TableRow] = field(default_factory=list)
    unknown: list[Sentence] = field(default_factory=list)
    chart_line: int | None = None
    following: Phase | None = None
    following_due: datetime | None = None
    whole: bool = False
    deadline: datetime | None = None
    reported: datetime | None = None
    last: int = 0


@dataclass(slots=True)
class PressText:
    """A message with its signature (*signed*) and its readers as written."""

    signed: str | None
    readers: tuple[str, ...]
    phase: Phase | None
    sent: datetime | None
    depth: int
    number: int
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TakeoverNotice:
    """A notice that a player took over the power *word* in *phase*."""

    word: str
    address: str
    phase: Phase | None


@dataclass(frozen=True, slots=True)
class EndingNotice:
    """A sentence that ends the game; *words* name the powers."""

    kind: EndKind
    words: tuple[str, ...]
    phase: Phase | None
    text: str
    line: int


@dataclass(slots=True)
class GameText:
    """The text about the game *name* of a *judge*, in the order of the file.

    *addresses* are those of the players by power, *summary* the lines of the last summary,
    *history* the line of the heading of an unfinished history. Nothing follows for a *complete*
    game.
    """

    name: str
    judge: str | None = None
    variant: str | None = None
    drafts: list[ReportText] = field(default_factory=list)
    press: list[PressText] = field(default_factory=list)
    taken: list[TakeoverNotice] = field(default_factory=list)
    addresses: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    summary: list[Line] = field(default_factory=list)
    endings: list[EndingNotice] = field(default_factory=list)
    first: int = 1
    last: int = 1
    history: int | None = None
    complete: bool = False

    @property
    def has_content(self) -> bool:
        """Return whether anything is known beyond the name of the game."""
        return bool(self.drafts or self.press or self.summary or self.endings)
