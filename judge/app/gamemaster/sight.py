"""Whose eyes look: the operator's, and those of the moderator of a game if it is his desk."""

from __future__ import annotations

from dataclasses import dataclass

from judge.game.game_state import Game
from judge.game.visibility import Moderator, Operator, Reader, sees_orders
from judge.reports.languages import SOURCE


@dataclass(frozen=True, slots=True)
class Sight:
    """Who sits at the desk: whoever runs the judge, as the person *person* if he said so.

    He reads *language*.
    """

    person: str | None = None
    language: str = SOURCE

    def reader(self, game: Game) -> Reader:
        """Return as whom he looks at *game*."""
        moderates = self.person is not None and self.person == game.moderator
        return Moderator() if moderates else Operator()

    def sees_orders(self, game: Game) -> bool:
        """Say whether the rules of *game* let him see its orders before the phase closes."""
        return sees_orders(game, self.reader(game))

    def plays(self, game: Game) -> bool:
        """Say whether he takes part himself: then he sees no orders, whatever his reason."""
        seated = any(seat.person == self.person for seat in game.seats.values())
        return self.person is not None and (seated or self.person in game.joined)
