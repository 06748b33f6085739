"""What a mail can say of how a game goes on: to its moderator's tools, and to the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.mail.language.spoken import Spoken
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class RollBack(Spoken):
    """`ROLLBACK S1902M RESTORE BECAUSE reason`: *to* is a phase, a number, or the last (None)."""

    to: str | None
    restore: bool
    reason: str


@dataclass(frozen=True, slots=True)
class RollForward(Spoken):
    """`ROLLFORWARD BECAUSE reason`: the last roll back, or several in a row, are taken back."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unstart(Spoken):
    """`UNSTART BECAUSE reason`: the game forms again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Process(Spoken):
    """`PROCESS`, or `PROCESS S1902M`, which is done only if that phase is open."""

    phase: str | None


@dataclass(frozen=True, slots=True)
class SetDeadline(Spoken):
    """`SET DEADLINE Fri 27 Nov 20:00 BECAUSE reason`."""

    when: str
    reason: str


@dataclass(frozen=True, slots=True)
class SetGrace(Spoken):
    """`SET GRACE Sat 28 Nov 20:00 BECAUSE reason`: until when late orders are taken."""

    when: str
    reason: str


@dataclass(frozen=True, slots=True)
class Correct(Spoken):
    """`CORRECT France A Bur, no A Par, France owns Bel BECAUSE reason`: *facts* of the board."""

    facts: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SetRules(Spoken):
    """`SET RULE grace_hours=48 press=none`."""

    pairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PauseGame(Spoken):
    """`PAUSE BECAUSE reason`."""

    reason: str


@dataclass(frozen=True, slots=True)
class GoOn(Spoken):
    """`RESUME`."""


@dataclass(frozen=True, slots=True)
class Terminate(Spoken):
    """`TERMINATE`."""


@dataclass(frozen=True, slots=True)
class Begin(Spoken):
    """`BEGIN`: the game starts with those who have joined."""


@dataclass(frozen=True, slots=True)
class Decide(Spoken):
    """`1 YES`, `2 NO`: the answer to a decision of the desk mail, by its number."""

    number: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Create(Spoken):
    """`CREATE name press=none`: the writer moderates a new game with these house rules.

    Those that stand below it, one a line, are among the *pairs*.
    """

    game: str
    pairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Eject(Spoken):
    """`EJECT F`."""

    power: Power


@dataclass(frozen=True, slots=True)
class Grant(Spoken):
    """`GRANT F`, or `DENY F`."""

    power: Power
    granted: bool


@dataclass(frozen=True, slots=True)
class VotePause(Spoken):
    """`VOTE PAUSE`, or `VOTE RESUME`."""

    pause: bool


@dataclass(frozen=True, slots=True)
class Propose(Spoken):
    """`PROPOSE DRAW`, or `PROPOSE DRAW EFT` for one *among* those."""

    among: tuple[Power, ...] | None


@dataclass(frozen=True, slots=True)
class VoteProposal(Spoken):
    """`VOTE YES`, or `VOTE 2 NO` for a proposal by its *number*."""

    number: int | None
    yes: bool


@dataclass(frozen=True, slots=True)
class AskTime(Spoken):
    """`EXTENSION 24 BECAUSE reason`."""

    hours: int
    reason: str


@dataclass(frozen=True, slots=True)
class Absent(Spoken):
    """`ABSENT 24 Dec TO 2 Jan`; `NOT ABSENT` without *when*."""

    when: str | None


@dataclass(frozen=True, slots=True)
class Become(Spoken):
    """`BECOME F`: the rest of the mail is said for the player of that power."""

    power: Power


@dataclass(frozen=True, slots=True)
class Observe(Spoken):
    """`OBSERVE game`, or `UNOBSERVE game`."""

    game: str
    on: bool


@dataclass(frozen=True, slots=True)
class ShowRules(Spoken):
    """`RULES`, or `RULES game`."""

    game: str | None


OfModerator: TypeAlias = (
    RollBack
    | RollForward
    | Unstart
    | Process
    | SetDeadline
    | SetGrace
    | Correct
    | SetRules
    | PauseGame
    | GoOn
    | Terminate
    | Begin
    | Decide
    | Eject
    | Grant
)
OfTable: TypeAlias = VotePause | Propose | VoteProposal | AskTime | Absent
TableSaid: TypeAlias = OfModerator | OfTable | Become | Create | Observe | ShowRules
