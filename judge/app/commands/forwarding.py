"""Forward to the moderator what players write beside their orders.

A sentence that may be an order is forwarded only to a moderator who sees orders. A moderator who
plays gets nothing: that would be press.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import dropwhile
from typing import assert_never

from judge.app.commands.context import MailContext, Session
from judge.app.commands.prose import LETTER, is_acted_on, sentences_of
from judge.app.outbound import queue
from judge.game.game_state import Game
from judge.game.house_rules import Forwarding
from judge.game.visibility import position_visible_to, sees_orders
from judge.mail.body import Line
from judge.mail.intents.sentences import SALUTATION, without_greeting
from judge.mail.language.phase_names import nearest_word
from judge.mail.reader.courtesies import is_courtesy
from judge.mail.words import alternatives
from judge.reading.chunks import KINDS
from judge.reading.matching import Matcher
from judge.reading.reader import read_text
from judge.reading.tokens import VERBS
from judge.reading.world import world_of
from judge.reports.emails import notices
from judge.reports.emails.contexts import heading_of
from judge.reports.emails.receipts import CourtesiesIgnored, Item, SentencesIgnored
from judge.rules.board import Map
from judge.rules.types import Position, Power

SHOWN_MAX = 50  # sentences of one kind in a receipt
ACTS = VERBS - {"move"}  # words for moves are everyday words, as in `she sends her regards`
MOVES = frozenset({"move", "moves", "moving", "attack", "attacks", "zieht", "attaque"})
PLANNING = frozenset(KINDS) | {"support", "supported_by", "convoy", "convoyed_by"}
OPENINGS = frozenset({"opening", "hedgehog", "lepanto", "eröffnung", "ouverture"})


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
    rf"{OPENS_BLOCK.pattern}|.{{0,40}}\b(?:{alternatives('private_notes')})\b", re.IGNORECASE
)


def below_opening(lines: Sequence[Line], opens: re.Pattern[str] = OPENS_BLOCK) -> Iterator[str]:
    """Yield the sentences of *lines* from one on that *opens* press or a diary, or may do so."""

    def is_above(line: Line) -> bool:
        return not (opens.match(line.text) or _misspells_opening(line.text))

    for line in dropwhile(is_above, lines):
        yield from (line.text.strip(), *sentences_of(line.text))


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
        left = " ".join(left.replace(each, " ").split()) if each in left else left
    said = SALUTATION.sub("", f"{left} .", count=1) if left != line else left
    return left.strip() if LETTER.search(said) and (left == line or not is_courtesy(left)) else ""


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
    note = notices.Forwarded(
        heading=heading_of(context.board(game), game, context.judge.code),
        power=session.power,
        lines=lines,
        daily=game.house_rules.forwarding is Forwarding.DAILY,
        partly=partly,
    )
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
