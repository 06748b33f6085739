"""Sentences of judges' mails to chronicles: which game each belongs to, and to what part of it.

What stands between the parts, banners and footers and notices, is passed over; what stands in a
part and does not belong there is kept with it as strange.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from typing import ClassVar, TypeAlias

from judge.archive.judges import phrases
from judge.archive.judges.dates import read_date
from judge.archive.judges.drafts import Chronicle, Draft, Outcome, PressDraft, Row, Taken, Told
from judge.archive.judges.lines import Sentence
from judge.rules.types import Phase

Put: TypeAlias = "Callable[[Clerk, re.Match[str], Sentence], bool]"

GROUP_NAME = re.compile(r"\(\?P<\w+>")  # of which a pattern has none twice
CHARACTERS_MAX = 1000  # Where a longer sentence is cut: an ownership of 34 centers has 400.
UNOWNED = frozenset({"unowned", "neutral", "uncontrolled"})


class Table:
    """How sentences begin, each with what is done with it.

    Most begin like none of them, which one look at *any_of* tells.
    """

    def __init__(self, *entries: tuple[re.Pattern[str], Put]) -> None:
        nameless = (GROUP_NAME.sub("(?:", pattern.pattern) for pattern, _ in entries)
        self.entries = entries
        self.any_of = re.compile("|".join(f"(?:{each})" for each in nameless), re.IGNORECASE)


class Clerk:
    """Sorts the sentences of one file, whose *powers* are words in lower case.

    Mails of several games may be mixed; a game is handed out when nothing more of it can come.
    """

    def __init__(self, powers: Collection[str]) -> None:
        self._powers = powers
        self._games: dict[str, list[Chronicle]] = {}  # by name, of several judges
        self._complete: list[str] = []
        self._game: Chronicle | None = None
        self._draft: Draft | None = None
        self._press: PressDraft | None = None
        self._summary: Chronicle | None = None
        self._code: Phase | None = None
        self._due: datetime | None = None
        self._dated: datetime | None = None
        self._predicting = False
        self._announcing = False

    def sort(self, sentences: Iterable[Sentence]) -> Iterator[Chronicle]:
        """Take in *sentences* of a file; yield each game that is complete, the rest at its end."""
        for sentence in sentences:
            self.take(sentence)
            if self._complete and self._game and not self._game.complete:
                yield from self._finished()
        yield from self.rest()

    def rest(self) -> Iterator[Chronicle]:
        """Yield the games that are left when nothing more is to come."""
        self.end_mail()
        for namesakes in self._games.values():
            yield from namesakes
        self._games = {}

    def _finished(self) -> Iterator[Chronicle]:
        for name in self._complete:
            namesakes = self._games[name]
            yield from [each for each in namesakes if each.complete]
            self._games[name] = [each for each in namesakes if not each.complete]
        self._complete = []

    def end_mail(self) -> None:
        """Take note that a mail is over: what comes next has nothing to do with it."""
        self._close()
        self._game = self._code = self._due = self._dated = None

    def take(self, sentence: Sentence) -> None:
        """Put *sentence* where it belongs."""
        text = sentence.text
        deep = self._press.deep if self._press else sentence.deep
        if sentence.deep <= deep and self._first(self._BOUNDARIES, sentence):
            return
        if self._press:
            if sentence.deep <= deep and phrases.PRESS_ENDS.match(text):
                self._press = None
            else:
                self._press.lines.extend(sentence.lines)
            return
        if self._draft and self._draft.heading.deep != sentence.deep:
            self._close()
        if not text or self._first(self._PARTS, sentence):
            return
        if self._draft:
            self._tabulate(self._draft, sentence)
        elif self._summary:
            self._summary.summary.extend(sentence.lines)

    def _first(self, table: Table, sentence: Sentence) -> bool:
        if not table.any_of.match(sentence.text, 0, CHARACTERS_MAX):
            return False
        for pattern, put in table.entries:
            found = pattern.match(sentence.text, 0, CHARACTERS_MAX)
            if found and put(self, found, sentence):
                if self._game:
                    self._game.last = sentence.last
                return True
        return False

    def _open(self, name: str | None, judge: str | None, line: int) -> Chronicle:
        """Turn to the game *name*, of *judge* if that is told."""
        key = (name or "").strip().casefold()
        namesakes = self._games.setdefault(key, [])
        for game in reversed(namesakes):
            if judge is None or game.judge in {None, judge}:
                break
        else:
            game = Chronicle(key, first=line)
            namesakes.append(game)
        game.judge = game.judge or judge
        self._game = game
        return game

    def _current(self, found: re.Match[str], sentence: Sentence) -> Chronicle:
        """Return the game that *found* names, or that of the mail."""
        name = found.groupdict().get("game")
        if name and self._game and self._game.name == name.casefold():
            return self._game
        if name or not self._game:
            return self._open(name, None, sentence.number)
        return self._game

    def _close(self) -> None:
        self._draft = self._press = self._summary = None
        self._predicting = self._announcing = False

    # What begins a mail.

    def _masthead(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        if found["game"]:
            game = self._open(found["game"], found["judge"], sentence.number)
            game.variant = found["variant"] or game.variant
        return True

    def _deadline(self, found: re.Match[str], _: Sentence) -> bool:
        self._code = phrases.phase_of_code(found["code"])
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
        self._open(found["game"], found["judge"], sentence.number)
        self._code, self._due = phrases.phase_of_code(found["code"]), None
        return True

    def _notice(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        self._open(found["game"] or found["plain"], None, sentence.number)
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

    # What begins a part of it.

    def _title(self, found: re.Match[str], sentence: Sentence) -> bool:
        told = Told(found["told"].lower())
        if told is Told.ORDERS and self._predicting:
            return False
        return self._table(told, found, sentence)

    def _status(self, found: re.Match[str], sentence: Sentence) -> bool:
        return self._table(Told.STATUS, found, sentence)

    def _table(self, told: Told, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._current(found, sentence)
        phase = phrases.phase_of(found)
        self._close()
        self._draft = Draft(told, phase, sentence, last=sentence.last)
        self._draft.reported = self._dated
        self._draft.deadline = self._due if self._code == phase else None
        game.drafts.append(self._draft)
        return True

    def _start(self, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._current(found, sentence)
        self._close()
        phase = Phase.parse(f"{found['season'][0]}{found['year']}M")
        self._draft = Draft(Told.START, phase, sentence, last=sentence.last)
        game.drafts.append(self._draft)
        return True

    def _predict(self, _found: re.Match[str], _: Sentence) -> bool:
        self._predicting = True
        return True

    def _selected(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        self._open(found["game"], None, sentence.number)
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
        self._summary = self._open(found["game"], None, sentence.number)
        self._summary.summary = list(sentence.lines)
        return True

    def _listing(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._close()
        self._open(found["game"], None, sentence.number)
        return True

    def _begin_history(self, found: re.Match[str], sentence: Sentence) -> bool:
        self._listing(found, sentence)
        assert self._game, "the listing opened it"
        if self._game.complete:  # Another of the same name, or the same once more.
            self._game = Chronicle(self._game.name, self._game.judge, first=sentence.number)
            self._games[self._game.name].append(self._game)
        self._game.history = sentence.number
        return True

    def _setting(self, found: re.Match[str], _: Sentence) -> bool:
        if self._game is None or self._draft or not found["value"]:
            return False
        self._game.settings[found["key"].lower()] = found["value"]
        return True

    def _taken(self, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._current(found, sentence)
        game.taken.append(Taken(found["power"], found["address"], self._code))
        return True

    def _ended(self, found: re.Match[str], sentence: Sentence) -> bool:
        kind, words = phrases.ending_kind(found), phrases.names_in(found["powers"])
        game = self._current(found, sentence)
        game.outcomes.append(Outcome(kind, words, self._code, sentence.text, sentence.number))
        return True

    def _message(self, found: re.Match[str], sentence: Sentence) -> bool:
        game = self._current(found, sentence)
        words = found.groupdict()
        readers = phrases.names_in(words.get("readers") or "")
        self._close()
        self._press = PressDraft(
            signed=words["signed"],
            readers=readers,
            phase=self._code,
            sent=self._dated,
            deep=sentence.deep,
            number=sentence.number,
        )
        game.press.append(self._press)
        return True

    # What stands in a table of units.

    def _tabulate(self, draft: Draft, sentence: Sentence) -> None:
        """Put *sentence* into *draft*, or close it if it is over."""
        row = phrases.ROW.fullmatch(sentence.text)
        word = row["word"].casefold() if row else ""
        if row and not draft.whole and (word in self._powers or word in UNOWNED):
            _put_row(draft, Row(row["word"], row["text"], sentence.number))
        elif phrases.DRIVEN.fullmatch(sentence.text):
            draft.driven.append(sentence)
        elif phrases.OWNERS_TITLE.fullmatch(sentence.text):
            draft.chart_line = sentence.number
        elif found := phrases.NEXT.match(sentence.text):
            draft.following, draft.whole = phrases.phase_of(found), True
        elif phrases.OVER.match(sentence.text):
            draft.whole = True
        elif found := phrases.NEXT_DUE.match(sentence.text):
            draft.following_due = read_date(found["date"])
        elif not phrases.DRIVEN_TITLE.match(sentence.text) and not _is_silent(sentence):
            if draft.told is Told.RESULTS and not draft.whole:
                draft.strange.append(sentence)
            else:
                self._draft = None
                return
        draft.last = sentence.last

    # A method says no if its pattern fits but the sentence is none of its own.
    _BOUNDARIES: ClassVar[Table] = Table(
        (phrases.MASTHEAD, _masthead),
        (phrases.DUE, _deadline),
        (phrases.DATED, _date),
        (phrases.SUBJECT, _subject),
        (phrases.NOTICE, _notice),
        (phrases.MAIL_STARTS, _mail),
        (phrases.HISTORY_ENDS, _history_ends),
    )
    _PARTS: ClassVar[Table] = Table(
        (phrases.TITLE, _title),
        (phrases.STATUS, _status),
        (phrases.STARTING, _start),
        (phrases.PREDICTING, _predict),
        (phrases.GAME_STARTS, _selected),
        (phrases.PLAYERS, _players),
        (phrases.LISTED_PLAYER, _player),
        (phrases.SUMMARY, _summarize),
        (phrases.LISTING, _listing),
        (phrases.HISTORY, _begin_history),
        (phrases.SETTING, _setting),
        (phrases.TIMING, _setting),
        (phrases.NUMBER, _setting),
        (phrases.TAKEN, _taken),
        (phrases.ENDED, _ended),
        (phrases.PRESS, _message),
        (phrases.POSTAL, _message),
    )


def _put_row(draft: Draft, row: Row) -> None:
    if phrases.COUNTED.match(row.text):
        draft.counts.append(row)
    elif draft.chart_line is not None:
        draft.owners.append(row)
    else:
        draft.rows.append(row)


def _is_silent(sentence: Sentence) -> bool:
    return bool(phrases.SILENT.match(sentence.text) or phrases.LINK.match(sentence.text))
