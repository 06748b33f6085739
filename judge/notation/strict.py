"""Orders in the exact form programs exchange, that of the `diplomacy` package; for what people write there is `parser`.

`A LON - BEL VIA`, `A MUN S A BER - SIL`, `F NTH C A LON - BEL`, `A VIE R BOH`, `A VIE D`, `F STP/NC B`, `WAIVE`. Whether
a place exists, or an order is possible, is not asked here.
"""

from __future__ import annotations

import re
from functools import lru_cache

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

CACHED_ORDERS_MAX = 16_384  # some 2,000 different orders are in common use

_UNIT = r"\*?([AF]) ([A-Z]{3}(?:/[A-Z]{2})?)"
_PLACE = r"([A-Z]{3}(?:/[A-Z]{2})?)"
_ORDER = re.compile(
    rf"{_UNIT} (?:"
    rf"(?P<alone>[HDB])"
    rf"|(?P<goes>[-R]) {_PLACE}(?P<via> VIA)?"
    rf"|(?P<helps>[SC]) {_UNIT}(?: - {_PLACE})?"
    rf")"
)


class UnreadableOrderError(ValueError):
    """The text is no order in this form."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no order, such as 'A BUD - SER'")


@lru_cache(CACHED_ORDERS_MAX)
def read_order(text: str) -> Order:
    """Read one order; capitals and spaces do not matter. Raises `UnreadableOrderError`."""
    plain = " ".join(text.upper().split())
    if plain == "WAIVE":
        return Waive()
    found = _ORDER.fullmatch(plain)
    if not found:
        raise UnreadableOrderError(text)
    kind, place, alone, goes, target, via, helps, other_kind, other_place, helped_to = found.groups()
    unit = UnitName(UnitKind(kind), place)
    if alone:
        return {"H": Hold, "D": Disband, "B": Build}[alone](unit)
    if goes == "-":
        return Move(unit, target, via_convoy=bool(via))
    if goes and not via:
        return Retreat(unit, target)
    if helps and (helps, helped_to) != ("C", None):
        return _help(unit, helps, UnitName(UnitKind(other_kind), other_place), helped_to)
    raise UnreadableOrderError(text)


def _help(unit: UnitName, helps: str, other: UnitName, target: str | None) -> Order:
    if target is None:
        return SupportHold(unit, other)
    return SupportMove(unit, other, target) if helps == "S" else Convoy(unit, other, target)
