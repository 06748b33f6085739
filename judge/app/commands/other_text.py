"""Text among orders that is not an order: greetings, remarks and possible orders.

The receipt lists the sentences that name a province: each may be an order that was not read. Such
a sentence is forwarded only to a moderator who sees orders. A moderator who plays gets nothing:
that would be press.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import dropwhile, islice
from typing import assert_never

from judge.app.commands.context import MailContext, Session
from judge.app.outbound import queue
from judge.game.game_state import Game
from judge.game.house_rules import Forwarding
from judge.game.visibility import position_visible_to, sees_orders
from judge.mail.body import Line
from judge.mail.intents.sentences import SALUTATION, without_greeting
from judge.mail.language.phase_names import nearest_word
from judge.mail.reader.prose import (
    is_courtesy,
    is_farewell,
    is_introduction,
    may_be_name,
)
from judge.notation.conditional_orders import ReadConditionalOrder
from judge.notation.readings import (
    NotUnderstood,
    Unclear,
    Understood,
)
from judge.notation.terms import Names, Token, names_of, tokenize
from judge.reading.chunks import KINDS
from judge.reading.matching import Matcher
from judge.reading.reader import read_text
from judge.reading.tokens import VERBS
from judge.reading.words import words_for
from judge.reading.world import world_of
from judge.reports.emails import notices
from judge.reports.emails.receipts import (
    CourtesiesIgnored,
    Item,
    SentencesIgnored,
)
from judge.rules.board import Map
from judge.rules.types import Position, Power, Province

ACTS = VERBS - {"move"}  # words for moves are everyday words, as in `she sends her regards`
MOVES = frozenset({"move", "moves", "moving", "attack", "attacks", "zieht", "attaque"})
PLANNING = frozenset(KINDS) | {"support", "supported_by", "convoy", "convoyed_by"}
OPENINGS = frozenset({"opening", "hedgehog", "lepanto", "eröffnung", "ouverture"})
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
    own = _own_provinces(position, power)
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


def _own_provinces(position: Position | None, power: Power | None) -> frozenset[Province]:
    if position is None or power is None:
        return frozenset()
    units = {unit.province for unit in position.units_of(power)}
    dislodged = {each.unit.province for each in position.dislodged_of(power)}
    return frozenset(units | dislodged | {*position.centers_of(power)})


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
            yield from _sentences(line.text[start:end], parted=parted)
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


def _sentences(text: str, *, parted: bool) -> Iterator[str]:
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


SHOWN_MAX = 50  # sentences of one kind in a receipt


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


@dataclass(frozen=True, slots=True)
class Wished:
    """Sentences that express wishes: those that something was done about (*met*), and *shown*."""

    met: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


NOTHING_WISHED = Wished()


def forward_prose(
    context: MailContext,
    session: Session,
    items: Sequence[Item],
    wished: Wished = NOTHING_WISHED,
) -> list[Item]:
    """Collect the sentences of *items* in one item at the end, and forward possible orders.

    Sentences *wished* for are left out: other items show them. Those that something was done
    about are not forwarded either.
    """
    kept: list[Item] = [each for each in items if is_acted_on(each)]
    game = context.game(session.game)
    private = frozenset(below_opening(context.opened.text.fresh, PRIVATE))
    plays = (session.dummy or session.power) is not None
    has_prose = any(isinstance(each, SentencesIgnored) for each in items)
    moderator = _moderator(context, session, game) if game and has_prose else None
    sent: list[str] = []
    partly = False
    if game and moderator and not sees_orders(game, queue.visibility_for(moderator)):
        chat = _lines(context, items, may_be_orders=False)
        private |= _about_orders(context, session, game, chat)
    for may_be in (True, False):
        lines = _lines(context, items, may_be_orders=may_be)
        unmet = {line: left for line in lines if (left := without(line, wished.met))}
        if not unmet:
            continue
        gets = bool(
            game
            and moderator
            and (not may_be or sees_orders(game, queue.visibility_for(moderator)))
        )
        for forwarded in (True, False):
            some = [
                left for line, left in unmet.items() if (gets and line not in private) is forwarded
            ]
            sent += some if forwarded else ()
            partly = partly or (not forwarded and bool(some))
            seen = tuple(left for each in some if (left := without(each, wished.shown)))
            more = max(len(seen) - SHOWN_MAX, 0)
            orders = may_be and plays
            kept += [SentencesIgnored(seen[:SHOWN_MAX], orders, forwarded, more)] if seen else ()
    if game and moderator and sent:
        _forward(context, session, game, moderator, tuple(sent), partly=partly)
    courtesies = sum(each.lines for each in items if isinstance(each, CourtesiesIgnored))
    courtesies += sum(any(map(str.isalnum, line)) for line in context.opened.text.signature)
    return [*kept, CourtesiesIgnored(courtesies)] if courtesies else kept


OPENS_BLOCK = re.compile(
    r"\W*(?:(?:preview|postal|grey|gray|anonymous|unsigned|white|signed|official)\s+)*"
    r"(?:press|broadcast|diary|statement|eog|preview|predict)\b",
    re.IGNORECASE,
)


OPENING_WORDS = ("PRESS", "BROADCAST", "DIARY", "STATEMENT", "PREVIEW")
HEADING_MAX = 3  # words of one
PRIVATE = re.compile(  # although it opens no block
    OPENS_BLOCK.pattern
    + r"|.{0,40}\b(?:notes? (?:to|for|pour) (?:(?:my)?self|moi|me)|notiz an mich|memo to"
    r"|mémo pour|my diary|mein tagebuch|mon journal|private note|note privée|private notiz"
    r"|don't show|zeigs? (?:es |das )?niemand|sag\w* (?:es |das )?niemand|ne (?:le |la )?montre"
    r"|richte\w* \w+ (?:von mir )?aus)\b",
    re.IGNORECASE,
)


def below_opening(lines: Sequence[Line], opens: re.Pattern[str] = OPENS_BLOCK) -> Iterator[str]:
    """Yield the sentences of *lines* from one on that *opens* press or a diary, or may do so."""

    def is_above(line: Line) -> bool:
        return not (opens.match(line.text) or _misspells_opening(line.text))

    for line in dropwhile(is_above, lines):
        yield from (line.text.strip(), *_sentences(line.text, parted=False))


def _misspells_opening(text: str) -> bool:
    """Return whether *text* begins with nearly a word that opens a block, and is no sentence."""
    first, *others = text.split() or [""]
    is_heading = len(others) < HEADING_MAX or first.isupper() or first.endswith(":")
    return is_heading and nearest_word(first.rstrip(":.!"), OPENING_WORDS) is not None


def _about_orders(
    context: MailContext, session: Session, game: Game, sentences: tuple[str, ...]
) -> frozenset[str]:
    """Return those of *sentences* that are read as orders, or as doubts about them."""
    power = session.dummy or session.power
    if game.position is None or power is None:
        return frozenset()
    board = context.board(game)
    seen = position_visible_to(board, game, game.position, power)
    text = "\n".join(line.text for line in context.opened.text.fresh)
    return context.read(sentences_about_orders, board, seen, power, text, sentences)


def sentences_about_orders(
    board: Map, seen: Position, power: Power, text: str, sentences: tuple[str, ...]
) -> frozenset[str]:
    """Return those of *sentences* of *text* in which orders of *power* were read or doubted.

    *seen* is the position as it sees it. Doubts and denials with a verb of orders are about those.
    """
    world = world_of(board, seen, power)
    found = read_text(text, world)
    orders = [(each.start, each.end) for each in found.orders]
    flat = text.replace("\n", " ")

    def repeats(sentence: str) -> bool:
        return any(flat[start:end] in sentence for start, end in orders)

    def touches(sentence: str, spans: Sequence[tuple[int, int]]) -> bool:
        at = flat.find(sentence)
        return any(start < at + len(sentence) and at < end for start, end in spans)

    def orders_something(sentence: str) -> bool:
        matcher = Matcher(sentence, world)
        matcher.run()
        keys = (matcher.tokens[word.first].key for word in matcher.words if word.role == "move")
        roles = {word.role for word in matcher.words}
        if not (roles.isdisjoint(PLANNING) and OPENINGS.isdisjoint(matcher.keys)):
            return True
        acts = not roles.isdisjoint(ACTS) or not MOVES.isdisjoint(keys)
        return acts and ("not" in roles or touches(sentence, found.doubts))

    return frozenset(
        each
        for each in sentences
        if touches(each, orders) or repeats(each) or orders_something(each)
    )


def without(line: str, sentences: Collection[str]) -> str:
    """Return what *line* says besides *sentences*, of one of which it may be a part."""
    bare = without_greeting(SALUTATION.sub("", line.strip(), count=1))
    if any(part in each for each in sentences for part in (line.strip(), bare) if part):
        return ""
    left = line
    for each in sentences:
        left = left.replace(each, " ")
    said = SALUTATION.sub("", f"{left} .", count=1) if left != line else left
    return left.strip() if LETTER.search(said) and (left == line or not is_courtesy(left)) else ""


def is_acted_on(item: Item) -> bool:
    """Return whether *item* is about more than prose."""
    return not isinstance(item, SentencesIgnored | CourtesiesIgnored)


def _lines(context: MailContext, items: Sequence[Item], *, may_be_orders: bool) -> tuple[str, ...]:
    texts: Iterator[str] = (
        line
        for each in items
        if isinstance(each, SentencesIgnored) and each.may_be_orders is may_be_orders
        for line in each.lines
    )
    return context.shown(Line(0, text) for text in texts)


def _moderator(context: MailContext, session: Session, game: Game) -> queue.Recipient | None:
    takes_part = session.power is not None or session.person.id in game.observers
    if not takes_part or session.acting or session.person.id == game.moderator:
        return None
    return queue.moderator_of(context.transaction, game)


def _forward(
    context: MailContext,
    session: Session,
    game: Game,
    moderator: queue.Recipient,
    lines: tuple[str, ...],
    *,
    partly: bool,
) -> None:
    board, code = context.board(game), context.judge.code
    note = notices.forwarded(board, game, session.power, lines, partly=partly, judge_code=code)
    mailer = queue.GameMailer(context.judge, context.transaction, game, context.now)
    cause = f"{context.cause}:forwarded:{session.game}:{session.power}"
    mailer.note(note, moderator, cause, _send_at(game, context.now))


def _send_at(game: Game, now: datetime) -> datetime:
    match game.house_rules.forwarding:
        case Forwarding.AT_ONCE:
            return now
        case Forwarding.DAILY:
            return queue.next_daily(now)
        case forwarding:
            assert_never(forwarding)
