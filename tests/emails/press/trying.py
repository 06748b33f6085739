"""The messages that the judge holds in labelled press, and the wishes that it would act on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from judge.app.commands.table import COMMANDS
from judge.mail.body import split
from judge.mail.intents.known import Known
from judge.mail.intents.reading import Verdict, read_wishes
from judge.mail.intents.sentences import sentences_in
from judge.mail.intents.wish_files import Effect, Role
from judge.mail.reader.notation_in_press import own_orders
from judge.mail.reader.press_replies import read_reply
from tests.emails.press.generated import Press, press_messages
from tests.emails.wishes.scoring import weights

TODAY = date(2026, 11, 28)


@dataclass(frozen=True)
class Tried:
    """The messages that are *held*, and those with a wish that changes something."""

    count: int
    held: tuple[Press, ...]
    wishes: Mapping[str, str]


def try_press(count: int, seed: int = 1) -> Tried:
    """Read *count* messages as replies to press."""
    held: list[Press] = []
    wishes: dict[str, str] = {}
    for each in press_messages(count, seed):
        if is_held(each):
            held.append(each)
        if not each.asks:  # in a reply, no wish is read at all
            wishes |= dict.fromkeys(_wishes_acted_on(each), each.text)
    return Tried(count, tuple(held), wishes)


def is_held(press: Press) -> bool:
    """Return whether the judge asks before it sends *press*."""
    lines = split(press.text).fresh
    reply = read_reply(lines, press.board, COMMANDS, press.power, {press.to})
    orders = own_orders(reply.rest, press.board, press.position, press.power)
    return bool(orders or reply.phase or reply.commands or reply.others or reply.too_long)


def _wishes_acted_on(press: Press) -> list[str]:
    known = Known(
        role=Role.PLAYER, board=press.board, games=frozenset({"baltic"}), today=TODAY,
        closed=frozenset(), likely=frozenset(), answers_proposal=False,
    )  # fmt: skip
    sentences = sentences_in([line.text for line in split(press.text).fresh])
    return [
        name
        for reading in read_wishes(sentences, known, weights())
        if reading.verdict is Verdict.ACT
        for name in reading.wishes
        if weights().wishes[name].effect is not Effect.ANSWER
    ]
