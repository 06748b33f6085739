"""Press files of DPjudge: each message under a line with its phase, who wrote it and who read it.

    :: S1901M FRANCE ENGLAND RUSSIA | (ANON) ENGLAND RUSSIA
    Let us meet in Burgundy.

Behind the bar stands what the readers were told, where that was something else; it is what is
kept, as in the mails they got.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from judge.archive.reading import Reading, UnreadableError
from judge.archive.record import Record, RecordedPress, Source
from judge.rules.types import Phase

HEADING = re.compile(
    r":: (?P<phase>[SFW]\d{4}[MRA]) (?P<true>[^|]+?)(?:\s*\|\s*(?P<told>.+?))?\s*"
)
SIGN = re.compile(r"\s*:: [SFW]\d{4}[MRA] [A-Z]")
NOBODY = "(ANON)"


@dataclass(slots=True)
class _Message:
    """A message as far as it is read."""

    press: RecordedPress
    lines: list[str] = field(default_factory=list)

    def whole(self) -> RecordedPress:
        """Return it with its text."""
        return replace(self.press, text="\n".join(self.lines).strip("\n"))


def recognizes(head: str) -> bool:
    """Tell whether *head* begins a press file."""
    return SIGN.match(head) is not None


def read(reading: Reading, texts: Iterable[str]) -> Iterator[Record]:
    """Read the messages of the one game of which *texts* is the press."""
    messages: list[_Message] = []
    number = 0
    for number, text in enumerate(texts, 1):
        if "\0" in text:
            raise UnreadableError(reading.name, number, "not a text, but bytes")
        if found := HEADING.fullmatch(text):
            messages.append(_Message(_headed(found, number)))
        elif messages:
            messages[-1].lines.append(text.rstrip())
        elif text.strip():
            reading.doubts.note(number, text.strip(), "before any message")
    if not messages:
        raise UnreadableError(reading.name, None, "no message is in it")
    yield Record(
        name=reading.title,
        source=Source("dpjudge", reading.name, reading.sha256, 1, number),
        variant=reading.board.name,
        press=tuple(each.whole() for each in messages),
        doubts=reading.doubts.taken(),
    )


def _headed(found: re.Match[str], number: int) -> RecordedPress:
    sender, *readers = (found["told"] or found["true"]).split()
    return RecordedPress(
        phase=Phase.parse(found["phase"]),
        sender=None if sender == NOBODY else sender,
        readers=tuple(readers),
        text="",
        line=number,
    )
