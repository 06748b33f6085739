"""Records as a history of nJudge: the mails of results, then those of press; then a summary.

What nJudge has no words for is left out: phases without a position, editions that were corrected,
orders that were not understood. Results that a record does not tell are those of its law.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import assert_never

from judge.archive.course import leads_to
from judge.archive.judges.phrases import BETWEEN
from judge.archive.judges.reporting import Reporter
from judge.archive.judges.wording import code_of, date_text, game_of, judge_of
from judge.archive.record import Ending, EndKind, Hold, Record, RecordedPhase, RecordedPress
from judge.rules.board import Map
from judge.rules.types import PhaseKind

NOBODY = "someone@somewhere"  # what nJudge shows for the address of a player in a gunboat
NO_BREAKS = {ord(letter): " " for letter in "\0\r\n"}  # which are no part of a line
SETTINGS = {  # as listings name them, in their order
    name.lower(): name
    for name in (
        *("Access", "Variant", "Flags", "xFlags", "x2Flags", "Press"),
        *("Power Assignments", "Winning Centers"),
    )
}


def write(record: Record, board: Map) -> Iterator[str]:
    """Write *record*, a mail a piece."""
    editions = {each.phase: each for each in record.phases if each.position}
    phases = sorted(editions.values(), key=lambda each: each.phase)
    yield _text(iter((f"History information for game '{game_of(record)}':", "")))
    reporter = Reporter(record, board)
    led_here = False
    for recorded, following in pairwise((*phases, None)):
        assert recorded, "only the last is followed by none"
        if not led_here:
            yield _text(reporter.standing(recorded))
        told = _is_told(recorded, following)
        if told:
            yield _text(reporter.results(recorded, following))
        led_here = told and following is not None and leads_to(recorded.phase, following.phase)
    for message in record.press:
        yield _text(_message(record, board, message))
    yield "---- History terminated due to end of information.\n\n"
    yield _text(_summary(record, board, phases))


def _is_told(recorded: RecordedPhase, following: RecordedPhase | None) -> bool:
    """Tell whether it is known what was ordered; only in lesser phases that may be nothing."""
    played = following is not None and recorded.phase.kind is not PhaseKind.MOVEMENT
    return played or bool(recorded.orders or recorded.removed)


def _text(lines: Iterator[str]) -> str:
    return "".join(f"{line.translate(NO_BREAKS)}\n" for line in lines)


def _summary(record: Record, board: Map, phases: Sequence[RecordedPhase]) -> Iterator[str]:
    judge, game = judge_of(record), game_of(record)
    if judge:
        variant = record.settings.get("variant", record.variant.capitalize())
        yield f":: Judge: {judge}  Game: {game.capitalize()}  Variant: {variant}"
        yield ""
    through = f" through {code_of(phases[-1].phase)}" if phases else ""
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


def _seats(record: Record, board: Map) -> Iterator[str]:
    """Yield a line for who began with a power, and one for each who followed."""
    for power in board.powers:
        label = f"{board.nations[power].name}:"
        for seat in record.seats:
            if seat.power != power or seat.hold is Hold.CIVIL_DISORDER:
                continue
            if seat.since and not label.startswith("from"):
                yield f"  {label:<14} {NOBODY}"
            label = f"from {code_of(seat.since)}:" if seat.since else label
            who = "  ".join(part for part in (seat.player, seat.address) if part)
            yield f"  {label:<14} {who or NOBODY}"
            label = "from"


def _ending(ending: Ending, board: Map) -> str:
    *others, last = (board.nations[power].name for power in ending.powers)
    names = f"{', '.join(others)} and {last}" if others else last
    match ending.kind:
        case EndKind.DRAW:
            return f"declared a draw between {names}"
        case EndKind.CONCESSION:
            return f"conceded to {names}"
        case EndKind.SOLO | EndKind.ABANDONED:
            return f"won by {names}"
        case _:
            assert_never(ending.kind)


def _message(record: Record, board: Map, message: RecordedPress) -> Iterator[str]:
    judge, game = judge_of(record), game_of(record)
    if message.sent:
        yield f"Date:    {date_text(message.sent)}"
    if judge and message.phase:
        yield f"Subject: {judge}:{game} - {code_of(message.phase)} Press"
    else:
        yield f"Subject: Diplomacy notice: '{game}'"
    yield ""
    if message.phase and not judge:
        yield f":: Deadline: {code_of(message.phase)}"
        yield ""
    readers = [_name(board, each) for each in message.readers]
    to = f" to {' and '.join(readers)}" if readers else ""
    sender = f" from {NOBODY} as {_name(board, message.sender)}" if message.sender else ""
    yield f"{'Message' if readers else 'Broadcast message'}{sender}{to} in '{game}':"
    yield ""
    yield from map(_within_a_mail, message.text.split("\n"))
    yield "End of message."
    yield ""


def _within_a_mail(line: str) -> str:
    """Return *line* so that nobody takes it for the beginning or the end of a mail."""
    text = " ".join(line.split())
    return f"> {line}" if any(each.match(text) for each in BETWEEN) else line


def _name(board: Map, person: str) -> str:
    nation = board.nations.get(person)
    return nation.name if nation else person
