"""The events of what players write down: notes to themselves, and a word when all is over.

Texts are encrypted under the writer's own key, as press is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.events.value import Event


@dataclass(frozen=True, slots=True)
class NoteWritten(Event):
    """The player of a power wrote a note into his diary, as its number *note*."""

    note: int
    power: str
    person: str
    phase: str
    sealed_text: str
    mail: str


@dataclass(frozen=True, slots=True)
class NoteDropped(Event):
    """The player took a note out of his diary."""

    note: int
    person: str


@dataclass(frozen=True, slots=True)
class DiaryOpened(Event):
    """A player lets everybody read his diary when the game is over, or (not *shown*) nobody."""

    person: str
    shown: bool


@dataclass(frozen=True, slots=True)
class StatementMade(Event):
    """Somebody who played, *power*, or moderated says something of the game that is over."""

    power: str | None
    person: str
    sealed_text: str
    mail: str


@dataclass(frozen=True, slots=True)
class PressOpened(Event):
    """Somebody lets everybody read what he wrote to players when the game is over, or nobody."""

    person: str
    shown: bool


Memoir: TypeAlias = NoteWritten | NoteDropped | DiaryOpened | StatementMade | PressOpened
