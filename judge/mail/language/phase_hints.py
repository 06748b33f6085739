"""Lines that speak of a phase beside other things, or of one to come and not of which.

`Spring 1902 -- if all goes well` and `Fall moves are as follows:` head what stands below them.
Below `Next turn:` stands what is for a phase to come, and only its writer knows for which: such a
line is said to name itself, as no phase is called, so that nothing below it is done unasked. So is
what names orders that stand in for others: `Plan B:`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from judge.mail.language.phase_headings import (
    OF_OTHER_THINGS,
    WORD,
    Heading,
    holds_order,
    is_of_heading,
)
from judge.mail.language.phase_names import PARTIAL, YEAR, phase_said
from judge.mail.language.phase_slips import plain, spelled
from judge.mail.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.rules.board import Map

HINT_MAX = 200  # characters
WORDS_MAX = 12  # A longer line is a sentence.
COLON = re.compile(r":[\W_]*$")
VERB = re.compile(r"\b(?:will|must|shall|should|would|may|might|can|could|(?<!get )to) fall\b")
IF = spelled(  # What may follow the name of a phase that heads orders.
    "if when whenever case assuming provided providing unless should only follow follows"
    " subject just depending tentative tentatively provisional provisionally preliminary"
    " conditional wenn falls sofern unter vorbehaltlich si selon sauf sous"
)
HANGS = spelled("if otherwise else wenn sonst si sinon")  # So does what follows a season alone.
ENCLOSED = re.compile(r"\([^()]*\)")
NO_PHASE = "?"  # It is said that it is for one, and not for which.
SOON = "<soon>"
OF_NEXT = listed(
    "next | following | coming | subsequent | upcoming | second | third | 2nd | 3rd | fourth"
)
TURNS = listed("turn | turns | phase | phases | season | seasons | year | years | round | rounds")
NEXT = re.compile(
    rf"\b(?:(?:{'|'.join(OF_NEXT)}) (?:{'|'.join(TURNS)})|(?:turn|phase|year|round) [2-9]"
    r"|(?:n(?:ä|ae|a)chste|folgende|kommende)[nrsm]? (?:runde|phase|saison|jahr|zug|jahreszeit)"
    r"|(?:tour|phase|saison|ann(?:é|e)e) prochaine?"
    r"|prochaine? (?:tour|phase|saison|ann(?:é|e)e)|(?:tour|phase|saison|ann(?:é|e)e) suivante?)\b"
)
SOME_TIME = re.compile(r"\b(?:later|sp(?:ä|ae|a)ter|plus tard)\b")
THEREAFTER = re.compile(
    r"\b(?:afterwards?|thereafter|after that|danach|anschlie(?:ß|ss)end|ensuite|apr(?:è|e)s)\b"
)
NO_YEAR = re.compile(r"(?!20[2-9])\d+")  # `Fall 191`; but `Spring 2026` is when somebody writes
# Of `H1901` none knows whether it is Herbst or hiver, and `1901 II` is some part of a year.
UNSURE = re.compile(r"\W*(?:[Hh](?:1\d{3}|0\d)|1\d{3}[ /.-]?(?:II|III|[23]))\W*")
# What is not to be done at once, but in place of what is: `Plan A:` is for now.
INSTEAD = re.compile(
    r"\W*(?:(?:plan|option|variante?|alternative) (?:[b-h]|[2-9]|two|zwei|deux)"
    r"|(?:alternative?|alternatives|(?:back-?up|fall-?back)(?: plan| orders| moves)?)(?= ?:))\W*",
    re.IGNORECASE,
)
ALONE = re.compile(r"\W*(1\d{3})\W*")
WHEN = re.compile(  # `When fall comes:`, `Once in fall,`
    r"\W*(?:when|once|as soon as|wenn|sobald|quand)"
    r"(?: (?:in|it is|it's|we are in|we get to|the|es))* (\w+)"
    r"(?: (?:comes|arrives|starts|begins|is here|ist|kommt|vient))?\W*[:,]\W*",
    re.IGNORECASE,
)
NUMBER = spelled("nineteen hundred oh ought one two three four five six seven eight nine")


def hint(line: str, board: Map) -> Heading | None:
    """Return what *line* gives to understand of the phase that orders are for, None if nothing."""
    if len(line) > HINT_MAX:
        return None
    shown = VERB.sub(" ", plain(line).casefold())
    if UNSURE.fullmatch(line) or INSTEAD.fullmatch(line):
        return Heading(line.strip(), in_passing=True)
    if when := ALONE.fullmatch(line) or WHEN.fullmatch(line):
        season = when[1] if YEAR.fullmatch(when[1]) else phase_said([when[1]])
        return Heading(season, in_passing=True) if season else None
    colon = COLON.search(line) is not None
    words = WORD.findall(THEREAFTER.sub("later", shown) if colon else shown)
    if len(words) > WORDS_MAX or not OF_OTHER_THINGS.isdisjoint(words):
        return None
    said = _in_passing(shown, words, board, colon=colon) or _some_time(words, board, colon=colon)
    if said is None or holds_order(ENCLOSED.sub(" ", line), board):
        return None
    return Heading(line.strip() if said == NO_PHASE else said, in_passing=True)


def says_next(line: str) -> bool:
    """Say whether *line* speaks of the next turn, as `Next season's moves:` does."""
    return len(line) <= HINT_MAX and NEXT.search(plain(line).casefold()) is not None


def next_in_subject(subject: str) -> tuple[str, ...]:
    """Return *subject*, as the name of no phase, if all that it says is `Next turn`."""
    said = subject.strip(" :.!")
    return (said,) if len(said) <= HINT_MAX and NEXT.fullmatch(said.casefold()) else ()


def hint_before(line: str, board: Map) -> Heading | None:
    """Read `Next turn: A Par-Bur`, where what is below a hint stands behind it."""
    head, colon, rest = line.partition(":")
    told = hint(head + colon, board) if colon and rest.strip() else None
    return replace(told, rest=rest.strip()) if told else None


def _in_passing(line: str, words: Sequence[str], board: Map, *, colon: bool) -> str | None:
    """Read `Fall moves are as follows:`, `Spring 1902 (if all goes well)`, `In 1902:`."""

    def of_heading(word: str) -> bool:
        return is_of_heading(word, board)

    said = phase_said(words) or _year(words, of_heading)
    if said is None:
        return None
    others = [word for word in words if not of_heading(word)]
    start = list(takewhile(of_heading, words))
    end = list(takewhile(of_heading, reversed(words)))[::-1]
    if others and all(word in NUMBER or NO_YEAR.fullmatch(word) for word in others):
        return NO_PHASE
    if colon and not PARTIAL.fullmatch(said):
        return NO_PHASE
    if colon and (_has_year(said) or _has_season(start) or _has_season(end)):
        return said
    opened = phase_said(start)
    introduced = others and (others[0] in IF or _is_enclosed(line, others[0]))
    hangs = others[:1] and others[0] in HANGS and _has_season(start) and line[-1] != "!"
    return opened if opened and (hangs or (introduced and _has_year(opened))) else None


def _year(words: Sequence[str], of_heading: Callable[[str], bool]) -> str | None:
    """Return the year that a line names which says nothing else: `In 1902:`."""
    years = {word for word in words if YEAR.fullmatch(word)}
    return years.pop() if len(years) == 1 and all(map(of_heading, words)) else None


def _has_year(said: str) -> bool:
    named = PARTIAL.fullmatch(said)
    return bool(named and named[2])


def _has_season(run: Sequence[str]) -> bool:
    named = PARTIAL.fullmatch(phase_said(run) or "")
    return bool(named and named[1])


def _is_enclosed(line: str, word: str) -> bool:
    """Say whether *word* is the first in parentheses, with which *line* ends."""
    return re.search(rf"\(\W*{re.escape(word)}\b[^()]*\)[\W_]*$", line) is not None


def _some_time(words: Sequence[str], board: Map, *, colon: bool) -> str | None:
    """Tell `Next turn:`, `For later`, `Orders for next year`; not `Next turn will be fun`."""
    text = " ".join(words)
    told = SOME_TIME.sub(SOON, NEXT.sub(SOON, text)).split()
    if SOON not in told:
        return None
    start, end = (
        list(takewhile(lambda word: word == SOON or is_of_heading(word, board), each))
        for each in (told, reversed(told))
    )
    after = told[len(start) : len(start) + 1]
    introduced = SOON in start and not IF.isdisjoint(after)
    ends = colon and SOON in end and NEXT.search(text)
    return NO_PHASE if len(start) == len(told) or introduced or ends else None
