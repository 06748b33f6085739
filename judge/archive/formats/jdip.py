"""Read the test cases of jDip: positions, orders, and the positions that result.

    CASE Describe Spring 1910
    PRESTATE_SETPHASE Spring 1901 (Movement)
    PRESTATE
        Austria: Army Bulgaria
    ORDERS
        Austria: Army Bulgaria => Serbia
    POSTSTATE
        Austria: Army Serbia
    END

A case of a later phase that starts where the previous case ended continues its game; any other
case is its own game. The last position of a game is a phase without orders. Owners are those of
`PRESTATE_SUPPLYCENTER_OWNERS`, by default those at the start. `PRESTATE_RESULTS` has the orders of
the phase before a retreat phase.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from judge.archive.positions import PrintedPosition
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder, ordered_unit
from judge.archive.text_parsing import location_named, power_named, read_single_order, unit_named
from judge.rules import types
from judge.rules.phase_sequence import next_position
from judge.rules.rulebook import rulebook_named

NAME = "jdip"
RULES = rulebook_named(NAME)
FIRST = types.Phase.parse("S1901M")  # by default
SEASONS = {
    "spring": types.Season.SPRING,
    "summer": types.Season.SPRING,
    "fall": types.Season.FALL,
    "autumn": types.Season.FALL,
    "winter": types.Season.WINTER,
}
KINDS = {
    "m": types.PhaseKind.MOVEMENT,
    "r": types.PhaseKind.RETREATS,
    "a": types.PhaseKind.ADJUSTMENTS,
    "b": types.PhaseKind.ADJUSTMENTS,  # builds
}
SPELLED = re.compile(
    rf"(?P<season>{'|'.join(SEASONS)})\W+(?P<year>\d{{4}})\W*"
    r"(?P<kind>movement|retreat|adjustment|build)?s?\W*",
    re.IGNORECASE,
)
BEFORE, OWNERS, DISLODGED = "PRESTATE", "PRESTATE_SUPPLYCENTER_OWNERS", "PRESTATE_DISLODGED"
RESULTS, ORDERS, AFTER = "PRESTATE_RESULTS", "ORDERS", "POSTSTATE"
AFTER_DISLODGED, SAME = "POSTSTATE_DISLODGED", "POSTSTATE_SAME"
SECTIONS = frozenset((BEFORE, OWNERS, DISLODGED, RESULTS, ORDERS, AFTER, AFTER_DISLODGED, SAME))
RESULT = re.compile(r"(?:(?P<success>SUCCESS)|FAILURE)\s*:?\s*(?P<order>.*)", re.IGNORECASE)

Lines = list[tuple[int, str]]


@dataclass(slots=True)
class _Case:
    name: str
    first_line: int
    last_line: int
    phase: types.Phase = FIRST
    section: str = ""
    sections: dict[str, Lines] = field(default_factory=dict)

    def lines_of(self, section: str) -> Lines:
        return self.sections.get(section, [])


@dataclass(slots=True)
class _Game:
    """Consecutive cases, and the position after the last one if known."""

    name: str
    phases: list[RecordedPhase] = field(default_factory=list)
    left: types.Position | None = None
    last_line: int = 1


def recognizes(head: str) -> bool:
    """Return whether *head* starts a file of jDip cases."""
    return re.search(r"^[ \t]*(?:VARIANT_ALL|PRESTATE(?:_\w+)?)\b", head, re.MULTILINE) is not None


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    game: _Game | None = None
    for opened in _cases(reading, lines):
        placing = _place_units(reading, opened, BEFORE, DISLODGED)
        _set_owners(reading, opened, placing)
        if game and not _continues(game, opened, placing):
            yield _record(reading, game)
            game = None
        game = game or _Game(opened.name)
        before = game.phases[-1] if game.phases else None
        if opened.lines_of(RESULTS):
            before = _phase_before(reading, opened, placing)
        recorded = RecordedPhase(
            opened.phase,
            placing.position(opened.phase, before, RULES),
            tuple(_orders(reading, opened.lines_of(ORDERS), opened.phase.kind)),
            first_line=opened.first_line,
            last_line=opened.last_line,
        )
        game.phases.append(recorded)
        game.left = _position_after(reading, opened, placing, recorded)
        game.last_line = opened.last_line
    if game is None:
        raise UnreadableError(reading.name, None, "no test case found")
    yield _record(reading, game)


def _cases(reading: Reading, lines: Iterable[str]) -> Iterator[_Case]:
    opened: _Case | None = None
    for number, line in enumerate(lines, 1):
        text = " ".join(line.replace("\ufeff", "").partition("#")[0].split())
        keyword, _, rest = text.partition(" ")
        if keyword == "CASE" or (keyword == "END" and opened):
            if opened:
                yield opened
            if opened and keyword == "CASE":
                reading.doubts.note(number, text, f"{opened.name} has no END")
            opened = _Case(rest, number, number) if keyword == "CASE" else None
        elif text:
            _read_line(reading, opened, number, text)
    if opened:
        reading.doubts.note(opened.last_line, "", f"{opened.name} has no END")
        yield opened


def _read_line(reading: Reading, opened: _Case | None, number: int, text: str) -> None:
    keyword, _, rest = text.partition(" ")
    if keyword == "VARIANT_ALL":
        if rest.lower() != reading.board.name:
            reading.doubts.note(number, text, "unknown variant")
        return
    if opened is None:
        reading.doubts.note(number, text, "outside a test case")
        return
    opened.last_line = number
    if keyword == "PRESTATE_SETPHASE":
        phase = _phase(rest)
        opened.phase = phase or opened.phase
        if phase is None:
            reading.doubts.note(number, text, "not a phase")
    elif keyword in SECTIONS:
        opened.section = keyword
        opened.sections.setdefault(keyword, [])
    elif opened.section:
        opened.sections[opened.section].append((number, text))
    else:
        reading.doubts.note(number, text, "outside the sections of its test case")


def _phase(text: str) -> types.Phase | None:
    """Read `Spring 1901 (Movement)`, `Fall, 1901 (Adjustment)` or `F1901R`."""
    if spelled := SPELLED.fullmatch(text):
        kind = KINDS[(spelled["kind"] or "m")[0].lower()]
        adjusts = kind is types.PhaseKind.ADJUSTMENTS  # Some files say Fall.
        season = types.Season.WINTER if adjusts else SEASONS[spelled["season"].lower()]
        text = f"{season.value}{spelled['year']}{kind.value}"
    try:
        return types.Phase.parse(text)
    except ValueError:
        return None


def _continues(game: _Game, opened: _Case, placing: PrintedPosition) -> bool:
    left = game.left
    return (
        left is not None
        and game.phases[-1].phase < opened.phase
        and {*left.units} == {*placing.on_board.values()}
        and {each.unit for each in left.dislodged} == {*placing.dislodged.values()}
    )


def _record(reading: Reading, game: _Game) -> Record:
    last = [RecordedPhase(game.left.phase, game.left)] if game.left else []
    first = game.phases[0].first_line or 1
    return Record(
        name=game.name,
        source=Source(NAME, reading.name, reading.sha256, first, game.last_line),
        variant=reading.board.name,
        rulebook=NAME,
        phases=(*game.phases, *last),
        doubts=reading.doubts.taken(),
    )


def _place_units(
    reading: Reading, opened: _Case, on_board: str, dislodged: str
) -> PrintedPosition:
    placing = PrintedPosition(reading.board, reading.doubts)
    for section in (on_board, dislodged):
        for line, text in opened.lines_of(section):
            nation, _, name = text.partition(":")
            power, unit = power_named(reading.board, nation), unit_named(reading.board, name)
            if power and unit and unit.kind:
                there = types.Unit(power, unit.kind, unit.location)
                placing.place(there, line, text, dislodged=section == dislodged)
            else:
                reading.doubts.note(line, text, "not a unit of a power")
    return placing


def _set_owners(reading: Reading, opened: _Case, placing: PrintedPosition) -> None:
    """Set the owners of centers; without a section for them, those at the start."""
    if OWNERS not in opened.sections:
        placing.owners = dict(reading.board.start.owners)
    for line, text in opened.lines_of(OWNERS):
        nation, _, name = text.partition(":")
        power, unit = power_named(reading.board, nation), unit_named(reading.board, name)
        center = unit.location if unit else location_named(reading.board, name)
        if power and center:
            placing.set_owner(types.province_of(center), power, line, text)
        else:
            reading.doubts.note(line, text, "not a center of a power")


def _orders(reading: Reading, lines: Lines, kind: types.PhaseKind) -> Iterator[WrittenOrder]:
    for line, text in lines:
        nation, _, written = (part.strip() for part in text.partition(":"))
        power, read = (
            power_named(reading.board, nation),
            read_single_order(reading.board, written, kind),
        )
        if not power or not read:
            reading.doubts.note(line, text, "not an order of a power")
        if power:
            yield WrittenOrder(power, written, read[0] if read else None, line=line)


def _phase_before(
    reading: Reading, opened: _Case, placing: PrintedPosition
) -> RecordedPhase | None:
    """Infer the previous phase from its orders and results and the units now on the board."""
    results = [(line, text, RESULT.fullmatch(text)) for line, text in opened.lines_of(RESULTS)]
    for line, text, found in results:
        if not found:
            reading.doubts.note(line, text, "neither SUCCESS nor FAILURE")
    ordered = [(line, found["order"]) for line, _, found in results if found]
    if not ordered:
        return None
    successes = {line for line, _, found in results if found and found["success"]}
    orders = tuple(_orders(reading, ordered, types.PhaseKind.MOVEMENT))
    stood, entered = PrintedPosition(reading.board, reading.doubts), set[types.Province]()
    for each in orders:
        name = ordered_unit(each.order)
        if name and name.kind:
            stood.place(
                types.Unit(each.power, name.kind, name.location), each.line or 0, each.text
            )
        if isinstance(each.order, types.Move) and each.line in successes:
            entered.add(types.province_of(each.order.target))
    for unit in placing.on_board.values():
        if unit.province not in entered:
            stood.on_board.setdefault(unit.province, unit)
    for unit in placing.dislodged.values():
        stood.on_board.setdefault(unit.province, unit)
    phase = types.Phase(opened.phase.season, opened.phase.year, types.PhaseKind.MOVEMENT)
    return RecordedPhase(phase, stood.position(phase, None, RULES), orders)


def _position_after(
    reading: Reading, opened: _Case, placing: PrintedPosition, recorded: RecordedPhase
) -> types.Position | None:
    if not {AFTER, SAME} & opened.sections.keys():
        return None
    after = _place_units(reading, opened, AFTER, AFTER_DISLODGED)
    if SAME in opened.sections:
        after.on_board = placing.on_board
    after.owners = placing.owners
    if not after.dislodged:
        return next_position(reading.board, opened.phase, after.on_board.values(), after.owners)
    if opened.phase.kind is not types.PhaseKind.MOVEMENT:
        line, text = opened.lines_of(AFTER_DISLODGED)[0]
        reading.doubts.note(line, text, f"nothing is dislodged in {opened.phase}")
        return None
    return after.position(reading.board.calendar.following(opened.phase), recorded, RULES)


FORMAT = Format(NAME, "Test text of jDip", NAME, recognizes, read)
