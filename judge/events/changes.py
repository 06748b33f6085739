"""The events by which those in charge, or all players together, change how a game goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.events.value import Value


@dataclass(frozen=True, slots=True)
class GameRolledBack:
    """Play goes on from *phase*, which is open again; what was played since counts no more.

    The event *version* of this log had opened it as phase *number*, on *position*. *undone* are
    the phases, in order, whose results everybody had been told. *standing* are the orders of then
    that stand again, by power, and *nonces* those that they were promised with. *by* is a person,
    or `operator`.
    """

    phase: str
    version: int
    number: int
    position: Mapping[str, Value]
    undone: tuple[str, ...]
    standing: Mapping[str, tuple[str, ...]]
    nonces: Mapping[str, str]
    opened: str
    deadline: str
    grace_end: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class PositionCorrected:
    """The board of the open *phase* was not what it should be, and is *position* now.

    The orders given for the phase are gone.
    """

    phase: str
    position: Mapping[str, Value]
    reason: str
    by: str
