"""The events by which those in charge, or all players together, change how a game goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from judge.events.value import Event, Value


@dataclass(frozen=True, slots=True)
class GameRolledBack(Event):
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
class GameRolledForward(Event):
    """The game goes on from *phase* as if it had not been rolled back by the event *version*.

    It is open again as phase *number*, on *position*, with the orders that stood in it. *redone*
    are the phases, in order, that count again.
    """

    phase: str
    version: int
    number: int
    position: Mapping[str, Value]
    redone: tuple[str, ...]
    standing: Mapping[str, tuple[str, ...]]
    nonces: Mapping[str, str]
    opened: str
    deadline: str
    grace_end: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class GameUnstarted(Event):
    """The game forms again: nobody has a power, and the first phase, which was open, is gone."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class PositionCorrected(Event):
    """The board of the open *phase* was not what it should be, and is *position* now.

    The orders given for the phase are gone.
    """

    phase: str
    position: Mapping[str, Value]
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class HouseRulesChanged(Event):
    """The house rules are *house_rules* from now on, copied whole; what is open stays as it is."""

    house_rules: Mapping[str, Value]
    by: str


@dataclass(frozen=True, slots=True)
class GamePaused(Event):
    """Nothing closes from the instant *at* on; *by* is a person, or None if all players voted."""

    phase: str
    at: str
    reason: str
    by: str | None


@dataclass(frozen=True, slots=True)
class GameResumed(Event):
    """Play goes on at the instant *at*, with the time that was left: *deadline*, *grace_end*."""

    phase: str
    at: str
    deadline: str
    grace_end: str
    by: str | None


@dataclass(frozen=True, slots=True)
class PauseVoted(Event):
    """A power would have the game paused, or a paused one go on; or no longer would."""

    power: str
    person: str
    phase: str
    in_favor: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class ObserverCame(Event):
    """A person wants to be told what is public."""

    person: str


@dataclass(frozen=True, slots=True)
class ObserverWent(Event):
    """An observer wants to hear no more."""

    person: str


@dataclass(frozen=True, slots=True)
class AbsenceSet(Event):
    """The player of a power is away from the instant *begins* to the instant *ends*."""

    power: str
    person: str
    begins: str
    ends: str


@dataclass(frozen=True, slots=True)
class AbsenceCleared(Event):
    """The player of a power is not away after all."""

    power: str
    person: str


@dataclass(frozen=True, slots=True)
class ExtensionAsked(Event):
    """The player of a power asks the moderator for so many *hours* more in the open phase."""

    power: str
    person: str
    phase: str
    hours: int
    reason: str


@dataclass(frozen=True, slots=True)
class ExtensionRefused(Event):
    """The moderator, *by*, gives the power that asked no more time."""

    power: str
    phase: str
    by: str


@dataclass(frozen=True, slots=True)
class ModeratorChanged(Event):
    """The game is moderated by *moderator* from now on; *by* is a person, or `operator`."""

    moderator: str
    by: str


Change: TypeAlias = (
    GameRolledBack
    | GameRolledForward
    | GameUnstarted
    | PositionCorrected
    | HouseRulesChanged
    | GamePaused
    | GameResumed
    | PauseVoted
    | ObserverCame
    | ObserverWent
    | AbsenceSet
    | AbsenceCleared
    | ExtensionAsked
    | ExtensionRefused
    | ModeratorChanged
)
