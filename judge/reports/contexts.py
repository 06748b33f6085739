"""What each mail says, before it is put into words: one frozen class a template.

The class `PhaseResults` is written by `templates/mail/phase_results.txt.j2`, and so on. Contexts
hold values of the game, never sentences; text that a player wrote is data in them like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from judge.game.house_rules import Fakes
from judge.reports.answers import Explanation, GameList, History, Status, Summary, WhoGame
from judge.reports.digests import Digest
from judge.reports.greetings import (
    AddressChanged,
    AskedAgain,
    AtTheDoor,
    ConfirmAddress,
    ConfirmJoin,
    ConfirmMail,
    ConfirmModerator,
    Heading,
    Help,
    LastAnswer,
    Settled,
    Unknown,
    Unreadable,
)
from judge.reports.memoirs import Memoirs
from judge.reports.news import DeskMail, RulesSheet, TableNews
from judge.rules.types import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from judge.game.decision import Why
    from judge.game.game_state import Ending
    from judge.game.house_rules import HouseRules
    from judge.reports.duties import Duty
    from judge.reports.items import Item, MailWaits, OrderLeft, OrderTaken
    from judge.reports.standing import State, YearEnd
    from judge.rules.explanation.reasons import Reason, Removal
    from judge.rules.outcome import Outcome, Paradox
    from judge.rules.types import Location, Position, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class Commitment:
    """The digest of a power's set of *orders*, as the log has them, and of a nonce."""

    digest: str
    nonce: str
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DrivenOut:
    """A dislodged unit and where it can go; with no such place it was destroyed."""

    unit: Unit
    retreats: tuple[Location, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseResults:
    """The phase *closed* was judged, and another is open, or the game is over.

    *orders* are the outcomes by power, *units* by where each unit stood, *failures* the reasons of
    those that want one, *paradoxes* the convoys that hung on themselves. *unused* counts builds
    that were due and not made, *removed* tells why the judge chose the units that it took off.
    *stood* is the position that the orders were given in, *stand* the one they led to. *centers*
    are those of each power by year, told when a year has ended. *was_due* is when it should have
    closed at the latest.
    *duty* is what the reader has to order next, *given* what he ordered of it in
    advance, *unfit* what of that no longer fits; *head*
    is the hash of the log.
    *again* says that results of the phase were told before, which do not count.
    """

    heading: Heading
    closed: Phase
    orders: Mapping[Power, tuple[Outcome, ...]]
    units: Mapping[Province, Outcome]
    failures: tuple[Reason, ...]
    paradoxes: tuple[Paradox, ...]
    unused: Mapping[Power, int]
    removed: tuple[Removal, ...]
    nmr: tuple[Power, ...]
    driven_out: tuple[DrivenOut, ...]
    stood: Position
    stand: Position
    was_due: datetime | None
    year_end: YearEnd | None
    centers: Mapping[int, Mapping[Power, int]]
    duty: Duty | None
    ending: Ending | None
    viewed: tuple[str, ...]
    again: bool
    commitments: Mapping[Power, Commitment]
    head: str
    given: tuple[OrderTaken, ...] = ()
    unfit: tuple[OrderLeft, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMap:
    """The board of *phase*, as far as the reader may see it; *drawn* says whether it is pictured.

    Of a phase that is open, *standing* are the reader's own orders; *results* are those of one
    that is closed, which follow on a page of their own.
    """

    heading: Heading
    phase: Phase
    position: Position
    standing: Mapping[Power, tuple[str, ...]]
    results: PhaseResults | None
    drawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf(PhaseResults):
    """The phase *closed* is open, and orders that somebody wrote would come to this.

    With *own*, those are among them that stand for the reader; *held*, that stand for anybody.
    *unread* are texts that could not be read, *others* are for another phase. In the *dark* it is
    of what the reader sees.
    """

    unread: tuple[str, ...]
    own: bool
    held: bool = False
    dark: bool = False
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStart:
    """The powers are given out and the first phase is open; *rulebook* is its name."""

    heading: Heading
    reader: Power | None
    handles: Mapping[Power, str]
    position: Position
    rulebook: str
    house_rules: HouseRules
    forwards: bool
    duty: Duty | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeratorWelcome:
    """The reader moderates a game for the first time."""

    heading: Heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The reader is in a game that waits for *missing* more players."""

    heading: Heading
    missing: int
    preferences: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The answer to one mail: each thing it said, in its order, and what stands now.

    So many of its lines are *unread* though something was meant by them. *promised* are the
    commitments to what is kept for later phases; a blind game is *dark*. READY, said before,
    is *still_ready* for orders that it changes.
    """

    heading: Heading
    said: tuple[Item, ...]
    conflict: bool
    state: State | None
    commitment: Commitment | None
    unread: int = 0
    promised: Mapping[Phase, Commitment] = field(default_factory=dict)
    dark: bool = False
    still_ready: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """The deadline comes in *hours*, and the reader's orders are not complete."""

    heading: Heading
    hours: int
    state: State
    duty: Duty | None
    waiting: tuple[MailWaits, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LateNotice:
    """The deadline has passed without any orders from *late*, the reader among them or not.

    *late* is empty when nothing but a power without a player is waited for, or the moderator.
    """

    heading: Heading
    late: tuple[Power, ...]
    grace_end: datetime
    house_rules: HouseRules
    reader_late: bool
    duty: Duty | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineChange:
    """The deadline of the open phase is another; *reason* is what the one who moved it wrote.

    If it is what it was *before*, *grace_end* is another.
    """

    heading: Heading
    before: datetime | None
    reason: str
    grace_end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacancy:
    """*power* has no player, and may be taken over; *reason* is `nmr` or `resigned`."""

    heading: Heading
    power: Power
    reason: str
    takeover_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwarded:
    """The moderator is told what *power*, or an observer, wrote that was not acted on."""

    heading: Heading
    power: Power | None
    lines: tuple[str, ...]
    daily: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """*power* has a player again, who sees the *position*."""

    heading: Heading
    power: Power
    reader: Power | None
    duty: Duty | None
    position: Position | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CivilDisorder:
    """Nobody plays *power*: its units hold.

    *reason* is that for which it lost its player just now (`nmr`, `ejected`), None if it had none.
    """

    heading: Heading
    power: Power
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """Mails to the player of *power* (None: it is not told whose) came back: grace is longer."""

    heading: Heading
    power: Power | None
    grace_end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Undelivered:
    """A mail of *kind* to the player of *power* was taken by nobody: for the moderator only."""

    heading: Heading
    power: Power
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A mail from the player of *power* could not be read: for the moderator only."""

    heading: Heading
    power: Power


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Mail of before *due* may still come, so the phase does not close: for the moderator only."""

    heading: Heading
    due: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """How it ended, and the centers of each power by year.

    *was_due* is the deadline of a phase that was open.
    """

    heading: Heading
    ending: Ending
    was_due: datetime | None
    centers: Mapping[int, Mapping[Power, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """Press; *sender* is who signed it, None if nobody did; *broadcast* if all others get it.

    *handle* names an observer who wrote it. In a game where fakes are allowed it is *doubtful*.
    It is not *answerable* where it stands among other things.
    """

    heading: Heading
    sender: str | None
    recipients: tuple[str, ...]
    broadcast: bool
    text: str
    handle: str = ""
    doubtful: Fakes = Fakes.NONE
    answerable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PressEcho:
    """The answer to a reply to press: to whom it went, if that may be told, or why it did not.

    *unsigned* says that its reader is not told who wrote, *lines* what he reads, where it must
    not betray that; *struck* are the names that closed it.
    """

    heading: Heading
    recipients: tuple[str, ...]
    refused: Why | None
    unsigned: bool = False
    lines: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PressOrOrders:
    """A reply to press of *writer*, who may be unknown, was *received*; what is it meant as.

    It holds lines that look like *orders*, are *commands* or letters to *others*; or its blocks
    were *obeyed*, and the *rest* is not clear. If the question was answered, *settled* is how:
    `press`, `orders` or `neither`; it is asked *again* if the answer was not understood.
    """

    heading: Heading
    received: datetime
    writer: str | None = None
    orders: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    obeyed: bool = False
    settled: str = ""
    again: bool = False


Context: TypeAlias = (
    PhaseResults
    | WhatIf
    | History
    | Summary
    | WhoGame
    | BoardMap
    | Explanation
    | GameStart
    | ModeratorWelcome
    | Joined
    | Receipt
    | Reminder
    | LateNotice
    | DeadlineChange
    | Vacancy
    | Forwarded
    | Takeover
    | CivilDisorder
    | Protection
    | Undelivered
    | Unread
    | Held
    | Unreadable
    | GameOver
    | Letter
    | PressEcho
    | PressOrOrders
    | Digest
    | Help
    | ConfirmJoin
    | ConfirmMail
    | ConfirmAddress
    | ConfirmModerator
    | AddressChanged
    | Unknown
    | AtTheDoor
    | AskedAgain
    | Settled
    | LastAnswer
    | GameList
    | Status
    | TableNews
    | RulesSheet
    | DeskMail
    | Memoirs
)
