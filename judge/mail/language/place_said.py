"""What a mail can say of places in a game: who waits for one, who is let in, who gets one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from judge.mail.language.spoken import Spoken
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class StandBy(Spoken):
    """`STANDBY game`, `STANDBY` for any; `NO STANDBY` is not *on*. *key* opens the game."""

    game: str | None
    on: bool
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Admit(Spoken):
    """`ADMIT handle`, or `REFUSE handle`: the answer to somebody who asks to be let in."""

    handle: str
    granted: bool


@dataclass(frozen=True, slots=True)
class RuleEntry(Spoken):
    """`ALLOW PLAYER handle`, `DENY PLAYER handle`; not *on*, `-handle`, neither."""

    handle: str
    allowed: bool
    on: bool = True


@dataclass(frozen=True, slots=True)
class GiveSeat(Spoken):
    """`SEAT F handle`; without a *handle*, `REVIVE F`, to whoever played it last."""

    power: Power
    handle: str | None


@dataclass(frozen=True, slots=True)
class MakeDummy(Spoken):
    """`DUMMY F`: nobody plays the power, and nobody is waited for."""

    power: Power


@dataclass(frozen=True, slots=True)
class Promote(Spoken):
    """`PROMOTE handle`: somebody else moderates the game."""

    handle: str


@dataclass(frozen=True, slots=True)
class Branch(Spoken):
    """`BRANCH F1901M AS name`: another game that goes its own way from that phase."""

    phase: str
    game: str


@dataclass(frozen=True, slots=True)
class SetGamePassword(Spoken):
    """`SET GAME PASSWORD word`: who knows it may join."""

    word: str = field(repr=False)


OfDoor: TypeAlias = Admit | RuleEntry | GiveSeat | MakeDummy | Promote | Branch | SetGamePassword
PlaceSaid: TypeAlias = OfDoor | StandBy
