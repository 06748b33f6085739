"""The readings of a clause: understood, unclear, not understood, or prose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from judge.rules.types import Order, Power

ALL_REMAINING = 0  # `times` of a waive


class WhyNotUnderstood(Enum):
    """A reason why a clause that looks like an order cannot be read."""

    UNKNOWN_WORD = "unknown_word"
    NOT_AN_ORDER = "not_an_order"  # The words are known, but their combination is not.
    INCOMPLETE = "incomplete"  # `A Par S`: no supported unit, or a zine's hold.
    REPEATED = "repeated"  # `Same orders`: of the last phase or the current ones.
    DOUBTFUL = "doubtful"  # There is an if, a maybe, a question mark ...
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"  # The rest of the text is not read.
    FAILED = "failed"  # Our code failed on it.


@dataclass(frozen=True, slots=True)
class Understood:
    """*text*, in *line* from *column* (both from 1), means *order*.

    *power* is the owner as written, by `FRANCE:` before the line or `French` before the unit;
    callers refuse orders for other powers' units. *remark* is unread text in parentheses after the
    order, or its unit's retreat in parentheses. *bare* means that the order is a build only for
    lack of a verb. A waive counts for so many *times*, or `ALL_REMAINING`. *instead* has all
    alternatives, including *order*, in order of preference.
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
    """*word* in *text* has several meanings, which lead to several *orders*.

    The position may show that only one of them is for a unit of the writer.
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

    *nearest* is the order with the most similar names, if one fits the board best: a suggestion,
    never to be executed without confirmation. *defect* is where our code failed, if it did.
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
    """*text* is not an order of one unit, nor meant as one.

    It may order all units without an order to *hold*; *every* means that it also replaces earlier
    orders.
    """

    line: int
    column: int
    text: str
    hold: bool = False
    every: bool = False


Reading: TypeAlias = Understood | Unclear | NotUnderstood | Prose


def describe_defect(error: Exception) -> str:
    """Return the type of *error* and the line of code that raised it."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    name = type(error).__name__
    if trace is None:
        return name
    return f"{name} in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
