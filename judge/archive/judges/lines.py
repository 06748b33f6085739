"""Lines of mail to sentences: quotation marks taken off, and wrapped lines joined again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

QUOTED = re.compile(r"(?:\s?>)+ ?")
# What begins a sentence of a judge that may go on in the next line.
OPENS = re.compile(
    r"\s*(?:[A-Z][\w-]*:\s|The\s|Message\s|Broadcast\s|Game\s'|\S+@\S+\s(?:as|has)\b)"
)
# What begins something else, so that the sentence before it is over.
STARTS = re.compile(
    r"\s*(?:[A-Z][\w-]*:(?:\s|$)|::\s|----|The\s(?:next|deadline|game|following)\s|Time\sto\s"
    r"|The\s\w+\s(?:Army|Fleet)\s|Ownership\sof|(?:Movement|Retreat|Adjustment)s?\s(?:results|orders)"
    r"|Message\s|Broadcast\s|from\s[SUFW]\d|End\sof\s(?:press\s)?message)",
    re.IGNORECASE,
)
# `-> St.` goes on with `Petersburg`, and `3 Units:` with what they are owed.
COMPLETE = re.compile(r"(?:(?<!\bSt)\.|\*\)|!|(?<!\bUnit)(?<!\bUnits):)$")
WRAPPED_MAX = 12  # Lines of one sentence: an ownership of 34 centers has 6.


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its *number* from 1, its text without marks, how *deep* it was quoted."""

    number: int
    text: str
    deep: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line, or several that a mail program wrapped: *text* in one, *lines* as they stood."""

    text: str
    lines: tuple[Line, ...]

    @property
    def number(self) -> int:
        """Return the number of the first line."""
        return self.lines[0].number

    @property
    def last(self) -> int:
        """Return the number of the last line."""
        return self.lines[-1].number

    @property
    def deep(self) -> int:
        """Return how deep the first line was quoted."""
        return self.lines[0].deep


def lines_of(texts: Iterable[str]) -> Iterator[Line]:
    """Yield *texts* as lines numbered from 1."""
    for number, text in enumerate(texts, 1):
        yield line_of(number, text)


def line_of(number: int, text: str) -> Line:
    """Make a line of *text*, whose marks of quotation are counted."""
    marks = QUOTED.match(text)
    if not marks:
        return Line(number, text.rstrip())
    return Line(number, text[marks.end() :].rstrip(), marks[0].count(">"))


def sentences(lines: Iterable[Line]) -> Iterator[Sentence]:
    """Join what was wrapped; any other line, a blank one as well, is a sentence of its own."""
    open_lines: list[Line] = []
    for line in lines:
        if open_lines and not _goes_on(open_lines, line):
            yield _joined(open_lines)
            open_lines = []
        open_lines.append(line)
    if open_lines:
        yield _joined(open_lines)


def _goes_on(lines: list[Line], following: Line) -> bool:
    if not following.text or not OPENS.match(lines[0].text) or len(lines) == WRAPPED_MAX:
        return False
    if following.text.lstrip().startswith("(*"):
        return True
    return not COMPLETE.search(lines[-1].text) and not STARTS.match(following.text)


def _joined(lines: list[Line]) -> Sentence:
    return Sentence(" ".join(" ".join(line.text for line in lines).split()), tuple(lines))
