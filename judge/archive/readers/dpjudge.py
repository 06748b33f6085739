"""What DPjudge writes: results, histories, summaries, press, and status files with their copies.

Its mails are those of nJudge but for a few words; so they are read by the same clerk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from judge.archive.dpjudge import press, status
from judge.archive.judges.games import checked, clerk_for, read_games, told
from judge.archive.judges.lines import sentences
from judge.archive.judges.mails import Mail, is_mail, is_ours, mails, written_in
from judge.archive.reading import Format, Reading
from judge.archive.record import Record

HEAD_LINES = 100  # in which mails have their headers, and a status file names its phase
PREVIEW = "Subject: PREVIEW "  # The moderator's dry run is no result.
# A title ends in the code of the phase: `Retreat orders for Fall of 1905.  (lepanto.F1905R)`.
SIGNS = re.compile(
    r"^[> \t]*(?:(?:(?:Movement|Retreat|Adjustment) (?:results|orders)|Starting position)"
    r" for \w+ of \d{4}\.\s+\([^\s()]+\.[SFW]\d{4}[MRA]\)\s*$"
    r"|Summary of game [^'\s]+ through )",
    re.MULTILINE,
)


def recognizes(head: str) -> bool:
    """Tell whether *head* has a title, a summary, a status or press as DPjudge writes them."""
    if is_ours(head):
        return False
    return bool(SIGNS.search(head)) or status.recognizes(head) or press.recognizes(head)


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read the mails, or the copies of a status, of one game or several."""
    rest = iter(lines)
    first = list(islice(rest, HEAD_LINES))
    head, whole = "\n".join(first), chain(first, rest)
    if status.recognizes(head):
        return status.read(reading, whole)
    if press.recognizes(head):
        return press.read(reading, whole)
    if is_mail(head):
        return _read_mails(reading, mails(whole))
    return read_games(reading, whole, FORMAT.name)


def _read_mails(reading: Reading, letters: Iterable[Mail]) -> Iterator[Record]:
    clerk = clerk_for(reading)
    for letter in letters:
        if not any(line.startswith(PREVIEW) for _, line in letter):
            clerk.end_mail()
            for sentence in sentences(checked(reading, written_in(letter))):
                clerk.take(sentence)
    yield from told(reading, clerk.rest(), FORMAT.name)


FORMAT = Format(
    name="dpjudge",
    title="DPjudge results, histories, summaries, status and press files",
    rulebook="dpjudge",
    recognizes=recognizes,
    reads=read,
)
