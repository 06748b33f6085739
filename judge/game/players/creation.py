"""Create a game, new or with phases that were played elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias, assert_never

from judge.event_log import Event, Recorded, Value
from judge.game import calendar, house_rules
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game, Seat, SeatState, Stage
from judge.game.house_rules import HouseRules
from judge.game.payloads import format_instant, parse_instant
from judge.game.phases import PhaseRecorded, open_phase
from judge.game.voting import GameEnded
from judge.rules import rulebook
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import Position


@dataclass(frozen=True, slots=True)
class GameImported(Event):
    """The game was played elsewhere and imported from a record.

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
    """The game continues by itself from a position of the game *parent*.

    That position followed from the event *version* of the parent's log, whose hash is *head*.
    """

    parent: str
    version: int
    head: str
    takeover_until: str | None


Origin: TypeAlias = GameImported | GameBranched


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game played elsewhere, phase by phase; *then* is where play goes on, or how it ended."""

    origin: Origin
    phases: tuple[PhaseRecorded, ...]
    then: Position | GameEnded


@dataclass(frozen=True, slots=True)
class CreateGame:
    """Open a new game for players, or one with a *past*; *moderator* is a person's id.

    *board* has the files of any variant but the default, which is part of the judge.
    """

    game: str
    variant: str
    rulebook: Rulebook
    house_rules: HouseRules
    moderator: str | None = None
    past: PastGame | None = None
    board: BoardRecorded | None = None


@dataclass(frozen=True, slots=True)
class GameCreated(Event):
    """A game can be joined.

    *rulebook* and *house_rules* are whole copies, so a later default changes nothing.
    """

    game: str
    variant: str
    rulebook: Mapping[str, Value]
    house_rules: Mapping[str, Value]
    moderator: str | None


@dataclass(frozen=True, slots=True)
class BoardRecorded(Event):
    """The game keeps its board, even if the folder of its variant changes.

    *files* are the texts of the variant, *base* those of the variant that it extends, if it does;
    *digest* identifies both.
    """

    digest: str
    files: Mapping[str, str]
    base: Mapping[str, str]


GAME_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")  # It is typed on phones and stands in subjects.


def create_game(board: Map, command: CreateGame, now: datetime) -> Accepted | Refused:
    """Open a new game for players, or go on with one that began elsewhere."""
    if not GAME_NAME.fullmatch(command.game):
        return Refused(Why.BAD_NAME)
    if not calendar.is_sound(command.house_rules):
        return Refused(Why.BAD_HOUSE_RULES)
    if calendar.has_ended(command.house_rules, now):
        return Refused(Why.DEADLINE_IN_PAST)
    created = GameCreated(
        game=command.game,
        variant=command.variant,
        rulebook=rulebook.to_payload(command.rulebook),
        house_rules=house_rules.to_payload(command.house_rules),
        moderator=command.moderator,
    )
    recorded = (command.board,) if command.board else ()
    game, past = apply_created(created), command.past
    imported = _import_past(board, game, past, now) if past else ()
    return Accepted((created, *recorded, *imported))


def _import_past(board: Map, game: Game, past: PastGame, now: datetime) -> tuple[Event, ...]:
    """Record the phases played elsewhere, and open the phase in which play goes on.

    It is the first here: a player who takes a power over has as much time as at the start of any
    game.
    """
    match past.then:
        case GameEnded():
            return past.origin, *past.phases, past.then
        case Position():
            until = now + game.house_rules.takeover_hours
            origin = replace(past.origin, takeover_until=format_instant(until))
            return origin, *past.phases, open_phase(board, game, past.then, 1, now)
        case _:
            assert_never(past.then)


def apply_created(event: GameCreated) -> Game:
    """Return the new game."""
    return Game(
        name=event.game,
        variant=event.variant,
        rulebook=rulebook.from_payload(
            {question: str(choice) for question, choice in event.rulebook.items()}
        ),
        house_rules=house_rules.from_payload(event.house_rules),
        moderator=event.moderator,
        version=1,
    )


def board_in(log: Iterable[Recorded]) -> BoardRecorded | None:
    """Return the board in the *log* of a game, None if it is the default one."""
    return next((each.event for each in log if isinstance(each.event, BoardRecorded)), None)


def apply_board(game: Game, event: BoardRecorded) -> Game:
    """Return *game* with a board of its own."""
    return replace(game, board_digest=event.digest)


def apply_origin(board: Map, game: Game, event: Origin) -> Game:
    """Return *game* with the powers of a game that began elsewhere vacant."""
    until = parse_instant(event.takeover_until) if event.takeover_until else None
    vacant = Seat(None, SeatState.VACANT, until)
    seats = dict.fromkeys(board.powers, vacant)
    return replace(game, stage=Stage.PLAYING, seats=seats, origin=event)
