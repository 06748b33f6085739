"""Emails before and at the start of a game, and its rules sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.game.game_state import Game
from judge.game.house_rules import HouseRules, standard_rules
from judge.game.visibility import Player, Reader, position_seen, view
from judge.notation.order_text import write_short
from judge.reports.emails import contexts
from judge.reports.emails.order_status import OrdersDue, order_form, orders_due_of
from judge.rules.board import Map
from judge.rules.rulebook import rulebook_name
from judge.rules.types import Position, Power


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStart(contexts.Context):
    """The powers are given out and the first phase is open; *rulebook* is its name."""

    reader: Power | None
    handles: Mapping[Power, str]
    position: Position
    rulebook: str
    house_rules: HouseRules
    forwards: bool
    duty: OrdersDue | None
    usual_rules: HouseRules
    example: str = ""  # orders for the reader's own units

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return (*order_form(self.heading, self.duty), *contexts.word_replies("help"))

    def deadline(self, now: datetime) -> contexts.CalendarDeadline | None:
        return contexts.open_deadline(self.heading)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeratorWelcome(contexts.Context):
    """The reader moderates a game for the first time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(contexts.Context):
    """The reader is in a game that waits for *missing* more players."""

    missing: int
    preferences: tuple[tuple[Power, ...], ...]

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return contexts.word_replies("help")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSheet(contexts.Context):
    """The rules of a game in sentences; *rulebook* is its name."""

    rulebook: str
    house_rules: HouseRules
    forwards: bool


def rules_sheet(board: Map, game: Game, *, judge_code: str) -> RulesSheet:
    """List the rules of *game*."""
    return RulesSheet(
        heading=contexts.heading_of(board, game, judge_code),
        rulebook=rulebook_name(game.rulebook),
        house_rules=game.house_rules,
        forwards=game.has_neutral_moderator,
    )


def game_start(
    board: Map,
    game: Game,
    reader: Reader,
    handles: Mapping[Power, str],
    *,
    judge_code: str,
) -> GameStart:
    """Announce the start; *handles* name the players, where the game shows them."""
    assert game.position is not None, "a game that has started has a position"
    power = reader.power if isinstance(reader, Player) else None
    return GameStart(
        heading=contexts.heading_of(board, game, judge_code),
        reader=power,
        handles=visible_handles(board, game, reader, handles),
        position=position_seen(board, game, game.position, reader),
        rulebook=rulebook_name(game.rulebook),
        house_rules=game.house_rules,
        forwards=game.has_neutral_moderator,
        duty=orders_due_of(board, game.position, power) if power else None,
        usual_rules=standard_rules(game.name),
        example=_example(board, game.position, power) if power else "",
    )


def _example(board: Map, position: Position, power: Power) -> str:
    """Return two orders as *power* could give them."""
    own = [(unit.kind, unit.location) for unit in position.units_of(power)]
    return ", ".join(write_short(each, board) for each in contexts.move_and_hold(board, own))


def joined(board: Map, game: Game, person: str, *, judge_code: str) -> Joined:
    """Confirm the place of *person*, with the number of missing players."""
    return Joined(
        heading=contexts.heading_of(board, game, judge_code),
        missing=len(board.players) - len(game.joined),
        preferences=game.joined[person],
    )


def visible_handles(
    board: Map, game: Game, reader: Reader, handles: Mapping[Power, str]
) -> Mapping[Power, str]:
    """Return the *handles* that *reader* may know: in gunboat only their own."""
    seen = view(game, reader).people
    return {power: handles[power] for power in board.powers if power in seen and power in handles}
