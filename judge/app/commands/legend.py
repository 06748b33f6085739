"""Explain provinces, list what units can do, repeat orders: LEGEND, OPTIONS, SAME."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from judge.app.commands.command import CommandRow, Scope
from judge.app.commands.context import MailContext, Session, power_of
from judge.app.commands.orders import situation_of
from judge.game.decision import Why
from judge.game.payloads import orders_from_texts
from judge.game.phases import PhaseOpened
from judge.game.submission import OrdersCleared, OrdersSubmitted
from judge.game.visibility import visible_fault
from judge.mail.language.command_syntax import LineMaker, ParsedLine
from judge.mail.language.command_table import Form
from judge.notation.order_text import write_short
from judge.notation.terms import names_of
from judge.reports.emails.receipts import (
    CommandRefused,
    Item,
    LineNotUnderstood,
    OrdersRestorable,
    ProvinceExplained,
    UnitOptions,
)
from judge.rules.board import Map
from judge.rules.legality import possible_orders
from judge.rules.types import Hold, Move, Order, Phase, Province, UnitName, province_of


@dataclass(frozen=True, slots=True)
class Legend(ParsedLine):
    """`LEGEND Mun`: what and where a province is."""

    place: Province


@dataclass(frozen=True, slots=True)
class Options(ParsedLine):
    """`OPTIONS`, or `OPTIONS Mun`: what the units can do, or the one in *place*."""

    place: Province | None


@dataclass(frozen=True, slots=True)
class Same(ParsedLine):
    """`SAME`: the orders of the last turn again."""


def _read_legend(arguments: list[str], board: Map) -> LineMaker | None:
    places = names_of(board).find(" ".join(arguments)) if arguments else ()
    return partial(Legend, place=places[0]) if len(places) == 1 else None


def _read_options(arguments: list[str], board: Map) -> LineMaker | None:
    if not arguments:
        return partial(Options, place=None)
    written = arguments[1:] if arguments[0].upper() in ("A", "F") else arguments
    places = names_of(board).find(" ".join(written))
    return partial(Options, place=places[0]) if len(places) == 1 else None


def _explain_province(context: MailContext, session: Session, parsed: Legend) -> Item:
    board = context.board(context.game_of(session))
    if parsed.place not in board.places:
        return LineNotUnderstood(parsed.line, parsed.text)
    neighbors = {
        province_of(target)
        for borders in (board.army, board.fleet)
        for source, targets in borders.items()
        if province_of(source) == parsed.place
        for target in targets
    }
    return ProvinceExplained(
        parsed.place,
        board.places[parsed.place].terrain.value,
        parsed.place in board.centers,
        tuple(sorted(neighbors)),
    )


def _show_options(context: MailContext, session: Session, parsed: Options) -> Sequence[Item]:
    """Show the possible orders of the units, as far as their player sees the board."""
    game = context.game_of(session)
    if game.position is None or game.phase is None:
        return (CommandRefused("options", Why.NOT_STARTED),)
    board = context.board(game)
    situation = situation_of(board, game, power_of(session))
    possible = possible_orders(board, situation.seen, situation.power, game.rulebook)
    found = [(unit, orders) for unit, orders in possible if unit]
    there = [each for each in found if each[0].province == parsed.place]
    items = tuple(_options_of(board, unit, orders) for unit, orders in there or found)
    return items or (CommandRefused("options", Why.NOTHING_TO_ORDER),)


def _options_of(board: Map, unit: UnitName, orders: Sequence[Order]) -> UnitOptions:
    hold = write_short(Hold(unit), board)
    moves = [each for each in orders if isinstance(each, Move)]
    if not moves:
        written = tuple(write_short(each, board) for each in orders)
        return UnitOptions(hold.rsplit(" ", 1)[0], written, moves=False)
    targets = dict.fromkeys(write_short(each, board).rpartition("-")[2] for each in moves)
    return UnitOptions(hold.rsplit(" ", 1)[0], tuple(targets), moves=True)


def _offer_same_orders(context: MailContext, session: Session, _: Same) -> Item:
    """Offer the orders of the last phase of this kind that are still possible."""
    game = context.game_of(session)
    if game.position is None:
        return CommandRefused("same", Why.NOT_STARTED)
    board, power = context.board(game), power_of(session)
    situation = situation_of(board, game, power)
    last = tuple(_orders_of_last_turn(context, session, game.position.phase))
    possible = tuple(
        write_short(each, board)
        for each in last
        if visible_fault(board, situation.seen, power, each, game.rulebook, situation.visible)
        is None
    )
    if not possible:
        return CommandRefused("same", Why.NO_EARLIER_ORDERS)
    return OrdersRestorable(possible, of_last_turn=True)


def _orders_of_last_turn(context: MailContext, session: Session, now: Phase) -> Iterator[Order]:
    by_phase: dict[str, tuple[str, ...]] = {}
    code = ""
    for recorded in context.transaction.events.read(session.game):
        match recorded.event:
            case PhaseOpened(phase=opened):
                code = opened
            case OrdersSubmitted() | OrdersCleared() as event if event.power == session.power:
                by_phase[code] = event.standing
            case _:
                pass
    before = [
        texts
        for written, texts in by_phase.items()
        if written != now.code and Phase.parse(written).kind is now.kind and texts
    ]
    yield from orders_from_texts(before[-1]) if before else ()


COMMANDS = (
    CommandRow(
        Legend,
        readers={"LEGEND": _read_legend},
        handle=_explain_province,
        topic="legend",
        forms=(Form("LEGEND Mun | LEGEND North Sea", "says what and where a province is"),),
    ),
    CommandRow(
        Options,
        readers={"OPTIONS": _read_options},
        scope=Scope.POWER,
        handle=_show_options,
        topic="options",
        forms=(Form("OPTIONS | OPTIONS Par", "lists what your units can do, or one of them"),),
    ),
    CommandRow(
        Same,
        bare={"SAME": Same},
        scope=Scope.POWER,
        handle=_offer_same_orders,
        topic="options",
        forms=(Form("SAME", "offers your orders of the last turn, as far as they are possible"),),
    ),
)
