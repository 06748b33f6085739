"""Mails before and at the start of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.visibility import Player, Reader, position_seen, view
from judge.reports.contexts import GameStart, Joined, ModeratorWelcome
from judge.reports.duties import duty_of
from judge.reports.headings import heading_of
from judge.rules.rulebook import rulebook_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.game.game_state import Game
    from judge.rules.board import Map
    from judge.rules.types import Power


def game_start(
    board: Map,
    game: Game,
    reader: Reader,
    handles: Mapping[Power, str],
    *,
    judge_code: str,
) -> GameStart:
    """Tell *reader* what he plays; *handles* say who plays the others, if the game tells."""
    assert game.position is not None, "a game that has started has a position"
    power = reader.power if isinstance(reader, Player) else None
    return GameStart(
        heading=heading_of(board, game, judge_code),
        reader=power,
        handles=shown_handles(board, game, reader, handles),
        position=position_seen(board, game, game.position, reader),
        rulebook=rulebook_name(game.rulebook),
        house_rules=game.house_rules,
        forwards=game.has_neutral_moderator,
        duty=duty_of(board, game.position, power) if power else None,
    )


def moderator_welcome(board: Map, game: Game, *, judge_code: str) -> ModeratorWelcome:
    """Tell a new moderator what there is to do."""
    return ModeratorWelcome(heading=heading_of(board, game, judge_code))


def joined(board: Map, game: Game, person: str, *, judge_code: str) -> Joined:
    """Tell *person* that he is in, and for how many others the game waits."""
    return Joined(
        heading=heading_of(board, game, judge_code),
        missing=len(board.powers) - len(game.joined),
        preferences=game.joined[person],
    )


def shown_handles(
    board: Map, game: Game, reader: Reader, handles: Mapping[Power, str]
) -> Mapping[Power, str]:
    """Return those of the *handles*, by power, that *reader* may know: in gunboat only his own."""
    seen = view(game, reader).people
    return {power: handles[power] for power in board.powers if power in seen and power in handles}
