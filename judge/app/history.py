"""A game's log folded into the game; what was folded before is not folded again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from judge.app.ports import Transaction
from judge.events.store import Event, Head
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.players.creation import GameCreated
from judge.rules.board import Map

GAMES_KEPT_MAX = 1_000


@dataclass(slots=True)
class Histories:
    """Remembers games by the head of their log, as a cache: empty, it gives the same answers.

    And when the operator was last told that a log is *doubted*.
    """

    kept: dict[str, tuple[Head, Game]] = field(default_factory=dict)
    doubted: dict[str, datetime] = field(default_factory=dict)

    def load(
        self, transaction: Transaction, boards: Callable[[str], Map], name: str
    ) -> Game | None:
        """Return the game *name* as the log tells it, None if there is none."""
        head = transaction.events.head(name)
        if head.version == 0:
            return None
        known, game = self.kept.get(name, (Head(), None))
        if known == head:
            return game
        after = known.version if _continues(transaction, name, known) else 0
        game = game if after else None
        for recorded in transaction.events.read(name, after):
            game = evolve(boards(_variant(game, recorded.event)), game, recorded.event)
        assert game is not None, "a log begins with the creation of its game"
        self.kept.pop(name, None)
        self.kept[name] = (head, game)
        for oldest in [*self.kept][:-GAMES_KEPT_MAX]:
            self.kept.pop(oldest, None)
        return game


def _continues(transaction: Transaction, name: str, known: Head) -> bool:
    """Say whether the log runs through *known*: not if the transaction that wrote it failed."""
    if known.version == 0:
        return False
    recorded = transaction.events.read(name, known.version - 1)
    return bool(recorded) and recorded[0].hash == known.hash


def _variant(game: Game | None, event: Event) -> str:
    if game:
        return game.variant
    assert isinstance(event, GameCreated), "a log begins with the creation of its game"
    return event.variant
