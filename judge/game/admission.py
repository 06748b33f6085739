"""Who may say something for a power at all."""

from __future__ import annotations

from judge.game.decision import Why
from judge.game.game import Game, SeatState, Stage
from judge.game.needs import survivors
from judge.rules.vocabulary import Power


def unopened(game: Game) -> Why | None:
    """Say why no phase of *game* is open, if none is."""
    return {
        Stage.FORMING: Why.NOT_STARTED,
        Stage.PLAYING: None,
        Stage.ENDED: Why.GAME_OVER,
    }[game.stage]


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
