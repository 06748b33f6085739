"""Records as the text of droidippy; `judge.archive.readers.droidippy` says how it looks.

The text has no words for waived builds, for the seas of a convoy, for results, players and press,
and an order in it can only be for a unit that is there, or a center of its power. What it cannot
say is left out; so are orders that were not understood, phases without a position, and editions
that were corrected. Behind the last phase stands END, so that games in one file stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import assert_never

from judge.archive.readers.droidippy import END
from judge.archive.record import Record, RecordedPhase, WrittenOrder
from judge.rules.board import Map
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    MovementOrder,
    Order,
    PhaseKind,
    Position,
    Retreat,
    Season,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
    province_of,
)

SEASONS = {Season.SPRING: "Spring", Season.FALL: "Fall", Season.WINTER: "Fall"}
KINDS = {
    PhaseKind.MOVEMENT: "Movement",
    PhaseKind.RETREATS: "Retreat",
    PhaseKind.ADJUSTMENTS: "Adjustment",
}
UNIT_KINDS = {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"}
SAID = {
    PhaseKind.MOVEMENT: MovementOrder,
    PhaseKind.RETREATS: Retreat | Move | Disband,
    PhaseKind.ADJUSTMENTS: Build | Disband,
}


def write(record: Record, board: Map) -> Iterator[str]:
    """Write *record*, a phase a piece."""
    last_editions = {phase.phase: phase for phase in record.phases if phase.position}
    for phase in last_editions.values():
        if phase.position:
            yield "".join(f"{line}\n" for line in _lines(board, phase, phase.position))
    if last_editions:
        yield f"{END}\n"


def _lines(board: Map, recorded: RecordedPhase, position: Position) -> Iterator[str]:
    phase = recorded.phase
    yield f"PHASE {phase.year} {SEASONS[phase.season]} {KINDS[phase.kind]}"
    yield "POSITIONS"
    for place, what, nation in sorted(_pieces(board, position)):
        yield f"{nation}: {what} {place}"
    yield "ORDERS"
    for written in recorded.orders:
        if written.order and isinstance(written.order, SAID[phase.kind]):
            yield from _order(board, position, written, written.order)


def _pieces(board: Map, position: Position) -> Iterator[tuple[str, str, str]]:
    """Yield the place of each unit and center, what it is, and whose."""

    def unit_piece(unit: Unit, mark: str = "") -> tuple[str, str, str]:
        what = UNIT_KINDS[unit.kind] + mark
        return _code(board, unit.location), what, board.nations[unit.power].name

    for unit in position.units:
        yield unit_piece(unit)
    for each in position.dislodged:
        yield unit_piece(each.unit, "/dislodged")
    for center, power in position.owners.items():
        yield _code(board, center), "supply", board.nations[power].name


def _order(board: Map, position: Position, written: WrittenOrder, order: Order) -> Iterator[str]:
    """Yield *order* if it is for something that is there and its power's."""
    if isinstance(order, Waive):
        return
    if isinstance(order, Build):
        if position.owners.get(order.unit.province) == written.power and order.unit.kind:
            kind = UNIT_KINDS[order.unit.kind].capitalize()
            yield f"build {kind} {_code(board, order.unit.location)}"
        return
    dislodged = [each.unit for each in position.dislodged]
    for unit in dislodged or position.units:
        if unit.province == order.unit.province and unit.power == written.power:
            yield _ordered(board, _code(board, unit.location), order, position.phase.kind)


def _ordered(  # noqa: PLR0911 - one return a kind of order
    board: Map, unit: str, order: MovementOrder | Retreat | Disband, kind: PhaseKind
) -> str:
    code = partial(_code, board)
    match order:
        case Hold():
            return f"{unit} hold"
        case Move(target=target, via_convoy=by_sea):
            return f"{unit} move {code(target)}{' via convoy' if by_sea else ''}"
        case Retreat(target=target):
            return f"{unit} move {code(target)}"
        case SupportHold(supported=other):
            return f"{unit} support {code(other.location)}"
        case SupportMove(supported=other, target=target):
            return f"{unit} support {code(other.location)} move {code(target)}"
        case Convoy(army=army, target=target):
            return f"{unit} convoy {code(army.location)} move {code(target)}"
        case Disband():
            return f"{unit} disband" if kind is PhaseKind.RETREATS else f"remove {unit}"
        case _:
            assert_never(order)


def _code(board: Map, location: Location) -> str:
    """Return the code of droidippy for *location*: `gol`, `stp/sc`."""
    province = province_of(location)
    coast = location.removeprefix(province).lower()
    return board.record_codes.get(province, province.lower()) + coast
