"""One position with its orders, adjudicated: the answer as JSON, every failure with its cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TypeAlias, assert_never

from judge.archive.handed_in import HANDED_IN, read_dropped, read_written
from judge.archive.positions import DESCRIBED, read_orders, read_position, write_position
from judge.archive.values import MalformedError, a_text
from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcome import (
    Adjudication,
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    FailCause,
    Fails,
    Futile,
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    Outcome,
    OwnUnit,
    Paradox,
    ParadoxHold,
    RetreatsClash,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Verdict,
    result_words,
)
from judge.rules.phase_sequence import winner
from judge.rules.rulebook import DATC, Rulebook, UnknownRulebookError, rulebook_named
from judge.rules.types import Position, Power, Season, Unit

COMPLETED = "COMPLETED"  # in place of a phase: the game is over
KEYS = {"rulebook", *DESCRIBED, *HANDED_IN}
NEEDED = ("phase", "units")
NEARLY = 0.85  # alike, of 1: one letter more or less of a short word
CAUSES: Mapping[type[FailCause], str] = {
    StoodOff: "stood_off",
    HeldOff: "held_off",
    HeadOn: "head_on",
    OwnUnit: "own_unit",
    ConvoyBroken: "convoy_broken",
    ConvoyParadox: "convoy_paradox",
    ParadoxHold: "paradox_hold",
    Futile: "futile",
    RetreatsClash: "retreats_clash",
}


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and the orders for it as they were written, by power.

    *dropped* are those of sets of orders that do not stand.
    """

    position: Position
    orders: Mapping[Power, Sequence[str]]
    rulebook: Rulebook
    dropped: Mapping[Power, Sequence[str]] = field(default_factory=dict)


Explain: TypeAlias = Callable[[Outcome | Unit], dict[str, object]]  # of an order, or a removal
Explainer: TypeAlias = Callable[[Question, Adjudication], Explain]


def read_question(board: Map, source: Mapping[str, object]) -> Question:
    """Read a question. Raises `MalformedError`.

    A key that is none is not looked at, unless it is nearly one.
    """
    for key in source.keys() - KEYS:
        _check_unlike(key)
    rulebook = _rulebook(source)
    for key in NEEDED:
        if source.get(key) is None:
            raise MalformedError(key, "is missing")
    if source["phase"] == COMPLETED:
        raise MalformedError(COMPLETED, "the game is over, and has no phase to adjudicate")
    position = read_position(board, source, rulebook)
    if position.phase < board.start.phase:
        raise MalformedError(source["phase"], f"is before {board.start.phase}, the first of all")
    orders = read_written(board, source, position, rulebook)
    return Question(position, orders, rulebook, read_dropped(board, source, orders))


def unexplained(_question: Question, _judged: Adjudication) -> Explain:
    """Tell no reasons."""
    return lambda _: {}


def answer(
    board: Map, question: Question, explainer: Explainer = unexplained
) -> dict[str, object]:
    """Adjudicate *question*; each order is repeated as it was written. Raises `MalformedError`."""
    position, written = question.position, question.orders
    orders = {power: read_orders(board, several) for power, several in written.items()}
    judged = adjudicate(board, position, orders, question.rulebook)
    outcomes = iter(judged.outcomes)
    explain = explainer(question, judged)
    told = partial(_told, explain)
    return {
        "phase": position.phase.code,
        "results": {
            power: [told(text, next(outcomes)) for text in several]
            for power, several in written.items()
        },
        **({"dropped": question.dropped} if question.dropped else {}),
        "unordered": [
            {"power": each.power, **told(write_order(each.order), each)}
            for each in judged.unordered
        ],
        "paradoxes": [_paradox(each) for each in judged.paradoxes],
        "removed": [
            {"power": unit.power, "unit": str(unit), **explain(unit)} for unit in judged.removed
        ],
        "contested": sorted(judged.contested),
        "next": _next(board, position, judged),
    }


def _check_unlike(key: str) -> None:
    """See that *key* is no slip in one that would be read. Raises `MalformedError`."""
    from difflib import get_close_matches  # noqa: PLC0415 - few have keys of their own

    for meant in get_close_matches(key, KEYS, n=1, cutoff=NEARLY):
        raise MalformedError(f"key {key!r}", f"is none; {meant!r} may be meant")


def _rulebook(source: Mapping[str, object]) -> Rulebook:
    if source.get("rulebook") is None:
        return DATC
    try:
        return rulebook_named(a_text(source["rulebook"], "rulebook"))
    except UnknownRulebookError as error:
        raise MalformedError("rulebook", str(error)) from None


def _told(explain: Explain, text: str, outcome: Outcome) -> dict[str, object]:
    return {
        "order": text,
        "result": list(result_words(outcome)),
        "causes": _causes(outcome),
        **explain(outcome),
    }


def _paradox(paradox: Paradox) -> dict[str, object]:
    return {
        "convoys": list(paradox.convoys),
        "moves": list(paradox.moves),
        "rule": paradox.rule.value,
        "stood_in": paradox.stood_in,
    }


def _next(board: Map, position: Position, judged: Adjudication) -> dict[str, object]:
    after = write_position(judged.after)
    counted = position.phase.season is Season.FALL and judged.after.phase.season is not Season.FALL
    if counted and winner(board, judged.after):
        after["phase"] = COMPLETED
    return after


def _causes(outcome: Outcome) -> list[dict[str, object]]:
    """Say why the order was not carried out, and what drove its unit out."""
    causes = _of_verdict(outcome.verdict)
    match outcome.fate:
        case None:
            pass
        case Dislodged(by, strength) | Destroyed(by, strength):
            causes.append({"kind": "dislodged", "by": by, "strength": _plain(strength)})
        case _:
            assert_never(outcome.fate)
    return causes


def _of_verdict(verdict: Verdict) -> list[dict[str, object]]:
    match verdict:
        case Illegal(why):
            return [{"kind": why.value}]
        case Invalid(why, instead):
            return [{"kind": why.value, "instead": write_order(instead) if instead else None}]
        case Fails(cause):
            told = {each.name: _plain(getattr(cause, each.name)) for each in fields(cause)}
            return [{"kind": CAUSES[type(cause)], **told}]
        case Cut(by):
            return [{"kind": "cut", "by": by}]
        case Disrupted(by):
            return [{"kind": "disrupted", "by": by}]
        case Stands() | Succeeds() | Given() | Available():
            return []
        case _:
            assert_never(verdict)


def _plain(value: object) -> object:
    """Return a field of a cause as JSON has it."""
    match value:
        case Strength(unit, supporters, discounted):
            return {
                "unit": unit,
                "supporters": list(supporters),
                "discounted": list(discounted),
                "total": value.total,
            }
        case Impossible():
            return value.value
        case tuple():
            return [_plain(each) for each in value]
        case _:
            return value
