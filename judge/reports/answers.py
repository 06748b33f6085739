"""What is said to those who ask: one frozen class a template, as in `contexts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from judge.game.game_state import Ending
    from judge.game.visibility import ProposalView
    from judge.reports.greetings import Heading
    from judge.reports.standing import State, YearEnd
    from judge.rules.board import Map
    from judge.rules.explanation.reasons import Reason
    from judge.rules.outcome import Impossible, Outcome
    from judge.rules.types import Order, Phase, Position, Power, Province


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What was told of a game follows, in *pages*; *left_out* came before and is too much."""

    heading: Heading
    pages: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Tenure:
    """Somebody played a power, *since* the phase in which he took it over, if he did."""

    handle: str
    since: Phase | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A game in short: who played what, and who owned which center at the end of each year.

    *centers* are in the order in which they are printed, *players* only those whom the reader may
    know. *index* is the sum of the squares of the centers by the number of powers, as nJudge
    counts it.
    """

    heading: Heading
    began: datetime
    players: Mapping[Power, tuple[Tenure, ...]]
    centers: tuple[Province, ...]
    owners: Mapping[int, Mapping[Province, Power]]
    counts: Mapping[int, Mapping[Power, int]]
    index: Mapping[int, int]
    ending: Ending | None


@dataclass(frozen=True, slots=True)
class Contact:
    """A player as their moderator knows them; *power* is None before the start."""

    power: Power | None
    handle: str
    name: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoGame:
    """Who plays: *players* by power, or, before the start, those who *joined*.

    *contacts* are for a moderator who does not play, and for nobody else.
    """

    heading: Heading
    players: Mapping[Power, str]
    joined: tuple[str, ...]
    places: int
    vacant: tuple[Power, ...]
    moderator: str | None
    contacts: tuple[Contact, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """An order that was asked about: its *reason*, or None if it was not given.

    Not given, it may be that it is *impossible*, or that *instead* was ordered. In the dark it is
    only said what was *done*, of this order or instead of it.
    """

    text: str
    order: Order | None
    reason: Reason | None = None
    impossible: Impossible | None = None
    instead: Reason | None = None
    done: Outcome | None = None
    given: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What became of orders in *phase*, and by which rule; *units* are its outcomes by place.

    In the *dark* no rule is named, since it would tell of what the reader does not see.
    """

    heading: Heading
    phase: Phase
    orders: tuple[Explained, ...]
    units: Mapping[Province, Outcome]
    dark: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game of the list, on its *board*."""

    name: str
    variant: str
    phase: Phase | None
    deadline: datetime | None
    zone: str
    over: bool
    places: int
    vacant: tuple[Power, ...]
    comment: str
    board: Map


@dataclass(frozen=True, slots=True, kw_only=True)
class GameList:
    """The games that anybody may know of."""

    heading: Heading
    games: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """Who would accept a draw of all who survive, or one *among* some, or concede to whom."""

    draw: tuple[Power, ...]
    among: Mapping[Power, tuple[Power, ...]]
    concessions: Mapping[Power, Power]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """From whom the open phase has all the orders that it needs, some, or none."""

    complete: tuple[Power, ...]
    partial: tuple[Power, ...]
    missing: tuple[Power, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Where a game stands; *states* are those of the powers whose orders the reader sees.

    *proposals* of a draw are open; *votes* are told where anybody may know them.

    Mail to the players of *unreached* comes back; *entries* are for a moderator only, too.
    """

    heading: Heading
    handles: Mapping[Power, str]
    missing_players: int
    position: Position | None
    late: tuple[Power, ...]
    unreached: tuple[Power, ...]
    vacant: tuple[Power, ...]
    year_end: YearEnd | None
    states: tuple[State, ...]
    ending: Ending | None
    proposals: tuple[ProposalView, ...] = ()
    votes: Votes | None = None
    entries: Entries | None = None
    waiting: tuple[str, ...] = ()
