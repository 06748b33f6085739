"""Status files of DPjudge: a position, and the orders that were in when the file was copied.

The judge keeps a copy (`status.S1901M`) before it processes a phase; several of one game in a row,
put together in one file, are its phases. Passwords, and addresses unless they are asked for, stay
where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from judge.archive.names import center_of, location_of, order_of, unit_of_text
from judge.archive.positions import UNKNOWN
from judge.archive.reading import Reading, UnreadableError
from judge.archive.record import (
    Ending,
    EndKind,
    Hold,
    Record,
    RecordedPhase,
    Seat,
    Source,
    WrittenOrder,
)
from judge.archive.report import Report
from judge.archive.standing import Standing
from judge.rules.phase_context import map_index_of
from judge.rules.phase_sequence import sort_units
from judge.rules.types import (
    DislodgedUnit,
    Location,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Season,
    Unit,
)

GAME = re.compile(r"GAME\s+(\S+)")
PHASE = re.compile(r"(SPRING|FALL|WINTER)\s+(\d{4})\s+(MOVEMENT|RETREATS?|ADJUSTMENTS?)")
PERSON = re.compile(r"#?[^|]*\|(?P<address>[^|]*)\|(?P<name>[^|]*)")
PIECE = re.compile(r"(?:[AF]|BUILD|REMOVE|DISBAND)\s|WAIVE\b")  # a unit, or an order
DISLODGED = re.compile(r"\s*-->\s*")
RESULT = re.compile(r"([SFW]\d{4}[MRA])\s+(.+)")
SETTINGS = ("MAP", "RULE", "RULES", "TIMING", "ZONE", "START", "FINISH", "DESC", "DEADLINE")
NOBODY = frozenset({"DUMMY", "RESIGNED"})


@dataclass(slots=True)
class _Status:
    """One copy of the file, as far as it is read."""

    game: str
    first_line: int
    last_line: int
    phase: Phase | None = None
    gamemaster: str | None = None
    result: tuple[int, str] | None = None
    settings: dict[str, str] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    units: dict[Province, Unit] = field(default_factory=dict)
    owners: dict[Province, Power] = field(default_factory=dict)
    dislodged: list[DislodgedUnit] = field(default_factory=list)
    orders: list[tuple[Power, str, int]] = field(default_factory=list)


def recognizes(head: str) -> bool:
    """Tell whether *head* begins a status file."""
    return re.match(r"\s*GAME[ \t]+\S[^\n]*\n(?:.*\n)*?PHASE\s+[A-Z]", head) is not None


def read(reading: Reading, texts: Iterable[str]) -> Iterator[Record]:
    """Read the games of which *texts* holds one status, or several in a row."""
    copies: list[_Status] = []
    for status in _statuses(reading, texts):
        if copies and copies[-1].game != status.game:
            yield _record(reading, copies)
            copies = []
        copies.append(status)
    if not copies:
        raise UnreadableError(reading.name, None, "no status of a game in it")
    yield _record(reading, copies)


def _statuses(reading: Reading, texts: Iterable[str]) -> Iterator[_Status]:
    status, power = None, None
    for number, text in enumerate(texts, 1):
        line = text.strip()
        if "\0" in line:
            raise UnreadableError(reading.name, number, "not a text, but bytes")
        if found := GAME.fullmatch(line):
            if status:
                yield status
            status, power = _Status(found[1], number, number), None
        elif line and status is None:
            raise UnreadableError(reading.name, number, f"no GAME before {line!r}")
        elif line and status:
            status.last_line = number
            if line in reading.board.nations:
                power = line
            elif power:
                _of_power(reading, status, power, line, number)
            else:
                _of_game(reading, status, line, number)
    if status:
        yield status


def _of_game(reading: Reading, status: _Status, line: str, number: int) -> None:
    key, _, text = line.partition(" ")
    if key == "PHASE":
        status.phase = _phase(reading, text.strip(), number)
    elif key == "MAP" and text.strip().casefold() != reading.board.name:
        raise UnreadableError(reading.name, number, f"played on the map {text.strip()}")
    elif key == "MASTER" and (person := PERSON.fullmatch(text)):
        status.gamemaster = person["name"].strip() or None
    elif key == "RESULT":
        status.result = number, text.strip()
    elif key in SETTINGS:
        known = status.settings.get(key.lower())
        status.settings[key.lower()] = f"{known}, {text.strip()}" if known else text.strip()


def _phase(reading: Reading, text: str, number: int) -> Phase | None:
    found = PHASE.fullmatch(text)
    if found:
        kind = PhaseKind(found[3][0])
        return Phase(Season(found[1][0]), int(found[2]), kind)
    if text not in {"FORMING", "COMPLETED"}:
        reading.doubts.note(number, text, "no phase that is known")
    return None


def _of_power(reading: Reading, status: _Status, power: Power, line: str, number: int) -> None:
    key, _, text = line.partition(" ")
    if key == "PLAYER":
        status.seats.append(_seat(power, text.strip()))
    elif key == "OWNS":
        _own(reading, status, power, text, number)
    elif PIECE.match(line):
        _piece(reading, status, power, line, number)


def _seat(power: Power, text: str) -> Seat:
    person = PERSON.fullmatch(text)
    if person is None:
        return Seat(power, None, Hold.CIVIL_DISORDER if text in NOBODY else Hold.PLAYER)
    return Seat(power, person["name"].strip() or None, address=person["address"].strip() or None)


def _own(reading: Reading, status: _Status, power: Power, text: str, number: int) -> None:
    for name in text.split():
        center = center_of(reading.board, name)
        if center is None:
            reading.doubts.note(number, name, "no supply center")
        elif status.owners.setdefault(center, power) != power:
            reading.doubts.note(number, name, f"owned by {status.owners[center]} already")


def _piece(reading: Reading, status: _Status, power: Power, line: str, number: int) -> None:
    unit_text, *goals = DISLODGED.split(line)
    named = unit_of_text(reading.board, unit_text) if PIECE.match(unit_text) else None
    if named is None or named.kind is None or line.startswith("BUILD"):
        status.orders.append((power, line, number))
        return
    unit = Unit(power, named.kind, named.location)
    if unit.location not in map_index_of(reading.board).of(unit.kind):
        reading.doubts.note(number, line, "no such unit can stand there")
    elif goals:
        retreats = tuple(_goals(reading, goals[0], number))
        status.dislodged.append(
            DislodgedUnit(unit, UNKNOWN, attacker_convoyed=False, retreats=retreats)
        )
    elif status.units.setdefault(unit.province, unit) is not unit:
        reading.doubts.note(number, line, f"a second unit in {unit.province}")


def _goals(reading: Reading, text: str, number: int) -> Iterator[Location]:
    for name in text.replace(",", " ").split():
        goal = location_of(reading.board, name)
        if goal:
            yield goal
        else:
            reading.doubts.note(number, name, "no place to retreat to")


def _record(reading: Reading, copies: list[_Status]) -> Record:
    last = copies[-1]
    standing = Standing(reading.board, reading.doubts)
    phases = [_played(reading, standing, each, each.phase) for each in copies if each.phase]
    return Record(
        name=last.game,
        source=Source(
            "dpjudge", reading.name, reading.sha256, copies[0].first_line, last.last_line
        ),
        variant=reading.board.name,
        gamemaster=last.gamemaster,
        seats=tuple(last.seats),
        phases=tuple(sorted(phases, key=lambda each: (each.phase, each.edition))),
        ending=_ending(reading, last),
        settings=last.settings,
        doubts=reading.doubts.taken(),
    )


def _played(reading: Reading, standing: Standing, status: _Status, phase: Phase) -> RecordedPhase:
    units = sort_units(reading.board, status.units.values())
    position = Position(phase, units, status.owners, tuple(status.dislodged))
    standing.put(position, status.first_line)
    report = Report(
        phase=phase,
        orders=tuple(_orders(reading, status, phase)),
        complete=False,
        first_line=status.first_line,
        last_line=status.last_line,
    )
    return standing.play(report)


def _orders(reading: Reading, status: _Status, phase: Phase) -> Iterator[WrittenOrder]:
    for power, text, number in status.orders:
        order = order_of(reading.board, text, phase.kind)
        if order is None:
            reading.doubts.note(number, text, "no order that can be read")
        yield WrittenOrder(power, text, order[0] if order else None, line=number)


def _ending(reading: Reading, status: _Status) -> Ending | None:
    """Return how the game ended: who has not enough centers and wins alone was conceded to."""
    if status.result is None:
        return None
    number, text = status.result
    found = RESULT.fullmatch(text)
    powers = tuple(found[2].split()) if found else ()
    if found is None or not set(powers).issubset(reading.board.powers):
        reading.doubts.note(number, text, "no result that is known")
        return None
    kind = EndKind.DRAW
    if len(powers) == 1:
        centers = list(status.owners.values()).count(powers[0])
        enough = centers >= reading.board.victory_centers
        kind = EndKind.SOLO if enough else EndKind.CONCESSION
    return Ending(kind, powers, Phase.parse(found[1]), text)
