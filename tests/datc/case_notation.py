"""Read the notation of the cases: `A LON - BEL VIA`, `F MAR S F GAS - SPA/NC`, `F STP/NC B`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    DislodgedUnit,
    Hold,
    Move,
    Order,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
)

SHORT: Mapping[str, Callable[[UnitName], Order]] = {"H": Hold, "D": Disband, "B": Build}
PLACE = r"([A-Z]{3}(?:/[A-Z]{2})?)"


def read_order(text: str) -> Order:
    if text == "WAIVE":
        return Waive()
    kind, location, rest = text.split(" ", 2)
    unit = UnitName(UnitKind(kind), location)
    if rest in SHORT:
        return SHORT[rest](unit)
    if found := re.fullmatch(rf"- {PLACE}( VIA)?", rest):
        return Move(unit, found[1], via_convoy=bool(found[2]))
    if found := re.fullmatch(rf"R {PLACE}", rest):
        return Retreat(unit, found[1])
    found = re.fullmatch(rf"([SC]) ([AF]) {PLACE}(?: - {PLACE})?", rest)
    assert found, text
    other = UnitName(UnitKind(found[2]), found[3])
    if not found[4]:
        return SupportHold(unit, other)
    return (SupportMove if found[1] == "S" else Convoy)(unit, other, found[4])


def read_units(units: Mapping[Power, Sequence[str]]) -> tuple[Unit, ...]:
    return tuple(_standing(power, text) for power, texts in units.items() for text in texts)


def read_dislodged(
    dislodged: Mapping[Power, Mapping[str, Mapping[str, Any]]],
) -> tuple[DislodgedUnit, ...]:
    return tuple(
        DislodgedUnit(
            _standing(power, text),
            told["from"],
            told["convoyed"],
            tuple(told["retreats"]),
        )
        for power, units in dislodged.items()
        for text, told in units.items()
    )


def _standing(power: Power, text: str) -> Unit:
    return Unit(power, UnitKind(text[0]), text[2:])
