"""Commands by which those in charge, or all players together, change how a game goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.game.undoing import Earlier
from judge.rules.position import Position


@dataclass(frozen=True, slots=True)
class RollBack:
    """Go back to a phase that was played before; *restore* its orders, or ask for new ones."""

    to: Earlier
    reason: str
    by: str
    restore: bool = False


@dataclass(frozen=True, slots=True)
class CorrectPosition:
    """Put the board of the open phase right; the orders given for it are gone."""

    position: Position
    reason: str
    by: str


Step: TypeAlias = RollBack | CorrectPosition
