"""How long phases last, as nJudge has it: `SET MOVE CLOCK 1410 MIN 12 NEXT 71 DAYS -MTWTF-`.

What nJudge has for each kind of phase, and is one for the whole game here, is read with SET MOVE.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import partial
from math import ceil

from judge.mail.language.spoken import Reader
from judge.mail.language.table_said import SetRules
from judge.rules.board import Map

NUMBER = re.compile(r"\d{0,4}(?:\.\d{1,3})?")
WEEK = "SMTWTFS"  # from Sunday on
DAYS = re.compile(r"[-SMTWF]{7}", re.IGNORECASE)
MINUTES_A_DAY = 24 * 60
NO_CLOCK = "-1"
MOVEMENT_KEYS = frozenset({"CLOCK", "MIN", "GRACE", "DELAY", "DAYS"})


def clocks_of(length: str, keys: Collection[str] = ()) -> Reader:
    """Make the reader of settings for one kind of phase: its *length*, NEXT, and *keys*."""

    def read(arguments: list[str], _: Map) -> partial[SetRules] | None:
        names = [word.upper() for word in arguments[::2]]
        said = dict(zip(names, arguments[1::2], strict=False))
        if not said or 2 * len(said) != len(arguments) or not said.keys() <= {"NEXT", *keys}:
            return None
        try:
            return partial(SetRules, pairs=tuple(_pairs(said, length)))
        except ValueError:
            return None

    return read


def _pairs(said: dict[str, str], length: str) -> Iterator[str]:
    """Yield house rules; raises `ValueError` for what is no number, and no clock or week."""
    for key, value in said.items():
        match key:
            case "NEXT":
                yield f"{length}={ceil(_number(value))}"
            case "MIN":
                yield f"early_not_before_hours={ceil(_number(value))}"
            case "DELAY":
                yield f"early_wait_minutes={ceil(60 * _number(value))}"
            case "CLOCK":
                yield f"closing_time={_clock(value)}"
            case "DAYS":
                yield f"closed_weekdays={_closed(value)}"
            case _:  # GRACE is counted from the beginning of the phase there, as NEXT is.
                grace = _number(value) - _number(said.get("NEXT", ""))
                yield f"grace_hours={ceil(max(grace, 0))}"


def _number(text: str) -> float:
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _clock(text: str) -> str:
    if text == NO_CLOCK:
        return ""
    minutes = int(_number(text))
    if minutes >= MINUTES_A_DAY:
        raise ValueError(text)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _closed(text: str) -> str:
    """Return the weekdays that are dashes, from Monday, 1, to Sunday, 7."""
    if not DAYS.fullmatch(text) or any(
        letter not in ("-", day) for letter, day in zip(text.upper(), WEEK, strict=True)
    ):
        raise ValueError(text)
    return ",".join(sorted(str(n or 7) for n, letter in enumerate(text) if letter == "-"))
