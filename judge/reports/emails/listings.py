"""Emails that list games, the status of one game, and its players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.game import calendar, visibility
from judge.game.game_state import Ending, Game, Stage
from judge.game.game_summary import GameSummary, vacant_powers
from judge.game.phases import missing_orders
from judge.game.visibility import ProposalView
from judge.reports.emails import contexts
from judge.reports.emails.game_start import visible_handles
from judge.reports.emails.order_status import OrderStatus, order_status_of, vote_replies
from judge.reports.emails.phase_results import YearEnd, power_of_reader, visible_year_end, year_end
from judge.rules.board import Map
from judge.rules.types import Phase, Position, Power


@dataclass(frozen=True, slots=True)
class Contact:
    """A player as their moderator knows them; *power* is None before the start."""

    power: Power | None
    handle: str
    name: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoGame(contexts.Context):
    """The *players* by power, or, before the start, those who *joined*.

    *contacts* are only for a moderator who does not play.
    """

    players: Mapping[Power, str]
    joined: tuple[str, ...]
    places: int
    vacant: tuple[Power, ...]
    moderator: str | None
    contacts: tuple[Contact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game of the list, on its *board*."""

    name: str
    phase: Phase | None
    deadline: datetime | None
    zone: str
    over: bool
    places: int
    vacant: tuple[Power, ...]
    comment: str
    board: Map


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage:
    """The page *number* of so many *pages*, counted from 1."""

    number: int
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameList(contexts.Context):
    """The listed games; so many more are *over* and not shown, or, of these, a *page* is."""

    games: tuple[GameLine, ...]
    over: int = 0
    page: ListPage | None = None

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return contexts.word_replies("list", "help")


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantList(contexts.Context):
    """The *boards* for new games; *asked* is a name that none of them has, or empty."""

    boards: tuple[Map, ...]
    asked: str

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return contexts.word_replies("list", "help")


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantPage(contexts.Context):
    """A board for new games, with the *position* at the start."""

    board: Map
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """The powers that vote for a draw of all survivors, a draw *among* some, or a concession."""

    draw: tuple[Power, ...]
    among: Mapping[Power, tuple[Power, ...]]
    concessions: Mapping[Power, Power]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersReceived:
    """The powers whose orders for the open phase are complete, incomplete or missing."""

    complete: tuple[Power, ...]
    partial: tuple[Power, ...]
    missing: tuple[Power, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(contexts.Context):
    """The state of a game; *states* are those of the powers whose orders the reader sees.

    *proposals* of a draw are open; *votes* are shown where everybody may know them. If the clock
    ends the game at *ends*, the year open then is the last. Email to the players of *unreached*
    comes back; these and *entries* are for a moderator only.
    """

    handles: Mapping[Power, str]
    missing_players: int
    position: Position | None
    late: tuple[Power, ...]
    unreached: tuple[Power, ...]
    vacant: tuple[Power, ...]
    ends: datetime | None
    year_end: YearEnd | None
    states: tuple[OrderStatus, ...]
    ending: Ending | None
    proposals: tuple[ProposalView, ...] = ()
    votes: Votes | None = None
    entries: OrdersReceived | None = None
    waiting: tuple[str, ...] = ()

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return vote_replies(self.states[0]) if len(self.states) == 1 else ()


def status(  # noqa: PLR0913 - what everybody may know, and a moderator alone
    board: Map,
    game: Game,
    reader: visibility.Reader,
    handles: Mapping[Power, str],
    *,
    judge_code: str,
    unreached: tuple[Power, ...] = (),
    waiting: tuple[str, ...] = (),
) -> Status:
    """Describe *game*, with the orders *reader* may see; *handles* name its players.

    Email to the players of *unreached* comes back, and those called *waiting* wait for a seat:
    both for a moderator only.
    """
    forming = game.stage is Stage.FORMING
    seen = visibility.view(game, reader, board)
    return Status(
        heading=contexts.heading_of(board, game, judge_code),
        handles=visible_handles(board, game, reader, handles),
        missing_players=len(board.players) - seen.joined if forming else 0,
        position=seen.position,
        unreached=unreached,
        waiting=waiting,
        late=tuple(each for each in board.powers if seen.phase and each in seen.phase.late),
        vacant=vacant_powers(board, game),
        ends=calendar.clock_end(game.house_rules, game.started),
        year_end=_visible_year_end(board, game, seen.position, reader) if seen.position else None,
        states=tuple(_visible_order_statuses(board, game, reader)),
        ending=seen.ending,
        proposals=seen.proposals,
        votes=_votes(seen) if game.house_rules.open_votes else None,
        entries=_orders_received(board, game)
        if isinstance(reader, visibility.Moderator)
        else None,
    )


def _orders_received(board: Map, game: Game) -> OrdersReceived | None:
    needs = missing_orders(board, game)
    if needs is None:
        return None
    given = tuple(power for power in needs.owed if power in needs.phase.ordered)
    complete = tuple(filter(needs.is_in, given))
    return OrdersReceived(
        complete=complete,
        partial=tuple(power for power in given if power not in complete),
        missing=needs.missing,
    )


def _votes(seen: visibility.GameView) -> Votes:
    draw = tuple(p for p in seen.seats if p in seen.draw_votes and p not in seen.draw_lists)
    return Votes(draw=draw, among=seen.draw_lists, concessions=seen.concessions)


def _visible_year_end(
    board: Map, game: Game, position: Position, reader: visibility.Reader
) -> YearEnd:
    ended = year_end(board, position)
    return (
        visible_year_end(ended, power_of_reader(reader))
        if visibility.is_board_hidden(game, reader)
        else ended
    )


def _visible_order_statuses(
    board: Map, game: Game, reader: visibility.Reader
) -> Iterator[OrderStatus]:
    """Yield the status of each power whose orders *reader* may see; a player sees their own."""
    phase = visibility.view(game, reader).phase
    own = {reader.power} if isinstance(reader, visibility.Player) else set()
    for power in board.powers:
        if phase and power in own | phase.standing.keys():
            state = order_status_of(board, game, power, reader)
            if state:
                yield state


def game_line(board: Map, game: GameSummary, zone: str | None) -> GameLine:
    """Describe *game* in a list, with its deadline in *zone*, or in its own."""
    return GameLine(
        name=game.name,
        phase=Phase.parse(game.phase) if game.phase else None,
        deadline=game.deadline,
        zone=zone or game.zone,
        over=game.stage is Stage.ENDED,
        places=game.places,
        vacant=game.vacant,
        comment=game.comment,
        board=board,
    )


def who_game(  # noqa: PLR0913 - who plays, joined and moderates, by handle
    board: Map,
    game: Game,
    reader: visibility.Reader,
    handles: Mapping[Power, str],
    joined: tuple[str, ...],
    moderator: str | None,
    *,
    judge_code: str,
    contacts: tuple[Contact, ...] = (),
) -> WhoGame:
    """List the players of *game* as far as *reader* may know."""
    forming = game.stage is Stage.FORMING
    return WhoGame(
        heading=contexts.heading_of(board, game, judge_code),
        players=visible_handles(board, game, reader, handles),
        joined=() if game.house_rules.anonymous or not forming else joined,
        places=len(board.players) - len(game.joined) if forming else 0,
        vacant=vacant_powers(board, game),
        moderator=moderator,
        contacts=contacts if visibility.sees_contacts(game, reader) else (),
    )
