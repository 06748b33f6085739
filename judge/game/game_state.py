"""The state of one game, as its events produce it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from judge.event_log import Value
from judge.game.house_rules import HouseRules
from judge.rules.rulebook import Rulebook
from judge.rules.types import Position, Power

if TYPE_CHECKING:
    from judge.game.players.creation import Origin
    from judge.game.press import PressSent


@dataclass(frozen=True, slots=True)
class Plan:
    """Stored orders of a power for one later phase; `future_orders` reads its *wishes*.

    *person* sent them in the *mail* that arrived at *received*.
    """

    wishes: tuple[Mapping[str, Value], ...]
    person: str
    mail: str
    evidence: str | None
    nonce: str
    received: datetime


class Stage(Enum):
    """The stages of a game."""

    FORMING = "forming"
    PLAYING = "playing"
    ENDED = "ended"


class SeatState(Enum):
    """The states of a power's seat."""

    PLAYED = "played"
    VACANT = "vacant"  # waits for a takeover
    CIVIL_DISORDER = "civil_disorder"


@dataclass(frozen=True, slots=True)
class Seat:
    """The seat of a power: *person* is its player or, if it has none, its last player.

    In a game that began elsewhere, *person* is None until the first takeover.
    """

    person: str | None
    state: SeatState = SeatState.PLAYED
    takeover_until: datetime | None = None

    @property
    def awaited(self) -> bool:
        """Return whether its first player may still come."""
        return self.person is None and self.state is SeatState.VACANT


@dataclass(frozen=True, slots=True)
class Application:
    """An application to the moderator: for a place, or for the vacant *power*."""

    preferences: tuple[tuple[Power, ...], ...]
    power: Power | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A vacant power offered to *person*, *until* then."""

    person: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Proposal:
    """A draw proposed by *power*: of all survivors, or *among* some.

    It expires after so many movement *phases*; the powers in *accepted* voted for it.
    """

    power: Power
    among: tuple[Power, ...] | None
    phases: int
    accepted: frozenset[Power]


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """The phase that is open, with what the powers have sent for it."""

    number: int
    opened: datetime
    deadline: datetime
    grace_end: datetime
    standing: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)  # orders, as text
    nonces: Mapping[Power, str] = field(default_factory=dict)  # of the commitments to orders
    given: Mapping[Power, datetime] = field(default_factory=dict)  # arrival of the last orders
    waiting: frozenset[Power] = frozenset()
    ready: frozenset[Power] = frozenset()
    late: frozenset[Power] = frozenset()  # set when the deadline passes
    passed: bool = False  # the deadline has passed
    extended: bool = False  # for an NMR, which happens once
    changed: datetime | None = None  # the last change of any orders
    viewed: tuple[str, ...] = ()  # reasons for which a person looked at the orders
    asked: Mapping[Power, timedelta] = field(default_factory=dict)  # extensions
    planned: Mapping[Power, Plan] = field(default_factory=dict)  # unless orders came since

    @property
    def ordered(self) -> frozenset[Power]:
        """Return the powers that have given any orders."""
        return frozenset(power for power, orders in self.standing.items() if orders)


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: *result* and *reason* are those of `GameEnded`."""

    result: str
    winners: tuple[Power, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One game, after the event *version* of its log. Persons are random ids."""

    name: str
    variant: str
    rulebook: Rulebook
    house_rules: HouseRules
    moderator: str | None = None
    board_digest: str = ""  # of the board in its log; empty: the default board
    stage: Stage = Stage.FORMING
    version: int = 0
    joined: Mapping[str, tuple[tuple[Power, ...], ...]] = field(default_factory=dict)
    seats: Mapping[Power, Seat] = field(default_factory=dict)
    position: Position | None = None  # of the open phase, or the last
    phase: OpenPhase | None = None
    draw_votes: frozenset[Power] = frozenset()
    draw_lists: Mapping[Power, tuple[Power, ...]] = field(default_factory=dict)
    concessions: Mapping[Power, Power] = field(default_factory=dict)
    ending: Ending | None = None
    origin: Origin | None = None  # of a game that began elsewhere
    protected: Mapping[str, int] = field(default_factory=dict)
    plans: Mapping[Power, Mapping[str, Plan]] = field(default_factory=dict)  # by phase code
    waits: Mapping[str, frozenset[Power]] = field(default_factory=dict)  # WAIT for later phases
    replayed: frozenset[str] = frozenset()  # phases whose results were sent before a rollback
    started: datetime | None = None  # when its first phase opened
    unstarted: bool = False  # it had started and forms again; its secrecy rules still hold
    paused: datetime | None = None
    pause_votes: frozenset[Power] = frozenset()  # to pause, or to resume
    observers: tuple[str, ...] = ()
    absences: Mapping[str, tuple[tuple[datetime, datetime], ...]] = field(default_factory=dict)
    applicants: Mapping[str, Application] = field(default_factory=dict)
    standbys: Mapping[str, tuple[tuple[Power, ...], ...]] = field(default_factory=dict)  # FIFO
    allowed: frozenset[str] = frozenset()  # persons, by the moderator
    denied: frozenset[str] = frozenset()
    offers: Mapping[Power, Offer] = field(default_factory=dict)
    proposals: Mapping[int, Proposal] = field(default_factory=dict)  # open ones, by number
    proposed: int = 0  # all proposals so far
    diaries: Mapping[str, Mapping[int, str]] = field(default_factory=dict)  # phases of the notes
    open_diaries: frozenset[str] = frozenset()  # persons who publish them after the game
    unread: tuple[PressSent, ...] = ()  # postal press, for the next results
    writers: frozenset[str] = frozenset()  # persons who wrote private press
    open_press: frozenset[str] = frozenset()  # persons who agree to publish it after the game

    def knows(self, person: str) -> bool:
        """Return whether *person* has joined, played, moderates, observes or is a standby."""
        return person in self.people

    @property
    def people(self) -> frozenset[str]:
        """Return everyone who has joined, played, moderates, observes or is a standby."""
        seated = (seat.person for seat in self.seats.values())
        others = (*self.joined, *self.standbys, *self.observers, self.moderator)
        return frozenset(person for person in (*seated, *others) if person)

    @property
    def has_neutral_moderator(self) -> bool:
        """Return whether the game has a moderator who does not play in it."""
        return self.moderator is not None and self.power_of(self.moderator) is None

    def power_of(self, person: str) -> Power | None:
        """Return the power that *person* plays now."""
        for power, seat in self.seats.items():
            if seat.person == person and seat.state is SeatState.PLAYED:
                return power
        return None


def survivors(game: Game) -> tuple[Power, ...]:
    """Return the powers that have a unit or a center left."""
    position = game.position
    assert position is not None, "before the start nobody has a power"
    alive = {unit.power for unit in position.units}
    alive |= {each.unit.power for each in position.dislodged} | set(position.owners.values())
    return tuple(power for power in game.seats if power in alive)


def played_powers(game: Game) -> tuple[Power, ...]:
    """Return the surviving powers that have a player."""
    return tuple(p for p in survivors(game) if game.seats[p].state is SeatState.PLAYED)


Key = TypeVar("Key")
Item = TypeVar("Item")


def with_entry(held: Mapping[Key, Item], key: Key, value: Item) -> dict[Key, Item]:
    """Return a copy of *held* in which *key* has *value*."""
    return {**held, key: value}


def without_key(held: Mapping[Key, Item], key: Key) -> dict[Key, Item]:
    """Return a copy of *held* without *key*."""
    return {each: value for each, value in held.items() if each != key}


def with_member(powers: frozenset[Power], power: Power, *, is_in: bool) -> frozenset[Power]:
    """Return *powers* with or without *power*."""
    return powers | {power} if is_in else powers - {power}
