"""Games as the `diplomacy` package saves them: a line of JSON a game.

What it has no place for is left out: the positions of gaps, earlier editions of a report, orders
that were not understood, and all that stands around the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.archive.record import Ending, EndKind, Record, RecordedPhase
from judge.archive.saved_games import COMPLETED, EPOCH, VICTORY
from judge.archive.saving import (
    TICK,
    Packed,
    packed,
    rules_of,
    save_message,
    save_orders,
    save_results,
    save_state,
    times_of,
)
from judge.archive.zobrist import zobrist_hash
from judge.rules.board import Map
from judge.rules.types import Phase, Position

SHORT = 3  # letters of a power in the note of its victory


def write(record: Record, board: Map) -> Iterator[str]:
    """Yield *record* as one line; nothing if no position in it is known."""
    if any(each.position for each in record.phases):
        yield f"{json.dumps(saved_game(record, board))}\n"


def saved_game(record: Record, board: Map) -> dict[str, object]:
    """Return *record* as an object of the package."""
    known = {each.phase: each for each in record.phases if each.position}
    phases = [*known.values()]
    full = [packed(each) for each in phases]
    messages = _messages(record, [*known])
    saved = [
        {**_saved(board, record, each, before), "messages": messages[each.told.phase]}
        for before, each in zip((None, *full), full, strict=False)
    ]
    if record.ending and phases and not phases[-1].orders:
        last = _completed(board, record, record.ending, phases[-1])
        if phases[-1].phase == record.ending.phase:
            saved.append({**last, "messages": []})
        else:
            saved[-1] |= last
    return {
        "id": record.name,
        "map": record.variant,
        "rules": rules_of(record),
        "phases": saved,
    }


def _saved(board: Map, record: Record, phase: Packed, before: Packed | None) -> dict[str, object]:
    assert phase.told.position
    return {
        "name": phase.told.phase.code,
        "state": _state(board, record, phase.told, phase.told.position),
        "orders": save_orders(board, phase),
        "results": save_results(phase, before),
    }


def _state(
    board: Map, record: Record, told: RecordedPhase, position: Position
) -> dict[str, object]:
    """Return *position* with what the package has to know when, and whether, it has got it."""
    reported = told.reported or told.deadline
    return {
        "timestamp": (reported - EPOCH) // TICK if reported else 0,
        "zobrist_hash": zobrist_hash(board, position),
        **save_state(board, record, position),
    }


def _completed(
    board: Map, record: Record, ending: Ending, last: RecordedPhase
) -> dict[str, object]:
    """Return what stands in place of the phase after the end: nobody retreats any more."""
    assert last.position
    position = replace(last.position, dislodged=())
    note = VICTORY + ", ".join(power[:SHORT] for power in ending.powers)
    told = "" if ending.kind is EndKind.ABANDONED else note
    return {
        "name": COMPLETED,
        "state": {**_state(board, record, last, position), "name": COMPLETED, "note": told},
        "orders": {},
        "results": {},
    }


def _messages(record: Record, phases: Sequence[Phase]) -> dict[Phase, list[dict[str, object]]]:
    """Return the press by phase; that of another phase stands where the message before it does."""
    messages: dict[Phase, list[dict[str, object]]] = {phase: [] for phase in phases}
    current = phases[0] if phases else None
    for message, sent in zip(record.press, times_of(record.press), strict=True):
        current = message.phase if message.phase in messages else current
        if current:
            messages[current].append(save_message(message, sent, current.code))
    return messages
