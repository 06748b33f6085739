"""What a judge's SUMMARY says: who played what since when, and who owned what in which year."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from judge.archive.judges import phrases
from judge.archive.judges.lines import Line
from judge.archive.names import center_of
from judge.archive.reading import Doubts
from judge.archive.record import YearChart
from judge.notation.names import names_of
from judge.rules.board import Map
from judge.rules.types import Phase, Power, Province

THROUGH = re.compile(rf"Summary of game '?\S+? through (?P<code>{phrases.CODE})", re.IGNORECASE)
PLAYER = re.compile(r"\s*(?P<word>[A-Z]\w+):\s+(?P<who>\S.*)")
SINCE = re.compile(rf"\s*from (?P<code>{phrases.CODE}):?\s+(?P<who>\S.*)", re.IGNORECASE)
ADDRESS = re.compile(r"\S+@\S+$")
CHART = "historical supply center summary"
COUNTS = "history of supply center counts"
YEAR = re.compile(r"(?P<year>\d{4}) (?P<letters>[A-Z.](?: [A-Z.])*)$")


@dataclass(frozen=True, slots=True)
class Player:
    """Who held the power called *word*, *since* a phase if he replaced another."""

    word: str
    name: str | None
    address: str | None
    since: Phase | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary in the parts that a record has."""

    through: Phase | None
    players: tuple[Player, ...]
    charts: tuple[YearChart, ...]


def read_summary(lines: Sequence[Line], board: Map, doubts: Doubts) -> Summary:
    """Read the *lines* of a summary, from its heading to its end."""
    through = THROUGH.match(lines[0].text) if lines else None
    titles = [line.text.strip().casefold() for line in lines]
    start = titles.index(CHART) if CHART in titles else len(lines)
    end = titles.index(COUNTS) if COUNTS in titles else len(lines)
    return Summary(
        phrases.phase_of_code(through["code"]) if through else None,
        tuple(_players(lines[:start])),
        tuple(_charts(lines[start:end], board, doubts)),
    )


def _players(lines: Sequence[Line]) -> Iterator[Player]:
    word = ""
    for line in lines:
        if found := PLAYER.fullmatch(line.text):
            word = found["word"]
            yield _player(word, found["who"], None)
        elif (found := SINCE.fullmatch(line.text)) and word:
            yield _player(word, found["who"], phrases.phase_of_code(found["code"]))


def _player(word: str, who: str, since: Phase | None) -> Player:
    address = ADDRESS.search(who.strip())
    name = " ".join((who[: address.start()] if address else who).split())
    return Player(word, name or None, address[0] if address else None, since)


def _charts(lines: Sequence[Line], board: Map, doubts: Doubts) -> Iterator[YearChart]:
    """Read the rows of letters under two rows of names, of which every other stands above."""
    above: Sequence[str] = ()
    centers: Sequence[Province | None] = ()
    for line in lines:
        words = line.text.split()
        if words[:1] == ["Year"]:
            staggered = chain.from_iterable(zip_longest(above, words[1:], fillvalue=""))
            centers = [center_of(board, name) for name in staggered if name]
        elif found := YEAR.match(line.text.strip()):
            yield from _chart(line, found, centers, board, doubts)
        above = words


def _chart(
    line: Line,
    found: re.Match[str],
    centers: Sequence[Province | None],
    board: Map,
    doubts: Doubts,
) -> Iterator[YearChart]:
    letters = found["letters"].split()
    powers: Mapping[str, Power] = names_of(board).letters
    if len(letters) != len(centers) or None in centers:
        doubts.note(line.number, line.text.strip(), "its centers are not those of the heading")
        return
    owners = {
        center: powers[letter.casefold()]
        for center, letter in zip(centers, letters, strict=True)
        if center and letter.casefold() in powers
    }
    yield YearChart(int(found["year"]), dict(Counter(owners.values())), owners)
