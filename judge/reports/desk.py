"""What the pages of the desk tell, on which a gamemaster looks after games: one class a template.

No order is in any of them but in `OrdersTold`, which is made for who may see orders.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from judge.game.game_state import SeatState, Stage
from judge.reports.greetings import Heading
from judge.reports.render import kind, render_page
from judge.resources import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

SEATLESS = (SeatState.VACANT, SeatState.CIVIL_DISORDER)


class Entry(Enum):
    """What is said of the orders of a power to who may not see them."""

    NOT_NEEDED = "not_needed"
    HERE = "here"
    MISSING = "missing"
    LATE = "late"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTold:
    """A power: who plays it, how it stands, and whether its orders are here.

    *returned* is when mails to its player came back, if none has arrived since; *contact* is
    their name and address.
    """

    power: str
    nation: str
    player: str
    state: SeatState
    takeover_until: datetime | None
    entry: Entry
    units: int
    centers: int
    returned: datetime | None = None
    contact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTold:
    """A game, as whoever looks after it may know it.

    *asked* are powers that would like to have so many hours more, *paused* is since when the game
    stands still. *applicants* ask to be let in: ids, and handles. *joined_by* are the players of
    a game that forms, by handle, name and address. *board* is the board of the open
    phase as text, for who does not play himself. After grace it *waits* for the late, or does not.
    """

    name: str
    stage: Stage
    variant: str
    phase: str | None
    deadline: datetime | None
    grace_end: datetime | None
    passed: bool
    manual: bool
    zone: str
    joined: int
    places: int
    seats: tuple[SeatTold, ...]
    paused: datetime | None = None
    asked: tuple[tuple[str, int], ...] = ()
    result: str | None = None
    winners: tuple[str, ...] = ()
    applicants: tuple[tuple[str, str], ...] = ()
    board: str = ""
    joined_by: tuple[str, ...] = ()
    waits: bool = False

    @property
    def late(self) -> tuple[str, ...]:
        """Name the powers whose orders did not come by the deadline."""
        return tuple(each.nation for each in self.seats if each.entry is Entry.LATE)

    @property
    def missing(self) -> tuple[str, ...]:
        """Name the powers whose orders are not here."""
        wanted = (Entry.LATE, Entry.MISSING)
        return tuple(each.nation for each in self.seats if each.entry in wanted)

    @property
    def here(self) -> int:
        """Count the powers whose orders are here."""
        return sum(each.entry is Entry.HERE for each in self.seats)

    @property
    def without(self) -> tuple[SeatTold, ...]:
        """Return the powers that nobody plays."""
        return tuple(each for each in self.seats if each.state in SEATLESS)

    @property
    def unreached(self) -> tuple[SeatTold, ...]:
        """Return the powers to whose players mails came back."""
        return tuple(each for each in self.seats if each.returned)


@dataclass(frozen=True, slots=True)
class Frame:
    """What all pages have: *form* proves that a form is ours, *moderator* whose desk it is."""

    judge_code: str
    form: str
    now: datetime
    moderator: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MailLine:
    """A mail that went out, or is to go: *way* is a name of `judge.app.outgoing.Way`."""

    id: int
    kind: str
    game: str | None
    reader: str
    way: str
    attempts: int
    reason: str
    due: datetime
    sent: datetime | None
    returned: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivalLine:
    """A mail that came in, without a word of it."""

    id: int
    way_in: str
    received: datetime
    state: str
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class Wanting:
    """Something that waits for the gamemaster: *what* names its sentence, *number* how many."""

    what: str
    number: int = 1
    game: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Games:
    """The games, those that are due first, and what waits for the gamemaster."""

    wanting: tuple[Wanting, ...]
    playing: tuple[GameTold, ...]
    forming: tuple[GameTold, ...]
    ended: tuple[GameTold, ...]


@dataclass(frozen=True, slots=True)
class Letter:
    """Press to everybody, of a phase that is closed."""

    phase: str
    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A house rule of a game; *usual* says that it is as in the template `standard`."""

    name: str
    value: str
    usual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """One game, with its rules as a *sheet* of sentences and as *settings*.

    *earlier* are the phases that it can go back to, the latest first.
    """

    game: GameTold
    rulebook: str
    sheet: str
    settings: tuple[Setting, ...]
    earlier: tuple[str, ...]
    press: tuple[Letter, ...]
    mails: tuple[MailLine, ...]
    has_picture: bool
    sees_orders: bool
    plays: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersTold:
    """The orders that stand, and the mails that they would come to if the phase closed now.

    *asked* says that somebody gave a reason for looking, which was recorded. *picture* is SVG.
    """

    game: str
    phase: str
    at: datetime
    asked: bool
    orders: Mapping[str, tuple[str, ...]]
    results: tuple[str, ...]
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class Mails:
    """The mails that went out, or are to go, of *game* or in one *way* if asked."""

    mails: Sequence[MailLine]
    ways: Sequence[str]
    game: str | None = None
    way: str | None = None


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The mails that came in, in one *state* if asked."""

    mails: Sequence[ArrivalLine]
    states: Sequence[str]
    state: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One mail that came in, and what it says of itself; *unreadable* is why it does not."""

    mail: ArrivalLine
    size: int
    sha256: str
    retried: datetime | None
    game: str = ""
    power: str = ""
    sender: str = ""
    subject: str = ""
    message_id: str = ""
    automatic: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    unreadable: str | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the mail *id*: new, quoted, and of its signature."""

    id: int
    parts: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """How the judge is."""

    troubles: tuple[str, ...]
    last_tick: datetime | None
    inbox: Mapping[str, int]
    outbox: Mapping[str, int]
    oldest_waiting: datetime | None
    oldest_queued: datetime | None
    retried: int
    refused: int
    mailboxes: Sequence[tuple[str, datetime | None, datetime | None, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for: *what* names its words, *told* are its values in them.

    *back* is the page that it was asked on; *kept* says that there is something to be had. It is
    done once, and then has *done*; *refused* is why it was not.
    """

    id: str
    what: str
    told: Mapping[str, object]
    back: str
    done: bool = False
    refused: str | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no such page: *what* names its words."""

    what: str


Told = (
    Games
    | GamePage
    | OrdersTold
    | Mails
    | Arrivals
    | Arrival
    | Lines
    | Condition
    | Asked
    | Problem
)


def desk_page(frame: Frame, told: Told, heading: Heading | None = None) -> str:
    """Return the page that *told* makes, by the template that bears its name."""
    heading = heading or Heading(frame.judge_code)
    values = {"frame": frame, "told": told, "heading": heading}
    return render_page(f"desk/{kind(told)}.html.j2", values, heading.language)


def desk_style() -> str:
    """Return the style sheet of all pages."""
    return read_text("templates", "replay/look.css") + read_text("templates", "desk/desk.css")
