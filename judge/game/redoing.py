"""Where a game can go forward to, after it was taken back."""

from __future__ import annotations

from collections.abc import Iterable

from judge.events.changes import GameRolledBack
from judge.events.store import Recorded
from judge.game.state import replay
from judge.game.undoing import COURSE, Later
from judge.rules.board import Map
from judge.rules.types import Phase


def later(board: Map, log: Iterable[Recorded]) -> Later | None:
    """Return where the game was before it was rolled back, once or several times in a row.

    None if anything was played since, or no phase was open then.
    """
    whole = tuple(log)
    back: dict[int, GameRolledBack] = {}
    for each in whole:
        if isinstance(each.event, GameRolledBack):
            back[each.version] = each.event
        elif isinstance(each.event, COURSE):
            back = {}
    first = next(iter(back), 0)
    game = replay(board, (each for each in whole if each.version < first))
    if game is None or game.phase is None or game.position is None:
        return None
    undone = {code for event in back.values() for code in event.undone}
    return Later(
        version=first,
        number=game.phase.number,
        position=game.position,
        standing=game.phase.standing,
        nonces=game.phase.nonces,
        redone=tuple(sorted(undone, key=Phase.parse)),
    )
