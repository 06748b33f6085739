"""Who is away at a deadline, and what that changes (house rule `absences`)."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from judge.game import calendar
from judge.game.game import Game, SeatState
from judge.game.house_rules import Absences
from judge.rules.types import PhaseKind, Position, Power

BACK_HOURS = 24  # What somebody who comes back has at least before a deadline.


def excused(game: Game, powers: tuple[Power, ...], deadline: datetime) -> tuple[Power, ...]:
    """Return those of *powers* whose players are away at *deadline* and lose nothing by it."""
    if game.house_rules.absences is not Absences.EXCUSE:
        return ()
    return tuple(power for power in powers if _back(game, power, deadline))


def after_absences(game: Game, position: Position, deadline: datetime) -> datetime:
    """Return the first deadline from *deadline* on at which nobody is away who has to order."""
    if game.house_rules.absences is not Absences.MOVE:
        return deadline
    acting = [power for power in game.seats if _acts(position, power)]
    while returns := [back for power in acting if (back := _back(game, power, deadline))]:
        deadline = calendar.deadline(max(returns), BACK_HOURS, game.house_rules)
    return deadline


def _back(game: Game, power: Power, deadline: datetime) -> datetime | None:
    """Return when the player of *power* is back, if he is away at *deadline*."""
    seat = game.seats[power]
    if seat.state is not SeatState.PLAYED or seat.person is None:
        return None
    spans = game.absences.get(seat.person, ())
    return max((ends for begins, ends in spans if begins <= deadline < ends), default=None)


def _acts(position: Position, power: Power) -> bool:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return bool(position.units_of(power))
        case PhaseKind.RETREATS:
            return bool(position.dislodged_of(power))
        case PhaseKind.ADJUSTMENTS:
            return position.due(power) != 0
        case _:
            assert_never(position.phase.kind)
