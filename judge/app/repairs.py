"""Slips of the pen in orders: whether they are put right, and how that is undone."""

from __future__ import annotations

from collections.abc import Sequence

from judge.app.desk import Desk, Session
from judge.app.order_reading import put_right
from judge.app.ordering import situation_of
from judge.events.types import OrdersCleared, OrdersSubmitted, PhaseOpened
from judge.game.commands import ClearOrders, SubmitOrders
from judge.game.decision import Accepted
from judge.game.house_rules import Typos
from judge.game.intake import place_of
from judge.game.standing import read_orders
from judge.mail.envelope import Letter
from judge.mail.language.grammar import read_lines
from judge.mail.language.phases_said import OrdersOfPhase
from judge.mail.language.said import OrderText
from judge.notation.parser import parse
from judge.notation.reading import Understood
from judge.notation.writer import write_short
from judge.reports.items import CommandDone, Item
from judge.rules.order import Order
from judge.rules.phase import PhaseKind
from judge.rules.position import Position


def undo(desk: Desk, session: Session) -> tuple[Item, ...]:
    """Undo what was put right in the mail whose receipt is answered with NO."""
    game = desk.game(session.game)
    mail = desk.transaction.inbox.get(int(session.answered)) if session.answered else None
    if not (game and game.position and game.phase and session.power and mail):
        return ()
    letter = desk.judge.opener.open(mail.raw, mail.sender)
    if not isinstance(letter, Letter):
        return ()
    board, power, kind = desk.board(game), session.power, game.position.phase.kind
    said = read_lines(letter.text, board, own=session.power)
    lines = [
        line for each in said if isinstance(each, OrderText | OrdersOfPhase) for line in each.lines
    ]
    readings = parse("\n".join(line.text for line in lines), board, kind)
    situation = situation_of(board, game, power)
    slips = [
        right.order
        for each in readings
        if isinstance(right := put_right(situation, each), Understood) and right is not each
    ]
    gone = [order for order in slips if order in situation.standing]
    if game.house_rules.typos is not Typos.REPAIR or not gone:
        return ()
    kept = tuple(order for order in situation.standing if order not in gone)
    back = _stood_before(desk, session, mail.sha256, game.position, gone, alone=not kept)
    _let_stand(desk, session, gone, (*kept, *back))
    return tuple(CommandDone("undone", write_short(order, board)) for order in gone)


def _stood_before(
    desk: Desk,
    session: Session,
    mail: str,
    position: Position,
    gone: Sequence[Order],
    *,
    alone: bool,
) -> tuple[Order, ...]:
    """Return the orders that stood for the units of *gone* before *mail* came.

    Adjustments replace each other as a whole, and come back so if those of the mail are *alone*.
    """
    game = desk.game(session.game)
    assert game is not None, "its orders are undone"
    before: tuple[str, ...] = ()
    for recorded in desk.transaction.events.read(session.game):
        match recorded.event:
            case PhaseOpened():
                before = ()
            case OrdersSubmitted(power=power, mail=sha256) if (
                power == session.power and sha256 == mail
            ):
                break
            case OrdersSubmitted() | OrdersCleared() as said if said.power == session.power:
                before = said.standing
            case _:
                pass
    kind = position.phase.kind
    orders = read_orders(desk.board(game), kind, before)
    if kind is PhaseKind.ADJUSTMENTS:
        return orders if alone else ()
    places = {place_of(order) for order in gone}
    return tuple(order for order in orders if place_of(order) in places)


def _let_stand(
    desk: Desk, session: Session, gone: Sequence[Order], orders: tuple[Order, ...]
) -> None:
    """Take back *gone*, and let *orders* stand again."""
    assert session.power
    places = tuple(place for order in gone if (place := place_of(order)))
    received, mail, nonce = desk.mail.received_utc, desk.mail.sha256, desk.judge.chance.nonce
    person = session.person.id
    clear = ClearOrders(session.power, person, places, received, mail, nonce())
    cleared = desk.conduct(session.game, clear).decision
    if orders and isinstance(cleared, Accepted):
        submit = SubmitOrders(
            session.power, person, orders, received, mail, nonce(), session.evidence
        )
        desk.conduct(session.game, submit)
