"""Blocks and lines about diaries and statements.

A block is opened by a line of its own, and closed by another; in capitals it is one even if the
end is missing, and then the rest of the mail is neither kept nor read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge.mail.body import trimmed
from judge.mail.language.memoir_said import (
    Diary,
    DiaryDelete,
    DiaryRead,
    DiaryShow,
    PressShow,
    Statement,
)
from judge.mail.language.spoken import Maker, Reader

if TYPE_CHECKING:
    from judge.mail.body import Line
    from judge.rules.board import Map

OPENINGS: dict[str, tuple[type[Diary | Statement], str]] = {
    "DIARY": (Diary, "ENDDIARY"),
    "DIARY RECORD": (Diary, "ENDDIARY"),
    "STATEMENT": (Statement, "ENDSTATEMENT"),
    "EOG": (Statement, "ENDEOG"),
}


def memoir(line: Line, below: Sequence[Line]) -> tuple[Diary | Statement, int] | None:
    """Return the block that *line* opens, and how many of the lines *below* belong to it."""
    written = line.text.strip(" .:")
    if written.upper() not in OPENINGS:
        return None
    made, end = OPENINGS[written.upper()]
    at = next((i for i, each in enumerate(below) if _word(each) == end), None)
    if at is None and not written.isupper():
        return None
    lines = trimmed(below[:at])
    told = made(lines, closed=at is not None, line=line.number, text=line.text)
    return told, len(below) if at is None else at + 1


def diary_named(arguments: list[str], _: Map) -> Maker | None:
    """Read `LIST`, `READ`, `READ 3`, `DELETE 3 4`, `SHOW`, `HIDE`."""
    numbers = [int(word) for word in arguments[1:] if word.isdecimal()]
    if len(numbers) < len(arguments) - 1:
        return None
    match arguments[0].upper() if arguments else "":
        case "LIST" if not numbers:
            return partial(DiaryRead, note=None, whole=False)
        case "READ" if len(numbers) < 2:  # noqa: PLR2004 - one, or all
            return partial(DiaryRead, note=next(iter(numbers), None), whole=True)
        case "DELETE" if numbers:
            return partial(DiaryDelete, notes=tuple(numbers))
        case "SHOW" | "HIDE" as word if not numbers:
            return partial(DiaryShow, shown=word == "SHOW")
        case _:
            return None


def press_shown(word: str) -> Reader:
    """Make the reader of `SHOW PRESS` or `HIDE PRESS`."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        named = [each.upper() for each in arguments] == ["PRESS"]
        return partial(PressShow, shown=word == "SHOW") if named else None

    return read


def _word(line: Line) -> str:
    return "".join(line.text.upper().split()).strip(".")


DIARY_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "DIARY": diary_named,
        "SHOW": press_shown("SHOW"),
        "HIDE": press_shown("HIDE"),
    }
)
