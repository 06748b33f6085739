"""Mailboxes of result mails of nJudge: mbox files, and single mails as a Maildir holds them.

Mails of several games may be mixed; they are told apart by their headings. All games are held
until the end of the file, since a mail of any of them may be the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from judge.archive.judges.drafts import Chronicle
from judge.archive.judges.games import checked, clerk_for, told
from judge.archive.judges.lines import sentences
from judge.archive.judges.mails import Mail, is_mail, is_ours, mails, written_in
from judge.archive.readers.njudge import is_njudge
from judge.archive.reading import Format, Reading
from judge.archive.record import Record

SUBJECT = re.compile(r"^Subject: .*\b\w+:[\w-]+ - [SUFW]\d{4}[MRB]X? ", re.MULTILINE)


def recognizes(head: str) -> bool:
    """Tell whether *head* begins with a mail, and there is one of nJudge in it."""
    if not is_mail(head) or is_ours(head):
        return False
    return is_njudge(head) or bool(SUBJECT.search(head))


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a mailbox, or a single mail."""
    return told(reading, chronicles(reading, mails(lines)), FORMAT.name)


def chronicles(reading: Reading, letters: Iterable[Mail]) -> Iterator[Chronicle]:
    """Sort by game what mails say, each its numbered lines."""
    clerk = clerk_for(reading)
    for letter in letters:
        clerk.end_mail()
        for sentence in sentences(checked(reading, written_in(letter))):
            clerk.take(sentence)
    return clerk.rest()


FORMAT = Format(
    name="mailbox",
    title="mailboxes of nJudge's result mails",
    rulebook="njudge",
    recognizes=recognizes,
    reads=read,
)
