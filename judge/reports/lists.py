"""Where games stand, for those who ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.game_state import Game, SeatState, Stage, survivors
from judge.game.orders.missing_orders import missing_orders
from judge.game.visibility import GameView, Moderator, Player, Reader, is_board_hidden, view
from judge.reports.answers import Entries, GameLine, GameList, Status, Votes
from judge.reports.dark import darkened, own_of
from judge.reports.greetings import Heading
from judge.reports.headings import heading_of
from judge.reports.standing import State
from judge.reports.starts import shown_handles
from judge.reports.states import state_of
from judge.reports.year_ends import year_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from judge.reports.standing import YearEnd
    from judge.rules.board import Map
    from judge.rules.types import Position, Power


def games(
    listed: Iterable[tuple[Map, Game]], *, judge_code: str, zone: str | None = None
) -> GameList:
    """List games, each with its board; deadlines are told in *zone*, or in that of each game."""
    lines = (_line(board, game, zone) for board, game in listed)
    return GameList(heading=Heading(judge_code), games=tuple(lines))


def status(  # noqa: PLR0913 - what everybody may know, and a moderator alone
    board: Map,
    game: Game,
    reader: Reader,
    handles: Mapping[Power, str],
    *,
    judge_code: str,
    unreached: tuple[Power, ...] = (),
    waiting: tuple[str, ...] = (),
) -> Status:
    """Say where *game* stands, with the orders *reader* may see; *handles* name its players.

    Mail to the players of *unreached* comes back, and those called *waiting* wait for a place:
    for a moderator only.
    """
    forming = game.stage is Stage.FORMING
    seen = view(game, reader, board)
    return Status(
        heading=heading_of(board, game, judge_code),
        handles=shown_handles(board, game, reader, handles),
        missing_players=len(board.powers) - seen.joined if forming else 0,
        position=seen.position,
        unreached=unreached,
        waiting=waiting,
        late=tuple(each for each in board.powers if seen.phase and each in seen.phase.late),
        vacant=vacant(board, game),
        year_end=_year_end(board, game, seen.position, reader) if seen.position else None,
        states=tuple(_states(board, game, reader)),
        ending=seen.ending,
        proposals=seen.proposals,
        votes=_votes(seen) if game.house_rules.open_votes else None,
        entries=_entries(board, game) if isinstance(reader, Moderator) else None,
    )


def _entries(board: Map, game: Game) -> Entries | None:
    needs = missing_orders(board, game)
    if needs is None:
        return None
    given = tuple(power for power in needs.owed if power in needs.phase.ordered)
    complete = tuple(filter(needs.is_in, given))
    return Entries(
        complete=complete,
        partial=tuple(power for power in given if power not in complete),
        missing=needs.missing,
    )


def _votes(seen: GameView) -> Votes:
    draw = tuple(p for p in seen.seats if p in seen.draw_votes and p not in seen.draw_lists)
    return Votes(draw=draw, among=seen.draw_lists, concessions=seen.concessions)


def _year_end(board: Map, game: Game, position: Position, reader: Reader) -> YearEnd:
    told = year_end(board, position)
    return darkened(told, own_of(reader)) if is_board_hidden(game, reader) else told


def _states(board: Map, game: Game, reader: Reader) -> Iterator[State]:
    """Yield what stands for each power whose orders *reader* may see; a player sees his own."""
    phase = view(game, reader).phase
    own = {reader.power} if isinstance(reader, Player) else set()
    for power in board.powers:
        if phase and power in own | phase.standing.keys():
            state = state_of(board, game, power, reader)
            if state:
                yield state


def _line(board: Map, game: Game, zone: str | None) -> GameLine:
    forming = game.stage is Stage.FORMING
    return GameLine(
        name=game.name,
        variant=game.variant,
        phase=game.position.phase if game.position else None,
        deadline=game.phase.deadline if game.phase else None,
        zone=zone or game.house_rules.zone,
        over=game.stage is Stage.ENDED,
        places=len(board.powers) - len(game.joined) if forming else 0,
        vacant=vacant(board, game),
        comment=game.house_rules.comment,
        board=board,
    )


def vacant(board: Map, game: Game) -> tuple[Power, ...]:
    """Return the powers that somebody may take over: none that is eliminated."""
    if game.stage is not Stage.PLAYING:
        return ()
    alive = survivors(game)
    return tuple(
        power
        for power in board.powers
        if power in alive and game.seats[power].state is not SeatState.PLAYED
    )
