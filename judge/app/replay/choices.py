"""The orders that each power may give, as the order writer of a page reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from judge.game.orders.possible_orders import possible_orders
from judge.notation.order_text import write_short
from judge.reports.board_names import place_name, power_name, short_unit
from judge.reports.replay_pages import unused_build_name
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)


def choices(
    board: Map, position: Position, rulebook: Rulebook, game: str, address: str, language: str
) -> str:
    """Return JSON: a list of powers with their pieces, and for each the orders that it may get.

    Powers and pieces are named in *language*; an order is its text, as it is in every language,
    and the provinces of the board that it is chosen by. It can stand in a page: nothing in it is
    markup.
    """
    powers = [
        _power(board, position, power, rulebook, language)
        for power in board.powers
        if position.units_of(power) or position.dislodged_of(power) or position.due(power) > 0
    ]
    told = {
        "game": game,
        "phase": position.phase.code,
        "address": address,
        "powers": [each for each in powers if each["pieces"]],
    }
    return json.dumps(told, separators=(",", ":")).replace("<", "\\u003c")


def _power(
    board: Map, position: Position, power: Power, rulebook: Rulebook, language: str
) -> dict[str, object]:
    pieces: dict[Province, list[list[str]]] = {}
    names: dict[Province, str] = {}
    for unit, orders in possible_orders(board, position, power, rulebook):
        texts = [[write_short(each, board), *_provinces(each)] for each in orders]
        if unit:
            names.setdefault(unit.province, _name(board, position, unit, language))
            pieces.setdefault(unit.province, []).extend(texts)
        else:  # Each of the builds that are due may be waived.
            waived = [f"WAIVE{number}" for number in range(1, position.due(power) + 1)]
            names |= dict.fromkeys(waived, unused_build_name(language))
            pieces |= dict.fromkeys(waived, texts)
    winter = position.phase.kind is PhaseKind.ADJUSTMENTS
    return {
        "name": power_name(board, power, language),
        "letter": board.nations[power].letter,
        "due": f"{position.due(power):+}" if winter else "",
        "pieces": [
            {"at": at, "name": names[at], "orders": orders} for at, orders in pieces.items()
        ],
    }


def _name(board: Map, position: Position, unit: UnitName, language: str) -> str:
    stands = any(each.province == unit.province for each in position.units)
    dislodged = any(each.unit.province == unit.province for each in position.dislodged)
    if not (stands or dislodged):
        return place_name(board, unit.province, language)
    return short_unit(board, Unit("", unit.kind or UnitKind.ARMY, unit.location))


def _provinces(order: Order) -> Iterator[Province]:
    """Yield the provinces by which *order* is chosen, once its unit is."""
    match order:
        case Hold(unit=unit) | Disband(unit=unit) | Build(unit=unit):
            yield unit.province
        case Move(target=target) | Retreat(target=target):
            yield province_of(target)
        case SupportHold(supported=other):
            yield other.province
        case SupportMove(supported=other, target=target) | Convoy(army=other, target=target):
            yield other.province
            yield province_of(target)
        case Waive():
            pass
