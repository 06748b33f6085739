"""What became of orders in a session: those submitted, and those reported with their results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from judge.archive.daide.language import Message
from judge.archive.record import RecordedPhase, WrittenOrder
from judge.rules.types import (
    Convoy,
    Move,
    Order,
    Phase,
    Position,
    Power,
    Province,
    SupportHold,
    SupportMove,
)

Key = tuple[Power, Province | int]  # whose order, and where its unit is; waived builds are counted

WORDS = {"BNC": "bounce", "CUT": "cut", "RET": "dislodged", "FLD": "void", "NSO": "void"}
NOTES = frozenset({*WORDS, "SUC", "DSR"})


@dataclass(frozen=True, slots=True)
class Given:
    """An order as it was submitted or reported; *notes* are the tokens of its result."""

    power: Power
    text: str
    order: Order | None
    line: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Told:
    """What is told of one phase, from *line* on; *now* is the message with its position."""

    line: int
    now: Message = ()
    position: Position | None = None
    submitted: dict[Key, Given] = field(default_factory=dict)
    reported: dict[Key, Given] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def is_vague(given: Given) -> bool:
    """Tell whether the server says `no such order` of an order that hangs on no other.

    It then says so of whatever failed, and not how.
    """
    match given.order:
        case None | SupportHold() | SupportMove() | Convoy() | Move(via_convoy=True):
            return False
        case _:
            return "NSO" in given.notes


def recorded(phase: Phase, told: Told, *, vague: bool) -> RecordedPhase:
    """Return the record of *phase*: an order as reported, or as submitted where that is garbled.

    Where the server is *vague*, it tells no result of what failed.
    """
    orders = [
        _written(given, told.submitted.get(key, given), vague=vague)
        for key, given in told.reported.items()
    ]
    silent = told.submitted.keys() - told.reported.keys()
    orders += [
        _written(given, given, vague=vague)
        for key, given in told.submitted.items()
        if key in silent
    ]
    return RecordedPhase(
        phase,
        told.position,
        tuple(orders),
        results_told=any(each.results is not None for each in orders),
        first_line=told.line,
        notes=tuple(told.refused),
    )


def _written(given: Given, submitted: Given, *, vague: bool) -> WrittenOrder:
    if given.order is None:
        given = replace(given, text=submitted.text, order=submitted.order)
    if not given.notes or (vague and "NSO" in given.notes):
        return WrittenOrder(given.power, given.text, given.order, None, given.line)
    words = tuple(_word(given.order, note) for note in given.notes if note != "SUC")
    return WrittenOrder(given.power, given.text, given.order, words, given.line)


def _word(order: Order | None, note: str) -> str:
    """Return the word of a record for the token of a result."""
    if note == "DSR":
        return "disrupted" if isinstance(order, Convoy) else "no convoy"
    if note == "NSO" and isinstance(order, Move):
        return "no convoy"
    return WORDS[note]
