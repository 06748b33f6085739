"""Diaries and end-of-game statements: blocks and commands.

A block is opened by a line of its own, and closed by another; in capitals it is one even if the
end is missing, and then the rest of the mail is neither kept nor read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from judge.mail.body import trimmed
from judge.mail.language.command_syntax import CommandReader, LineMaker, ParsedLine

if TYPE_CHECKING:
    from judge.mail.body import Line
    from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class Diary(ParsedLine):
    """`DIARY` ... `ENDDIARY`, a note for oneself; not *closed*, *lines* is what follows."""

    lines: tuple[Line, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class Statement(ParsedLine):
    """`STATEMENT` ... `ENDSTATEMENT`: to everybody, of a game that is over."""

    lines: tuple[Line, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class DiaryRead(ParsedLine):
    """`DIARY LIST`, the beginnings; `DIARY READ`, or `DIARY READ 3`: the *whole* of notes."""

    note: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class DiaryDelete(ParsedLine):
    """`DIARY DELETE 3`."""

    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiaryShow(ParsedLine):
    """`DIARY SHOW`: everybody may read it when the game is over; `DIARY HIDE`."""

    shown: bool


@dataclass(frozen=True, slots=True)
class PressShow(ParsedLine):
    """`SHOW PRESS`: everybody may read it when the game is over, if all agree; `HIDE PRESS`."""

    shown: bool


DiaryCommand: TypeAlias = Diary | Statement | DiaryDelete | DiaryShow | PressShow
DiaryLine: TypeAlias = DiaryCommand | DiaryRead


DIARY_OPENINGS: dict[str, tuple[type[Diary | Statement], str]] = {
    "DIARY": (Diary, "ENDDIARY"),
    "DIARY RECORD": (Diary, "ENDDIARY"),
    "STATEMENT": (Statement, "ENDSTATEMENT"),
    "EOG": (Statement, "ENDEOG"),
}


def diary_block(line: Line, below: Sequence[Line]) -> tuple[Diary | Statement, int] | None:
    """Return the block that *line* opens, and how many of the lines *below* belong to it."""
    written = line.text.strip(" .:")
    if written.upper() not in DIARY_OPENINGS:
        return None
    made, end = DIARY_OPENINGS[written.upper()]
    at = next((i for i, each in enumerate(below) if _closing_word(each) == end), None)
    if at is None and not written.isupper():
        return None
    lines = trimmed(below[:at])
    told = made(lines, closed=at is not None, line=line.number, text=line.text)
    return told, len(below) if at is None else at + 1


def _diary(arguments: list[str], _: Map) -> LineMaker | None:
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


def _show_press(word: str) -> CommandReader:
    """Make the reader of `SHOW PRESS` or `HIDE PRESS`."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        named = [each.upper() for each in arguments] == ["PRESS"]
        return partial(PressShow, shown=word == "SHOW") if named else None

    return read


def _closing_word(line: Line) -> str:
    return "".join(line.text.upper().split()).strip(".")


DIARY_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "DIARY": _diary,
        "SHOW": _show_press("SHOW"),
        "HIDE": _show_press("HIDE"),
    }
)
