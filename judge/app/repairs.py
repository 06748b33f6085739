"""Misspelt orders: NO undoes what was put right in them, YES gives what was offered for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from judge.app.desk import Desk, Session
from judge.app.incoming import IncomingMail
from judge.app.order_reading import put_right, read_orders
from judge.app.ordering import is_for_another_phase, order, situation_of
from judge.game.decision import Accepted
from judge.game.house_rules import Typos
from judge.game.orders.order_set_update import ordered_province
from judge.game.orders.submission import ClearOrders, OrdersCleared, OrdersSubmitted, SubmitOrders
from judge.game.payloads import format_instant, parse_instant
from judge.game.payloads import read_orders as read_standing
from judge.game.phases import PhaseOpened
from judge.mail.body import Line
from judge.mail.envelope import Letter
from judge.mail.language.command_syntax import OrdersOfPhase, OrderText
from judge.mail.reader.email_text import read_lines
from judge.notation.order_text import write_order, write_short
from judge.notation.parser import parse
from judge.notation.readings import NotUnderstood, Understood
from judge.reports.emails.receipts import CommandDone, Item
from judge.rules.types import Order, PhaseKind, Position


def accept(desk: Desk, session: Session) -> tuple[Item, ...]:
    """Give the orders that were offered in the receipt which is answered with YES.

    They are none for a unit for which something newer stands, nor for one that has two offers.
    """
    game, mail = desk.game(session.game), desk.email_answered(session)
    if not (game and game.position and game.phase and session.power and mail):
        return ()
    if is_for_another_phase(desk, session):
        return ()
    board, kind = desk.board(game), game.position.phase.kind
    situation = situation_of(board, game, session.power)
    lines = _ordered_lines(desk, session, mail)
    readings = read_orders(replace(situation, standing=()), lines).readings if lines else ()
    offers = tuple(
        each.nearest
        for each in readings
        if isinstance(each, NotUnderstood) and each.nearest and each.power in (None, session.power)
    )
    then = _stood_after(desk, session, mail, kind)
    if not offers or then is None:
        return ()
    places = Counter(ordered_province(each) for each in offers)
    changed = {ordered_province(each) for each in set(then) ^ set(situation.standing)}
    if kind is PhaseKind.ADJUSTMENTS and changed:
        changed |= places.keys()
    late = [each for each in offers if ordered_province(each) in changed]
    given = [each for each in offers if each not in late and places[ordered_province(each)] == 1]
    beside = situation.standing if kind is PhaseKind.ADJUSTMENTS and given else ()
    texts = (write_order(each) for each in (*beside, *given))
    told = tuple(Line(number, text) for number, text in enumerate(texts, start=1))
    taken = order(desk, session, told) if told else ()
    return (*taken, *(CommandDone("offer_late", write_short(each, board)) for each in late))


def _ordered_lines(desk: Desk, session: Session, mail: IncomingMail) -> tuple[Line, ...]:
    """Return the lines of *mail* that were read as orders."""
    letter, game = desk.judge.opener.open(mail.raw, mail.sender), desk.game(session.game)
    if not (isinstance(letter, Letter) and game):
        return ()
    said = read_lines(letter.text, desk.board(game), own=session.power)
    return tuple(
        line for each in said if isinstance(each, OrderText | OrdersOfPhase) for line in each.lines
    )


def _stood_after(
    desk: Desk, session: Session, mail: IncomingMail, kind: PhaseKind
) -> tuple[Order, ...] | None:
    """Return what stood when *mail* had been read, None if that was before this phase."""
    stood: tuple[str, ...] | None = None
    game = desk.game(session.game)
    assert game is not None, "somebody plays it"
    for recorded in desk.transaction.events.read(session.game):
        match recorded.event:
            case PhaseOpened(opened=opened):
                stood = () if parse_instant(opened) <= mail.received_utc else None
            case OrdersSubmitted() | OrdersCleared() as said if (
                said.power == session.power and stood is not None
            ):
                earlier = said.received < format_instant(mail.received_utc)
                if earlier or said.mail == mail.sha256:
                    stood = said.standing
            case _:
                pass
    return None if stood is None else read_standing(desk.board(game), kind, stood)


def undo(desk: Desk, session: Session) -> tuple[Item, ...]:
    """Undo what was put right in the mail whose receipt is answered with NO."""
    game, mail = desk.game(session.game), desk.email_answered(session)
    if not (game and game.position and game.phase and session.power and mail):
        return ()
    board, power, kind = desk.board(game), session.power, game.position.phase.kind
    lines = _ordered_lines(desk, session, mail)
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
    orders = read_standing(desk.board(game), kind, before)
    if kind is PhaseKind.ADJUSTMENTS:
        return orders if alone else ()
    places = {ordered_province(order) for order in gone}
    return tuple(order for order in orders if ordered_province(order) in places)


def _let_stand(
    desk: Desk, session: Session, gone: Sequence[Order], orders: tuple[Order, ...]
) -> None:
    """Take back *gone*, and let *orders* stand again."""
    assert session.power
    places = tuple(place for order in gone if (place := ordered_province(order)))
    received, mail, nonce = desk.mail.received_utc, desk.mail.sha256, desk.judge.chance.nonce
    person = session.person.id
    clear = ClearOrders(session.power, person, places, received, mail, nonce())
    cleared = desk.conduct(session.game, clear).decision
    if orders and isinstance(cleared, Accepted):
        submit = SubmitOrders(
            session.power, person, orders, received, mail, nonce(), session.evidence
        )
        desk.conduct(session.game, submit)
