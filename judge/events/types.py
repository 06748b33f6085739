"""The events: one frozen class each. What is in the log has happened and is never changed.

Payloads are primitives. Powers are upper-case names, phases codes (`S1901M`), orders their
canonical text (`A PAR - BUR`), people random ids, mails the SHA-256 of their raw bytes, instants
ISO 8601 in UTC (`2026-11-27T20:00:00Z`). No event holds an address, a name, a password, a header
or a raw mail. An event that must stay secret until the phase closes carries a *nonce*, so that the
head of the log, which is printed, gives nothing away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from judge.events.changes import Change
from judge.events.memoirs import Memoir
from judge.events.places import Place
from judge.events.planning import OrdersPlanned
from judge.events.proposals import Proposing
from judge.events.value import Event, Value


@dataclass(frozen=True, slots=True)
class GameCreated(Event):
    """A game can be joined.

    *rulebook* and *house_rules* are copied whole, so that a later default changes nothing.
    """

    game: str
    variant: str
    rulebook: Mapping[str, Value]
    house_rules: Mapping[str, Value]
    moderator: str | None


@dataclass(frozen=True, slots=True)
class GameImported(Event):
    """The game was played elsewhere, and taken over as somebody recorded it.

    *record* is its name there, *source* the file in *format* that had it, by its digest *sha256*.
    If it is played on, its powers may be taken over until *takeover_until*.
    """

    record: str
    source: str
    format: str
    sha256: str
    takeover_until: str | None


@dataclass(frozen=True, slots=True)
class GameBranched(Event):
    """The game goes its own way from a position of the game *parent*.

    The event *version* of the parent's log, whose hash is *head*, had brought that position about.
    """

    parent: str
    version: int
    head: str
    takeover_until: str | None


@dataclass(frozen=True, slots=True)
class PhaseRecorded(Event):
    """A phase was played elsewhere: nothing of it was adjudicated in this game.

    *position* is the board before it, *orders* say for each order whose it was, its text (None if
    it was not understood) and its results (None if they are not told); *results_told* says that
    any are; *removed* are units said to have left without an order. *by_law* says that the
    position is not recorded, but what the law makes of the phase before.
    """

    phase: str
    position: Mapping[str, Value]
    orders: tuple[Mapping[str, Value], ...]
    results_told: bool
    removed: tuple[str, ...]
    by_law: bool


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """A person wants to play.

    *preferences* are powers, best first, those in one group equally liked.
    """

    person: str
    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PreferencesSet(Event):
    """A person who joined likes other powers better."""

    person: str
    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A person who had joined left before the start."""

    person: str


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The powers are given out; *seed* decided between equal assignments."""

    seats: Mapping[str, str]
    seed: str


@dataclass(frozen=True, slots=True)
class PhaseOpened(Event):
    """Orders can be given. *number* counts the phases played, from 1; *position* is the board.

    *opened*, *deadline* and *grace_end* are instants.
    """

    phase: str
    number: int
    position: Mapping[str, Value]
    opened: str
    deadline: str
    grace_end: str


@dataclass(frozen=True, slots=True)
class OrdersSubmitted(Event):
    """A mail with orders was accepted: *orders* as read from it, *standing* all that now stand.

    *received* is the instant at which the mail had arrived.
    """

    power: str
    person: str
    phase: str
    orders: tuple[str, ...]
    standing: tuple[str, ...]
    received: str
    mail: str
    evidence: str | None
    nonce: str


@dataclass(frozen=True, slots=True)
class OrdersCleared(Event):
    """A power took orders back; *standing* is what it left."""

    power: str
    person: str
    phase: str
    standing: tuple[str, ...]
    received: str
    mail: str
    nonce: str


@dataclass(frozen=True, slots=True)
class WaitSet(Event):
    """A power wants no early closing in this phase, or wants it again."""

    power: str
    person: str
    phase: str
    wait: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class ReadySet(Event):
    """A power says that its orders are final, or takes that back."""

    power: str
    person: str
    phase: str
    ready: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class DrawVoted(Event):
    """A power would accept a draw, or no longer does: of all survivors, or of those in *among*."""

    power: str
    person: str
    phase: str
    in_favor: bool
    nonce: str
    among: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ConcessionVoted(Event):
    """A power would concede the game *to* another, or (None) no longer does."""

    power: str
    person: str
    phase: str
    to: str | None
    nonce: str


@dataclass(frozen=True, slots=True)
class PressSent(Event):
    """A power, the moderator or an observer wrote to *recipients*.

    They read that it is *signed* by somebody, None by nobody, and who else is *named* as a reader,
    whatever is true. A *postal* letter comes with the next results. *thread* is the *message* that
    the letters began with which this one answers. The text is encrypted under the writer's own
    key, which can be destroyed.
    """

    message: str
    sender: str
    person: str
    recipients: tuple[str, ...]
    signed: str | None
    named: tuple[str, ...]
    postal: bool
    thread: str
    phase: str
    sealed_text: str
    mail: str


@dataclass(frozen=True, slots=True)
class DeadlineMoved(Event):
    """The deadline of the open phase is another.

    *reason* says why; *by* is a person, or None for the judge itself.
    """

    phase: str
    deadline: str
    grace_end: str
    reason: str
    by: str | None


@dataclass(frozen=True, slots=True)
class DeadlinePassed(Event):
    """The deadline came, and *late* had given no orders at all; they may until the grace ends."""

    phase: str
    late: tuple[str, ...]
    grace_end: str


@dataclass(frozen=True, slots=True)
class PowerVacated(Event):
    """A power has no player: *reason* is `nmr` or `resigned`.

    Until *takeover_until* somebody may take it over.
    """

    power: str
    person: str
    phase: str
    reason: str
    takeover_until: str


@dataclass(frozen=True, slots=True)
class PowerTakenOver(Event):
    """A person plays a vacant power from now on."""

    power: str
    person: str
    phase: str


@dataclass(frozen=True, slots=True)
class CivilDisorderDeclared(Event):
    """Nobody took the vacant power over: from now on it is in civil disorder."""

    power: str
    phase: str


@dataclass(frozen=True, slots=True)
class PowerProtected(Event):
    """Mails to the player of a late power came back: it has until *grace_end*, once a year."""

    power: str
    person: str
    phase: str
    grace_end: str


@dataclass(frozen=True, slots=True)
class OrdersViewed(Event):
    """A moderator or the operator looked at the orders held; the next results say so."""

    phase: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class PhaseClosed(Event):
    """The phase was adjudicated.

    *orders* are those judged, by power; *verdicts* what became of each (as `judge.game.verdicts`
    writes them); *paradoxes* the convoys that hung on themselves (None: not recorded then); *nmr*
    the powers that gave none; *after* the position of the next phase that anybody orders in;
    *commitments* by power the digest and nonce of its set; *resolver* the version that judged.
    """

    phase: str
    number: int
    orders: Mapping[str, tuple[str, ...]]
    verdicts: tuple[Mapping[str, Value], ...]
    paradoxes: tuple[Mapping[str, Value], ...] | None
    removed: tuple[str, ...]
    nmr: tuple[str, ...]
    after: Mapping[str, Value]
    commitments: Mapping[str, Value]
    rulebook: str
    resolver: str


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over; *winners* share it.

    *result* is `solo`, `draw`, `concession` or `abandoned`.
    """

    phase: str
    result: str
    winners: tuple[str, ...]


GameEvent: TypeAlias = (
    GameCreated
    | GameImported
    | GameBranched
    | PhaseRecorded
    | PlayerJoined
    | PreferencesSet
    | PlayerLeft
    | GameStarted
    | PhaseOpened
    | OrdersSubmitted
    | OrdersCleared
    | OrdersPlanned
    | WaitSet
    | ReadySet
    | DrawVoted
    | ConcessionVoted
    | PressSent
    | DeadlineMoved
    | DeadlinePassed
    | PowerVacated
    | PowerTakenOver
    | CivilDisorderDeclared
    | PowerProtected
    | OrdersViewed
    | PhaseClosed
    | GameEnded
    | Change
    | Place
    | Proposing
    | Memoir
)
