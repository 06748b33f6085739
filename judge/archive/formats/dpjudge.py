"""Read DPjudge results, histories, summaries, press and status files.

Its emails differ from nJudge's in a few words and share its readers. DPjudge copies the status
file (`status.S1901M`) before it processes a phase; several copies in one file are the phases of a
game. A press file has each message under a line with its phase, sender and readers:

    :: S1901M FRANCE ENGLAND RUSSIA | (ANON) ENGLAND RUSSIA
    Let us meet in Burgundy.

The part after the bar, if any, is what the readers were shown, and is what we keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from judge.archive import records
from judge.archive.formats.njudge.mail_text import is_mail, is_own_mail, split_mails
from judge.archive.formats.njudge.readers import read_games, records_of, sort_emails
from judge.archive.position_json import UNKNOWN_PROVINCE
from judge.archive.positions import PhaseReport, PositionTracker
from judge.archive.reading import Format, Reading, UnreadableError
from judge.archive.text_parsing import center_named, location_named, read_single_order, unit_named
from judge.rules import types
from judge.rules.phase_context import map_index_of
from judge.rules.phase_sequence import sort_units

HEAD_LINES = 100  # enough for email headers and the phase of a status file
PREVIEW = "Subject: PREVIEW "  # a moderator's dry run
# A title ends in the phase code: `Retreat orders for Fall of 1905.  (lepanto.F1905R)`.
SIGNS = re.compile(
    r"^[> \t]*(?:(?:(?:Movement|Retreat|Adjustment) (?:results|orders)|Starting position)"
    r" for \w+ of \d{4}\.\s+\([^\s()]+\.[SFW]\d{4}[MRA]\)\s*$"
    r"|Summary of game [^'\s]+ through )",
    re.MULTILINE,
)


def recognizes(head: str) -> bool:
    """Return whether *head* has a DPjudge title, summary, status or press."""
    if is_own_mail(head):
        return False
    return bool(SIGNS.search(head)) or recognizes_status(head) or recognizes_press(head)


def read(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield the games in emails, status files or press."""
    rest = iter(lines)
    first = list(islice(rest, HEAD_LINES))
    head, whole = "\n".join(first), chain(first, rest)
    if recognizes_status(head):
        return read_statuses(reading, whole)
    if recognizes_press(head):
        return read_press(reading, whole)
    if is_mail(head):
        return _read_mailbox(reading, whole)
    return read_games(reading, whole, FORMAT.name)


def _read_mailbox(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    emails = split_mails(lines)
    results = (each for each in emails if not any(line.startswith(PREVIEW) for _, line in each))
    return records_of(reading, sort_emails(reading, results), FORMAT.name)


FORMAT = Format(
    name="dpjudge",
    title="DPjudge results, histories, summaries, status and press files",
    rulebook="dpjudge",
    recognizes=recognizes,
    reads=read,
)


GAME = re.compile(r"GAME\s+(\S+)")
PHASE = re.compile(r"(SPRING|FALL|WINTER)\s+(\d{4})\s+(MOVEMENT|RETREATS?|ADJUSTMENTS?)")
PERSON = re.compile(r"#?[^|]*\|(?P<address>[^|]*)\|(?P<name>[^|]*)")
PIECE = re.compile(r"(?:[AF]|BUILD|REMOVE|DISBAND)\s|WAIVE\b")  # a unit, or an order
DISLODGED = re.compile(r"\s*-->\s*")
RESULT = re.compile(r"([SFW]\d{4}[MRA])\s+(.+)")
SETTINGS = ("MAP", "RULE", "RULES", "TIMING", "ZONE", "START", "FINISH", "DESC", "DEADLINE")
UNPLAYED = frozenset({"DUMMY", "RESIGNED"})


@dataclass(slots=True)
class _Status:
    game: str
    first_line: int
    last_line: int
    phase: types.Phase | None = None
    gamemaster: str | None = None
    result: tuple[int, str] | None = None
    settings: dict[str, str] = field(default_factory=dict)
    seats: list[records.Seat] = field(default_factory=list)
    units: dict[types.Province, types.Unit] = field(default_factory=dict)
    owners: dict[types.Province, types.Power] = field(default_factory=dict)
    dislodged: list[types.DislodgedUnit] = field(default_factory=list)
    orders: list[tuple[types.Power, str, int]] = field(default_factory=list)


def recognizes_status(head: str) -> bool:
    """Return whether *head* starts a status file."""
    return re.match(r"\s*GAME[ \t]+\S[^\n]*\n(?:.*\n)*?PHASE\s+[A-Z]", head) is not None


def read_statuses(reading: Reading, texts: Iterable[str]) -> Iterator[records.Record]:
    """Yield the games in *texts*, one or more status files in a row."""
    copies: list[_Status] = []
    for status in _statuses(reading, texts):
        if copies and copies[-1].game != status.game:
            yield _record(reading, copies)
            copies = []
        copies.append(status)
    if not copies:
        raise UnreadableError(reading.name, None, "no game status found")
    yield _record(reading, copies)


def _statuses(reading: Reading, texts: Iterable[str]) -> Iterator[_Status]:
    status, power = None, None
    for number, text in enumerate(texts, 1):
        line = text.strip()
        if "\0" in line:
            raise UnreadableError(reading.name, number, "binary data, not text")
        if found := GAME.fullmatch(line):
            if status:
                yield status
            status, power = _Status(found[1], number, number), None
        elif line and status is None:
            reading.doubts.note(number, line, "text before the first GAME")
        elif line and status:
            status.last_line = number
            if line in reading.board.nations:
                power = line
            elif power:
                _read_power_line(reading, status, power, line, number)
            else:
                _read_game_line(reading, status, line, number)
    if status:
        yield status


def _read_game_line(reading: Reading, status: _Status, line: str, number: int) -> None:
    key, _, text = line.partition(" ")
    if key == "PHASE":
        status.phase = _phase(reading, text.strip(), number)
    elif key == "MAP" and text.strip().casefold() != reading.board.name:
        raise UnreadableError(reading.name, number, f"the map {text.strip()} is not supported")
    elif key == "MASTER" and (person := PERSON.fullmatch(text)):
        status.gamemaster = person["name"].strip() or None
    elif key == "RESULT":
        status.result = number, text.strip()
    elif key in SETTINGS:
        known = status.settings.get(key.lower())
        status.settings[key.lower()] = f"{known}, {text.strip()}" if known else text.strip()


def _phase(reading: Reading, text: str, number: int) -> types.Phase | None:
    found = PHASE.fullmatch(text)
    if found:
        kind = types.PhaseKind(found[3][0])
        return types.Phase(types.Season(found[1][0]), int(found[2]), kind)
    if text not in {"FORMING", "COMPLETED"}:
        reading.doubts.note(number, text, "not a phase")
    return None


def _read_power_line(
    reading: Reading, status: _Status, power: types.Power, line: str, number: int
) -> None:
    key, _, text = line.partition(" ")
    if key == "PLAYER":
        status.seats.append(_seat(power, text.strip()))
    elif key == "OWNS":
        for name in text.split():
            center = center_named(reading.board, name)
            if center is None:
                reading.doubts.note(number, name, "not a supply center")
            elif status.owners.setdefault(center, power) != power:
                reading.doubts.note(number, name, f"already owned by {status.owners[center]}")
    elif PIECE.match(line):
        _piece(reading, status, power, line, number)


def _seat(power: types.Power, text: str) -> records.Seat:
    person = PERSON.fullmatch(text)
    if person is None:
        return records.Seat(
            power,
            None,
            records.SeatKind.CIVIL_DISORDER if text in UNPLAYED else records.SeatKind.PLAYER,
        )
    return records.Seat(
        power, person["name"].strip() or None, address=person["address"].strip() or None
    )


def _piece(reading: Reading, status: _Status, power: types.Power, line: str, number: int) -> None:
    unit_text, *goals = DISLODGED.split(line)
    named = unit_named(reading.board, unit_text) if PIECE.match(unit_text) else None
    if named is None or named.kind is None or line.startswith("BUILD"):
        status.orders.append((power, line, number))
        return
    unit = types.Unit(power, named.kind, named.location)
    if unit.location not in map_index_of(reading.board).nodes_of(unit.kind):
        reading.doubts.note(number, line, "this unit cannot be there")
    elif goals:
        retreats = tuple(_retreats(reading, goals[0], number))
        status.dislodged.append(
            types.DislodgedUnit(unit, UNKNOWN_PROVINCE, attacker_convoyed=False, retreats=retreats)
        )
    elif status.units.setdefault(unit.province, unit) is not unit:
        reading.doubts.note(number, line, f"a second unit in {unit.province}")


def _retreats(reading: Reading, text: str, number: int) -> Iterator[types.Location]:
    for name in text.replace(",", " ").split():
        goal = location_named(reading.board, name)
        if goal:
            yield goal
        else:
            reading.doubts.note(number, name, "not a place to retreat to")


def _record(reading: Reading, copies: list[_Status]) -> records.Record:
    last = copies[-1]
    tracker = PositionTracker(reading.board, reading.doubts)
    phases = [_recorded_phase(reading, tracker, each, each.phase) for each in copies if each.phase]
    return records.Record(
        name=last.game,
        source=records.Source(
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


def _recorded_phase(
    reading: Reading, tracker: PositionTracker, status: _Status, phase: types.Phase
) -> records.RecordedPhase:
    units = sort_units(status.units.values())
    position = types.Position(phase, units, status.owners, tuple(status.dislodged))
    tracker.put(position, status.first_line)
    report = PhaseReport(
        phase=phase,
        orders=tuple(_orders(reading, status, phase)),
        complete=False,
        first_line=status.first_line,
        last_line=status.last_line,
    )
    return tracker.play(report)


def _orders(
    reading: Reading, status: _Status, phase: types.Phase
) -> Iterator[records.WrittenOrder]:
    for power, text, number in status.orders:
        order = read_single_order(reading.board, text, phase.kind)
        if order is None:
            reading.doubts.note(number, text, "not understood as an order")
        yield records.WrittenOrder(power, text, order[0] if order else None, line=number)


def _ending(reading: Reading, status: _Status) -> records.Ending | None:
    """Return how the game ended; a sole winner with too few centers won by concession."""
    if status.result is None:
        return None
    number, text = status.result
    found = RESULT.fullmatch(text)
    powers = tuple(found[2].split()) if found else ()
    if found is None or not set(powers).issubset(reading.board.powers):
        reading.doubts.note(number, text, "unknown result")
        return None
    kind = records.EndKind.DRAW
    if len(powers) == 1:
        centers = list(status.owners.values()).count(powers[0])
        enough = centers >= reading.board.victory_centers
        kind = records.EndKind.SOLO if enough else records.EndKind.CONCESSION
    return records.Ending(kind, powers, types.Phase.parse(found[1]), text)


PRESS_HEADING = re.compile(
    r":: (?P<phase>[SFW]\d{4}[MRA]) (?P<true>[^|]+?)(?:\s*\|\s*(?P<told>.+?))?\s*"
)
PRESS_SIGN = re.compile(r"\s*:: [SFW]\d{4}[MRA] [A-Z]")
ANONYMOUS = "(ANON)"


@dataclass(slots=True)
class _Message:
    press: records.RecordedPress
    lines: list[str] = field(default_factory=list)

    def whole(self) -> records.RecordedPress:
        return replace(self.press, text="\n".join(self.lines).strip("\n"))


def recognizes_press(head: str) -> bool:
    """Return whether *head* starts a press file."""
    return PRESS_SIGN.match(head) is not None


def read_press(reading: Reading, texts: Iterable[str]) -> Iterator[records.Record]:
    """Yield one game with the messages in *texts*."""
    messages: list[_Message] = []
    number = 0
    for number, text in enumerate(texts, 1):
        if "\0" in text:
            raise UnreadableError(reading.name, number, "binary data, not text")
        if found := PRESS_HEADING.fullmatch(text):
            messages.append(_Message(_read_heading(found, number)))
        elif messages:
            messages[-1].lines.append(text.rstrip())
        elif text.strip():
            reading.doubts.note(number, text.strip(), "text before the first message")
    if not messages:
        raise UnreadableError(reading.name, None, "no message found")
    yield records.Record(
        name=reading.title,
        source=records.Source("dpjudge", reading.name, reading.sha256, 1, number),
        variant=reading.board.name,
        press=tuple(each.whole() for each in messages),
        doubts=reading.doubts.taken(),
    )


def _read_heading(found: re.Match[str], number: int) -> records.RecordedPress:
    sender, *readers = (found["told"] or found["true"]).split()
    return records.RecordedPress(
        phase=types.Phase.parse(found["phase"]),
        sender=None if sender == ANONYMOUS else sender,
        readers=tuple(readers),
        text="",
        line=number,
    )
