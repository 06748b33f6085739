"""The state of one game, to which the events add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from judge.events import Value
from judge.game.house_rules import HouseRules
from judge.rules.rulebook import Rulebook
from judge.rules.types import Position, Power

if TYPE_CHECKING:
    from judge.game.players.creation import Origin
    from judge.game.press import PressSent


@dataclass(frozen=True, slots=True)
class Plan:
    """What a power plans for one later phase; `future_orders` reads its *wishes*.

    *person* said so in the *mail* that had arrived at the instant *received*.
    """

    wishes: tuple[Mapping[str, Value], ...]
    person: str
    mail: str
    evidence: str | None
    nonce: str
    received: datetime


class Stage(Enum):
    """How far a game has come."""

    FORMING = "forming"
    PLAYING = "playing"
    ENDED = "ended"


class SeatState(Enum):
    """Who answers for a power."""

    PLAYED = "played"
    VACANT = "vacant"  # waits for a takeover
    CIVIL_DISORDER = "civil_disorder"


@dataclass(frozen=True, slots=True)
class Seat:
    """A power's chair: *person* sits there or, when it is not played, sat there last.

    Nobody has, in a game that began elsewhere, until somebody takes the power over.
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
    """What somebody asks for who is not let in yet: a place, or the vacant *power*."""

    preferences: tuple[tuple[Power, ...], ...]
    power: Power | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A vacant power is kept for *person* *until* then."""

    person: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Proposal:
    """*power* proposes a draw of all survivors, or of those *among* whom it would be.

    So many movement *phases* may still close; *accepted* are those who want it.
    """

    power: Power
    among: tuple[Power, ...] | None
    phases: int
    accepted: frozenset[Power]


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """What has been said in the phase that is open.

    *standing* holds the orders by power, as canonical text, *nonces* what each set is promised
    with (see `commitment`), and *given* when the last mail about each had arrived; *late* the
    powers named after the deadline, none before it; *changed* when any orders last changed;
    *viewed* the reasons for which somebody looked at the orders; *asked* how many hours more a
    power would like to have. *planned* are the orders kept for this phase of powers that have
    sent none since it opened.
    """

    number: int
    opened: datetime
    deadline: datetime
    grace_end: datetime
    standing: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)
    nonces: Mapping[Power, str] = field(default_factory=dict)
    given: Mapping[Power, datetime] = field(default_factory=dict)
    waiting: frozenset[Power] = frozenset()
    ready: frozenset[Power] = frozenset()
    late: frozenset[Power] = frozenset()
    passed: bool = False  # the deadline has come
    extended: bool = False  # for those who sent no orders, which is done once
    changed: datetime | None = None
    viewed: tuple[str, ...] = ()
    asked: Mapping[Power, int] = field(default_factory=dict)
    planned: Mapping[Power, Plan] = field(default_factory=dict)

    @property
    def ordered(self) -> frozenset[Power]:
        """Return the powers of which any order stands."""
        return frozenset(power for power, orders in self.standing.items() if orders)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: *result* is `solo`, `draw`, `concession` or `abandoned`."""

    result: str
    winners: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """One game. *version* is that of the last event folded in; *position* holds the phase.

    *origin* says where a game comes from that did not begin here; *plans* are what powers want to
    order in later phases, by the code of the phase, and *waits* who wants none of these closed
    early. *replayed* are phases whose results were told before the game was rolled back. A game
    that is *unstarted* had begun and forms again; what was promised then holds. *paused* is since
    when nothing closes,
    *pause_votes* who would have that otherwise; *observers* are persons, *absences* when persons
    are away. *applicants* ask to be let in, *standbys* wait for a place, the longest first, with
    the powers that they like; the moderator has *allowed* or *denied* persons to come in; *offers*
    are the powers that one of those who wait is asked to take. *unread*
    are the letters that come with the next results. *proposals* are open, by number; *proposed*
    counts all of them. *diaries* are the phases of notes, by person and number; whose diaries are
    *open* may be read by everybody when the game is over. *writers* wrote to some players only,
    and those in *open_press* let everybody read that then.
    """

    name: str
    variant: str
    rulebook: Rulebook
    house_rules: HouseRules
    moderator: str | None = None
    stage: Stage = Stage.FORMING
    version: int = 0
    joined: Mapping[str, tuple[tuple[Power, ...], ...]] = field(default_factory=dict)
    seats: Mapping[Power, Seat] = field(default_factory=dict)
    position: Position | None = None
    phase: OpenPhase | None = None
    draw_votes: frozenset[Power] = frozenset()
    draw_lists: Mapping[Power, tuple[Power, ...]] = field(default_factory=dict)
    concessions: Mapping[Power, Power] = field(default_factory=dict)
    ending: Ending | None = None
    origin: Origin | None = None
    protected: Mapping[str, int] = field(default_factory=dict)
    plans: Mapping[Power, Mapping[str, Plan]] = field(default_factory=dict)
    waits: Mapping[str, frozenset[Power]] = field(default_factory=dict)
    replayed: frozenset[str] = frozenset()
    unstarted: bool = False
    paused: datetime | None = None
    pause_votes: frozenset[Power] = frozenset()
    observers: tuple[str, ...] = ()
    absences: Mapping[str, tuple[tuple[datetime, datetime], ...]] = field(default_factory=dict)
    applicants: Mapping[str, Application] = field(default_factory=dict)
    standbys: Mapping[str, tuple[tuple[Power, ...], ...]] = field(default_factory=dict)
    allowed: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    offers: Mapping[Power, Offer] = field(default_factory=dict)
    proposals: Mapping[int, Proposal] = field(default_factory=dict)
    proposed: int = 0
    diaries: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    open_diaries: frozenset[str] = frozenset()
    unread: tuple[PressSent, ...] = ()
    writers: frozenset[str] = frozenset()
    open_press: frozenset[str] = frozenset()

    def knows(self, person: str) -> bool:
        """Return whether *person* has joined, played, moderates, observes or is a standby."""
        seated = any(seat.person == person for seat in self.seats.values())
        others = (*self.joined, *self.standbys, *self.observers, self.moderator)
        return seated or person in others

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
    """Return the surviving powers that somebody plays."""
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
