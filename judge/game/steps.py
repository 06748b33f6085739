"""Commands by which those in charge, or all players together, change how a game goes on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from judge.game.house_rules import HouseRules
from judge.game.undoing import Earlier, Later
from judge.rules.types import Position, Power


@dataclass(frozen=True, slots=True)
class RollBack:
    """Go back to a phase that was played before; *restore* its orders, or ask for new ones."""

    to: Earlier
    reason: str
    by: str
    restore: bool = False


@dataclass(frozen=True, slots=True)
class RollForward:
    """Go on from where the game was before it was rolled back."""

    to: Later
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Unstart:
    """Let nobody have a power in a game whose first phase is open, and let it form again."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class CorrectPosition:
    """Put the board of the open phase right; the orders given for it are gone."""

    position: Position
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Let other house rules hold from now on."""

    house_rules: HouseRules
    by: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Let nothing close until the game is told to go on."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Let a paused game go on, with the time that was left."""

    by: str


@dataclass(frozen=True, slots=True)
class Terminate:
    """End the game without a result."""

    by: str


@dataclass(frozen=True, slots=True)
class Eject:
    """Take the player off *power*, as if he had resigned."""

    power: Power
    by: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """Let *person* moderate the game from now on."""

    person: str
    by: str


@dataclass(frozen=True, slots=True)
class MakeDummy:
    """Let nobody play *power*, and wait for nobody: it is in civil disorder."""

    power: Power
    by: str


@dataclass(frozen=True, slots=True)
class AnswerExtension:
    """Give *power* the time that it asked for, or not."""

    power: Power
    granted: bool
    by: str


@dataclass(frozen=True, slots=True)
class VotePause:
    """Vote that the game is paused, or (not *pause*) that it goes on."""

    power: Power
    person: str
    pause: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class AskExtension:
    """Ask the moderator for so many *hours* more."""

    power: Power
    person: str
    hours: int
    reason: str


@dataclass(frozen=True, slots=True)
class SetAbsence:
    """Say that the player is away from *begins* to *ends*."""

    power: Power
    person: str
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class ClearAbsence:
    """Say that the player is there after all."""

    power: Power
    person: str


@dataclass(frozen=True, slots=True)
class Observe:
    """A person wants to be told what is public, or (not *on*) no longer."""

    person: str
    on: bool


Step: TypeAlias = (
    RollBack
    | RollForward
    | Unstart
    | CorrectPosition
    | ChangeRules
    | Pause
    | GoOn
    | Terminate
    | Eject
    | MakeDummy
    | HandOver
    | AnswerExtension
)
Wish: TypeAlias = VotePause | AskExtension | SetAbsence | ClearAbsence | Observe
