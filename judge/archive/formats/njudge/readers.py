"""Read nJudge text, mailboxes of its results emails, and mailboxes of this judge's own.

Emails of several games may be mixed in one file, quoted or not, between banners and footers;
headings tell the games apart. Games of a mailbox are held to the end of the file, since any email
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
    """Tell whether *head* has a title of nJudge in it, and is no mailbox."""
    return not is_mail(head) and has_njudge_title(head)


def has_njudge_title(head: str) -> bool:
    """Tell whether *head* has a title of nJudge in it, and none of DPjudge."""
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
    """Tell whether *head* begins with a mail, and there is one of nJudge in it."""
    if not is_mail(head) or is_own_mail(head):
        return False
    return has_njudge_title(head) or bool(SUBJECT.search(head))


def read_mailbox(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a mailbox, or a single mail."""
    return records_of(reading, chronicles(reading, split_mails(lines)), MAILBOX.name)


def chronicles(reading: Reading, letters: Iterable[Mail]) -> Iterator[GameText]:
    """Sort by game what mails say, each its numbered lines."""
    clerk = sorter_for(reading)
    for letter in letters:
        clerk.end_mail()
        for sentence in sentences(checked_lines(reading, lines_of_mail(letter))):
            clerk.take(sentence)
    return clerk.rest()


MAILBOX = Format(
    name="mailbox",
    title="mailboxes of nJudge's result mails",
    rulebook="njudge",
    recognizes=recognizes_mailbox,
    reads=read_mailbox,
)


def read_own_mailbox(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a mailbox, or a single mail."""
    return records_of(
        reading, map(_without_comments, chronicles(reading, split_mails(lines))), OWN_MAILBOX.name
    )


def _without_comments(chronicle: GameText) -> GameText:
    for draft in chronicle.drafts:
        draft.strange.clear()
    return chronicle


OWN_MAILBOX = Format(
    name="ours",
    title="mailboxes of this judge's own result mails",
    rulebook="datc",
    recognizes=is_own_mail,
    reads=read_own_mailbox,
)


def read_games(reading: Reading, lines: Iterable[str], source: str) -> Iterator[Record]:
    """Read mails that follow each other in *lines*, in the format *source*.

    A game is yielded when its history has ended and another begins, or at the end of the file.
    """
    clerk = sorter_for(reading)
    yield from records_of(
        reading, clerk.sort(sentences(checked_lines(reading, parse_lines(lines)))), source
    )


def sorter_for(reading: Reading) -> SentenceSorter:
    """Return a clerk that knows the powers of the board."""
    return SentenceSorter(names_of(reading.board).powers.keys())


def records_of(reading: Reading, games: Iterable[GameText], source: str) -> Iterator[Record]:
    """Yield the records of *games*. Raises `UnreadableError` if nothing is told of any."""
    found = False
    for chronicle in games:
        if chronicle.worth_telling:
            found = True
            yield GameParser(chronicle, reading, source).record()
    if not found:
        why = "no report of a game in the words of a judge, which are English"
        raise UnreadableError(reading.name, None, why)


def checked_lines(reading: Reading, lines: Iterable[Line]) -> Iterator[Line]:
    """Yield *lines*. Raises `UnreadableError` where they are no text, or not decoded rightly."""
    for line in lines:
        if "\0" in line.text:
            raise UnreadableError(reading.name, line.number, "not a text, but bytes")
        if "\ufffd" in line.text:
            reading.doubts.note(line.number, line.text, "not in the encoding that was expected")
        yield line
