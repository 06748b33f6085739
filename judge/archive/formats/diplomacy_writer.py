"""Write games and phases as the `diplomacy` package saves them.

The package identifies a position by a Zobrist hash: random numbers for each unit, center and home,
drawn from a fixed seed and combined by exclusive or.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache, reduce
from operator import xor
from random import Random  # noqa: TID251 - no dice: the seed is always the same
from typing import TypeAlias, assert_never

from judge.archive import json_games, records
from judge.archive.formats import diplomacy
from judge.archive.position_json import write_position
from judge.notation.order_text import write_order
from judge.rules import types
from judge.rules.board import Map
from judge.rules.phase_sequence import open_build_sites, orders_due

SHORT = 3  # letters of a power in the victory note


def write_record(record: records.Record, board: Map) -> Iterator[str]:
    """Yield *record* as one line, nothing if it has no positions."""
    if any(each.position for each in record.phases):
        yield f"{json.dumps(saved_game(record, board))}\n"


def saved_game(record: records.Record, board: Map) -> dict[str, object]:
    """Return *record* as the package's JSON object."""
    known = {each.phase: each for each in record.phases if each.position}
    phases = [*known.values()]
    full = [packed(each) for each in phases]
    messages: dict[types.Phase, list[dict[str, object]]] = {phase: [] for phase in known}
    current = next(iter(known), None)
    for message, sent in zip(record.press, times_of(record.press), strict=True):
        # Press of an unknown phase joins the message before it.
        current = message.phase if message.phase in messages else current
        if current:
            messages[current].append(save_message(message, sent, current.code))
    saved = [
        {**_saved(board, record, each, before), "messages": messages[each.recorded.phase]}
        for before, each in zip((None, *full), full, strict=False)
    ]
    if record.ending and phases and not phases[-1].orders:
        last = _completed(board, record, record.ending, phases[-1])
        ended_unplayed = phases[-1].phase == record.ending.phase
        if ended_unplayed or not any(each.orders for each in phases[-2:]):
            saved.append({**last, "messages": []})
        else:
            saved[-1] |= last
    return {
        "id": record.name,
        "map": map_name(record.variant),
        "rules": rules_of(record),
        "phases": saved,
    }


def _saved(
    board: Map, record: records.Record, phase: Packed, before: Packed | None
) -> dict[str, object]:
    assert phase.recorded.position
    return {
        "name": phase.recorded.phase.code,
        "state": _state(board, record, phase.recorded, phase.recorded.position),
        "orders": save_orders(board, phase),
        "results": save_results(phase, before),
    }


def _state(
    board: Map, record: records.Record, state: records.RecordedPhase, position: types.Position
) -> dict[str, object]:
    reported = state.reported or state.deadline
    return {
        "timestamp": (reported - diplomacy.EPOCH) // TICK if reported else 0,
        "zobrist_hash": zobrist_hash(board, position),
        **save_state(board, record, position),
    }


def _completed(
    board: Map, record: records.Record, ending: records.Ending, last: records.RecordedPhase
) -> dict[str, object]:
    assert last.position
    position = replace(last.position, dislodged=())
    note = diplomacy.VICTORY + ", ".join(power[:SHORT] for power in ending.powers)
    ending_note = "" if ending.kind is records.EndKind.ABANDONED else note
    return {
        "name": json_games.COMPLETED,
        "state": {
            **_state(board, record, last, position),
            "name": json_games.COMPLETED,
            "note": ending_note,
        },
        "orders": {},
        "results": {},
    }


SEVERAL = ", "
TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Packed:
    """A *recorded* phase, and its *orders* with their texts in the package's notation."""

    recorded: records.RecordedPhase
    orders: tuple[tuple[records.WrittenOrder, str], ...]


def map_name(variant: str) -> str:
    """Return what the package calls the map of *variant*."""
    return next((name for name, own in diplomacy.MAP_NAMES.items() if own == variant), variant)


def save_state(board: Map, record: records.Record, position: types.Position) -> dict[str, object]:
    """Return *position* as the package's game state."""
    written = write_position(position)
    return {
        "name": position.phase.code,
        "note": "",
        "game_id": record.name,
        "map": map_name(record.variant),
        "rules": rules_of(record),
        "units": _for_all(board, written["units"], []),
        "retreats": _for_all(board, written["retreats"], {}),
        "centers": _for_all(board, written["centers"], []),
        "homes": {power: list(board.homes_of(power)) for power in board.powers},
        "builds": {power: _builds(board, position, power) for power in board.powers},
    }


def packed(recorded: records.RecordedPhase) -> Packed:
    """Return *recorded* with its orders in the package's notation."""
    position, retreats = recorded.position, recorded.phase.kind is types.PhaseKind.RETREATS
    units: Iterable[types.Unit] = position.units if position else ()
    if position and retreats:
        units = [each.unit for each in position.dislodged]
    units_by_province = {unit.province: unit.named() for unit in units}
    return Packed(
        recorded,
        tuple(
            (each, write_order(_in_full(each.order, units_by_province, retreats=retreats)))
            for each in recorded.orders
            if each.order
        ),
    )


def save_orders(board: Map, phase: Packed) -> dict[types.Power, list[str] | None]:
    """Return the orders by power, None for every power if there are none at all."""
    if not phase.recorded.orders:
        return dict.fromkeys(board.powers)
    orders: dict[types.Power, list[str] | None] = {power: [] for power in board.powers}
    for written, text in phase.orders:
        orders[written.power] = [*(orders.get(written.power) or ()), text]
    return orders


def save_results(phase: Packed, before: Packed | None) -> dict[str, list[str]]:
    """Return the results by unit, with the units destroyed in the phase *before*."""
    kind = phase.recorded.phase.kind
    results = _destroyed(before) if before and kind is not types.PhaseKind.MOVEMENT else {}
    for written, text in phase.orders:
        if written.results is not None:
            codes = _codes(kind, written.order, written.results)
            results[_unit_in(text)] = [*results.get(_unit_in(text), ()), *codes]
    for _, removed in phase.recorded.removed:
        gone = (
            diplomacy.CARRIED_OUT if kind is types.PhaseKind.ADJUSTMENTS else diplomacy.DISBANDED
        )
        results.setdefault(str(removed), [gone])  # Destroyed units had orders.
    return results


def rules_of(record: records.Record) -> list[str]:
    """Return the package's rules from the settings of *record*."""
    return record.settings.get("rules", "").split()


def times_of(press: Iterable[records.RecordedPress]) -> list[int]:
    """Return a unique time for each message, in microseconds.

    A message without a time directly follows the one before it.
    """
    times: list[int] = []
    for message in press:
        after = times[-1] + 1 if times else 0
        sent = (message.sent - diplomacy.EPOCH) // TICK if message.sent else 0
        times.append(max(after, sent))
    return times


def save_message(message: records.RecordedPress, sent: int, code: str) -> dict[str, object]:
    """Return *message*, with its time *sent* and the *code* of its phase."""
    return {
        "sender": message.sender or "",
        "recipient": SEVERAL.join(message.readers) or diplomacy.EVERYONE,
        "time_sent": sent,
        "phase": code,
        "message": message.text,
    }


def _in_full(
    order: types.Order,
    units_by_province: Mapping[types.Province, types.UnitName],
    *,
    retreats: bool,
) -> types.Order:
    """Return *order* with kinds and coasts completed, without a route, and moves as retreats.

    A unit that is not on the board keeps its name as written.
    """

    def full(name: types.UnitName) -> types.UnitName:
        found = units_by_province.get(name.province, name)
        return found if name.kind in {None, found.kind} else name

    match order:
        case types.Move(unit, target) if retreats:
            return types.Retreat(full(unit), target)
        case types.Move(unit, target, via_convoy):
            return types.Move(full(unit), target, via_convoy)
        case types.SupportHold(unit, supported) | types.SupportMove(unit, supported):
            return replace(order, unit=full(unit), supported=full(supported))
        case types.Convoy(unit, army):
            return replace(order, unit=full(unit), army=full(army))
        case types.Hold(unit) | types.Retreat(unit) | types.Disband(unit):
            return replace(order, unit=full(unit))
        case types.Build() | types.Waive():
            return order
        case _:
            assert_never(order)


def _for_all(board: Map, value: object, nothing: object) -> dict[types.Power, object]:
    assert isinstance(value, dict)
    neutral = {types.NEUTRAL: value[types.NEUTRAL]} if types.NEUTRAL in value else {}
    return {power: value.get(power, nothing) for power in board.powers} | neutral


def _builds(board: Map, position: types.Position, power: types.Power) -> dict[str, object]:
    if position.phase.kind is not types.PhaseKind.ADJUSTMENTS:
        return {"count": 0, "homes": []}
    if position.due(power) <= 0:
        return {"count": position.due(power), "homes": []}
    homes = list(open_build_sites(board, position, power))
    return {"count": orders_due(board, position, power), "homes": homes}


def _codes(kind: types.PhaseKind, order: types.Order | None, words: Iterable[str]) -> list[str]:
    gone = diplomacy.DISLODGED if kind is types.PhaseKind.MOVEMENT else diplomacy.DISBANDED
    codes = [gone if word == diplomacy.DESTROYED else word for word in words]
    if kind is types.PhaseKind.RETREATS and isinstance(order, types.Disband) and not codes:
        return [diplomacy.DISBANDED]
    return codes or ([diplomacy.CARRIED_OUT] if kind is types.PhaseKind.ADJUSTMENTS else [])


def _destroyed(before: Packed) -> dict[str, list[str]]:
    if before.recorded.phase.kind is not types.PhaseKind.MOVEMENT:
        return {}
    return {
        _unit_in(text): [diplomacy.DISBANDED]
        for written, text in before.orders
        if diplomacy.DESTROYED in (written.results or ())
    }


def _unit_in(text: str) -> str:
    return " ".join(text.split(maxsplit=2)[:2])


BOARDS_MAX = 16  # cached

Numbers: TypeAlias = Mapping[tuple[str, types.Location], int]  # by unit kind or power


@dataclass(frozen=True, slots=True)
class _Tables:
    """The random numbers of one board, in the order in which the package draws them."""

    kinds: Numbers
    units: Numbers
    dislodged_kinds: Numbers
    dislodged: Numbers
    centers: Numbers
    homes: Numbers


def zobrist_hash(board: Map, position: types.Position) -> str:
    """Return the hash of *position* as decimal text, as the package writes it."""
    return str(reduce(xor, _numbers(board, position), 0))


def _numbers(board: Map, position: types.Position) -> Iterator[int]:
    tables = _tables(board)
    yield from _of_units(position.units, tables.kinds, tables.units)
    dislodged = [each.unit for each in position.dislodged]
    yield from _of_units(dislodged, tables.dislodged_kinds, tables.dislodged)
    for center, owner in position.owners.items():
        yield tables.centers[owner, center]
    for power in board.powers:
        yield from (tables.homes[power, home] for home in board.homes_of(power))


def _of_units(units: Iterable[types.Unit], kinds: Numbers, powers: Numbers) -> Iterator[int]:
    for unit in units:
        if unit.power != types.NEUTRAL:  # the package has no neutral units
            yield kinds[unit.kind.value, unit.location]
            yield powers[unit.power, unit.location]


@lru_cache(BOARDS_MAX)
def _tables(board: Map) -> _Tables:
    kinds, powers = ("A", "F"), sorted(board.powers)
    locations = sorted(board.locations)
    centers = "-".join(sorted(name for name, place in board.places.items() if place.center))
    # 12345 and 7 are the package's constants.
    letters = sum(ord(letter) * 7**index for index, letter in enumerate(centers))
    draw = Random((12345 + len(locations) + letters) % 2**32)  # noqa: S311 - no secret

    def drawn(rows: Iterable[types.Power]) -> Numbers:
        return {(row, each): draw.randint(1, sys.maxsize) for row in rows for each in locations}

    return _Tables(*map(drawn, (kinds, powers, kinds, powers, powers, powers)))
