"""Write records as a history of nJudge: results emails, press and a summary.

Phases without a position, superseded editions and unreadable orders are left out. What the record
does not say, the results and the position after a phase, is adjudicated under its rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import assert_never

from judge.archive import records
from judge.archive.formats.njudge import wording
from judge.archive.formats.njudge.results_writer import ResultsWriter
from judge.archive.formats.njudge.sentence_patterns import BETWEEN
from judge.rules import types
from judge.rules.board import Map

UNKNOWN_ADDRESS = "someone@somewhere"  # nJudge's text for a player in a gunboat game
NO_BREAKS = {ord(letter): " " for letter in "\0\r\n"}  # control characters that would end the line
SETTINGS = {  # named and ordered as in listings
    name.lower(): name
    for name in (
        *("Access", "Variant", "Flags", "xFlags", "x2Flags", "Press"),
        *("Power Assignments", "Winning Centers"),
    )
}


def write_record(record: records.Record, board: Map, *, played_before: int = 0) -> Iterator[str]:
    """Yield *record* as emails; *played_before* phases of the game are not in it."""
    editions = {each.phase: each for each in record.phases if each.position}
    last = sorted(editions.values(), key=lambda each: each.phase)
    phases = [each for each in map(_without_destroyed, last) if each]
    yield _text(iter((f"History information for game '{wording.game_name(record)}':", "")))
    reports = [*_reports(board, phases)]
    final = max((each.recorded.phase for each in reports if each.has_results), default=None)
    writer = ResultsWriter(record, board, final)
    for number, each in enumerate(reports, played_before + 1):
        if each.starts:
            yield _text(writer.start_position(each.recorded, number))
        if each.has_results:
            yield _text(writer.results(each.recorded, each.following, number))
    for message in record.press:
        yield _text(_message(record, board, message))
    yield "---- History terminated due to end of information.\n\n"
    yield _text(_summary(record, board, phases))


@dataclass(frozen=True, slots=True)
class _Report:
    """The report of the phase *recorded*, which the phase *following* continues, if known.

    Its position is written if it *starts* the game or comes after a gap.
    """

    recorded: records.RecordedPhase
    following: records.RecordedPhase | None
    starts: bool
    has_results: bool


def _reports(board: Map, phases: Sequence[records.RecordedPhase]) -> Iterator[_Report]:
    follows = False
    for recorded, later in pairwise((*phases, None)):
        assert recorded, "only the last item is None"
        starts = not follows
        known = later is not None and records.is_followed_by(
            board.calendar, recorded.phase, later.phase
        )
        following = later if known else None
        follows = following is not None and _is_played(recorded, following)
        has_results = bool(follows or recorded.orders or recorded.removed)
        follows = has_results and following is not None
        yield _Report(recorded, following, starts, has_results)


def _without_destroyed(recorded: records.RecordedPhase) -> records.RecordedPhase | None:
    """Return *recorded* without units that have no retreat, None if no other must retreat.

    nJudge removes them at once; webDiplomacy and others keep them through the retreat phase.
    """
    position = recorded.position
    assert position, "phases without a position are left out"
    gone = {each.unit.province for each in position.dislodged if not each.retreats}
    if not gone:
        return recorded
    waiting = tuple(each for each in position.dislodged if each.retreats)
    orders = tuple(
        each
        for each in recorded.orders
        if not (unit := records.ordered_unit(each.order)) or unit.province not in gone
    )
    removed = tuple(each for each in recorded.removed if each[1].province not in gone)
    position = replace(position, dislodged=waiting)
    return (
        replace(recorded, position=position, orders=orders, removed=removed) if waiting else None
    )


def _is_played(recorded: records.RecordedPhase, following: records.RecordedPhase) -> bool:
    """Return whether *following* can come from *recorded*, which may have no orders.

    If units moved without orders, the orders are unknown.
    """
    if recorded.orders or recorded.phase.kind is types.PhaseKind.ADJUSTMENTS:
        return True
    assert recorded.position, "phases without a position are left out"
    assert following.position, "phases without a position are left out"
    return {*recorded.position.units} == {*following.position.units}


def _text(lines: Iterator[str]) -> str:
    return "".join(f"{line.translate(NO_BREAKS)}\n" for line in lines)


def _summary(
    record: records.Record, board: Map, phases: Sequence[records.RecordedPhase]
) -> Iterator[str]:
    judge, game = wording.judge_code(record), wording.game_name(record)
    if judge:
        variant = record.settings.get("variant", record.variant.capitalize())
        yield f":: Judge: {judge}  Game: {game.capitalize()}  Variant: {variant}"
        yield ""
    through = f" through {wording.phase_code(phases[-1].phase)}" if phases else ""
    yield f"Summary of game '{game}'{through}."
    yield ""
    if record.gamemaster:
        yield f"  Master:        {record.gamemaster}"
    yield from _seats(record, board)
    yield ""
    for key, name in SETTINGS.items():
        if key in record.settings:
            yield f"{name:>9}:  {record.settings[key]}."
    if record.ending and record.ending.powers:
        yield f"The game was {_ending(record.ending, board)}."
    yield ""


def _seats(record: records.Record, board: Map) -> Iterator[str]:
    for power in board.powers:
        label = f"{board.nations[power].name}:"
        for seat in record.seats:
            if seat.power != power or seat.hold is records.SeatKind.CIVIL_DISORDER:
                continue
            if seat.since and not label.startswith("from"):
                yield f"  {label:<14} {UNKNOWN_ADDRESS}"
            label = f"from {wording.phase_code(seat.since)}:" if seat.since else label
            who = "  ".join(part for part in (seat.player, seat.address) if part)
            yield f"  {label:<14} {who or UNKNOWN_ADDRESS}"
            label = "from"


def _ending(ending: records.Ending, board: Map) -> str:
    *others, last = (board.nations[power].name for power in ending.powers)
    names = f"{', '.join(others)} and {last}" if others else last
    match ending.kind:
        case records.EndKind.DRAW:
            return f"declared a draw between {names}"
        case records.EndKind.CONCESSION:
            return f"conceded to {names}"
        case records.EndKind.SOLO | records.EndKind.ABANDONED:
            return f"won by {names}"
        case _:
            assert_never(ending.kind)


def _message(record: records.Record, board: Map, message: records.RecordedPress) -> Iterator[str]:
    judge, game = wording.judge_code(record), wording.game_name(record)
    if message.sent:
        yield f"Date:    {wording.date_text(message.sent)}"
    if judge and message.phase:
        yield f"Subject: {judge}:{game} - {wording.phase_code(message.phase)} Press"
    else:
        yield f"Subject: Diplomacy notice: '{game}'"
    yield ""
    if message.phase and not judge:
        yield f":: Deadline: {wording.phase_code(message.phase)}"
        yield ""
    readers = [_name(board, each) for each in message.readers]
    to = f" to {' and '.join(readers)}" if readers else ""
    sender = f" from {UNKNOWN_ADDRESS} as {_name(board, message.sender)}" if message.sender else ""
    yield f"{'Message' if readers else 'Broadcast message'}{sender}{to} in '{game}':"
    yield ""
    yield from map(_quoted_if_ambiguous, message.text.split("\n"))
    yield "End of message."
    yield ""


def _quoted_if_ambiguous(line: str) -> str:
    """Quote *line* if it looks like the beginning or end of an email."""
    text = " ".join(line.split())
    return f"> {line}" if any(each.match(text) for each in BETWEEN) else line


def _name(board: Map, person: str) -> str:
    nation = board.nations.get(person)
    return nation.name if nation else person
