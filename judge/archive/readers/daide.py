"""Sessions of DAIDE: what programs and their server said to each other in a game.

A line is `client,request`, or `client,,response` with a comma between responses, or a message
alone. `SCO` and `NOW` tell owners and positions, `SUB` what was ordered, `ORD` what became of it;
`judge.archive.daide` has the language. Whoever plays is told of the same game, so several clients
make one record. A client who is given a board again begins another game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from judge.archive.daide.language import UnknownTokenError, messages
from judge.archive.daide.session import NAME, RULEBOOK, Heard, Session
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.record import Record

LINE = re.compile(r"(?:(?P<client>\d+),(?P<response>,?))?(?P<said>.*)")
KNOWN = re.compile(r"^(?:\d+,,?)?(?:NME|OBS|MAP|HLO|SCO|NOW|ORD)(?: ?\(|\s*$)", re.MULTILINE)


def recognizes(head: str) -> bool:
    """Tell whether *head* begins such a session."""
    return KNOWN.search(head) is not None


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Read the games of *lines*."""
    count, game = 0, Session(reading)
    for heard in _messages(reading, lines):
        if game.is_over_for(heard):
            if game.phases:
                count += 1
                yield game.record(count)
            game = Session(reading)
        game.hear(heard)
    if game.phases:
        yield game.record(count + 1)
    elif not count:
        raise UnreadableError(reading.name, None, "no position of a game is in it")


def _messages(reading: Reading, lines: Iterable[str]) -> Iterator[Heard]:
    for line, text in enumerate(lines, 1):
        found = LINE.fullmatch(text.replace("\ufeff", "").strip())
        if not found or not found["said"] or found["said"].startswith("#"):
            continue
        client, request = found["client"] or "", found["response"] == ""
        try:
            several = messages(found["said"])
        except UnknownTokenError as unknown:
            reading.doubts.note(line, "", str(unknown))
            continue
        for head, *words in filter(None, several):
            yield Heard(line, client, request, head, tuple(words))


FORMAT = Format(NAME, "Session of DAIDE", RULEBOOK, recognizes, read)
