"""Whether the log of a game is what was written, and its phases what the rules make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.adapters.transactions import SqlTransaction
from judge.adapters.variant_files import load_map
from judge.app.game.apply import find_damage
from judge.archive.log_conversion import imported_phases
from judge.archive.verification import replay_phase, replayable_phases
from judge.events.chain import Flaw, vouched_head
from judge.events.store import Head, Recorded, Vouched
from judge.game.events import evolve
from judge.game.phases import Difference, PhaseClosed, PhaseRecorded, verify_phase
from judge.game.players.creation import GameCreated
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Misjudged:
    """The first event of a game that closes its phase otherwise than the rules do now."""

    version: int
    phase: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class TakenOver:
    """How many *phases* of a game were played elsewhere, and what the law makes of them.

    Of those that could be *compared* with what followed, so many come out *agreeing*. What was
    recorded stands, whatever the law makes of it: such a log is not wrong.
    """

    phases: int = 0
    compared: int = 0
    agreeing: int = 0


@dataclass(frozen=True, slots=True)
class Verified:
    """The log of *game* up to its *head*, and what is wrong with it.

    So many *phases* were adjudicated here, and come out again as they did. The log stands as it is
    as far as a person *vouched* for it, whatever the rules make *otherwise* of what he lets stand.
    """

    game: str
    head: Head
    phases: int = 0
    wrong: Flaw | Misjudged | None = None
    taken_over: TakenOver = TakenOver()
    vouched: Vouched | None = None
    otherwise: tuple[Misjudged, ...] = ()


def verify_game(transaction: SqlTransaction, name: str) -> Verified:
    """Walk the chain of the game *name*, then adjudicate every closed phase again."""
    head, vouched = transaction.events.head(name), transaction.events.vouched(name)
    flaw = find_damage(transaction, name)
    if flaw:
        return Verified(name, head, wrong=flaw)
    log = transaction.events.read(name)
    created = log[0].event
    assert isinstance(created, GameCreated), "a log begins with the creation of its game"
    board, phases = load_map(created.variant), 0
    accepted = vouched_head(transaction.events.rows(name), vouched).version if vouched else 0
    otherwise = list[Misjudged]()
    game = evolve(board, None, created)
    elsewhere = _taken_over(board, log, game.rulebook)
    for recorded in log[1:]:
        if isinstance(recorded.event, PhaseClosed):
            differences = verify_phase(board, game, recorded.event)
            wrong = Misjudged(recorded.version, recorded.event.phase, differences)
            if not differences:
                phases += 1
            elif recorded.version <= accepted:
                otherwise.append(wrong)
            else:
                return Verified(name, head, phases, wrong, elsewhere, vouched, tuple(otherwise))
        game = evolve(board, game, recorded.event)
    return Verified(name, head, phases, None, elsewhere, vouched, tuple(otherwise))


def _taken_over(board: Map, log: Sequence[Recorded], law: Rulebook) -> TakenOver:
    recorded = [each.event for each in log if isinstance(each.event, PhaseRecorded)]
    trials = tuple(replayable_phases(tuple(imported_phases(log))))
    return TakenOver(
        phases=sum(not each.by_law for each in recorded),
        compared=len(trials),
        agreeing=sum(not replay_phase(board, each, law)[1] for each in trials),
    )
