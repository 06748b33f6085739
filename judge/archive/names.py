"""Names in recorded text to powers, locations and orders of a board."""

from __future__ import annotations

from functools import lru_cache

from judge.notation.names import names_of, tokenize
from judge.notation.parser import parse
from judge.notation.readings import Understood
from judge.notation.terms import Cursor, terms_of
from judge.rules.board import Map
from judge.rules.types import Build, Location, Order, PhaseKind, Power, Province, UnitName

ORDERS_KEPT = 16_384  # A few thousand different orders are in common use.
ABBREVIATION_LETTERS = 3  # `AUS`, as zines and charts have it


@lru_cache(ORDERS_KEPT)
def power_of(board: Map, text: str) -> Power | None:
    """Return the power that *text* names: in full, as an adjective, or by three letters."""
    word = text.strip().casefold()
    for power, nation in board.nations.items():
        names = {power.casefold(), nation.name.casefold(), nation.adjective.casefold()}
        if word in names or word == power[:ABBREVIATION_LETTERS].casefold():
            return power
    return None


@lru_cache(ORDERS_KEPT)
def location_of(board: Map, text: str) -> Location | None:
    """Return the place that *text* names, with its coast; None if it is none, or several."""
    names = names_of(board)
    cursor = Cursor(terms_of(tokenize(text), names), names)
    if len(cursor.peek().places) != 1:
        return None
    location = cursor.place()
    return location if cursor.ended and location in board.locations else None


@lru_cache(ORDERS_KEPT)
def center_of(board: Map, text: str) -> Province | None:
    """Return the supply center that *text* names: `NOR` can only be Norway."""
    found = [each for each in names_of(board).find(text) if board.places[each].center]
    return found[0] if len(found) == 1 else None


@lru_cache(ORDERS_KEPT)
def order_of(board: Map, text: str, kind: PhaseKind) -> tuple[Order, Power | None] | None:
    """Return the one order that *text* gives, and whose it says that it is; None if unsure."""
    match parse(text, board, kind, s_stands=True):
        case (Understood(order=order, power=power),):
            return order, power
        case _:
            return None


def unit_of_text(board: Map, text: str) -> UnitName | None:
    """Return the unit that *text* names, such as `Fleet St Petersburg (south coast)`."""
    read = order_of(board, text, PhaseKind.ADJUSTMENTS)
    return read[0].unit if read and isinstance(read[0], Build) else None
