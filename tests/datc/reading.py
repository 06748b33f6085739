"""Reads the notation of the cases: `A LON - BEL VIA`, `F MAR S F GAS - SPA/NC`, `A VIE R BOH`, `F STP/NC B`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
)
from judge.rules.position import DislodgedUnit
from judge.rules.vocabulary import Power, Unit, UnitKind

UNIT = r"([AF]) ([A-Z]{3}(?:/[A-Z]{2})?)"
PLACE = r"([A-Z]{3}(?:/[A-Z]{2})?)"


def read_order(text: str) -> Order:
    unit, order = _unit(text[:2] + text[2:].split(" ")[0]), text[2:].partition(" ")[2]
    if order in ("H", "D", "B"):
        return {"H": Hold, "D": Disband, "B": Build}[order](unit)
    if found := re.fullmatch(rf"- {PLACE}( VIA)?", order):
        return Move(unit, found[1], via_convoy=bool(found[2]))
    if found := re.fullmatch(rf"S {UNIT} - {PLACE}", order):
        return SupportMove(unit, UnitName(UnitKind(found[1]), found[2]), found[3])
    if found := re.fullmatch(rf"S {UNIT}", order):
        return SupportHold(unit, UnitName(UnitKind(found[1]), found[2]))
    if found := re.fullmatch(rf"C {UNIT} - {PLACE}", order):
        return Convoy(unit, UnitName(UnitKind(found[1]), found[2]), found[3])
    if found := re.fullmatch(rf"R {PLACE}", order):
        return Retreat(unit, found[1])
    raise ValueError(text)


def read_units(units: Mapping[Power, Sequence[str]]) -> tuple[Unit, ...]:
    return tuple(_standing(power, text) for power, texts in units.items() for text in texts)


def read_dislodged(
    dislodged: Mapping[Power, Mapping[str, Mapping[str, object]]],
) -> tuple[DislodgedUnit, ...]:
    return tuple(
        DislodgedUnit(
            _standing(power, text),
            str(told["from"]),
            bool(told["convoyed"]),
            tuple(told["retreats"]),
        )
        for power, units in dislodged.items()
        for text, told in units.items()
    )


def _unit(text: str) -> UnitName:
    return UnitName(UnitKind(text[0]), text[2:])


def _standing(power: Power, text: str) -> Unit:
    return Unit(power, UnitKind(text[0]), text[2:])
