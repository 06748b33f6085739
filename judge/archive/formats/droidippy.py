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
from functools import lru_cache, partial
from typing import assert_never

from judge.archive.positions import PrintedPosition
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder, is_followed_by
from judge.rules import types
from judge.rules.board import Map
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


class _MalformedLineError(ValueError):
    """A line is malformed."""


@dataclass(slots=True)
class _Block:
    phase: types.Phase
    first_line: int
    last_line: int
    pieces: list[tuple[int, str]] = field(default_factory=list)
    orders: list[tuple[int, str]] = field(default_factory=list)
    ordered: bool = False  # ORDERS was read
    last: bool = False  # END was read

    @property
    def units(self) -> set[str]:
        return {text.lower() for _, text in self.pieces if ": supply " not in text.lower()}


def recognizes(head: str) -> bool:
    """Return whether *head* starts a Droidippy game."""
    return re.search(r"^[ \t]*PHASE \d{4} \w+ \w+\s+POSITIONS\b", head, re.MULTILINE) is not None


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    before: _Block | None = None
    phases: list[RecordedPhase] = []
    count = 0
    for block in _blocks(reading, lines):
        if before and phases and not _continues(before, block):
            count += 1
            yield _record(reading, phases, count)
            beginnings, phases = (reading.board.start.phase, phases[0].phase), []
            if not before.last and block.phase not in beginnings:
                why = f"does not go on from {before.phase}; it is read as another game"
                reading.doubts.note(block.first_line, block.phase.code, why)
        phases.append(_phase(reading, block, phases[-1] if phases else None))
        before = block
    if not phases:
        raise UnreadableError(reading.name, None, "no phase is in it")
    yield _record(reading, phases, count + 1)


def _continues(before: _Block, block: _Block) -> bool:
    possible = before.orders or before.units >= block.units
    return bool(possible) and not before.last and is_followed_by(before.phase, block.phase)


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
    for number, line in enumerate(lines, 1):
        text = " ".join(line.replace("\ufeff", "").split())
        if not text:
            continue
        if text.upper().startswith("PHASE "):
            if block:
                yield _checked_block(reading, block)
            block = _opened(reading, number, text)
        elif block is None:
            reading.doubts.note(number, text, "before any phase")
        elif text == END:
            block.last = True
        else:
            block.last_line = number
            _add_line(reading, block, number, text)
    if block:
        yield _checked_block(reading, block)


def _opened(reading: Reading, number: int, text: str) -> _Block | None:
    found = HEADING.fullmatch(text)
    season, kind = (found[2].lower(), found[3].lower().removesuffix("s")) if found else ("", "")
    if not found or season not in SEASONS or kind not in KINDS:
        reading.doubts.note(number, text, "no phase of the game")
        return None
    adjusted = KINDS[kind] is types.PhaseKind.ADJUSTMENTS  # Droidippy says Fall
    phase = types.Phase(
        types.Season.WINTER if adjusted else SEASONS[season], int(found[1]), KINDS[kind]
    )
    return _Block(phase, number, number)


def _add_line(reading: Reading, block: _Block, number: int, text: str) -> None:
    match text.upper():
        case "POSITIONS" if not block.pieces and not block.ordered:
            pass
        case "ORDERS" if not block.ordered:
            block.ordered = True
        case "POSITIONS" | "ORDERS":
            reading.doubts.note(number, text, "twice in one phase")
        case _:
            (block.orders if block.ordered else block.pieces).append((number, text))


def _checked_block(reading: Reading, block: _Block) -> _Block:
    if not block.ordered:
        reading.doubts.note(block.last_line, "", f"{block.phase} ends before its orders")
    return block


def _phase(reading: Reading, block: _Block, before: RecordedPhase | None) -> RecordedPhase:
    placing = PrintedPosition(reading.board, reading.doubts)
    for number, text in block.pieces:
        try:
            _put(placing, block.phase, number, text)
        except _MalformedLineError as odd:
            reading.doubts.note(number, text, str(odd))
    orders = []
    for number, text in block.orders:
        try:
            power, order = _order(placing, block.phase, text.lower().split())
        except _MalformedLineError as odd:
            reading.doubts.note(number, text, str(odd))
        else:
            orders.append(WrittenOrder(power, text, order, line=number))
    return RecordedPhase(
        block.phase,
        placing.position(block.phase, before, RULES)
        if block.ordered
        else None,  # It may be cut off.
        tuple(orders),
        first_line=block.first_line,
        last_line=block.last_line,
    )


def _put(placing: PrintedPosition, phase: types.Phase, number: int, text: str) -> None:
    found = PIECE.fullmatch(text)
    if not found:
        raise _MalformedLineError("no piece of a position")
    power, what, location = found[1].upper(), found[2].lower(), _location(placing.board, found[4])
    if power not in placing.board.nations:
        raise _MalformedLineError(f"no power of the {placing.board.name} map")
    if found[3] and (phase.kind is not types.PhaseKind.RETREATS or what == "supply"):
        raise _MalformedLineError(f"nothing is dislodged like that in {phase}")
    if what == "supply":
        placing.own(types.province_of(location), power, number, text)
    else:
        unit = types.Unit(power, UNIT_KINDS[what], location)
        placing.place(unit, number, text, dislodged=bool(found[3]))


def _order(
    placing: PrintedPosition, phase: types.Phase, words: list[str]
) -> tuple[types.Power, types.Order]:
    match phase.kind, words:
        case types.PhaseKind.ADJUSTMENTS, ["build", ("army" | "fleet") as kind, place]:
            location = _location(placing.board, place)
            power = placing.owners.get(types.province_of(location))
            if not power:
                raise _MalformedLineError("nobody owns the place")
            return power, types.Build(types.UnitName(UNIT_KINDS[kind], location))
        case (types.PhaseKind.ADJUSTMENTS, ["remove", place]) | (
            types.PhaseKind.RETREATS,
            [place, "disband"],
        ):
            unit = _unit(placing, place)
            return unit.power, types.Disband(_name(unit))
        case types.PhaseKind.RETREATS, [place, "move", target]:
            unit = _unit(placing, place)
            return unit.power, types.Retreat(_name(unit), _location(placing.board, target))
        case types.PhaseKind.MOVEMENT, [place, *rest]:
            unit = _unit(placing, place)
            return unit.power, _movement(placing, _name(unit), rest)
        case _:
            raise _MalformedLineError(f"no order of {phase}")


def _movement(placing: PrintedPosition, unit: types.UnitName, words: list[str]) -> types.Order:
    board = placing.board
    match words:
        case ["hold"]:
            return types.Hold(unit)
        case ["move", target]:
            return types.Move(unit, _location(board, target))
        case ["move", target, "via", "convoy"]:
            return types.Move(unit, _location(board, target), via_convoy=True)
        case ["support", other] | ["support", other, "hold"]:
            return types.SupportHold(unit, _other_unit(placing, other))
        case ["support", other, "move", target]:
            return types.SupportMove(unit, _other_unit(placing, other), _location(board, target))
        case ["convoy", other, "move", target]:
            return types.Convoy(unit, _other_unit(placing, other), _location(board, target))
        case _:
            raise _MalformedLineError("no order")


def _unit(placing: PrintedPosition, place: str) -> types.Unit:
    unit = placing.unit_in(types.province_of(_location(placing.board, place)))
    if unit is None:
        raise _MalformedLineError("no unit is there")
    return unit


def _name(unit: types.Unit) -> types.UnitName:
    return types.UnitName(unit.kind, unit.location)


def _other_unit(placing: PrintedPosition, place: str) -> types.UnitName:
    """Return the supported or convoyed unit; its kind is None if it is not on the board."""
    location = _location(placing.board, place)
    unit = placing.on_board.get(types.province_of(location))
    return types.UnitName(unit.kind if unit else None, location)


def _location(board: Map, text: str) -> types.Location:
    """Return the location of a Droidippy code such as `gol` or `stp/sc`."""
    code, slash, coast = text.partition("/")
    location = _provinces_by_code(board).get(code.lower(), code.upper()) + slash + coast.upper()
    if location not in board.locations:
        raise _MalformedLineError(f"{text} is no place of the {board.name} map")
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
