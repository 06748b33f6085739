"""Offers in receipts, stored with the email answered: orders, lines, press or commands.

YES takes the orders or commands, PRESS the press, and USE THESE the lines, which the judge reads
once more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.app.commands.context import MailContext, Session
from judge.app.ports.inbox import IncomingMail
from judge.mail.body import Line
from judge.mail.reader.press_blocks import Press
from judge.rules.types import Power

LINES, PRESS = "use", "press"  # the keys of what USE THESE and PRESS take


@dataclass(frozen=True, slots=True)
class OrderOffer:
    """The *orders* offered to *power* in a *phase* of a *game*, as the log writes them.

    *standing* were its orders after the email.
    """

    game: str
    power: Power
    phase: str
    orders: tuple[str, ...]
    standing: tuple[str, ...]


def store_offer(context: MailContext, offer: Mapping[str, object]) -> None:
    """Store *offer* with the email, beside what else its receipts offer."""
    context.offers.append(offer)
    offers = [*json.loads(context.mail.offer or "[]"), *context.offers]
    context.transaction.inbox.note_offer(context.mail.id, json.dumps(offers))


def offer_lines(context: MailContext, session: Session, *groups: Sequence[Line]) -> None:
    """Store *groups* of lines that USE THESE submits, one group after the other."""
    shown = [texts for group in groups if (texts := context.shown(group))]
    if shown:
        store_offer(context, {"game": session.game, LINES: shown})


def has_offered_lines(context: MailContext, session: Session) -> bool:
    """Return whether the email so far has lines for USE THESE in the game of *session*."""
    return any(LINES in each and each["game"] == session.game for each in context.offers)


def lines_offered_by(mail: IncomingMail, game: str) -> tuple[tuple[Line, ...], ...]:
    """Return the groups of lines that the receipt of *mail* offers for USE THESE in *game*."""
    return tuple(
        tuple(Line(number, text) for number, text in enumerate(group, start=1))
        for each in _offers_in(mail)
        if LINES in each and each["game"] == game
        for group in each[LINES]
    )


def offer_press(
    context: MailContext, session: Session, to: Sequence[str], lines: Sequence[Line]
) -> None:
    """Store *lines* that PRESS sends *to* some recipients."""
    press = {"to": to, "lines": context.shown(lines)}
    store_offer(context, {"game": session.game, PRESS: press})


def press_offered_by(mail: IncomingMail, game: str) -> Press | None:
    """Return the press that the receipt of *mail* offers in *game*, None if it offers none."""
    found = (each[PRESS] for each in _offers_in(mail) if PRESS in each and each["game"] == game)
    press = next(found, None)
    if press is None or any(orders_offered_by(mail)):
        return None
    lines = tuple(Line(number, text) for number, text in enumerate(press["lines"], start=1))
    return Press(tuple(press["to"]), (), lines, closed=True, line=1, text="")


def orders_offered_by(mail: IncomingMail) -> Iterator[OrderOffer]:
    """Yield the orders that the receipt of *mail* offers for YES."""
    for each in _offers_in(mail):
        if "orders" in each:
            lists = {name: tuple(each[name]) for name in ("orders", "standing")}
            yield OrderOffer(**{**each, **lists})


def wish_offered_by(mail: IncomingMail, game: str) -> Mapping[str, list[Any]]:
    """Return the lines or commands that YES to the receipt of *mail* means, if that is all."""
    others = {LINES, PRESS}
    here = (each for each in _offers_in(mail) if each["game"] == game)
    offers = [each for each in here if others.isdisjoint(each)]
    return offers[0] if len(offers) == 1 else {}


def _offers_in(mail: IncomingMail) -> list[dict[str, Any]]:
    offers: list[dict[str, Any]] = json.loads(mail.offer or "[]")
    return offers
