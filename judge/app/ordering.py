"""The orders in a mail: read with the board, put to the game, and each line accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias, assert_never

from judge.app.desk import Desk, Session
from judge.app.introduced import introduced
from judge.app.planning import keep_remarked, offered
from judge.app.preferring import first_possible, with_its_unit
from judge.app.repairs import mended
from judge.app.resting import resting
from judge.app.unheard import with_unheard
from judge.game.commands import SubmitOrders
from judge.game.decision import Accepted, Refused, Remark, Why
from judge.game.fog import seen
from judge.game.game import Game
from judge.game.intake import place_of
from judge.mail.body import Line
from judge.notation.parser import parse
from judge.notation.reading import EVERY, NotUnderstood, Prose, Reading, Unclear, Understood
from judge.notation.reading import Why as Unread
from judge.notation.writer import write_short
from judge.reports.items import (
    CommandRefused,
    Item,
    LineNotUnderstood,
    LineUnclear,
    OrderLeft,
    OrderTaken,
    SlipMended,
)
from judge.rules.corrections import corrected
from judge.rules.geography import Map
from judge.rules.order import Build, Disband, Move, Order, Retreat, Waive
from judge.rules.outcome import Impossible
from judge.rules.phase import PhaseKind
from judge.rules.position import Position

Meaning: TypeAlias = Callable[[Order], Order | None]  # what an order is read as, if otherwise


def order(desk: Desk, session: Session, lines: Sequence[Line]) -> tuple[Item, ...]:
    """Carry out the orders in *lines*, and say of each what became of it."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    if game.position is None or session.power is None:
        return _nothing_open(desk, session, game, lines)
    board = desk.board(game)
    position = seen(board, game, game.position, session.power)
    readings = read(board, position, session, lines)
    if is_for_another_phase(desk, session):
        return tuple(offered(session, readings))
    heard = tuple(with_unheard(board, position, session.power, readings))
    put_right = mended(board, game, session.power, heard)
    slips = frozenset(put_right) - frozenset(heard)
    readings, rest = resting(board, game, session.power, put_right)
    verdict = replace(_submit(desk, session, _own(session, readings)), slips=slips)
    meaning = partial(corrected, board, position, session.power, rulebook=game.rulebook)
    kept = keep_remarked(desk, session, game.position.phase, readings)
    above = (
        introduced(board, game, lines, readings)
        if verdict.why in (None, Why.NOTHING_CHANGED)
        else ()
    )
    return (*above, *_items(board, session, readings, verdict, meaning), *rest, *kept)


def is_for_another_phase(desk: Desk, session: Session) -> bool:
    """Say whether the mail names, or answers a mail of, a phase that is not open."""
    game = desk.game(session.game)
    position = game.position if game else None
    return bool(session.phase and position and session.phase != position.phase.code)


def why_no_power(desk: Desk, session: Session) -> Why:
    """Say why somebody who plays no power may not order."""
    game = desk.game(session.game)
    return Why.NOT_A_PLAYER if game and game.position else Why.NOT_STARTED


def read(
    board: Map,
    position: Position,
    session: Session,
    lines: Sequence[Line],
    kind: PhaseKind | None = None,
) -> tuple[Reading, ...]:
    """Read *lines* as orders for the open phase; one reading of an own unit settles a doubt."""
    texts, of = [line.text for line in lines], kind or position.phase.kind
    if of is PhaseKind.RETREATS:
        texts = [with_its_unit(board, position, session.power, each) for each in texts]
    text = "\n".join(texts)
    readings = parse(text, board, of)
    if of is not PhaseKind.MOVEMENT:
        readings = tuple(first_possible(board, position, text, readings))
    numbered = (replace(each, line=lines[each.line - 1].number) for each in readings)
    settled = [_settled(position, session, each) for each in numbered]
    return tuple(_repeated(position, session, settled))


def _repeated(
    position: Position, session: Session, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Waive as many builds as a line says, or all that are left beside those of the mail."""
    adjusts = position.phase.kind is PhaseKind.ADJUSTMENTS
    due = position.due(session.power) if session.power and adjusts else 0
    built = [each for each in readings if isinstance(each, Understood) and _is_for_build(each)]
    left = max(due - sum(each.times for each in built), 0)
    for each in readings:
        if not isinstance(each, Understood) or each.times == 1:
            yield each
            continue
        times = each.times if each.times != EVERY else left or int(not built)
        yield from (replace(each, order=Waive(), times=1) for _ in range(times))


def _is_for_build(reading: Understood) -> bool:
    return isinstance(reading.order, Build | Waive) and reading.times != EVERY


def _settled(position: Position, session: Session, reading: Reading) -> Reading:
    if isinstance(reading, Understood):
        return _as_due(position, session, reading)
    if not isinstance(reading, Unclear):
        return reading
    standing = (*position.units, *(each.unit for each in position.dislodged))
    own = {unit.province for unit in standing if unit.power == session.power}
    likely = [each for each in reading.orders if place_of(each) in own]
    if len(likely) != 1:
        return reading
    return Understood(reading.line, reading.column, reading.text, likely[0], reading.power)


def _as_due(position: Position, session: Session, reading: Understood) -> Understood:
    """Read a unit that stands there alone as one to remove, where removals are due."""
    removing = session.power is not None and position.due(session.power) < 0
    match reading.order:
        case Build(unit) if removing and reading.bare:
            return replace(reading, order=Disband(unit))
        case _:
            return reading


def _nothing_open(
    desk: Desk, session: Session, game: Game, lines: Sequence[Line]
) -> tuple[Item, ...]:
    """Answer orders, if these are any, when no phase is open or their writer has no power."""
    readings = parse("\n".join(line.text for line in lines), desk.board(game))
    if all(isinstance(each, Prose) for each in readings):
        return ()
    return (CommandRefused("orders", why_no_power(desk, session)),)


def _own(session: Session, readings: Sequence[Reading]) -> tuple[Order, ...]:
    """Return the orders that are not headed by the name of another power."""
    understood = (each for each in readings if isinstance(each, Understood))
    return tuple(each.order for each in understood if each.power in (None, session.power))


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
            case NotUnderstood(line=line, text=text, nearest=nearest):
                near = write_short(nearest, board) if nearest else None
                doubtful = reading.why is Unread.DOUBTFUL
                yield LineNotUnderstood(line, text, near, doubtful=doubtful)
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
                replace(item.order, target=each) for each in board.coasts_of(target)
            ]
        case Build(unit):
            named = (replace(unit, location=each) for each in board.coasts_of(unit.location))
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
