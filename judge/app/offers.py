"""Orders that were not carried out but are offered: those for another phase, and those quoted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge.app.desk import Desk, Session
from judge.app.ordering import order
from judge.mail.envelope import Letter
from judge.mail.grammar import read_lines
from judge.mail.quotes import unmarked
from judge.mail.said import OrderText, UseThese
from judge.notation.parser import parse
from judge.notation.reading import Understood
from judge.reports.items import Item, QuotedLeftOut
from judge.rules.legality import impossible

QUOTED_SHOWN_MAX = 10


def accept_offer(desk: Desk, session: Session, use: UseThese) -> Iterator[Item]:
    """Carry out the orders of the mail whose receipt is answered with USE THESE."""
    offered = desk.transaction.inbox.get(int(session.answered)) if session.answered else None
    letter = desk.judge.opener.open(offered.raw, offered.sender) if offered else None
    game = desk.game(session.game)
    if not isinstance(letter, Letter) or game is None:
        return
    session = replace(session, phase=use.code or session.phase)
    for said in read_lines(letter.text, desk.board(game)):
        if isinstance(said, OrderText):
            yield from order(desk, session, said.lines)


def quoted_orders(desk: Desk, session: Session) -> Iterator[Item]:
    """Say how much of the mail was quoted and unread, and which of its orders are possible."""
    quoted = desk.letter.text.quoted
    game = desk.game(session.game)
    if not quoted or game is None:
        return
    orders: tuple[str, ...] = ()
    if game.position and game.phase and session.power:
        board, position, power = desk.board(game), game.position, session.power
        text = "\n".join(unmarked(line) for line in quoted)
        readings = parse(text, board, position.phase.kind)
        orders = tuple(
            each.text
            for each in readings
            if isinstance(each, Understood)
            and not game.phase.standing.get(power)
            and impossible(board, position, power, each.order, game.rulebook) is None
        )
    yield QuotedLeftOut(len(quoted), orders[:QUOTED_SHOWN_MAX])
