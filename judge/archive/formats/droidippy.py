"""Read and write droidippy text: a block per phase, with positions and orders.

    PHASE 1901 Spring Movement
    POSITIONS
    Austria: army bud
    Austria: supply bud
    ORDERS
    bud move ser

The next block shows the result. An order is for the unit in its province (in a retreat phase, the
dislodged one); a build is for the owner of the center. Another game starts after END, which only
we write, after a gap between phases, and where units have moved without orders.

The format cannot express waived builds, convoy routes, results, players and press. The writer also
drops unreadable orders, phases without a position, and superseded editions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache, partial
from typing import assert_never

from judge.archive.positions import PrintedPosition, borders_for
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder, is_followed_by
from judge.errors import abridged
from judge.rules import types
from judge.rules.board import Map
from judge.rules.calendar import Calendar
from judge.rules.rulebook import rulebook_named

NAME = "droidippy"
END = "END"
HEADING = re.compile(r"PHASE (\d{4}) (\w+) (\w+)", re.IGNORECASE)
PIECE = re.compile(r"(\w+): (army|fleet|supply)(/dislodged)? (\S+)", re.IGNORECASE)
SEASONS = {
    "spring": types.Season.SPRING,
    "fall": types.Season.FALL,
    "autumn": types.Season.FALL,
    "winter": types.Season.WINTER,
}
KINDS = {
    "movement": types.PhaseKind.MOVEMENT,
    "retreat": types.PhaseKind.RETREATS,
    "adjustment": types.PhaseKind.ADJUSTMENTS,
}
UNIT_KINDS = {"army": types.UnitKind.ARMY, "fleet": types.UnitKind.FLEET}
RULES = rulebook_named(NAME)
BOARDS_MAX = 16  # cached
# Games repeat each other's lines, so each is parsed once: some thousand orders are common.
LINES_CACHED_MAX = 16_384


class _MalformedLineError(ValueError):
    """A line is malformed."""


class _LineKind(Enum):
    BLANK = auto()
    PHASE = auto()
    POSITIONS = auto()
    ORDERS = auto()
    END = auto()
    OTHER = auto()


KEYWORDS = {
    "": _LineKind.BLANK,
    "POSITIONS": _LineKind.POSITIONS,
    "ORDERS": _LineKind.ORDERS,
}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A unit of *owner* in *province*, or without one a center that *owner* has there."""

    province: types.Province
    owner: types.Power
    unit: types.Unit | None
    dislodged: bool


@dataclass(slots=True)
class _Block:
    phase: types.Phase
    first_line: int
    last_line: int
    pieces: dict[int, str] = field(default_factory=dict)  # by line
    orders: dict[int, str] = field(default_factory=dict)
    ordered: bool = False  # ORDERS was read
    last: bool = False  # END was read

    @property
    def units(self) -> set[str]:
        return {text.lower() for text in self.pieces.values() if ": supply " not in text.lower()}


def recognizes(head: str) -> bool:
    """Return whether *head* starts a Droidippy game."""
    return re.search(r"^[ \t]*PHASE \d{4} \w+ \w+\s+POSITIONS\b", head, re.MULTILINE) is not None


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    before: _Block | None = None
    phases: list[RecordedPhase] = []
    count = 0
    for block in _blocks(reading, lines):
        if before and phases and not _continues(reading.board.calendar, before, block):
            count += 1
            yield _record(reading, phases, count)
            beginnings, phases = (reading.board.start.phase, phases[0].phase), []
            if not before.last and block.phase not in beginnings:
                why = f"does not go on from {before.phase}; it is read as another game"
                reading.doubts.note(block.first_line, block.phase.code, why)
        phases.append(_phase(reading, block, phases[-1] if phases else None))
        before = block
    if not phases:
        raise UnreadableError(reading.name, None, "no phase found")
    yield _record(reading, phases, count + 1)


def _continues(calendar: Calendar, before: _Block, block: _Block) -> bool:
    possible = before.orders or before.units >= block.units
    return (
        bool(possible) and not before.last and is_followed_by(calendar, before.phase, block.phase)
    )


def _record(reading: Reading, phases: list[RecordedPhase], count: int) -> Record:
    name = reading.title if count == 1 else f"{reading.title}, game {count}"
    first, last = phases[0].first_line, phases[-1].last_line
    return Record(
        name=name,
        source=Source(NAME, reading.name, reading.sha256, first or 1, last),
        variant=reading.board.name,
        rulebook=NAME,
        phases=tuple(phases),
        doubts=reading.doubts.taken(),
    )


def _blocks(reading: Reading, lines: Iterable[str]) -> Iterator[_Block]:
    block: _Block | None = None
    found: dict[int, str] = {}  # the pieces or orders of the block
    for number, line in enumerate(lines, 1):
        kind, text = _read_line(line)
        if kind is _LineKind.OTHER and block:
            found[number] = text
        elif kind is _LineKind.PHASE:
            if block:
                yield _checked_block(reading, block)
            block = _opened(reading, number, text)
            found = block.pieces if block else {}
        elif kind is _LineKind.BLANK:
            pass
        elif block:
            found = _keyword(reading, block, kind, number, text)
        else:
            reading.doubts.note(number, text, "text before the first phase")
    if block:
        yield _checked_block(reading, block)


def _keyword(
    reading: Reading, block: _Block, kind: _LineKind, number: int, text: str
) -> dict[int, str]:
    """Return what the following lines belong to."""
    if kind is _LineKind.END:
        block.last = True
    elif block.ordered or (kind is _LineKind.POSITIONS and block.pieces):
        reading.doubts.note(number, text, "appears twice in one phase")
    elif kind is _LineKind.ORDERS:
        block.ordered, block.last_line = True, number
    return block.orders if block.ordered else block.pieces


@lru_cache(LINES_CACHED_MAX)
def _read_line(line: str) -> tuple[_LineKind, str]:
    """Return the kind of *line*, and its text without needless spaces."""
    text = " ".join(line.replace("\ufeff", "").split())
    if text.upper().startswith("PHASE "):
        return _LineKind.PHASE, text
    return (_LineKind.END if text == END else KEYWORDS.get(text.upper(), _LineKind.OTHER)), text


def _opened(reading: Reading, number: int, text: str) -> _Block | None:
    found = HEADING.fullmatch(text)
    season, kind = (found[2].lower(), found[3].lower().removesuffix("s")) if found else ("", "")
    if not found or season not in SEASONS or kind not in KINDS:
        reading.doubts.note(number, text, "not a phase")
        return None
    adjusted = KINDS[kind] is types.PhaseKind.ADJUSTMENTS  # Droidippy says Fall
    phase = types.Phase(
        types.Season.WINTER if adjusted else SEASONS[season], int(found[1]), KINDS[kind]
    )
    return _Block(phase, number, number)


def _checked_block(reading: Reading, block: _Block) -> _Block:
    if found := block.orders or block.pieces:
        block.last_line = max(block.last_line, next(reversed(found)))
    if not block.ordered:
        reading.doubts.note(block.last_line, "", f"{block.phase} breaks off before its orders")
    return block


def _phase(reading: Reading, block: _Block, before: RecordedPhase | None) -> RecordedPhase:
    placing = _placed(reading, block)
    orders = []
    for number, text in block.orders.items():
        try:
            power, order = _order(placing, block.phase, text)
        except _MalformedLineError as odd:
            reading.doubts.note(number, text, str(odd))
            if unit := _unit_before(placing, text):
                orders.append(WrittenOrder(unit.power, text, None, None, number))
        else:
            orders.append(WrittenOrder(power, text, order, None, number))
    # The last position of a file may be cut off.
    position = placing.position(block.phase, before, RULES) if block.ordered else None
    return RecordedPhase(
        block.phase,
        position,
        tuple(orders),
        first_line=block.first_line,
        last_line=block.last_line,
    )


def _placed(reading: Reading, block: _Block) -> PrintedPosition:
    placing = PrintedPosition(reading.board, reading.doubts)
    retreats = block.phase.kind is types.PhaseKind.RETREATS
    for number, text in block.pieces.items():
        try:
            piece = _piece(reading.board, text)
        except _MalformedLineError as odd:
            reading.doubts.note(number, text, str(odd))
            continue
        province, unit = piece.province, piece.unit
        there = placing.dislodged if piece.dislodged else placing.on_board
        if unit is None:
            if placing.owners.setdefault(province, piece.owner) != piece.owner:
                reading.doubts.note(number, text, f"{province} has two owners")
        elif piece.dislodged and not retreats:
            why = f"no unit is dislodged in {block.phase}"
            reading.doubts.note(number, text, why)
        elif there.setdefault(province, unit) is not unit:
            reading.doubts.note(number, text, f"a second unit in {province}")
    return placing


@lru_cache(LINES_CACHED_MAX)
def _piece(board: Map, text: str) -> _Piece:
    found = PIECE.fullmatch(text)
    if not found:
        raise _MalformedLineError("not a unit or center")
    power, what, location = found[1].upper(), found[2].lower(), _location(board, found[4])
    province, dislodged = types.province_of(location), found[3] is not None
    if power not in board.nations:
        raise _MalformedLineError(f"not a power of the {board.name} map")
    if what not in UNIT_KINDS:
        if not board.places[province].center or dislodged:
            raise _MalformedLineError("not a supply center")
        return _Piece(province, power, None, dislodged=False)
    unit = types.Unit(power, UNIT_KINDS[what], location)
    if location not in borders_for(board, unit.kind):
        raise _MalformedLineError("this unit cannot be there")
    return _Piece(province, power, unit, dislodged)


def _order(
    placing: PrintedPosition, phase: types.Phase, text: str
) -> tuple[types.Power, types.Order]:
    board = placing.board
    if phase.kind is types.PhaseKind.MOVEMENT:
        at, other_at = _provinces(board, text)
        unit, other = placing.on_board.get(at), placing.on_board.get(other_at)
        if unit is None:
            raise _MalformedLineError("no unit is there")
        return unit.power, _movement(board, text, unit.name, other.name if other else "")
    match phase.kind, text.lower().split():
        case types.PhaseKind.ADJUSTMENTS, ["build", ("army" | "fleet") as kind, place]:
            location = _location(board, place)
            power = placing.owners.get(types.province_of(location))
            if not power:
                raise _MalformedLineError("no power owns this center")
            return power, types.Build(types.UnitName(UNIT_KINDS[kind], location))
        case (types.PhaseKind.ADJUSTMENTS, ["remove", place]) | (
            types.PhaseKind.RETREATS,
            [place, "disband"],
        ):
            unit = _unit(placing, _province(board, place))
            return unit.power, types.Disband(unit.named())
        case types.PhaseKind.RETREATS, [place, "move", target]:
            unit = _unit(placing, _province(board, place))
            return unit.power, types.Retreat(unit.named(), _location(board, target))
        case _:
            raise _MalformedLineError(f"not an order for {phase}")


def _unit_before(placing: PrintedPosition, text: str) -> types.Unit | None:
    """Return the unit whose order *text* is, though it is no order."""
    word, *others = text.split()
    place = others[0] if word.lower() == "remove" and others else word
    try:
        return placing.unit_in(_province(placing.board, place))
    except _MalformedLineError:
        return None


@lru_cache(LINES_CACHED_MAX)
def _provinces(board: Map, text: str) -> tuple[types.Province, types.Province]:
    """Return the province of the ordered unit, and that of the other one or an empty one."""
    match text.lower().split():
        case [place, "support" | "convoy", other, *_]:
            return _province(board, place), _province(board, other)
        case [place, *_]:
            return _province(board, place), ""
        case _:
            raise _MalformedLineError("not an order")


@lru_cache(LINES_CACHED_MAX)
def _movement(board: Map, text: str, unit_name: str, other_name: str) -> types.Order:
    """Return the order in *text* for a unit; *other_name* is empty if no other is there."""
    unit = types.UnitName(types.UnitKind(unit_name[0]), unit_name[2:])
    other_kind = types.UnitKind(other_name[0]) if other_name else None
    match text.lower().split()[1:]:
        case ["hold"]:
            return types.Hold(unit)
        case ["move", target]:
            return types.Move(unit, _location(board, target))
        case ["move", target, "via", "convoy"]:
            return types.Move(unit, _location(board, target), via_convoy=True)
        case ["support", other] | ["support", other, "hold"]:
            return types.SupportHold(unit, types.UnitName(other_kind, _location(board, other)))
        case ["support", other, "move", target]:
            supported = types.UnitName(other_kind, _location(board, other))
            return types.SupportMove(unit, supported, _location(board, target))
        case ["convoy", other, "move", target]:
            army = types.UnitName(other_kind, _location(board, other))
            return types.Convoy(unit, army, _location(board, target))
        case _:
            raise _MalformedLineError("not an order")


def _unit(placing: PrintedPosition, province: types.Province) -> types.Unit:
    unit = placing.unit_in(province)
    if unit is None:
        raise _MalformedLineError("no unit is there")
    return unit


def _province(board: Map, text: str) -> types.Province:
    return types.province_of(_location(board, text))


def _location(board: Map, text: str) -> types.Location:
    """Return the location of a Droidippy code such as `gol` or `stp/sc`."""
    code, slash, coast = text.partition("/")
    location = _provinces_by_code(board).get(code.lower(), code.upper()) + slash + coast.upper()
    if location not in board.locations:
        raise _MalformedLineError(f"{abridged(text)} is not a province of the {board.name} map")
    return location


@lru_cache(BOARDS_MAX)
def _provinces_by_code(board: Map) -> Mapping[str, types.Province]:
    return {theirs: province for province, theirs in board.record_codes.items()}


FORMAT = Format(NAME, "Text of droidippy", NAME, recognizes, read)


SEASON_NAMES = {
    types.Season.SPRING: "Spring",
    types.Season.FALL: "Fall",
    types.Season.WINTER: "Fall",
}
KIND_NAMES = {kind: name.capitalize() for name, kind in KINDS.items()}
UNIT_KIND_NAMES = {kind: name for name, kind in UNIT_KINDS.items()}
WRITABLE_ORDERS = {
    types.PhaseKind.MOVEMENT: types.MovementOrder,
    types.PhaseKind.RETREATS: types.Retreat | types.Move | types.Disband,
    types.PhaseKind.ADJUSTMENTS: types.Build | types.Disband,
}


def write_record(record: Record, board: Map) -> Iterator[str]:
    """Yield *record*, one phase at a time."""
    last_editions = {phase.phase: phase for phase in record.phases if phase.position}
    for phase in last_editions.values():
        if phase.position:
            yield "".join(f"{line}\n" for line in _phase_lines(board, phase, phase.position))
    if last_editions:
        yield f"{END}\n"


def _phase_lines(board: Map, recorded: RecordedPhase, position: types.Position) -> Iterator[str]:
    phase = recorded.phase
    yield f"PHASE {phase.year} {SEASON_NAMES[phase.season]} {KIND_NAMES[phase.kind]}"
    yield "POSITIONS"
    for place, what, nation in sorted(_piece_lines(board, position)):
        yield f"{nation}: {what} {place}"
    yield "ORDERS"
    for written in recorded.orders:
        if written.order and isinstance(written.order, WRITABLE_ORDERS[phase.kind]):
            yield from _order_line(board, position, written, written.order)


def _piece_lines(board: Map, position: types.Position) -> Iterator[tuple[str, str, str]]:
    def unit_piece(unit: types.Unit, mark: str = "") -> tuple[str, str, str]:
        what = UNIT_KIND_NAMES[unit.kind] + mark
        return _code(board, unit.location), what, board.nations[unit.power].name

    for unit in position.units:
        yield unit_piece(unit)
    for each in position.dislodged:
        yield unit_piece(each.unit, "/dislodged")
    for center, power in position.owners.items():
        yield _code(board, center), "supply", board.nations[power].name


def _order_line(
    board: Map, position: types.Position, written: WrittenOrder, order: types.Order
) -> Iterator[str]:
    """Yield *order* if its power has the ordered unit, or owns the center of a build."""
    if isinstance(order, types.Waive):
        return
    if isinstance(order, types.Build):
        if position.owners.get(order.unit.province) == written.power and order.unit.kind:
            kind = UNIT_KIND_NAMES[order.unit.kind].capitalize()
            yield f"build {kind} {_code(board, order.unit.location)}"
        return
    dislodged = [each.unit for each in position.dislodged]
    for unit in dislodged or position.units:
        if unit.province == order.unit.province and unit.power == written.power:
            yield _ordered(board, _code(board, unit.location), order, position.phase.kind)


def _ordered(  # noqa: PLR0911 - one return a kind of order
    board: Map,
    unit: str,
    order: types.MovementOrder | types.Retreat | types.Disband,
    kind: types.PhaseKind,
) -> str:
    code = partial(_code, board)
    match order:
        case types.Hold():
            return f"{unit} hold"
        case types.Move(target=target, via_convoy=by_sea):
            return f"{unit} move {code(target)}{' via convoy' if by_sea else ''}"
        case types.Retreat(target=target):
            return f"{unit} move {code(target)}"
        case types.SupportHold(supported=other):
            return f"{unit} support {code(other.location)}"
        case types.SupportMove(supported=other, target=target):
            return f"{unit} support {code(other.location)} move {code(target)}"
        case types.Convoy(army=army, target=target):
            return f"{unit} convoy {code(army.location)} move {code(target)}"
        case types.Disband():
            return f"{unit} disband" if kind is types.PhaseKind.RETREATS else f"remove {unit}"
        case _:
            assert_never(order)


def _code(board: Map, location: types.Location) -> str:
    province = types.province_of(location)
    coast = location.removeprefix(province).lower()
    return board.record_codes.get(province, province.lower()) + coast
