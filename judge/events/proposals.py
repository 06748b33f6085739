"""The events of proposals to share the game, on which all who play vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.events.value import Event


@dataclass(frozen=True, slots=True)
class DrawProposed(Event):
    """A power proposes a draw, as number *proposal*: of all survivors, or of those in *among*.

    It ends when so many movement *phases* have closed, the open one among them.
    """

    proposal: int
    power: str
    person: str
    phase: str
    among: tuple[str, ...] | None
    phases: int
    nonce: str


@dataclass(frozen=True, slots=True)
class ProposalVoted(Event):
    """A power votes on a proposal."""

    proposal: int
    power: str
    person: str
    phase: str
    in_favor: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class ProposalEnded(Event):
    """Nothing comes of a proposal: *reason* is `refused`, `withdrawn` or `expired`."""

    proposal: int
    phase: str
    reason: str


Proposing: TypeAlias = DrawProposed | ProposalVoted | ProposalEnded
