"""A `Record` as JSON: all of it, in a superset of what the `diplomacy` package saves.

The keys of the package mean what they mean there, and are for those who know it: `id`, `map`,
`rules`, and of a phase `name`, `state`, `orders`, `results`, `messages`. The orders and results
stand once more, one by one and in full, in `written`, which alone is read back. What a record does
not tell is left out. `record.v1.schema.json`, beside this module, is the contract: a key is never
renamed, retyped or dropped, but another version made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import Enum
from typing import TypeAlias

from judge.archive.positions import write_position
from judge.archive.record import Doubt, Ending, Record, Seat, Source, WrittenOrder, YearChart
from judge.archive.saving import (
    Packed,
    packed,
    rules_of,
    save_message,
    save_orders,
    save_results,
    save_state,
    times_of,
)
from judge.notation.order_text import write_owned_order
from judge.rules.board import Map
from judge.rules.types import Phase, Position

FORMAT, VERSION = "judge-record", 1
OF_RECORD = (
    "source",
    "rulebook",
    "numbers",
    "gamemaster",
    "zine",
    "issue",
    "seats",
    "charts",
    "ending",
    "settings",
    "doubts",
)
OF_PHASE = (
    "results_told",
    "deadline",
    "reported",
    "first_line",
    "last_line",
    "notes",
)

Json: TypeAlias = dict[str, object]


def to_json(record: Record, board: Map) -> Json:
    """Return *record* as an object that JSON can hold; `record_reading` reads it back."""
    messages = _messages(record)
    full = [packed(each) for each in record.phases]
    phases = [
        {
            **_phase(board, record, each, before),
            "messages": messages.pop(each.told.phase, []),
        }
        for before, each in zip((None, *full), full, strict=False)
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": record.name,
        "map": record.variant,
        "rules": rules_of(record),
        **_told(record, OF_RECORD),
        "phases": phases,
        "messages": [each for several in messages.values() for each in several],
    }


def _phase(board: Map, record: Record, phase: Packed, before: Packed | None) -> Json:
    recorded, position = phase.told, phase.told.position
    return {
        "name": recorded.phase.code,
        **({"state": _state(board, record, position)} if position else {}),
        "orders": save_orders(board, phase),
        "results": save_results(phase, before),
        "written": [_written(each) for each in recorded.orders],
        "removed": [{"power": power, "unit": str(unit)} for power, unit in recorded.removed],
        "edition": recorded.edition,
        **_told(recorded, OF_PHASE),
    }


def _state(board: Map, record: Record, position: Position) -> Json:
    """Return *position* with what the package does not know of it."""
    return {
        **save_state(board, record, position),
        "dislodged": write_position(position)["dislodged"],
        "contested": sorted(position.contested),
        "due": dict(position.builds),
    }


def _written(written: WrittenOrder) -> Json:
    """Return one order; its text is left out where it is the order as we write it."""
    order = write_owned_order(written.order) if written.order else None
    told: Json = {"power": written.power}
    if order:
        told["order"] = order
    if written.text != order:
        told["text"] = written.text
    if written.results is not None:
        told["results"] = list(written.results)
    if written.line is not None:
        told["line"] = written.line
    return told


def _messages(record: Record) -> dict[Phase | None, list[Json]]:
    """Return the press by phase, numbered from 1 in the order of the record."""
    messages: dict[Phase | None, list[Json]] = {}
    times = times_of(record.press)
    for number, (press, sent) in enumerate(zip(record.press, times, strict=True), 1):
        code = press.phase.code if press.phase else ""
        message = {
            **save_message(press, sent, code),
            "number": number,
            "readers": list(press.readers),
            **_told(press, ("sent", "line")),
        }
        messages.setdefault(press.phase, []).append(message)
    return messages


def _told(part: object, names: Iterable[str]) -> Json:
    """Return those fields of *part* that tell something."""
    values = {name: getattr(part, name) for name in names}
    untold: tuple[object, ...] = (None, False, (), {}, "")
    return {name: _plain(value) for name, value in values.items() if value not in untold}


def _plain(value: object) -> object:  # noqa: PLR0911 - one return a kind of value
    match value:
        case Phase():
            return value.code
        case datetime():
            return value.isoformat()
        case Enum():
            return value.value
        case tuple():
            return [_plain(each) for each in value]
        case Mapping():
            return dict(value)
        case Source() | Seat() | Ending() | YearChart() | Doubt():
            return _told(value, value.__slots__)
        case _:
            return value
