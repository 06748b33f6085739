"""Phases in the shape that the `diplomacy` package saves; `saved_games` reads them back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import assert_never

from judge.archive.placing import orders_of
from judge.archive.positions import write_position
from judge.archive.record import Record, RecordedPhase, RecordedPress
from judge.archive.saved_games import EPOCH
from judge.archive.saved_orders import CARRIED_OUT, DESTROYED, DISBANDED, DISLODGED
from judge.notation.writer import write
from judge.rules.adjustments import open_homes
from judge.rules.duties import owed
from judge.rules.geography import Map
from judge.rules.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from judge.rules.phase import PhaseKind
from judge.rules.position import Position
from judge.rules.vocabulary import Power

EVERYBODY = "GLOBAL"
SEVERAL = ", "
TICK = timedelta(microseconds=1)


def save_state(
    board: Map, record: Record, position: Position, *, name: str = "", note: str = ""
) -> dict[str, object]:
    """Return *position* as a state of the game, by the *name* of its phase unless one is given."""
    told = write_position(position)
    return {
        "name": name or position.phase.code,
        "note": note,
        "game_id": record.name,
        "map": record.variant,
        "rules": rules_of(record),
        "units": _for_all(board, told["units"], []),
        "retreats": _for_all(board, told["retreats"], {}),
        "centers": _for_all(board, told["centers"], []),
        "homes": {power: list(board.homes_of(power)) for power in board.powers},
        "builds": {power: _builds(board, position, power) for power in board.powers},
    }


def save_orders(board: Map, recorded: RecordedPhase) -> dict[Power, list[str] | None]:
    """Return the orders that were understood, None for each power if nobody gave any."""
    given = orders_of(recorded)
    return {
        power: [package_order(each, recorded.position) for each in given.get(power, ())]
        if recorded.orders
        else None
        for power in board.powers
    }


def save_results(recorded: RecordedPhase, before: RecordedPhase | None) -> dict[str, list[str]]:
    """Return the results of the orders, and who was destroyed in the phase *before*."""
    kind = recorded.phase.kind
    results = _destroyed(before) if before and kind is not PhaseKind.MOVEMENT else {}
    for written in recorded.orders:
        if written.order and written.results is not None:
            unit = _unit_of(written.order, recorded.position)
            codes = _codes(kind, written.order, written.results)
            results[unit] = [*results.get(unit, ()), *codes]
    for _, removed in recorded.removed:
        results[str(removed)] = [CARRIED_OUT if kind is PhaseKind.ADJUSTMENTS else DISBANDED]
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


def package_order(order: Order, position: Position | None) -> str:
    """Write *order* as the package has it: kinds and coasts in full, no route, a retreat as such.

    A unit that does not stand where it is named is written as it is named.
    """
    if position is None:
        return write(order)
    retreats = position.phase.kind is PhaseKind.RETREATS
    units = [each.unit for each in position.dislodged] if retreats else position.units
    standing = {unit.province: UnitName(unit.kind, unit.location) for unit in units}

    def full(name: UnitName) -> UnitName:
        found = standing.get(name.province, name)
        return found if name.kind in {None, found.kind} else name

    match order:
        case Move(unit, target, via_convoy):
            order = (
                Retreat(full(unit), target) if retreats else Move(full(unit), target, via_convoy)
            )
        case SupportHold(unit, supported) | SupportMove(unit, supported):
            order = replace(order, unit=full(unit), supported=full(supported))
        case Convoy(unit, army):
            order = replace(order, unit=full(unit), army=full(army))
        case Hold(unit) | Retreat(unit) | Disband(unit):
            order = replace(order, unit=full(unit))
        case Build() | Waive():
            pass
        case _:
            assert_never(order)
    return write(order)


def _for_all(board: Map, told: object, nothing: object) -> dict[Power, object]:
    assert isinstance(told, dict)
    return {power: told.get(power, nothing) for power in board.powers}


def _builds(board: Map, position: Position, power: Power) -> dict[str, object]:
    if position.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {"count": 0, "homes": []}
    if position.due(power) <= 0:
        return {"count": position.due(power), "homes": []}
    homes = list(open_homes(board, position, power))
    return {"count": owed(board, position, power), "homes": homes}


def _codes(kind: PhaseKind, order: Order, words: Iterable[str]) -> list[str]:
    """Return the *words* on *order* as the package has them."""
    gone = DISLODGED if kind is PhaseKind.MOVEMENT else DISBANDED
    codes = [gone if word == DESTROYED else word for word in words]
    if kind is PhaseKind.RETREATS and isinstance(order, Disband) and not codes:
        return [DISBANDED]
    return codes or ([CARRIED_OUT] if kind is PhaseKind.ADJUSTMENTS else [])


def _destroyed(before: RecordedPhase) -> dict[str, list[str]]:
    if before.phase.kind is not PhaseKind.MOVEMENT:
        return {}
    return {
        _unit_of(each.order, before.position): [DISBANDED]
        for each in before.orders
        if each.order and DESTROYED in (each.results or ())
    }


def _unit_of(order: Order, position: Position | None) -> str:
    return " ".join(package_order(order, position).split()[:2])
