"""Helpers for statistics tests: a game of a few phases with results."""

from __future__ import annotations

from judge.adapters.variant_files import load_map
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.notation.order_text import read_order
from judge.rules.types import DislodgedUnit, Phase, Position, Power, Province, Unit, UnitKind

BOARD = load_map()


def unit(text: str) -> Unit:
    """Return the unit of `AUSTRIA A BUD`."""
    power, kind, place = text.split()
    return Unit(power, UnitKind(kind), place)


def position(
    code: str, *units: str, centers: dict[Power, str] | None = None, driven: str = ""
) -> Position:
    """Return a position; *driven* is a unit that may retreat to Tyrolia."""
    owners: dict[Province, Power] = {
        center: power for power, several in (centers or {}).items() for center in several.split()
    }
    dislodged = (DislodgedUnit(unit(driven), "BUD", False, ("TYR",)),) if driven else ()  # noqa: FBT003 - by land
    return Position(Phase.parse(code), tuple(map(unit, units)), owners, dislodged)


def order(text: str, *words: str, told: bool = True) -> WrittenOrder:
    """Return the order of `AUSTRIA A BUD - SER`, and what came of it, if that is *told*."""
    power, _, plain = text.partition(" ")
    return WrittenOrder(power, plain, read_order(plain), words if told else None)


def phase(before: Position, *orders: WrittenOrder) -> RecordedPhase:
    return RecordedPhase(before.phase, before, orders, results_told=True)


def record(*phases: RecordedPhase, rulebook: str | None = "datc") -> Record:
    return Record(
        name="dogger", source=Source("record", "a file", "0"), phases=phases, rulebook=rulebook
    )
