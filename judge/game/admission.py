"""Who may say something for a power at all."""

from __future__ import annotations

from judge.game.decision import Why
from judge.game.game import Game, SeatState, Stage
from judge.game.house_rules import Dummies
from judge.game.needs import survivors
from judge.rules.types import Power


def unopened(game: Game) -> Why | None:
    """Say why no phase of *game* is open, if none is."""
    return {
        Stage.FORMING: Why.NOT_STARTED,
        Stage.PLAYING: None,
        Stage.ENDED: Why.GAME_OVER,
    }[game.stage]


def has_dummy(game: Game, power: Power, person: str) -> bool:
    """Say whether *person* moderates the game, and orders for *power*, which nobody plays."""
    seat = game.seats.get(power)
    return (
        game.house_rules.dummies is Dummies.MODERATOR
        and seat is not None
        and seat.state is SeatState.CIVIL_DISORDER
        and person == game.moderator
        and game.power_of(person) is None
    )


def may_not_order(game: Game, power: Power, person: str) -> Why | None:
    """Say why *person* may not order for *power* in the open phase, if he may not."""
    if unopened(game) is None and has_dummy(game, power, person):
        return None if power in survivors(game) else Why.ELIMINATED
    return barred(game, power, person)


def barred(game: Game, power: Power, person: str) -> Why | None:
    """Say why *person* may not speak for *power* in the open phase, if he may not."""
    seat = game.seats.get(power)
    if why := unopened(game):
        return why
    if seat is None:
        return Why.UNKNOWN_POWER
    if seat.person != person or seat.state is not SeatState.PLAYED:
        return Why.NOT_A_PLAYER
    return None if power in survivors(game) else Why.ELIMINATED
