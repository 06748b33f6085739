"""The readings of text as an order: understood, unclear, or not understood."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from judge.rules.types import Order, Power


class WhyNotUnderstood(Enum):
    """A reason why text that looks like an order is not carried out."""

    UNKNOWN_WORD = "unknown_word"
    NOT_AN_ORDER = "not_an_order"  # The words are known, but their combination is not.
    INCOMPLETE = "incomplete"  # `A Par S`: no supported unit, or a zine's hold.
    DOUBTFUL = "doubtful"  # There is an if, a maybe, a question mark ...
    ALL_UNITS = "all_units"  # `All hold`, where nobody knows the units.
    TOO_MANY = "too_many"  # The rest of the text is not read.
    FAILED = "failed"  # Our code failed on it.


@dataclass(frozen=True, slots=True)
class Understood:
    """*text*, in *line* from *column* (both from 1), means *order*.

    *power* is the owner as written, by `FRANCE:` before the line or `French` before the unit;
    callers refuse orders for other powers' units. *retreats* are those wished for if its unit is
    dislodged, the best first. *instead* has all alternatives, including *order*, in order of
    preference.
    """

    line: int
    column: int
    text: str
    order: Order
    power: Power | None = None
    retreats: tuple[Order, ...] = ()
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
    not to be executed without confirmation unless *slip* says that one letter is wrong in what is
    plain otherwise. *defect* is where our code failed, if it did.
    """

    line: int
    column: int
    text: str
    why: WhyNotUnderstood
    nearest: Order | None = None
    power: Power | None = None
    defect: str = ""
    slip: bool = False


Reading: TypeAlias = Understood | Unclear | NotUnderstood


def describe_defect(error: Exception) -> str:
    """Return the type of *error* and the line of code that raised it."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    name = type(error).__name__
    if trace is None:
        return name
    return f"{name} in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
