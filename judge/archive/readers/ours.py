"""Mailboxes of the result mails that this judge sends: mboxes and Maildirs, as players have them.

They have the tables of nJudge's; those in English are read. The sentences around them, the reasons
of failures and who stands where, say again what the tables say: none of them is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.archive.judges.drafts import Chronicle
from judge.archive.judges.games import told
from judge.archive.judges.mails import is_ours, mails
from judge.archive.readers.mailbox import chronicles
from judge.archive.reading import Format, Reading
from judge.archive.record import Record


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a mailbox, or a single mail."""
    return told(reading, map(_without_comments, chronicles(reading, mails(lines))), FORMAT.name)


def _without_comments(chronicle: Chronicle) -> Chronicle:
    for draft in chronicle.drafts:
        draft.strange.clear()
    return chronicle


FORMAT = Format(
    name="ours",
    title="mailboxes of this judge's own result mails",
    rulebook="datc",
    recognizes=is_ours,
    reads=read,
)
