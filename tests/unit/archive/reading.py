"""Helpers for readers' tests: read a text as if it were the file `game.txt`."""

from __future__ import annotations

from judge.adapters.variant_files import load_map
from judge.archive.reading import Doubts, Format, Reading
from judge.archive.records import Record, RecordedPhase
from judge.notation.order_text import write_order

BOARD = load_map()


def games_in(form: Format, text: str, *, strict: bool = True) -> list[Record]:
    """Read all games of *text*, which must be recognized."""
    assert form.recognizes(text)
    reading = Reading(BOARD, "game.txt", "0", Doubts("game.txt", strict))
    return list(form.read(reading, text.splitlines()))


def game_in(form: Format, text: str, *, strict: bool = True) -> Record:
    """Read the one game of *text*."""
    (record,) = games_in(form, text, strict=strict)
    return record


def orders_of(phase: RecordedPhase) -> list[str]:
    """Return the orders of *phase* as programs write them, each after its power."""
    return [f"{each.power} {write_order(each.order)}" for each in phase.orders if each.order]


def units_of(phase: RecordedPhase) -> list[str]:
    """Return the units of *phase*, those with an asterisk that must retreat."""
    assert phase.position
    standing = [f"{unit.power} {unit}" for unit in phase.position.units]
    waiting = [f"{each.unit.power} *{each.unit}" for each in phase.position.dislodged]
    return standing + waiting
