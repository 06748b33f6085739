"""Lines of judges' text to the records of its games, whatever judge wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.archive.judges.clerk import Clerk
from judge.archive.judges.drafts import Chronicle
from judge.archive.judges.lines import Line, lines_of, sentences
from judge.archive.judges.telling import Teller
from judge.archive.reading import Reading, UnreadableError
from judge.archive.record import Record
from judge.notation.names import names_of


def read_games(reading: Reading, lines: Iterable[str], source: str) -> Iterator[Record]:
    """Read mails that follow each other in *lines*, in the format *source*.

    A game is yielded when its history has ended and another begins, or at the end of the file.
    """
    clerk = clerk_for(reading)
    yield from told(reading, clerk.sort(sentences(checked(reading, lines_of(lines)))), source)


def clerk_for(reading: Reading) -> Clerk:
    """Return a clerk that knows the powers of the board."""
    return Clerk(names_of(reading.board).powers.keys())


def told(reading: Reading, games: Iterable[Chronicle], source: str) -> Iterator[Record]:
    """Yield the records of *games*. Raises `UnreadableError` if nothing is told of any."""
    found = False
    for chronicle in games:
        if chronicle.worth_telling:
            found = True
            yield Teller(chronicle, reading, source).record()
    if not found:
        why = "no report of a game in the words of a judge, which are English"
        raise UnreadableError(reading.name, None, why)


def checked(reading: Reading, lines: Iterable[Line]) -> Iterator[Line]:
    """Yield *lines*. Raises `UnreadableError` where they are no text, or not decoded rightly."""
    for line in lines:
        if "\0" in line.text:
            raise UnreadableError(reading.name, line.number, "not a text, but bytes")
        if "\ufffd" in line.text:
            reading.doubts.note(line.number, line.text, "not in the encoding that was expected")
        yield line
