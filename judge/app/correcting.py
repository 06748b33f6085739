"""The board as its moderator says that it is: each fact read, or all of them left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.archive.json_input import MalformedError
from judge.archive.position_json import read_unit
from judge.mail.language.command_syntax import power_named
from judge.notation.parser import parse
from judge.notation.readings import Understood
from judge.rules.board import Map
from judge.rules.types import Hold, Position, Power, Province, Unit, UnitName

NOBODY = ("NO", "NOBODY", "REMOVE")
OWNS = "OWNS"


def corrected(board: Map, position: Position, facts: Sequence[str]) -> Position | None:
    """Return *position* with *facts* such as `France A Bur`, `no A Par`, `France owns Bel`.

    None if one of them cannot be, or cannot be read.
    """
    so: Position | None = position
    for fact in facts:
        whose, what, where = fact.split(maxsplit=2)
        power = power_named(whose, board)
        if so is None or (power is None and whose.upper() not in NOBODY):
            return None
        if what.upper() == OWNS:
            so = _owned(board, so, power, where)
        else:
            so = _placed(board, so, power, f"{what} {where}")
    return so


def _owned(board: Map, position: Position, power: Power | None, where: str) -> Position | None:
    named = _named(board, where)
    if named is None or named.province not in board.centers:
        return None
    others = {
        center: owner for center, owner in position.owners.items() if center != named.province
    }
    return replace(position, owners={**others, named.province: power} if power else others)


def _placed(board: Map, position: Position, power: Power | None, what: str) -> Position | None:
    """Let a unit of *power* stand where it is said, or (None) nothing: there must be something."""
    named = _named(board, what)
    if named is None or named.kind is None:
        return None
    others = _elsewhere(position, named.province)
    if power is None:
        gone = len(position.units) - len(others)
        return replace(position, units=others) if gone else None
    try:
        unit = read_unit(board, power, f"{named.kind.value} {named.location}")
    except MalformedError:
        return None
    rank = board.powers.index
    units = sorted((*others, unit), key=lambda each: (rank(each.power), each.location))
    return replace(position, units=tuple(units))


def _elsewhere(position: Position, province: Province) -> tuple[Unit, ...]:
    return tuple(unit for unit in position.units if unit.province != province)


def _named(board: Map, text: str) -> UnitName | None:
    """Read a unit, or a province alone."""
    match parse(f"{text} H", board):
        case [Understood(order=Hold(unit=named))]:
            return named
        case _:
            return None
