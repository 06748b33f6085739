"""What can be asked of a game: one frozen class a command.

Who asks has been established before.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from judge.events.types import GameEnded, PhaseRecorded
from judge.game.game import Origin
from judge.game.house_rules import HouseRules
from judge.game.steps import Step
from judge.game.steps import Wish as TableWish
from judge.notation.conditional_orders import ConditionalOrder
from judge.rules.rulebook import Rulebook
from judge.rules.types import Order, Phase, Position, Power, Province

# Who writes and gets press without playing a power.
MODERATOR, OBSERVER, OBSERVERS = "MODERATOR", "OBSERVER", "OBSERVERS"


@dataclass(frozen=True, slots=True)
class Past:
    """What was played elsewhere, phase by phase; *then* is where play goes on, or how it ended."""

    origin: Origin
    phases: tuple[PhaseRecorded, ...]
    then: Position | GameEnded


@dataclass(frozen=True, slots=True)
class CreateGame:
    """Open a new game for players, or one with a *past*; *moderator* is a person's id."""

    game: str
    variant: str
    rulebook: Rulebook
    house_rules: HouseRules
    moderator: str | None = None
    past: Past | None = None


@dataclass(frozen=True, slots=True)
class JoinGame:
    """A person wants to play, with preferences before the start, or a vacant *power* after it.

    *seed* decides, if this is the last player needed, between equal assignments. He is *admitted*
    if he knows the password of the game, or by the word of whoever is in charge, *by*, which
    counts for more than that the power is kept for somebody else.
    """

    person: str
    preferences: tuple[tuple[Power, ...], ...]
    seed: str
    power: Power | None = None
    admitted: bool = False
    by: str | None = None


@dataclass(frozen=True, slots=True)
class StandBy:
    """A person waits for a place, or (not *on*) no longer; *admitted* as in `JoinGame`."""

    person: str
    preferences: tuple[tuple[Power, ...], ...] = ()
    on: bool = True
    admitted: bool = False


@dataclass(frozen=True, slots=True)
class Decline:
    """A person does not want the power that is kept for him."""

    person: str


@dataclass(frozen=True, slots=True)
class LetIn:
    """The moderator lets a person in who asks for it, or not; *seed* as in `JoinGame`."""

    person: str
    granted: bool
    by: str
    seed: str


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """The moderator lets a person come in whatever else is asked for, or never, or neither.

    *ruling* is a word of `judge.game.seeking`.
    """

    person: str
    ruling: str
    by: str


@dataclass(frozen=True, slots=True)
class Begin:
    """The moderator lets the game start with those who have joined; *seed* as in `JoinGame`."""

    by: str
    seed: str


@dataclass(frozen=True, slots=True)
class SetPreferences:
    """A person who joined a game that has not started prefers other powers."""

    person: str
    preferences: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True)
class SubmitOrders:
    """Orders for the open phase, as read from one mail, in its order."""

    power: Power
    person: str
    orders: tuple[Order, ...]
    received: datetime
    mail: str
    nonce: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class ClearOrders:
    """Take back the orders of *provinces*, or all if there are none named."""

    power: Power
    person: str
    provinces: tuple[Province, ...]
    received: datetime
    mail: str
    nonce: str


@dataclass(frozen=True, slots=True)
class PlanOrders:
    """Orders for the phase *later*, which is still to come, as read from one mail."""

    power: Power
    person: str
    later: Phase
    wishes: tuple[ConditionalOrder, ...]
    received: datetime
    mail: str
    nonce: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class ClearPlan:
    """Forget what is kept for the phase *later*: all, or what is for units in *provinces*."""

    power: Power
    person: str
    later: Phase
    provinces: tuple[Province, ...]
    received: datetime
    mail: str
    nonce: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class PlanWait:
    """Ask that the phase *later* is not closed before its deadline, or no longer."""

    power: Power
    person: str
    later: Phase
    wait: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class SetWait:
    """Ask that this phase is not closed before its deadline, or no longer."""

    power: Power
    person: str
    wait: bool
    received: datetime
    nonce: str


@dataclass(frozen=True, slots=True)
class SetReady:
    """Say that the orders are final, or no longer."""

    power: Power
    person: str
    ready: bool
    received: datetime
    nonce: str


@dataclass(frozen=True, slots=True)
class VoteDraw:
    """Accept a draw, or no longer: of all survivors, or, where players name it, *among* some."""

    power: Power
    person: str
    in_favor: bool
    nonce: str
    among: tuple[Power, ...] | None = None


@dataclass(frozen=True, slots=True)
class ProposeDraw:
    """Propose a draw to all who play: of all survivors, or *among* some."""

    power: Power
    person: str
    nonce: str
    among: tuple[Power, ...] | None = None


@dataclass(frozen=True, slots=True)
class VoteOnProposal:
    """Vote on the proposal of that number, or (None) on the latest."""

    power: Power
    person: str
    in_favor: bool
    nonce: str
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class VoteConcession:
    """Concede to *to*, or (None) no longer."""

    power: Power
    person: str
    to: Power | None
    nonce: str


@dataclass(frozen=True, slots=True)
class SendPress:
    """Write to *recipients*: powers, `MODERATOR`, `OBSERVERS`, or one observer by his person.

    *sender* is the power that writes, `MODERATOR` or `OBSERVER`. It is told that it is *signed* by
    somebody, or (None) nobody, and that *named* read it. The text is sealed before it comes here.
    """

    message: str
    sender: str
    person: str
    recipients: tuple[str, ...]
    signed: str | None
    named: tuple[str, ...]
    postal: bool
    thread: str
    sealed_text: str
    mail: str
    received: datetime


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave the game: the seat becomes vacant, or, before the start, free."""

    person: str


@dataclass(frozen=True, slots=True)
class MoveDeadline:
    """Set another deadline for the open phase; *reason* is printed."""

    deadline: datetime
    reason: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class MoveGrace:
    """Take late orders for the open phase until another time; *reason* is printed."""

    grace_end: datetime
    reason: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ViewOrders:
    """A moderator or the operator asks for the orders held."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProcessNow:
    """Close the open phase with whatever is there, whatever the clock says."""

    by: str
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """The judge was away from *began* until now: everybody gets that time back."""

    began: datetime


@dataclass(frozen=True, slots=True)
class Tick:
    """Look whether anything is due, and do it; often that is nothing.

    Due may be the deadline, the end of grace, an early closing, a takeover that nobody made. All
    mail received up to *answered_until* has been answered; nothing is done that is due after it.
    *unreachable* are persons whose mails of this phase came back, and who did not write.
    """

    answered_until: datetime
    unreachable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WriteNote:
    """Write into one's diary. The text is sealed before it comes here."""

    person: str
    sealed_text: str
    mail: str


@dataclass(frozen=True, slots=True)
class DropNote:
    """Take a note out of one's diary, by its number."""

    person: str
    note: int


@dataclass(frozen=True, slots=True)
class OpenDiary:
    """Let everybody read one's diary when the game is over, or (not *shown*) nobody."""

    person: str
    shown: bool


@dataclass(frozen=True, slots=True)
class OpenPress:
    """Let everybody read what one wrote to players when the game is over, if all others do."""

    person: str
    shown: bool


@dataclass(frozen=True, slots=True)
class MakeStatement:
    """Say something of a game that is over, to everybody; the text is sealed."""

    person: str
    sealed_text: str
    mail: str


Memorable: TypeAlias = WriteNote | DropNote | OpenDiary | OpenPress | MakeStatement
Coming: TypeAlias = (
    Begin | JoinGame | LetIn | RuleEntry | StandBy | Decline | SetPreferences | Resign
)  # and going
Vote: TypeAlias = VoteDraw | VoteConcession | ProposeDraw | VoteOnProposal
Command: TypeAlias = (
    CreateGame
    | Coming
    | SubmitOrders
    | ClearOrders
    | PlanOrders
    | ClearPlan
    | PlanWait
    | SetWait
    | SetReady
    | Vote
    | SendPress
    | Memorable
    | MoveDeadline
    | MoveGrace
    | ViewOrders
    | ProcessNow
    | Resume
    | Tick
    | Step
    | TableWish
)
