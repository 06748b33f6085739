"""What a mail can say of diaries, and of a game that is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge.mail.language.spoken import Spoken

if TYPE_CHECKING:
    from judge.mail.body import Line


@dataclass(frozen=True, slots=True)
class Diary(Spoken):
    """`DIARY` ... `ENDDIARY`, a note for oneself; not *closed*, *lines* is what follows."""

    lines: tuple[Line, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class Statement(Spoken):
    """`STATEMENT` ... `ENDSTATEMENT`: to everybody, of a game that is over."""

    lines: tuple[Line, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class DiaryRead(Spoken):
    """`DIARY LIST`, the beginnings; `DIARY READ`, or `DIARY READ 3`: the *whole* of notes."""

    note: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class DiaryDelete(Spoken):
    """`DIARY DELETE 3`."""

    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiaryShow(Spoken):
    """`DIARY SHOW`: everybody may read it when the game is over; `DIARY HIDE`."""

    shown: bool


@dataclass(frozen=True, slots=True)
class PressShow(Spoken):
    """`SHOW PRESS`: everybody may read it when the game is over, if all agree; `HIDE PRESS`."""

    shown: bool


OfMemoir: TypeAlias = Diary | Statement | DiaryDelete | DiaryShow | PressShow
MemoirSaid: TypeAlias = OfMemoir | DiaryRead
