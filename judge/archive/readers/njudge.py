"""Text of nJudge, of versions 0.8 to 1.7: mails of results, histories, listings and summaries.

Mails may follow each other in one file, of one game or of several, quoted or not, between banners
and footers. Realpolitik writes nearly the same, and is read here as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from judge.archive.judges.games import read_games
from judge.archive.judges.mails import is_mail
from judge.archive.reading import Format, Reading
from judge.archive.record import Record

WHAT = r"(?:Movement|Retreat|Adjustment)s?"
SIGNS = re.compile(
    rf"^[> \t]*(?:{WHAT} (?:results|orders) for \w+ (?:of )?\d{{4}}\.?\s*(?:\([^().]+\.\d+\)\s*)?$"
    rf"|Status of the {WHAT} phase for |Summary of game '|History information for game '"
    r"|Starting position for \w+ of \d{4}\.\s*$"
    r"|[^\n()]{10,80}\([\w-]+\.\d{3}\)\s*$)",  # a title in whatever language
    re.IGNORECASE | re.MULTILINE,
)
# DPjudge puts the code of the phase where nJudge counts the phases, and begins files of press so.
DPJUDGE = re.compile(
    r" for \w+ of \d{4}\.\s+\([^\s()]+\.[SFW]\d{4}[MRAB]\)|\A\s*:: [SFW]\d{4}[MRA] [A-Z]"
)


def recognizes(head: str) -> bool:
    """Tell whether *head* has a title of nJudge in it, and is no mailbox."""
    return not is_mail(head) and is_njudge(head)


def is_njudge(head: str) -> bool:
    """Tell whether *head* has a title of nJudge in it, and none of DPjudge."""
    return bool(SIGNS.search(head)) and not DPJUDGE.search(head)


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a file of such text."""
    return read_games(reading, lines, FORMAT.name)


FORMAT = Format(
    name="njudge",
    title="nJudge results, histories and listings",
    rulebook="njudge",
    recognizes=recognizes,
    reads=read,
)
