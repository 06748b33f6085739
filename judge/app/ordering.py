"""The orders in a mail: read with the board, put to the game, and each line accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias, assert_never

from judge.app.desk import Desk, Session
from judge.app.forwarding import left_aside
from judge.app.not_acted_on import aside_of
from judge.app.order_reading import Situation, read, read_orders
from judge.app.planning import keep_remarked, offered
from judge.game.decision import Accepted, Refused, Remark, Why
from judge.game.game_state import Game
from judge.game.orders.submission import SubmitOrders
from judge.game.payloads import read_orders as read_standing
from judge.game.players.seats import PowerVacated
from judge.game.visibility import visible_provinces
from judge.mail.body import Line
from judge.notation.order_text import write_short
from judge.notation.parser import parse
from judge.notation.readings import NotUnderstood, Prose, Reading, Unclear, Understood
from judge.notation.readings import WhyNotUnderstood as Unread
from judge.reports.emails.order_status import OrderLeft, OrderTaken
from judge.reports.emails.receipts import (
    CommandRefused,
    Item,
    LineNotUnderstood,
    LineUnclear,
    SlipMended,
)
from judge.rules.board import Map
from judge.rules.legality import correction_of
from judge.rules.outcome import Impossible
from judge.rules.types import Build, Move, Order, Power, Retreat, province_of

Meaning: TypeAlias = Callable[[Order], Order | None]  # what an order is read as, if otherwise


def order(desk: Desk, session: Session, lines: Sequence[Line]) -> tuple[Item, ...]:
    """Carry out the orders in *lines*, and say of each what became of it."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    if game.position is None or session.power is None:
        return _nothing_open(desk, session, game, lines)
    board = desk.board(game)
    situation = situation_of(board, game, session.power)
    if is_for_another_phase(desk, session):
        readings = read(board, situation.seen, session.power, lines)
        others = aside_of(board, situation.seen, session.power, lines, readings)
        return (*offered(session, readings), *left_aside(others))
    found = read_orders(situation, lines)
    for number, defect in found.defects:
        desk.note_failing_line(number, defect)
    verdict = replace(_submit(desk, session, found.orders(session.power)), slips=found.slips)
    meaning = partial(correction_of, board, situation.seen, session.power, rulebook=game.rulebook)
    kept = keep_remarked(desk, session, game.position.phase, found.readings)
    above = found.introduced if verdict.why in (None, Why.NOTHING_CHANGED) else ()
    items = _items(board, session, found.readings, verdict, meaning)
    aside = left_aside(found.aside, {each.text for each in above})
    return (*above, *items, *found.rest, *kept, *aside)


def situation_of(board: Map, game: Game, power: Power) -> Situation:
    """Return how orders of *power* are read in the open phase of *game*."""
    assert game.position is not None, "a phase is open"
    texts = game.phase.standing.get(power, ()) if game.phase else ()
    return Situation(
        board=board,
        position=game.position,
        power=power,
        house_rules=game.house_rules,
        rulebook=game.rulebook,
        standing=read_standing(board, game.position.phase.kind, texts),
        sight=visible_provinces(board, game, game.position, power),
        game=game.name,
    )


def is_for_another_phase(desk: Desk, session: Session) -> bool:
    """Say whether the mail names, or answers a mail of, a phase that is not open."""
    game = desk.game(session.game)
    position = game.position if game else None
    return bool(session.phase and position and session.phase != position.phase.code)


def why_no_power(desk: Desk, session: Session) -> Why:
    """Say why somebody who plays no power may not order."""
    game = desk.game(session.game)
    if game is None or game.position is None:
        return Why.NOT_STARTED
    left = [
        each.event
        for each in desk.transaction.events.read(game.name)
        if isinstance(each.event, PowerVacated) and each.event.person == session.person.id
    ]
    removed = left and left[-1].reason != "resigned"
    return Why.REMOVED if removed else Why.NOT_A_PLAYER


def _nothing_open(
    desk: Desk, session: Session, game: Game, lines: Sequence[Line]
) -> tuple[Item, ...]:
    """Answer orders, if these are any, when no phase is open or their writer has no power."""
    board = desk.board(game)
    text = "\n".join(line.text for line in lines)
    readings = [replace(each, line=lines[each.line - 1].number) for each in parse(text, board)]
    if all(isinstance(each, Prose) for each in readings):
        return left_aside(aside_of(board, game.position, session.power, lines, readings))
    return (CommandRefused("orders", why_no_power(desk, session)),)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the game said to a set of orders: why not, if so, and what is worth saying of each.

    *slips* are the readings that were put right.
    """

    why: Why | None
    remarks: tuple[Remark, ...]
    slips: frozenset[Reading] = frozenset()

    def of(self, order: Order) -> Remark | None:
        """Return what the game says of *order*, of two that are alike of this one."""
        return next((remark for remark in self.remarks if remark.order is order), None)


def _submit(desk: Desk, session: Session, orders: tuple[Order, ...]) -> Verdict:
    if not orders:
        return Verdict(None, ())
    assert session.power
    command = SubmitOrders(
        power=session.power,
        person=session.person.id,
        orders=orders,
        received=desk.mail.received_utc,
        mail=desk.mail.sha256,
        nonce=desk.judge.chance.nonce(),
        evidence=session.evidence,
    )
    match desk.conduct(session.game, command).decision:
        case Accepted(remarks=remarks):
            return Verdict(None, remarks)
        case Refused(why=why, remarks=remarks):
            return Verdict(why, remarks)


def _items(
    board: Map,
    session: Session,
    readings: Sequence[Reading],
    verdict: Verdict,
    meaning: Meaning,
) -> Iterator[Item]:
    if verdict.why not in (None, Why.NOTHING_CHANGED):  # else what is said of each order says why
        yield CommandRefused("orders", verdict.why)
    for reading in readings:
        match reading:
            case Understood(order=order, power=power):
                foreign = power not in (None, session.power)
                if reading in verdict.slips and not foreign:
                    yield SlipMended(reading.line, reading.text)
                for item in _order_item(order, verdict, meaning, foreign=foreign):
                    yield _with_wishes(board, reading, _with_coasts(board, item))
            case Unclear(line=line, text=text, word=word, orders=orders):
                yield LineUnclear(
                    line, text, word, tuple(write_short(each, board) for each in orders)
                )
            case NotUnderstood(line=line, text=text, nearest=nearest, power=power):
                near = write_short(nearest, board) if nearest else None
                yield LineNotUnderstood(
                    line,
                    text,
                    near,
                    doubtful=reading.why is Unread.DOUBTFUL,
                    incomplete=reading.why is Unread.INCOMPLETE,
                    by_yes=bool(near) and power in (None, session.power),
                )
            case Prose():
                pass
            case _:
                assert_never(reading)


def _with_wishes(board: Map, reading: Understood, item: Item) -> Item:
    """Say of which wishes it is the first that can be done."""
    if not isinstance(item, OrderTaken):
        return item
    return replace(item, wishes=tuple(write_short(each, board) for each in reading.instead))


def _with_coasts(board: Map, item: Item) -> Item:
    """Name the orders that may be meant, where one names no coast and there are two."""
    if not isinstance(item, OrderTaken | OrderLeft):
        return item
    if item.impossible is not Impossible.COAST_NEEDED:
        return item
    match item.order:
        case Move(target=target) | Retreat(target=target):
            meant: list[Order] = [
                replace(item.order, target=each) for each in board.coasts_of(province_of(target))
            ]
        case Build(unit):
            named = (replace(unit, location=each) for each in board.coasts_of(unit.province))
            meant = [replace(item.order, unit=each) for each in named]
        case _:
            meant = []
    return replace(item, choices=tuple(write_short(each, board) for each in meant))


def _order_item(
    order: Order, verdict: Verdict, meaning: Meaning, *, foreign: bool
) -> Iterator[Item]:
    if foreign:
        yield OrderLeft(order, Impossible.NOT_YOURS)
        return
    remark = verdict.of(order)
    if verdict.why and not remark:
        return
    if remark is None:
        yield OrderTaken(order, meant=meaning(order))
    elif remark.refused and remark.impossible:
        yield OrderLeft(order, remark.impossible)
    else:
        yield OrderTaken(order, remark.impossible, remark.conflicts_with, meaning(order))
