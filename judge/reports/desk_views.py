"""Pages of the moderator's desk.

Only `OrdersShown` holds orders. It is made only for readers who may see them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from judge.game.game_state import SeatState, Stage
from judge.reports.emails.contexts import Heading
from judge.reports.render import kind_name, render_page
from judge.resources import read_text

WITHOUT_PLAYER = (SeatState.VACANT, SeatState.CIVIL_DISORDER)


class OrdersState(Enum):
    """The state of a power's orders, for readers who may not see them."""

    NOT_NEEDED = "not_needed"
    HERE = "here"
    MISSING = "missing"
    LATE = "late"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOverview:
    """A power: its player, its state, and whether its orders have arrived.

    *returned* is when emails to its player came back, if the player has not written since;
    *contact* is their name and address.
    """

    power: str
    nation: str
    player: str
    state: SeatState
    takeover_until: datetime | None
    entry: OrdersState
    units: int
    centers: int
    returned: datetime | None = None
    contact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOverview:
    """A game as its moderator or the operator may see it.

    *asked* are powers that request extensions, by length; *paused* is since when the game is
    paused. *applicants* wait for admission: ids, and handles. *joined_by* are the players of a
    forming game, by handle, name and address. *board* is the board of the open phase as text, for
    moderators without a power. *waits* is whether the game waits for late players after grace.
    """

    name: str
    stage: Stage
    variant: str
    phase: str | None
    deadline: datetime | None
    grace_end: datetime | None
    passed: bool
    zone: str
    joined: int
    places: int
    seats: tuple[SeatOverview, ...]
    paused: datetime | None = None
    asked: tuple[tuple[str, timedelta], ...] = ()
    result: str | None = None
    winners: tuple[str, ...] = ()
    applicants: tuple[tuple[str, str], ...] = ()
    board: str = ""
    joined_by: tuple[str, ...] = ()
    waits: bool = False

    @property
    def late(self) -> tuple[str, ...]:
        """Return the powers that missed the deadline."""
        return tuple(each.nation for each in self.seats if each.entry is OrdersState.LATE)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the powers whose orders have not arrived."""
        wanted = (OrdersState.LATE, OrdersState.MISSING)
        return tuple(each.nation for each in self.seats if each.entry in wanted)

    @property
    def here(self) -> int:
        """Return the number of powers whose orders have arrived."""
        return sum(each.entry is OrdersState.HERE for each in self.seats)

    @property
    def without(self) -> tuple[SeatOverview, ...]:
        """Return the powers without a player."""
        return tuple(each for each in self.seats if each.state in WITHOUT_PLAYER)

    @property
    def unreached(self) -> tuple[SeatOverview, ...]:
        """Return the powers whose players' email comes back."""
        return tuple(each for each in self.seats if each.returned)


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The frame of all pages: *form* proves that a form is ours, *moderator* whose desk it is."""

    judge_code: str
    form: str
    now: datetime
    moderator: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMailLine:
    """An email that went out or will; *way* names a `judge.app.ports.outbox.DeliveryState`."""

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
class IncomingMailLine:
    """An email that came in, without its text."""

    id: int
    way_in: str
    received: datetime
    state: str
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class PendingTask:
    """A task for the gamemaster: *what* names its sentence, *number* how many there are."""

    what: str
    number: int = 1
    game: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that is over, at the end of *phase*."""

    name: str
    phase: str | None
    result: str | None
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Games:
    """The games, the next due first, and the tasks of the gamemaster.

    *ended* are the last ones that are over; there may be *more_ended*.
    """

    wanting: tuple[PendingTask, ...]
    playing: tuple[GameOverview, ...]
    forming: tuple[GameOverview, ...]
    ended: tuple[EndedGame, ...]
    more_ended: bool = False


@dataclass(frozen=True, slots=True)
class BroadcastItem:
    """Press to everybody in a closed phase."""

    phase: str
    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class HouseRuleLine:
    """A house rule of a game; *usual* says that it is the default (template `standard`)."""

    name: str
    value: str
    usual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """One game, with its rules as a *sheet* of sentences and as *settings*.

    *earlier* are the phases to which it can be rolled back, the latest first.
    """

    game: GameOverview
    rulebook: str
    sheet: str
    settings: tuple[HouseRuleLine, ...]
    earlier: tuple[str, ...]
    press: tuple[BroadcastItem, ...]
    mails: tuple[OutgoingMailLine, ...]
    has_picture: bool
    sees_orders: bool
    plays: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersShown:
    """The current orders, and the emails that would go out if the phase closed now.

    *asked* says that a reason for looking was given and recorded. *picture* is SVG.
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
    """The emails that went out or will, of *game* or in one *way* if asked."""

    mails: Sequence[OutgoingMailLine]
    ways: Sequence[str]
    game: str | None = None
    way: str | None = None


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The emails that came in, in one *state* if asked."""

    mails: Sequence[IncomingMailLine]
    states: Sequence[str]
    state: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """An email that came in, with its headers; *unreadable* is why it could not be read."""

    mail: IncomingMailLine
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
class EmailLines:
    """The lines of the email *id*: new, quoted, and those of its signature."""

    id: int
    parts: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The condition of the judge."""

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
class ActionPage:
    """A requested action: *what* names its words, *details* are the values in them.

    *back* is the page before; *kept* says that the action has a result to download. An action that
    was carried out has *done*; *refused* is the reason if it was not.
    """

    id: str
    what: str
    details: Mapping[str, object]
    back: str
    done: bool = False
    refused: str | None = None
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason why there is no such page: *what* names its words; *detail* is for the operator."""

    what: str
    detail: str = ""


DeskPage = (
    Games
    | GamePage
    | OrdersShown
    | Mails
    | Arrivals
    | Arrival
    | EmailLines
    | Condition
    | ActionPage
    | Problem
)


def render_desk_page(frame: PageFrame, page: DeskPage, heading: Heading | None = None) -> str:
    """Return *page* as HTML, by the template named like its class."""
    heading = heading or Heading(frame.judge_code)
    values = {"frame": frame, "page": page, "heading": heading}
    return render_page(f"desk/{kind_name(page)}.html.j2", values, heading.language)


def desk_style_sheet() -> str:
    """Return the style sheet of all pages."""
    return read_text("templates", "replay/look.css") + read_text("templates", "desk/desk.css")
