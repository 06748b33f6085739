"""The prose among orders: greetings, remarks and possible orders.

The receipt lists the sentences that name a province: each may be an order that was not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from judge.game.visibility import provinces_held
from judge.mail.body import Line
from judge.mail.reader.courtesies import is_courtesy, is_farewell, is_introduction, may_be_name
from judge.notation.conditional_orders import ReadConditionalOrder
from judge.notation.readings import NotUnderstood, Unclear, Understood
from judge.notation.terms import Names, Token, names_of, tokenize
from judge.reading.words import words_for
from judge.reports.emails.receipts import CourtesiesIgnored, Item, SentencesIgnored
from judge.rules.board import Map
from judge.rules.types import Position, Power, Province

LETTER = re.compile(r"[^\W_]")
NUMBERING = re.compile(r"\W*\d{1,2}[.)]\W*")
BETWEEN = re.compile(r"(?:[\W\d_]|\b(?:and|und|et|then|dann|puis)\b)*", re.IGNORECASE)
# Not behind the number of a date, `Vom 23. Dezember an`, nor in `St. Petersburg`.
SENTENCES = re.compile(r"(?<=[.!?])(?<!\b\d\.)(?<!\b\d\d\.)(?<!\bSt\.)\s+(?=[^\W\d_]{3,})")
# Everyday words that begin like provinces; only provinces are capitalized.
EVERYDAY = frozenset(
    [
        *("bar", "con", "den", "die", "gal", "gas", "hel", "hol", "ion", "mar", "nor", "par"),
        *("pie", "por", "rum", "see", "tun", "war"),
    ]
)
WORDS = re.compile(r"\w+")
ENCLOSED = re.compile(r"\([^()]*\)")
ADJUSTMENTS = {word for word in words_for("build", "disband") if len(word) > 1}
MARKS = frozenset(":=-")  # one of them ends a heading
HEADING_CHARACTERS_MAX = 200
HEADING_WORDS_MAX = 2
COMMAS = re.compile(r"[,;.!:]")
SENTENCE_MARKS = ".!?:;"
LIKE_A_NAME = 0.85  # similarity, at most 1
MISSPELT_LETTERS_MIN = 6
COMPARED_MAX = 50  # words of a sentence

OrderReading = Understood | Unclear | NotUnderstood | ReadConditionalOrder


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that is no order, but may be an unread one if it *names* a province."""

    line: int
    text: str
    names: bool


@dataclass(frozen=True, slots=True)
class NotOrders:
    """The text among orders that is none: *sentences* to be shown, *courtesies* to be counted.

    *headings* are lines above orders that name a power or a kind of order.
    """

    sentences: tuple[Sentence, ...] = ()
    courtesies: tuple[str, ...] = ()
    headings: tuple[tuple[int, str], ...] = ()


ALL_ORDERS = NotOrders()


def text_without_orders(
    board: Map,
    position: Position | None,
    power: Power | None,
    lines: Sequence[Line],
    readings: Sequence[OrderReading],
) -> NotOrders:
    """Return the text of *lines* that no order or question in *readings* covers."""
    own = provinces_held(position, power) if position and power else frozenset()
    names = names_of(board)
    written = [line for line in lines if line.text.strip()]
    pieces = [
        (line, text)
        for line in written
        for text in _text_left(line, [each for each in readings if each.line == line.number])
    ]
    ordering = {each.line for each in readings}
    last = max((n for n, line in enumerate(written) if line.number in ordering), default=-1)
    ending = {line.number for line in written[max(last + 1, len(written) - 2) :]}
    sentences: list[Sentence] = []
    courtesies = [line.mark for line in lines if line.mark]
    headings: list[tuple[int, str]] = []
    left = False  # whether a closing formula has come
    unfinished = 0  # the number of the line that goes on where an unfinished sentence does
    for line, text in pieces:
        if _is_heading(text, names):
            headings.append((line.number, text))
            continue
        tokens = tokenize(text)
        named = set(_provinces_in(tokens, names))
        left = left or any(map(is_farewell, COMMAS.split(text)))
        may_be = bool(named) or _is_like_a_name(tokens, names)
        ends = line.number in ending and not may_be and line.number != unfinished
        introduces = bool(ordering) and not named and is_introduction(text, board)
        polite = introduces or _is_courtesy(text, ends=ends, taken_leave=left)
        if not named & own and polite:
            courtesies.append(text)
        else:
            unfinished = 0 if text[-1] in SENTENCE_MARKS else line.number + 1
            sentences.append(Sentence(line.number, text, may_be))
    return NotOrders(tuple(sentences), tuple(courtesies), tuple(headings))


def _is_courtesy(text: str, *, ends: bool, taken_leave: bool) -> bool:
    """Return whether *text* is a greeting or the like, with names if the email *ends* with it."""
    parts = [part for part in COMMAS.split(text) if LETTER.search(part)]
    names = ends and ":" not in text  # `Country: France` is no name
    return all(
        is_courtesy(part) or (names and may_be_name(part.strip(), taken_leave=taken_leave))
        for part in parts
    )


def _text_left(line: Line, readings: Sequence[OrderReading]) -> Iterator[str]:
    covered = _covered(line, readings)
    start = 0
    while start < len(line.text):
        end = start
        while end < len(line.text) and covered[end] == covered[start]:
            end += 1
        if not covered[start]:
            behind = covered[start - 1] if start else 0
            parted = bool(behind) or end < len(line.text)
            yield from sentences_of(line.text[start:end], parted=parted)
        start = end


def _covered(line: Line, readings: Sequence[OrderReading]) -> bytearray:
    """Return, per character of *line*, whether a heading or a reading covers it."""
    covered = bytearray(len(line.text))
    covered[: line.added] = b"\1" * line.added
    for each in readings:
        start = each.column - 1
        end = start + len(each.text)
        text = line.text[start:end]
        if not _is_same_text(text, each.text[: len(text)]):  # The reading has added words.
            start, end = 0, len(line.text)
        end = min(end, len(line.text))
        covered[start:end] = b"\1" * (end - start)
    return covered


def _is_same_text(text: str, read: str) -> bool:
    return [*filter(str.isalnum, text.casefold())] == [*filter(str.isalnum, read.casefold())]


def sentences_of(text: str, *, parted: bool = False) -> Iterator[str]:
    """Yield the sentences of *text*; next to an order, without words such as `and`, `then`."""
    for each in SENTENCES.split(text):
        sentence = each.strip(" \t,;").lstrip(". ")
        links = NUMBERING.fullmatch(sentence) or (parted and BETWEEN.fullmatch(sentence))
        if LETTER.search(sentence) and not links:
            yield sentence


def _is_heading(text: str, names: Names) -> bool:
    """Return whether *text* is a heading: `Austria:`, `France (Bob):`, `build:`."""
    beginning = text[:HEADING_CHARACTERS_MAX]
    words = [word.casefold() for word in WORDS.findall(ENCLOSED.sub(" ", beginning))]
    end = max((found.end() for found in WORDS.finditer(beginning)), default=0)
    heads = len(beginning) == len(text) and not MARKS.isdisjoint(beginning[end:])
    known = all(word in names.powers or word in ADJUSTMENTS for word in words)
    return heads and known and 0 < len(words) <= HEADING_WORDS_MAX


def _provinces_in(tokens: Sequence[Token], names: Names) -> Iterator[Province]:
    keys = [each.key for each in tokens]
    at = 0
    while at < len(tokens):
        length, places = names.longest(keys[at : at + names.words_max])
        if not places or (length == 1 and tokens[at].text in EVERYDAY):
            at += 1
            continue
        yield from places
        at += length


def _is_like_a_name(tokens: Sequence[Token], names: Names) -> bool:
    words = {each.key: None for each in tokens if len(each.key) >= MISSPELT_LETTERS_MIN}
    return any(names.nearest(word)[0] >= LIKE_A_NAME for word in islice(words, COMPARED_MAX))


def items_of_prose(aside: NotOrders) -> tuple[Item, ...]:
    """Return the receipt's items for text that is no order."""
    items: list[Item] = []
    for may_be in (True, False):
        lines = tuple(each.text for each in aside.sentences if each.names is may_be)
        if lines:
            items.append(SentencesIgnored(lines, may_be))
    if aside.courtesies:
        items.append(CourtesiesIgnored(len(aside.courtesies)))
    return tuple(items)


def is_acted_on(item: Item) -> bool:
    """Return whether *item* is about more than prose."""
    return not isinstance(item, SentencesIgnored | CourtesiesIgnored)
