"""A unit that is named alone: `A Bur`, `the fleet in Brest`."""

from __future__ import annotations

from judge.notation.parser import parse
from judge.notation.reading import Understood
from judge.rules.geography import Map
from judge.rules.order import Build, UnitName
from judge.rules.phase import PhaseKind


def unit_in(text: str, board: Map) -> UnitName | None:
    """Return the unit that is all that *text* names, with its kind."""
    match parse(text, board, PhaseKind.ADJUSTMENTS):
        case (Understood(order=Build(unit), bare=True),):  # such as is built where builds are due
            return unit
        case _:
            return None
