"""Whether the log of a game is what was written, and its phases what the rules make of them."""

from __future__ import annotations

from dataclasses import dataclass

from judge.adapters.database import SqlTransaction
from judge.adapters.variant_files import load_map
from judge.events.store import Head
from judge.events.types import GameCreated, PhaseClosed
from judge.events.verify import Flaw, verify_chain
from judge.game.audit import Difference, verify_phase
from judge.game.state import evolve


@dataclass(frozen=True, slots=True)
class Misjudged:
    """The first event of a game that closes its phase otherwise than the rules do now."""

    version: int
    phase: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """The log of *game* up to its *head*, and what is wrong with it."""

    game: str
    head: Head
    phases: int = 0
    wrong: Flaw | Misjudged | None = None


def verify_game(transaction: SqlTransaction, name: str) -> Verified:
    """Walk the chain of the game *name*, then adjudicate every closed phase again."""
    head = transaction.events.head(name)
    flaw = verify_chain(name, transaction.events.rows(name), head)
    if flaw:
        return Verified(name, head, wrong=flaw)
    log = transaction.events.read(name)
    created = log[0].event
    assert isinstance(created, GameCreated), "a log begins with the creation of its game"
    board, phases = load_map(created.variant), 0
    game = evolve(board, None, created)
    for recorded in log[1:]:
        if isinstance(recorded.event, PhaseClosed):
            differences = verify_phase(board, game, recorded.event)
            if differences:
                wrong = Misjudged(recorded.version, recorded.event.phase, differences)
                return Verified(name, head, phases, wrong)
            phases += 1
        game = evolve(board, game, recorded.event)
    return Verified(name, head, phases)
