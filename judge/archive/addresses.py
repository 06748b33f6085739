"""Mail addresses in the texts of a record: left out, unless they are asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from judge.archive.record import (
    Doubt,
    Ending,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    Source,
    WrittenOrder,
)

Part = TypeVar("Part", Record, Source, Seat, WrittenOrder, RecordedPress, Ending, Doubt)

# Nothing before it that could be part of it, so that a long word is looked through only once.
ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
LEFT_OUT = "[address]"


def without_addresses(text: str) -> str:
    """Return *text* with each mail address left out."""
    return ADDRESS.sub(LEFT_OUT, text) if "@" in text else text


def addressless(record: Record) -> Record:
    """Return *record* with no address in any of its texts but the name of its file.

    By that it is found again; `addressless_source` is for records that go elsewhere.
    """
    return replace(
        _struck(record),
        numbers=_values_struck(record.numbers),
        seats=tuple(_struck(replace(each, address=None)) for each in record.seats),
        phases=tuple(map(_phase_struck, record.phases)),
        press=tuple(
            replace(_struck(each), readers=tuple(map(without_addresses, each.readers)))
            for each in record.press
        ),
        ending=record.ending and _struck(record.ending),
        settings=_values_struck(record.settings),
        doubts=tuple(map(without_address, record.doubts)),
    )


def addressless_source(record: Record) -> Record:
    """Return *record* without the addresses in the name of its file."""
    return replace(record, source=_struck(record.source))


def without_address(doubt: Doubt) -> Doubt:
    """Return *doubt* with the addresses in what stands there left out."""
    return _struck(doubt)


def _phase_struck(phase: RecordedPhase) -> RecordedPhase:
    orders, notes = tuple(map(_struck, phase.orders)), tuple(map(without_addresses, phase.notes))
    return replace(phase, orders=orders, notes=notes)


def _struck(part: Part) -> Part:
    """Return *part* with the addresses in each field that is a text left out."""
    told = {name: getattr(part, name) for name in part.__slots__}
    texts = {name: text for name, text in told.items() if isinstance(text, str) and "@" in text}
    told |= {name: without_addresses(text) for name, text in texts.items()}
    return replace(part, **told) if texts else part


def _values_struck(told: Mapping[str, str]) -> Mapping[str, str]:
    return {without_addresses(key): without_addresses(value) for key, value in told.items()}
