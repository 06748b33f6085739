"""Orders by email: submit them, report on each line, correct typos and clear them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import assert_never

from judge.app.commands.command import CommandRow, Scope
from judge.app.commands.context import MailContext, Session, apply_and_report, power_of
from judge.app.commands.later_phases import (
    for_phase_named,
    forget_orders,
    keep_orders,
    offer_orders,
    save_retreats,
)
from judge.app.commands.order_lines import (
    provinces_named,
    read_orders,
    read_with_rest,
    read_without_position,
)
from judge.app.commands.prose import items_of_prose
from judge.app.commands.situation import Situation
from judge.game import submission
from judge.game.commands import Command
from judge.game.decision import Accepted, Refused, Remark, Why
from judge.game.future_orders import PlanWait
from judge.game.game_state import Game
from judge.game.payloads import orders_from_texts as read_standing
from judge.game.players.seats import RESIGNED, PowerVacated
from judge.game.submission import ClearOrders, SubmitOrders
from judge.game.visibility import visible_provinces
from judge.mail.body import Line
from judge.mail.language.command_syntax import (
    LineMaker,
    OrdersOfPhase,
    OrderText,
    ParsedLine,
    is_place,
    without_arguments,
)
from judge.mail.language.command_table import Form
from judge.mail.words import phrases
from judge.notation.order_text import write_short
from judge.notation.readings import NotUnderstood, Reading, Unclear, Understood
from judge.notation.readings import WhyNotUnderstood as Unread
from judge.reports.board_names import with_owners_named
from judge.reports.emails import receipts
from judge.reports.emails.order_status import OrderRejected, OrderTaken
from judge.rules import types
from judge.rules.board import Map
from judge.rules.legality import completed_order, correction_of
from judge.rules.outcomes import Impossible
from judge.rules.phase_sequence import orders_due


@dataclass(frozen=True, slots=True)
class SetWait(ParsedLine):
    """`SET WAIT`, `SET NOWAIT`."""

    wait: bool

    @property
    def of_moderator(self) -> tuple[str, str] | None:
        return ("pause", "PAUSE") if self.wait else None


@dataclass(frozen=True, slots=True)
class SetReady(ParsedLine):
    """`READY`, `NOT READY`."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Clear(ParsedLine):
    """`CLEAR` for everything, or for the orders of the units in *words* (`A Par`, `Brest`)."""

    words: tuple[str, ...]


UNIT = re.compile(r"(?:A|F|ARMY|FLEET)[ (]", re.IGNORECASE)


def _read_clear(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `A Par, F Bre` and ALL: each names a unit, or a province of the board."""
    if not arguments:
        return partial(Clear, words=())
    units = tuple(unit.strip() for unit in re.split("[,;]", " ".join(arguments)))
    if [unit.upper() for unit in units] == ["ALL"]:
        units = ()
    named = all(UNIT.match(unit) or is_place(unit, board) for unit in units)
    return partial(Clear, words=units) if named else None


def submit_orders(
    context: MailContext, session: Session, lines: Sequence[Line]
) -> tuple[receipts.Item, ...]:
    """Submit the orders in *lines*, and report on each."""
    game = context.game(session.game)
    assert game is not None, "a session is of a game"
    if game.position is None or session.power is None:
        return _nothing_open(context, session, game, lines)
    board, lines = context.board(game), tuple(lines)
    situation = situation_of(board, game, session.power)
    if is_for_another_phase(context, session):
        readings, others = context.read(
            read_with_rest, board, situation.seen, session.power, lines
        )
        return (*offer_orders(context, session, readings, lines), *items_of_prose(others))
    found = context.read(read_orders, situation, lines)
    for number, defect in found.defects:
        context.note_failing_line(number, defect)
    result = replace(_submit(context, session, found.orders(session.power)), slips=found.slips)
    kept = save_retreats(context, session, game.position.phase, found.readings)
    shown = tuple(_with_whole_offer(each, situation) for each in found.readings)
    items = _items(situation, shown, result)
    aside = items_of_prose(found.aside)
    return (*items, *found.rest, *kept, *aside)


def _with_whole_offer(reading: Reading, situation: Situation) -> Reading:
    """Return *reading* with the kinds of the units that its offer leaves out.

    Without its offer if the power has nothing to order.
    """
    if not isinstance(reading, NotUnderstood) or reading.nearest is None:
        return reading
    board, seen, rulebook = situation.board, situation.seen, situation.rulebook
    if not orders_due(board, situation.position, situation.power):
        return replace(reading, nearest=None)
    whole = completed_order(board, seen, reading.nearest, rulebook)
    return replace(reading, nearest=with_owners_named(whole, seen, situation.power))


def give_orders(
    context: MailContext, session: Session, orders: tuple[types.Order, ...]
) -> tuple[receipts.Item, ...]:
    """Submit *orders* of the open phase, and report on each."""
    game = context.game_of(session)
    assert session.power is not None, "only a power has orders"
    board = context.board(game)
    situation = situation_of(board, game, session.power)
    readings = tuple(Understood(0, 1, write_short(each, board), each) for each in orders)
    result = _submit(context, session, orders)
    return tuple(_items(situation, readings, result))


def _handle_orders(
    context: MailContext, session: Session, parsed: OrderText
) -> tuple[receipts.Item, ...]:
    take = keep_orders if session.later else submit_orders
    return take(context, session, parsed.lines)


def _handle_orders_of_phase(
    context: MailContext, session: Session, parsed: OrdersOfPhase
) -> tuple[receipts.Item, ...]:
    session = for_phase_named(context, session, parsed.code)
    take = keep_orders if session.later else submit_orders
    return take(context, session, parsed.lines)


def situation_of(board: Map, game: Game, power: types.Power) -> Situation:
    """Return the context for reading the orders of *power* in the open phase of *game*."""
    assert game.position is not None, "a phase is open"
    texts = game.phase.standing.get(power, ()) if game.phase else ()
    return Situation(
        board=board,
        position=game.position,
        power=power,
        house_rules=game.house_rules,
        rulebook=game.rulebook,
        standing=read_standing(texts),
        visible=visible_provinces(board, game, game.position, power),
        game=game.name,
    )


def arrival(context: MailContext, session: Session) -> datetime:
    """Return when the email arrived, as the open phase counts it.

    If the phase opened, or the power's last orders came, later than now, the clock has been set
    back since: the email has come after them all the same.
    """
    received, game = context.mail.received_utc, context.game(session.game)
    if game is None or game.phase is None:
        return received
    opened = game.phase.opened
    last = max(opened, game.phase.given.get(session.power, opened) if session.power else opened)
    return max(received, last) if context.now < last else received


def is_for_another_phase(context: MailContext, session: Session) -> bool:
    """Return whether the email names, or answers an email of, a phase that is not open."""
    game = context.game(session.game)
    position = game.position if game else None
    return bool(session.phase and position and session.phase != position.phase.code)


def reason_without_power(context: MailContext, session: Session) -> Why:
    """Return why a person without a power may not order."""
    game = context.game(session.game)
    if game is None or game.position is None:
        return Why.NOT_STARTED
    left = [
        each.event
        for each in context.transaction.events.read(game.name)
        if isinstance(each.event, PowerVacated) and each.event.person == session.person.id
    ]
    removed = left and left[-1].reason != RESIGNED
    return Why.REMOVED if removed else Why.NOT_A_PLAYER


def _nothing_open(
    context: MailContext, session: Session, game: Game, lines: Sequence[Line]
) -> tuple[receipts.Item, ...]:
    board = context.board(game)
    orders, others = context.read(read_without_position, board, session.power, tuple(lines))
    if not orders:
        return items_of_prose(others)
    refused = receipts.CommandRefused("orders", reason_without_power(context, session))
    own = context.transaction.summaries.names_of(session.person.id)
    meant = () if session.game in own or len(own) > 1 else tuple(own)
    return (refused, receipts.LinesReturned(context.shown(orders), meant), *items_of_prose(others))


@dataclass(frozen=True, slots=True)
class SubmissionResult:
    """The game's verdict on a set of orders: the refusal, if any, and remarks on each order.

    *slips* are the readings that were corrected.
    """

    why: Why | None
    remarks: tuple[Remark, ...]
    slips: frozenset[Reading] = frozenset()

    def of(self, order: types.Order) -> Remark | None:
        """Return the remark on *order*, by identity: two orders may be equal."""
        return next((remark for remark in self.remarks if remark.order is order), None)


def _submit(
    context: MailContext, session: Session, orders: tuple[types.Order, ...]
) -> SubmissionResult:
    if not orders:
        return SubmissionResult(None, ())
    assert session.power
    command = SubmitOrders(
        power=session.power,
        person=session.person.id,
        orders=orders,
        received=arrival(context, session),
        mail=context.mail.sha256,
        nonce=context.judge.random.nonce(),
        evidence=session.evidence,
    )
    match context.apply_command(session.game, command).decision:
        case Accepted(remarks=remarks):
            return SubmissionResult(None, remarks)
        case Refused(why=why, remarks=remarks):
            return SubmissionResult(why, remarks)
        case other:
            assert_never(other)


def _items(
    situation: Situation, readings: Sequence[Reading], result: SubmissionResult
) -> Iterator[receipts.Item]:
    board, power_giving = situation.board, situation.power
    if result.why not in (None, Why.NOTHING_CHANGED):  # otherwise each order has its reason
        yield receipts.CommandRefused("orders", result.why)
    for reading in readings:
        match reading:
            case Understood(order=order, power=power):
                foreign = power not in (None, power_giving)
                if reading in result.slips and not foreign:
                    yield receipts.TypoCorrected(reading.line, reading.text)
                for item in _order_item(order, result, situation, foreign=foreign):
                    yield _with_wishes(board, reading, _with_coasts(board, item))
            case Unclear(line=line, text=text, word=word, orders=orders):
                yield receipts.LineUnclear(
                    line, text, word, tuple(write_short(each, board) for each in orders)
                )
            case NotUnderstood(line=line, text=text, nearest=nearest, power=power):
                near = (write_short(nearest, board),) if nearest else ()
                yield receipts.LineNotUnderstood(
                    line,
                    text,
                    near,
                    doubtful=reading.why is Unread.DOUBTFUL,
                    incomplete=reading.why is Unread.INCOMPLETE,
                    offered=nearest if power in (None, power_giving) else None,
                )
            case _:
                assert_never(reading)


def _with_wishes(board: Map, reading: Understood, item: receipts.Item) -> receipts.Item:
    if not isinstance(item, OrderTaken):
        return item
    return replace(item, wishes=tuple(write_short(each, board) for each in reading.instead))


def _with_coasts(board: Map, item: receipts.Item) -> receipts.Item:
    if not isinstance(item, OrderTaken | OrderRejected):
        return item
    if item.impossible is not Impossible.COAST_NEEDED:
        return item
    order = item.order
    meant: list[types.Order] = []
    if isinstance(order, types.Move | types.Retreat):
        coasts = board.coasts_of(types.province_of(order.target))
        meant = [replace(order, target=each) for each in coasts]
    elif isinstance(order, types.Build):
        coasts = board.coasts_of(order.unit.province)
        meant = [replace(order, unit=replace(order.unit, location=each)) for each in coasts]
    return replace(item, choices=tuple(write_short(each, board) for each in meant))


def _order_item(
    order: types.Order, result: SubmissionResult, situation: Situation, *, foreign: bool
) -> Iterator[receipts.Item]:
    if foreign:
        yield OrderRejected(order, Impossible.NOT_YOURS)
        return
    remark = result.of(order)
    if result.why and not remark:
        return
    if remark and remark.refused and remark.impossible:
        yield OrderRejected(order, remark.impossible)
        return
    board, seen, rulebook = situation.board, situation.seen, situation.rulebook
    meant = correction_of(board, seen, situation.power, order, rulebook)
    whole = _with_kinds(order, completed_order(board, seen, order, rulebook))
    if remark is None:
        yield OrderTaken(whole, meant=meant)
    else:
        yield OrderTaken(whole, remark.impossible, remark.conflicts_with, meant)


def _with_kinds(order: types.Order, whole: types.Order) -> types.Order:
    """Return *order* with the kinds of its units, which its writer may leave out."""
    for name in ("unit", "supported", "army"):
        written, meant = getattr(order, name, None), getattr(whole, name, None)
        if written and meant and written.kind is None:
            order = replace(order, **{name: replace(written, kind=meant.kind)})
    return order


def _clear(
    context: MailContext, session: Session, parsed: Clear
) -> receipts.Item | tuple[receipts.Item, ...]:
    """Clear all orders, or those of the units named, or those stored for later.

    CLEAR alone clears orders for later phases, too, as in nJudge.
    """
    places = _provinces_of(context, session, parsed.words)
    if len(places) != len(parsed.words):
        return receipts.LineNotUnderstood(parsed.line, parsed.text)
    if session.later:
        return forget_orders(context, session, session.later, places)
    if is_for_another_phase(context, session):
        return receipts.CommandRefused("clear", Why.OTHER_PHASE)
    power = power_of(session)
    game = context.game_of(session)
    kept = game.plans.get(power, {}) if not places else {}
    before = game.phase.standing.get(power, ()) if game.phase else ()
    for code in kept:
        forget_orders(context, session, types.Phase.parse(code), ())
    command = ClearOrders(
        power,
        session.person.id,
        places,
        arrival(context, session),
        context.mail.sha256,
        context.judge.random.nonce(),
    )
    item = apply_and_report(context, session, parsed, "clear", command, ", ".join(parsed.words))
    if not isinstance(item, receipts.CommandDone):
        return item
    phase = context.game_of(session).phase
    after = phase.standing.get(power, ()) if phase else ()
    gone = read_standing(tuple(each for each in before if each not in after))
    board = context.board(game)
    orders = tuple(write_short(each, board) for each in gone)
    restorable = (receipts.OrdersRestorable(orders),) if orders else ()
    # Without orders in this phase, orders for later ones may have been cleared.
    return (replace(item, already=False), *restorable)


def _provinces_of(
    context: MailContext, session: Session, units: tuple[str, ...]
) -> tuple[types.Province, ...]:
    game = context.game(session.game)
    assert game is not None, "a session is of a game"
    assert game.position is not None, "powers are assigned at the start"
    if not units:
        return ()
    board = context.board(game)
    return context.read(provinces_named, board, game.position, session.power, units)


def apply_in_open_phase(
    context: MailContext,
    session: Session,
    parsed: ParsedLine,
    receipt_key: str,
    command: Command,
    argument: str | tuple[types.Power, ...] = "",
) -> receipts.Item:
    """Apply *command* to the game, unless the email names another phase for it."""
    if session.named and is_for_another_phase(context, session):
        return receipts.CommandRefused(parsed.text.strip(), Why.OTHER_PHASE)
    return apply_and_report(context, session, parsed, receipt_key, command, argument)


def _set_wait(context: MailContext, session: Session, parsed: SetWait) -> receipts.Item:
    power, person = power_of(session), session.person.id
    nonce, received = context.judge.random.nonce(), arrival(context, session)
    name = "wait" if parsed.wait else "nowait"
    if session.later:
        plan = PlanWait(power, person, session.later, parsed.wait, nonce)
        return apply_and_report(context, session, parsed, f"{name}_kept", plan, session.later.code)
    command = submission.SetWait(power, person, parsed.wait, received, nonce)
    return apply_in_open_phase(context, session, parsed, name, command)


def _set_ready(context: MailContext, session: Session, parsed: SetReady) -> receipts.Item:
    power, person = power_of(session), session.person.id
    nonce, received = context.judge.random.nonce(), arrival(context, session)
    command = submission.SetReady(power, person, parsed.ready, received, nonce)
    return apply_in_open_phase(
        context, session, parsed, "ready" if parsed.ready else "notready", command
    )


COMMANDS = (
    CommandRow(
        Clear,
        readers={"CLEAR": _read_clear},
        phrases=dict.fromkeys(phrases("clear"), partial(Clear, words=())),
        suggested={"CLEAR": "CLEAR A Par"},
        of_phase=True,
        scope=Scope.POWER,
        handle=_clear,
        topic="clear",
        forms=(
            Form(
                "CLEAR | CLEAR A Par",
                "takes back all orders for the open phase and later ones, or those of some "
                "units; below a PHASE those for that phase. `(NMR)` must be the only line",
                also="(NMR)",
            ),
        ),
    ),
    CommandRow(
        SetWait,
        readers={"WAIT": without_arguments(partial(SetWait, wait=True))},
        bare={"NOWAIT": partial(SetWait, wait=False)},
        joined={"NO WAIT": "NOWAIT"},
        suggested={"SET WAIT": "", "SET NOWAIT": ""},
        never_in_prose=("NOWAIT",),
        in_subject=True,
        of_phase=True,
        scope=Scope.POWER,
        handle=_set_wait,
        topic="wait",
        forms=(
            Form(
                "SET WAIT | WAIT | SET NOWAIT | NOWAIT",
                "keeps the phase open until its deadline, or takes that back",
            ),
        ),
    ),
    CommandRow(
        SetReady,
        readers={"READY": without_arguments(partial(SetReady, ready=True))},
        bare=dict.fromkeys(("NOREADY", "NOTREADY", "UNREADY"), partial(SetReady, ready=False)),
        joined={"NOT READY": "NOREADY", "NO READY": "NOREADY"},
        suggested={"READY": ""},
        in_subject=True,
        of_phase=True,
        scope=Scope.POWER,
        handle=_set_ready,
        topic="ready",
        forms=(
            Form(
                "READY | SET READY | NOT READY", "marks your orders as final, or takes that back"
            ),
        ),
    ),
    CommandRow(
        OrderText,
        handle=_handle_orders,
        topic="orders",
        aliases="syntax, commands, form",
        forms=(
            Form(
                "A Par-Bur",
                "orders a unit; `HELP ORDERS` has all forms",
                also="Army Paris -> Burgundy | A PAR - BUR | PAR BUR",
            ),
        ),
    ),
    CommandRow(OrdersOfPhase, handle=_handle_orders_of_phase),
)
