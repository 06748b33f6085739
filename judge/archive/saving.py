"""Phases in the shape that the `diplomacy` package saves; `saved_games` reads them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import assert_never

from judge.archive.positions import write_position
from judge.archive.record import Record, RecordedPhase, RecordedPress, WrittenOrder
from judge.archive.saved_games import EPOCH, EVERYBODY
from judge.archive.saved_orders import CARRIED_OUT, DESTROYED, DISBANDED, DISLODGED
from judge.notation.order_text import write_order
from judge.rules.board import Map
from judge.rules.phase_sequence import open_homes, orders_due
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
    UnitName,
    Waive,
)

SEVERAL = ", "
TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Packed:
    """A phase as it was *told*, and its *orders* that were understood, with their texts."""

    told: RecordedPhase
    orders: tuple[tuple[WrittenOrder, str], ...]


def save_state(board: Map, record: Record, position: Position) -> dict[str, object]:
    """Return *position* as a state of the game."""
    told = write_position(position)
    return {
        "name": position.phase.code,
        "note": "",
        "game_id": record.name,
        "map": record.variant,
        "rules": rules_of(record),
        "units": _for_all(board, told["units"], []),
        "retreats": _for_all(board, told["retreats"], {}),
        "centers": _for_all(board, told["centers"], []),
        "homes": {power: list(board.homes_of(power)) for power in board.powers},
        "builds": {power: _builds(board, position, power) for power in board.powers},
    }


def packed(recorded: RecordedPhase) -> Packed:
    """Return *recorded* with its orders as the package has them."""
    position, retreats = recorded.position, recorded.phase.kind is PhaseKind.RETREATS
    units: Iterable[Unit] = position.units if position else ()
    if position and retreats:
        units = [each.unit for each in position.dislodged]
    standing = {unit.province: UnitName(unit.kind, unit.location) for unit in units}
    return Packed(
        recorded,
        tuple(
            (each, write_order(_in_full(each.order, standing, retreats=retreats)))
            for each in recorded.orders
            if each.order
        ),
    )


def save_orders(board: Map, phase: Packed) -> dict[Power, list[str] | None]:
    """Return the orders that were understood, None for each power if nobody gave any."""
    if not phase.told.orders:
        return dict.fromkeys(board.powers)
    orders: dict[Power, list[str] | None] = {power: [] for power in board.powers}
    for written, text in phase.orders:
        orders[written.power] = [*(orders.get(written.power) or ()), text]
    return orders


def save_results(phase: Packed, before: Packed | None) -> dict[str, list[str]]:
    """Return the results of the orders, and who was destroyed in the phase *before*."""
    kind = phase.told.phase.kind
    results = _destroyed(before) if before and kind is not PhaseKind.MOVEMENT else {}
    for written, text in phase.orders:
        if written.results is not None:
            codes = _codes(kind, written.order, written.results)
            results[_unit_in(text)] = [*results.get(_unit_in(text), ()), *codes]
    for _, removed in phase.told.removed:
        gone = CARRIED_OUT if kind is PhaseKind.ADJUSTMENTS else DISBANDED
        results.setdefault(str(removed), [gone])  # What was destroyed had an order.
    return results


def rules_of(record: Record) -> list[str]:
    """Return the rules of the package that the settings of *record* name."""
    return record.settings.get("rules", "").split()


def times_of(press: Iterable[RecordedPress]) -> list[int]:
    """Return for each message when it was sent, in microseconds: never two at a time.

    One of which that is not told was sent just after the one before it.
    """
    times: list[int] = []
    for message in press:
        after = times[-1] + 1 if times else 0
        sent = (message.sent - EPOCH) // TICK if message.sent else 0
        times.append(max(after, sent))
    return times


def save_message(message: RecordedPress, sent: int, code: str) -> dict[str, object]:
    """Return *message*, *sent* in the phase of that *code*, to one reader or to everybody."""
    return {
        "sender": message.sender or "",
        "recipient": SEVERAL.join(message.readers) or EVERYBODY,
        "time_sent": sent,
        "phase": code,
        "message": message.text,
    }


def _in_full(order: Order, standing: Mapping[Province, UnitName], *, retreats: bool) -> Order:
    """Return *order* with kinds and coasts in full, without a route, a retreat as such.

    A unit that does not stand where it is named is left as it is named.
    """

    def full(name: UnitName) -> UnitName:
        found = standing.get(name.province, name)
        return found if name.kind in {None, found.kind} else name

    match order:
        case Move(unit, target) if retreats:
            return Retreat(full(unit), target)
        case Move(unit, target, via_convoy):
            return Move(full(unit), target, via_convoy)
        case SupportHold(unit, supported) | SupportMove(unit, supported):
            return replace(order, unit=full(unit), supported=full(supported))
        case Convoy(unit, army):
            return replace(order, unit=full(unit), army=full(army))
        case Hold(unit) | Retreat(unit) | Disband(unit):
            return replace(order, unit=full(unit))
        case Build() | Waive():
            return order
        case _:
            assert_never(order)


def _for_all(board: Map, told: object, nothing: object) -> dict[Power, object]:
    assert isinstance(told, dict)
    return {power: told.get(power, nothing) for power in board.powers}


def _builds(board: Map, position: Position, power: Power) -> dict[str, object]:
    if position.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {"count": 0, "homes": []}
    if position.due(power) <= 0:
        return {"count": position.due(power), "homes": []}
    homes = list(open_homes(board, position, power))
    return {"count": orders_due(board, position, power), "homes": homes}


def _codes(kind: PhaseKind, order: Order | None, words: Iterable[str]) -> list[str]:
    """Return the *words* on *order* as the package has them."""
    gone = DISLODGED if kind is PhaseKind.MOVEMENT else DISBANDED
    codes = [gone if word == DESTROYED else word for word in words]
    if kind is PhaseKind.RETREATS and isinstance(order, Disband) and not codes:
        return [DISBANDED]
    return codes or ([CARRIED_OUT] if kind is PhaseKind.ADJUSTMENTS else [])


def _destroyed(before: Packed) -> dict[str, list[str]]:
    if before.told.phase.kind is not PhaseKind.MOVEMENT:
        return {}
    return {
        _unit_in(text): [DISBANDED]
        for written, text in before.orders
        if DESTROYED in (written.results or ())
    }


def _unit_in(text: str) -> str:
    return " ".join(text.split(maxsplit=2)[:2])
