"""Orders in the exact form that programs exchange; for what people write there is `parser`.

`A LON - BEL VIA`, `A MUN S A BER - SIL`, `F NTH C A LON - BEL`, `A VIE R BOH`, `A VIE D`,
`F STP/NC B`, `WAIVE`: the form of the `diplomacy` package, to which `A LON - NTH - BEL` adds the
seas of a route. Whether a place exists, or an order is possible, is not asked here. The form with
owners says besides whose a unit is, and may leave out what it is: `A MUN S FRANCE A BUR`, `VIE H`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from sys import intern

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
from judge.rules.vocabulary import UnitKind

LOCATION = r"[A-Z]{3}(?:/[A-Z]{2})?"
UNIT = rf"(?P<kind>[AF]) (?P<place>{LOCATION})"
OWNED_UNIT = rf"(?:(?P<power>[A-Z]{{2,}}) )?(?:(?P<kind>[AF]) )?(?P<place>{LOCATION})"


def _form(unit: str) -> re.Pattern[str]:
    """Return the form of orders whose units are written as *unit*."""
    return re.compile(
        rf"{unit} (?:"
        rf"(?P<alone>[HDB])"
        rf"|(?P<goes>[-R]) (?P<stops>(?:[A-Z]{{3}} - )*)(?P<target>{LOCATION})(?P<via> VIA)?"
        rf"|(?P<helps>[SC]) {unit.replace('(?P<', '(?P<other_')}(?: - (?P<helped_to>{LOCATION}))?"
        rf")"
    )


ORDER, OWNED_ORDER = _form(UNIT), _form(OWNED_UNIT)
ALONE: Mapping[str, Callable[[UnitName], Order]] = {"H": Hold, "D": Disband, "B": Build}


class UnreadableOrderError(ValueError):
    """The text is no order in this form."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no order, such as 'A BUD - SER'")


def read_order(text: str) -> Order:
    """Read one order; capitals and spaces do not matter. Raises `UnreadableOrderError`."""
    return _read(text, ORDER)


def read_owned(text: str) -> Order:
    """Read what `writer.write_owned` writes. Raises `UnreadableOrderError`."""
    return _read(text, OWNED_ORDER)


def _read(text: str, form: re.Pattern[str]) -> Order:
    plain = " ".join(text.upper().split())
    if plain == "WAIVE":
        return Waive()
    found = form.fullmatch(plain)
    if not found:
        raise UnreadableOrderError(text)
    unit = _unit(found)
    if found["alone"]:
        return ALONE[found["alone"]](unit)
    if found["goes"]:
        return _going(unit, found)
    return _helping(unit, found)


def _unit(found: re.Match[str], which: str = "") -> UnitName:
    kind = found[f"{which}kind"]
    power = found[f"{which}power"] if found.re is OWNED_ORDER else None
    return UnitName(UnitKind(kind) if kind else None, intern(found[f"{which}place"]), power)


def _going(unit: UnitName, found: re.Match[str]) -> Order:
    if found["goes"] == "-":
        route = tuple(found["stops"].split(" - ")[:-1])
        return Move(
            unit, intern(found["target"]), via_convoy=bool(route or found["via"]), route=route
        )
    if found["via"] or found["stops"]:
        raise UnreadableOrderError(found.string)
    return Retreat(unit, intern(found["target"]))


def _helping(unit: UnitName, found: re.Match[str]) -> Order:
    other, target = _unit(found, "other_"), intern(found["helped_to"] or "")
    if found["helps"] == "S":
        return SupportMove(unit, other, target) if target else SupportHold(unit, other)
    if not target:
        raise UnreadableOrderError(found.string)
    return Convoy(unit, other, target)
