"""Lines on which our code fails: they are found and left out, so that all others are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from judge.notation.readings import describe_defect

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.mail.body import Line

FAILING_MAX = 5  # lines of a text; with more of them nothing of it is read
LEFT_OUT = "\N{HORIZONTAL ELLIPSIS}"  # stands where a failing line was: it says nothing

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class FailingLine:
    """A *line* on which our code failed, and where, without a word of the text."""

    line: Line
    defect: str


def read_all_others(
    read: Callable[[Sequence[Line]], R], lines: Sequence[Line]
) -> tuple[R, tuple[FailingLine, ...]]:
    """Return what *read* makes of *lines*, and those that were left out since it fails on them.

    Reads once if nothing fails. Raises what *read* raises if it fails on no lines at all.
    """
    left, failing = list(lines), list[FailingLine]()
    defect = ""
    while len(failing) < FAILING_MAX:
        try:
            return read(left), tuple(failing)
        except Exception as error:  # noqa: BLE001 - which lines it is about is found here
            defect = describe_defect(error)
        at = _first_failing(read, left)
        if at is None:
            break
        failing.append(FailingLine(left[at], defect))
        left[at] = replace(left[at], text=LEFT_OUT)
    written = [line for line in lines if line.text.strip()]
    return read(()), tuple(FailingLine(line, defect) for line in written)


def _first_failing(read: Callable[[Sequence[Line]], object], lines: Sequence[Line]) -> int | None:
    """Return the line that, added to those above it, makes *read* fail; None if none does."""
    sound, fails = 0, len(lines)
    while fails - sound > 1:
        middle = (sound + fails) // 2
        try:
            read(lines[:middle])
        except Exception:  # noqa: BLE001 - any is what is looked for
            fails = middle
        else:
            sound = middle
    return fails - 1 if lines else None
