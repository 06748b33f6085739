"""Results of a blind game as one reader may have them: his own orders, and what he borders."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from judge.game.visibility import Player, Reader, is_board_hidden, position_seen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.game.game_state import Game
    from judge.reports.contexts import PhaseResults
    from judge.reports.standing import YearEnd
    from judge.rules.board import Map
    from judge.rules.types import Power

Held = TypeVar("Held")


def own_of(reader: Reader) -> Power | None:
    """Return the power that *reader* plays."""
    return reader.power if isinstance(reader, Player) else None


def in_sight(board: Map, game: Game, told: PhaseResults, reader: Reader) -> PhaseResults:
    """Return *told*, of *game* after the phase, as *reader* may have it.

    Why an order failed would tell who supported whom where nobody saw it: only that it did is
    said.
    """
    if not is_board_hidden(game, reader):
        return told
    own = own_of(reader)
    return replace(
        told,
        orders=_only(told.orders, own),
        units={place: each for place, each in told.units.items() if each.power == own},
        failures=(),
        paradoxes=(),
        unused=_only(told.unused, own),
        removed=tuple(each for each in told.removed if each.unit.power == own),
        driven_out=tuple(each for each in told.driven_out if each.unit.power == own),
        stood=position_seen(board, game, told.stood, reader),
        stand=position_seen(board, game, told.stand, reader),
        year_end=told.year_end and darkened(told.year_end, own),
        centers={},
        commitments=_only(told.commitments, own),
    )


def darkened(told: YearEnd, own: Power | None) -> YearEnd:
    """Return of *told* what *own* knows of itself."""
    return replace(
        told,
        owned=_only(told.owned, own),
        unowned=(),
        counts=tuple(each for each in told.counts if each.power == own),
        won=_only(told.won, own),
        lost=_only(told.lost, own),
    )


def _only(held: Mapping[Power, Held], own: Power | None) -> dict[Power, Held]:
    return {power: each for power, each in held.items() if power == own}
