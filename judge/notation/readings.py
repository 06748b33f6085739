"""The readings of a clause: understood, unclear, not understood, or prose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from judge.rules.types import Order, Power

ALL_REMAINING = 0  # times: as often as may be


class WhyNotUnderstood(Enum):
    """Why a clause that looks like an order is not read as one."""

    UNKNOWN_WORD = "unknown_word"
    NOT_AN_ORDER = "not_an_order"  # The words are known, but do not make an order together.
    INCOMPLETE = "incomplete"  # `A Par S`: a support of nothing, or a hold as zines write it.
    REPEATED = "repeated"  # `Same orders`: as in the phase before, or as they stand.
    DOUBTFUL = "doubtful"  # It hangs on an if, a maybe, a question mark ...
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"  # From here on nothing of this text is read.
    FAILED = "failed"  # Our code failed on it.


@dataclass(frozen=True, slots=True)
class Understood:
    """*text*, in *line* from *column* (both from 1), orders *order*.

    *power* is the owner of the unit as written, by `FRANCE:` before the line or `French` before
    the unit: the caller refuses an order for another power's unit. *remark* is the unread text in
    parentheses after the order, or the retreat of its unit as if in parentheses. *bare* means that
    a build is one only because the unit has no verb. A build is waived so many *times*, or `EVERY`
    time that is left. *instead* are the alternatives in order of preference, with *order* among
    them.
    """

    line: int
    column: int
    text: str
    order: Order
    power: Power | None = None
    remark: str = ""
    bare: bool = False
    times: int = 1
    instead: tuple[Order, ...] = ()


@dataclass(frozen=True, slots=True)
class Unclear:
    """*word* of *text* has several meanings, and *orders* are the orders that the text may be.

    By the position, only one of them may be for a unit of the writer.
    """

    line: int
    column: int
    text: str
    word: str
    orders: tuple[Order, ...]
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """*text* was meant as an order, but could not be read.

    *nearest* is the order that the clause becomes with the provinces of the most similar names, if
    one fits the board better than all others: a suggestion, never to be executed unasked. *defect*
    names the place where our code failed, if that is the reason.
    """

    line: int
    column: int
    text: str
    why: WhyNotUnderstood
    nearest: Order | None = None
    power: Power | None = None
    defect: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """*text* is no order of one unit and was not meant as one.

    It may order all units without an order to *hold*; if it means *every* unit, standing orders
    are replaced too.
    """

    line: int
    column: int
    text: str
    hold: bool = False
    every: bool = False


Reading: TypeAlias = Understood | Unclear | NotUnderstood | Prose


def describe_defect(error: Exception) -> str:
    """Return the kind of *error* and the line of code that raised it."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    name = type(error).__name__
    if trace is None:
        return name
    return f"{name} in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
