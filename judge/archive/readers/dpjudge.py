"""What DPjudge writes: results files, histories, summaries, and status files with their copies.

Its mails are those of nJudge but for a few words; so they are read by the same clerk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from judge.archive.dpjudge import status
from judge.archive.judges.clerk import Clerk
from judge.archive.judges.lines import lines_of, sentences
from judge.archive.judges.telling import Teller
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.record import Record
from judge.notation.names import names_of

# A title ends in the code of the phase: `Retreat orders for Fall of 1905.  (lepanto.F1905R)`.
SIGNS = re.compile(
    r"^[>\s]*(?:(?:(?:Movement|Retreat|Adjustment) (?:results|orders)|Starting position)"
    r" for \w+ of \d{4}\.\s+\([^\s()]+\.[SFW]\d{4}[MRA]\)\s*$"
    r"|Summary of game [^'\s]+ through )",
    re.MULTILINE,
)


def recognizes(head: str) -> bool:
    """Tell whether *head* has a title, a summary or a status as DPjudge writes them."""
    return bool(SIGNS.search(head)) or status.recognizes(head)


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read the mails, or the copies of a status, of one game or several."""
    rest = iter(lines)
    head = list[str]()
    for line in rest:
        head.append(line)
        if line.strip():
            break
    is_status = bool(head) and status.GAME.fullmatch(head[-1].strip())
    yield from (status.read if is_status else _mails)(reading, chain(head, rest))


def _mails(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    clerk = Clerk(names_of(reading.board).powers.keys())
    found = False
    for chronicle in clerk.sort(sentences(lines_of(lines))):
        if chronicle.worth_telling:
            found = True
            yield Teller(chronicle, reading, FORMAT.name).record()
    if not found:
        raise UnreadableError(reading.name, None, "no report of a game, in the words of a judge")


FORMAT = Format(
    name="dpjudge",
    title="DPjudge results, histories, summaries and status files",
    rulebook="dpjudge",
    recognizes=recognizes,
    read=read,
)
