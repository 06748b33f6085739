"""Orders and other commands for a later phase, and the phase that an email names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from judge.app.commands.context import MailContext, Session
from judge.app.commands.order_lines import read_for_phase
from judge.app.commands.prose import NotOrders, items_of_prose, text_without_orders
from judge.app.commands.stored_offers import offer_lines
from judge.app.identity import is_subject_of_ours
from judge.game.decision import Accepted, Refused, Remark, Why
from judge.game.future_orders import ClearPlan, PlanOrders, is_order_of_phase
from judge.game.game_state import Game
from judge.game.visibility import is_blind
from judge.mail.body import Line
from judge.mail.language.command_syntax import NamedPhase
from judge.mail.language.phase_names import phase_meant, phase_named
from judge.mail.reader.email_text import FailingLine, read_all_others
from judge.mail.reader.phase_hints import next_in_subject, phase_in_subject
from judge.notation import conditional_orders
from judge.notation.order_text import write_short
from judge.notation.readings import NotUnderstood, Reading, Unclear, Understood
from judge.reports.emails import receipts
from judge.reports.emails.order_status import OrderRejected
from judge.rules.board import Map
from judge.rules.outcomes import Impossible
from judge.rules.types import Phase, PhaseKind, Position, Power, Province


def for_phase_named(
    context: MailContext, session: Session, name: str, *, in_passing: bool = False
) -> Session:
    """Return *session* for the phase called *name*, used by the rest of the email.

    MOVES alone means the open movement phase, but the next one after orders for a later phase. A
    phase named *in_passing* may be over.
    """
    if name == PhaseKind.MOVEMENT.value and not session.later:
        return session
    now = _open_phase(context, session)
    code = phase_meant(name, now, _board(context, session).calendar)
    phase = Phase.parse(code) if code else None
    if in_passing and now and phase and phase < now:
        return session
    later = phase if now and phase and phase > now else None
    return replace(session, phase=code or name, later=later, named=True)


def unknown_phase_items(
    context: MailContext, session: Session, name: NamedPhase
) -> Iterator[receipts.Item]:
    """Report a phase *name* that does not exist."""
    if (
        not name.in_passing
        and session.phase
        and phase_named([session.phase], _board(context, session)) is None
    ):
        yield receipts.LineNotUnderstood(name.line, name.text)


def for_phase_in_subject(context: MailContext, session: Session) -> Session:
    """Return *session* for the phase in the subject, unless that is open."""
    subject, now = context.opened.subject, _open_phase(context, session)
    named = other_phase_in_subject(subject, _board(context, session), now) if now else None
    return for_phase_named(context, session, named) if named else session


def other_phase_in_subject(subject: str, board: Map, now: Phase) -> str | None:
    """Return the phase that *subject* names, unless that is *now*, the open one.

    A subject of ours that a mail client copied does not count.
    """
    if is_subject_of_ours(subject):
        return None
    named = phase_in_subject(subject, board) or next_in_subject(subject)
    is_open = now.code in {phase_meant(each, now, board.calendar) for each in named}
    return None if is_open or not named else named[0]


def _board(context: MailContext, session: Session) -> Map:
    game = context.game(session.game)
    return context.board(game) if game else context.reading_board


def _open_phase(context: MailContext, session: Session) -> Phase | None:
    game = context.game(session.game)
    return game.position.phase if game and game.position else None


def keep_orders(
    context: MailContext, session: Session, lines: Sequence[Line]
) -> tuple[receipts.Item, ...]:
    """Store the orders in *lines* for the later phase of *session*, and report on each line."""
    game = context.game(session.game)
    assert game is not None, "a session is of a game"
    assert session.later, "it is asked for by its phase"
    board = context.board(game)
    found = context.read(
        read_for_later, board, session.later.kind, game.position, session.power, tuple(lines)
    )
    readings, sound = found.readings, found.sound
    failed = tuple(
        receipts.LineNotUnderstood(each.line.number, each.line.text) for each in found.failing
    )
    for each in found.failing:
        context.note_failing_line(each.line.number, each.defect)
    aside = items_of_prose(found.aside)
    if session.power is None:
        return (receipts.CommandRefused("orders", Why.NOT_A_PLAYER),) if readings else aside
    wishes = tuple(
        each.wish
        for each in readings
        if isinstance(each, conditional_orders.ReadConditionalOrder)
        and each.power in (None, session.power)
    )
    kept = keep_wishes(context, session, session.later, wishes)
    if any(isinstance(each, receipts.CommandRefused) for each in kept):
        return (*kept, *failed, *offer_orders(context, session, readings, lines), *aside)
    now = _open_phase(context, session)
    if wishes and now and now.kind is session.later.kind:
        offer_lines(context, session, lines)
    return (
        *kept,
        *failed,
        *_items(board, session, readings),
        *_misplaced(context, session, game, sound),
        *aside,
    )


@dataclass(frozen=True, slots=True)
class LaterOrdersRead:
    """Lines of orders for a later phase: *sound* ones as *readings*, *failing* ones, others."""

    readings: tuple[conditional_orders.PlanReading, ...]
    failing: tuple[FailingLine, ...]
    sound: tuple[Line, ...]
    aside: NotOrders


def read_for_later(
    board: Map,
    kind: PhaseKind,
    position: Position | None,
    power: Power | None,
    lines: tuple[Line, ...],
) -> LaterOrdersRead:
    """Read *lines* as orders for a later phase of *kind*."""
    readings, failing = read_all_others(partial(_read, board, kind, power), lines)
    numbers = {each.line.number for each in failing}
    sound = tuple(line for line in lines if line.number not in numbers)
    conditional = any(
        isinstance(each, conditional_orders.ReadConditionalOrder) and each.wish.condition
        for each in readings
    )
    ordering = tuple(
        line
        for line in sound
        if not (conditional and conditional_orders.STATEMENT.match(line.text))
    )
    aside = text_without_orders(board, position, power, ordering, readings)
    return LaterOrdersRead(readings, failing, sound, aside)


def _read(
    board: Map, kind: PhaseKind, power: Power | None, lines: Sequence[Line]
) -> tuple[conditional_orders.PlanReading, ...]:
    apart = any(conditional_orders.STATEMENT.match(line.text) for line in lines)
    read = partial(read_for_phase, power=power, apart=apart)
    text = "\n".join(line.text for line in lines)
    planned = conditional_orders.read_plan(text, board, kind, read)
    return tuple(replace(each, line=lines[each.line - 1].number) for each in planned)


def _misplaced(
    context: MailContext, session: Session, game: Game, lines: Sequence[Line]
) -> Iterator[receipts.OrdersForWrongPhase]:
    """Ask whether orders impossible in the later phase of *session* are for the open one."""
    if session.later and game.position:
        now, later = game.position.phase, session.later
        found = context.read(
            orders_in_wrong_phase, context.board(game), now, later, tuple(lines), session.power
        )
        if found:
            offer_lines(context, session, found)
            yield receipts.OrdersForWrongPhase(later, tuple(context.shown(found)))


def offer_orders(
    context: MailContext,
    session: Session,
    readings: Sequence[conditional_orders.PlanReading],
    lines: Sequence[Line],
) -> Iterator[receipts.Item]:
    """Offer the possible orders in *readings* of *lines* for the phase of *session*."""
    orders = tuple(each.text for each in readings)
    if orders and session.phase:
        offer_lines(context, session, lines)
        exists = phase_named([session.phase], _board(context, session)) is not None
        yield receipts.OtherPhaseOffer(session.phase, orders, exists=exists)


def keep_wishes(
    context: MailContext,
    session: Session,
    later: Phase,
    wishes: tuple[conditional_orders.ConditionalOrder, ...],
) -> tuple[receipts.Item, ...]:
    """Store *wishes* for the phase *later*."""
    if not wishes:
        return ()
    assert session.power
    now = _open_phase(context, session)
    command = PlanOrders(
        power=session.power,
        person=session.person.id,
        later=later,
        wishes=wishes,
        received=context.mail.received_utc,
        mail=context.mail.sha256,
        nonce=context.judge.random.nonce(),
        evidence=session.evidence,
    )
    match context.apply_command(session.game, command).decision:
        case Accepted(remarks=remarks):
            left = {id(each.order) for each in remarks}
            taken = [wish for wish in wishes if id(wish.orders[0]) not in left]
            lines = tuple(map(conditional_orders.write_conditional_order, taken))
            game = context.game(session.game)
            blindly = game is not None and is_blind(game) and any(w.condition for w in taken)
            return receipts.OrdersKept(later, lines, blindly), *_rejected_items(remarks, now)
        case Refused(why=Why.NOTHING_CHANGED, remarks=remarks):
            return tuple(_rejected_items(remarks, now))
        case Refused(why=why):
            return (receipts.CommandRefused("orders", why),)
        case decision:
            assert_never(decision)


def save_retreats(
    context: MailContext, session: Session, phase: Phase, readings: Sequence[Reading]
) -> tuple[receipts.Item, ...]:
    """Store the retreats wished for beside movements: `A(Mun) H (retreat: Ber, Kie)`."""
    game = context.game(session.game)
    if game is None or phase.kind is not PhaseKind.MOVEMENT:
        return ()
    wishes = tuple(
        conditional_orders.ConditionalOrder(None, each.retreats)
        for each in readings
        if isinstance(each, Understood) and each.power in (None, session.power) and each.retreats
    )
    following = context.board(game).calendar.following(phase)
    return keep_wishes(context, session, following, wishes)


def forget_orders(
    context: MailContext, session: Session, later: Phase, provinces: tuple[Province, ...]
) -> receipts.Item:
    """Delete the orders stored for the phase *later*, or only those in *provinces*."""
    assert session.power
    command = ClearPlan(
        power=session.power,
        person=session.person.id,
        later=later,
        provinces=provinces,
        received=context.mail.received_utc,
        mail=context.mail.sha256,
        nonce=context.judge.random.nonce(),
        evidence=session.evidence,
    )
    match context.apply_command(session.game, command).decision:
        case Accepted() | Refused(why=Why.NOTHING_CHANGED):
            return receipts.CommandDone("clear_kept", later.code)
        case Refused(why=why):
            return receipts.CommandRefused("clear", why)
        case decision:
            assert_never(decision)


def _rejected_items(remarks: Sequence[Remark], now: Phase | None) -> Iterator[receipts.Item]:
    """Report orders that are not stored, except those that fit *now* and are asked about."""
    for remark in remarks:
        assert remark.impossible, "these orders do not fit the phase"
        if now is None or not is_order_of_phase(now.kind, remark.order):
            yield OrderRejected(remark.order, remark.impossible)


def _items(
    board: Map, session: Session, readings: Sequence[conditional_orders.PlanReading]
) -> Iterator[receipts.Item]:
    for reading in readings:
        match reading:
            case conditional_orders.ReadConditionalOrder(power=power, wish=wish) if power not in (
                None,
                session.power,
            ):
                yield OrderRejected(wish.orders[0], Impossible.NOT_YOURS)
            case Unclear(line=line, text=text, word=word, orders=orders):
                choices = tuple(write_short(each, board) for each in orders)
                yield receipts.LineUnclear(line, text, word, choices)
            case NotUnderstood(line=line, text=text, nearest=nearest):
                near = (write_short(nearest, board),) if nearest else ()
                yield receipts.LineNotUnderstood(line, text, near)
            case conditional_orders.ReadConditionalOrder() | Understood():
                pass
            case _:
                assert_never(reading)


def orders_in_wrong_phase(
    board: Map, now: Phase, later: Phase, lines: Sequence[Line], power: Power | None = None
) -> tuple[Line, ...]:
    """Return the orders in *lines* that fit a phase such as *now* and never *later*.

    Only the sender knows whether the heading above still applied to them.
    """
    if now.kind is later.kind:
        return ()
    used = tuple(_orders(_read(board, later.kind, power, lines), later.kind))
    readings = _orders(_read(board, now.kind, power, lines), now.kind)
    return tuple(
        Line(each.line, each.text)
        for each in readings
        if not any(_overlap(each, other) for other in used)
        and each.power in (None, power)
        and not any(is_order_of_phase(later.kind, order) for order in each.wish.orders)
    )


def _overlap(
    one: conditional_orders.ReadConditionalOrder, two: conditional_orders.ReadConditionalOrder
) -> bool:
    first, last = sorted((one, two), key=lambda each: each.column)
    return one.line == two.line and last.column < first.column + len(first.text)


def _orders(
    readings: Sequence[conditional_orders.PlanReading], kind: PhaseKind
) -> Iterator[conditional_orders.ReadConditionalOrder]:
    for each in readings:
        match each:
            case conditional_orders.ReadConditionalOrder(wish=wish):
                if all(is_order_of_phase(kind, order) for order in wish.orders):
                    yield each
            case _:
                pass
