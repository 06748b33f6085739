"""Read nJudge text, mailboxes of its results emails, and mailboxes of this judge's own.

Emails of several games may be mixed in one file, quoted or not, between banners and footers;
headings identify the games. Games of a mailbox are held to the end of the file, since any email
may belong to any of them. Realpolitik writes nearly the same text. This judge's own results have
nJudge's tables; the sentences around them are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from judge.archive.formats.njudge.game_parser import GameParser
from judge.archive.formats.njudge.mail_text import (
    Line,
    Mail,
    is_mail,
    is_own_mail,
    lines_of_mail,
    parse_lines,
    sentences,
    split_mails,
)
from judge.archive.formats.njudge.sections import GameText, SentenceSorter
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.record import Record
from judge.notation.names import names_of

PHASE_WORDS = r"(?:Movement|Retreat|Adjustment)s?"
SIGNS = re.compile(
    rf"^[> \t]*(?:{PHASE_WORDS} (?:results|orders) for \w+ "
    rf"(?:of )?\d{{4}}\.?\s*(?:\([^().]+\.\d+\)\s*)?$"
    rf"|Status of the {PHASE_WORDS} phase for |Summary of game '|History information for game '"
    r"|Starting position for \w+ of \d{4}\.\s*$"
    r"|[^\n()]{10,80}\([\w-]+\.\d{3}\)\s*$)",  # a title in whatever language
    re.IGNORECASE | re.MULTILINE,
)
# DPjudge puts the code of the phase where nJudge counts the phases, and begins files of press so.
DPJUDGE_SIGNS = re.compile(
    r" for \w+ of \d{4}\.\s+\([^\s()]+\.[SFW]\d{4}[MRAB]\)|\A\s*:: [SFW]\d{4}[MRA] [A-Z]"
)


def recognizes_njudge(head: str) -> bool:
    """Return whether *head* contains a title of nJudge and is no mailbox."""
    return not is_mail(head) and has_njudge_title(head)


def has_njudge_title(head: str) -> bool:
    """Return whether *head* contains a title of nJudge, and none of DPjudge."""
    return bool(SIGNS.search(head)) and not DPJUDGE_SIGNS.search(head)


def read_njudge(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a file of such text."""
    return read_games(reading, lines, NJUDGE.name)


NJUDGE = Format(
    name="njudge",
    title="nJudge results, histories and listings",
    rulebook="njudge",
    recognizes=recognizes_njudge,
    reads=read_njudge,
)


SUBJECT = re.compile(r"^Subject: .*\b\w+:[\w-]+ - [SUFW]\d{4}[MRB]X? ", re.MULTILINE)


def recognizes_mailbox(head: str) -> bool:
    """Return whether *head* begins with an email and contains one of nJudge."""
    if not is_mail(head) or is_own_mail(head):
        return False
    return has_njudge_title(head) or bool(SUBJECT.search(head))


def read_mailbox(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a mailbox, or a single email."""
    return records_of(reading, sort_emails(reading, split_mails(lines)), MAILBOX.name)


def sort_emails(reading: Reading, emails: Iterable[Mail]) -> Iterator[GameText]:
    """Sort the text of *emails* by game."""
    sorter = SentenceSorter(names_of(reading.board).powers.keys())
    for each in emails:
        sorter.end_mail()
        for sentence in sentences(checked_lines(reading, lines_of_mail(each))):
            sorter.add(sentence)
    return sorter.rest()


MAILBOX = Format(
    name="mailbox",
    title="mailboxes of nJudge's result mails",
    rulebook="njudge",
    recognizes=recognizes_mailbox,
    reads=read_mailbox,
)


def read_own_mailbox(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a mailbox, or a single email."""
    games = map(_without_comments, sort_emails(reading, split_mails(lines)))
    return records_of(reading, games, OWN_MAILBOX.name)


def _without_comments(game: GameText) -> GameText:
    for draft in game.drafts:
        draft.unknown.clear()
    return game


OWN_MAILBOX = Format(
    name="ours",
    title="mailboxes of this judge's own result mails",
    rulebook="datc",
    recognizes=is_own_mail,
    reads=read_own_mailbox,
)


def read_games(reading: Reading, lines: Iterable[str], source: str) -> Iterator[Record]:
    """Read consecutive results in *lines*, in the format *source*.

    A game is yielded when its history has ended and another begins, or at the end of the file.
    """
    sorter = SentenceSorter(names_of(reading.board).powers.keys())
    found = sentences(checked_lines(reading, parse_lines(lines)))
    return records_of(reading, sorter.sort(found), source)


def records_of(reading: Reading, games: Iterable[GameText], source: str) -> Iterator[Record]:
    """Yield the records of *games*. Raises `UnreadableError` if none has any content."""
    found = False
    for game in games:
        if game.has_content:
            found = True
            yield GameParser(game, reading, source).record()
    if not found:
        why = "no report of a game in the words of a judge, which are English"
        raise UnreadableError(reading.name, None, why)


def checked_lines(reading: Reading, lines: Iterable[Line]) -> Iterator[Line]:
    """Yield *lines*; wrongly decoded ones are doubts. Raises `UnreadableError` if not text."""
    for line in lines:
        if "\0" in line.text:
            raise UnreadableError(reading.name, line.number, "not a text, but bytes")
        if "\ufffd" in line.text:
            reading.doubts.note(line.number, line.text, "not in the encoding that was expected")
        yield line
