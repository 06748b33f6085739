"""Text of nJudge, of versions 0.8 to 1.7: mails of results, histories, listings and summaries.

Mails may follow each other in one file, of one game or of several, quoted or not, between banners
and footers; Realpolitik writes nearly the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from judge.archive.judges.clerk import Clerk
from judge.archive.judges.lines import Line, lines_of, sentences
from judge.archive.judges.telling import Teller
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.record import Record
from judge.notation.names import names_of

WHAT = r"(?:Movement|Retreat|Adjustment)s?"
SIGNS = re.compile(
    rf"^[>\s]*(?:{WHAT} (?:results|orders) for \w+ (?:of )?\d{{4}}\.?\s*(?:\([^().]+\.\d+\)\s*)?$"
    rf"|Status of the {WHAT} phase for |Summary of game '|History information for game '"
    r"|Starting position for \w+ of \d{4}\.\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
DPJUDGE = re.compile(
    r"^[>\s]*:: Judge: .*Variant: \S+ $|\([\w-]+\.[SFW]\d{4}[MRAB]\)", re.MULTILINE
)


def recognizes(head: str) -> bool:
    """Tell whether *head* has a table or a title of nJudge in it, and none of DPjudge."""
    return bool(SIGNS.search(head)) and not DPJUDGE.search(head)


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read a file of such text; a game is yielded when its history ends, or the file."""
    clerk = Clerk(names_of(reading.board).powers.keys())
    found = False
    for chronicle in clerk.sort(sentences(_checked(reading, lines_of(lines)))):
        if chronicle.worth_telling:
            found = True
            yield Teller(chronicle, reading, FORMAT.name).record()
    if not found:
        raise UnreadableError(reading.name, None, "no report of a game, in the words of a judge")


def _checked(reading: Reading, lines: Iterable[Line]) -> Iterator[Line]:
    """Yield *lines*. Raises `UnreadableError` where they are no text, or not decoded rightly."""
    for line in lines:
        if "\0" in line.text:
            raise UnreadableError(reading.name, line.number, "not a text, but bytes")
        if "\ufffd" in line.text:
            reading.doubts.note(line.number, line.text, "not in the encoding that was expected")
        yield line


FORMAT = Format(
    name="njudge",
    title="nJudge results, histories and listings",
    rulebook="njudge",
    recognizes=recognizes,
    read=read,
)
