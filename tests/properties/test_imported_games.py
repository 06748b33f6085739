"""A game played elsewhere can be imported, continued and exported unchanged."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random  # noqa: TID251 each case has its seed

from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.archive.log_conversion import (
    import_event,
    past_for_branch,
    past_from_record,
    record_from_log,
)
from judge.archive.records import Record
from judge.archive.verification import replay_phase, replayable_phases
from judge.event_log import Recorded
from judge.game.clock import ProcessNow
from judge.game.commands import Command, decide
from judge.game.decision import Accepted
from judge.game.events import CODEC, replay
from judge.game.game_state import Game, Stage
from judge.game.house_rules import HouseRules
from judge.game.players.creation import CreateGame, PastGame
from judge.game.players.standbys import JoinGame
from judge.game.submission import SubmitOrders
from judge.rules.rulebook import DATC
from tests.properties.random_records import played, random_orders
from tests.support.event_store import MemoryEventStore

BOARD = load_map()
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
NAME = "again"
seeds = st.integers(0, 10**9).map(Random)


class Log:
    """An imported game in a store; it refuses nothing that is put to it here but orders."""

    def __init__(self, past: PastGame) -> None:
        self._store = MemoryEventStore(CODEC)
        self.put(CreateGame(NAME, "standard", DATC, HouseRules(), past=past))

    @property
    def recorded(self) -> list[Recorded]:
        return list(self._store.read(NAME))

    @property
    def game(self) -> Game | None:
        return replay(BOARD, self.recorded)

    def put(self, command: Command) -> None:
        game = self.game
        answer = decide(BOARD, game, command, NOW)
        if isinstance(answer, Accepted):
            self._store.append(NAME, game.version if game else 0, answer.events, NOW)

    def play(self, chance: Random) -> None:
        """Give random orders for the open phase, and close it."""
        game = self.game
        assert game
        assert game.position
        for power, several in random_orders(BOARD, chance, game.position).items():
            person = power.lower()
            self.put(JoinGame(person, (), "seed", power))
            self.put(SubmitOrders(power, person, tuple(several), NOW, "mail", "nonce"))
        self.put(ProcessNow("operator"))


def past(record: Record, chance: Random) -> PastGame:
    """Return the phases played before any phase of *record*."""
    at = chance.choice(record.phases).phase
    return past_from_record(BOARD, record, DATC, import_event(record), at)


@example(Random(1))  # noqa: S311 no secret
@given(seeds)
def test_an_imported_game_is_exported_as_far_as_it_was_accepted(chance: Random) -> None:
    record = played(BOARD, chance, phases=chance.randint(2, 8))

    *phases, then = record_from_log(BOARD, Log(past(record, chance)).recorded).phases

    assert tuple(phases) == record.phases[: len(phases)]
    assert then.position == record.phases[len(phases)].position


@settings(max_examples=settings().max_examples // 6)
@example(Random(1))  # noqa: S311 no secret
@given(seeds)
def test_phases_played_after_an_import_follow_the_rules(chance: Random) -> None:
    log = Log(past(played(BOARD, chance, phases=3), chance))
    for _ in range(4):
        log.play(chance)

    record = record_from_log(BOARD, log.recorded)

    trials = tuple(replayable_phases(BOARD.calendar, record.phases))
    assert len(trials) >= 4
    assert [each.phase for each in trials if replay_phase(BOARD, each, DATC)[1]] == []


@settings(max_examples=settings().max_examples // 6)
@example(Random(1))  # noqa: S311 no secret
@given(seeds)
def test_a_branch_is_as_its_parent_was_and_holds_none_of_its_orders(chance: Random) -> None:
    log = Log(past(played(BOARD, chance, phases=3), chance))
    for _ in range(3):
        log.play(chance)
    phases = record_from_log(BOARD, log.recorded).phases
    at = chance.choice(phases)

    branch = Log(past_for_branch(BOARD, log.recorded, DATC, at.phase))

    assert branch.game
    assert branch.game.stage is Stage.PLAYING
    assert branch.game.position == at.position
    assert record_from_log(BOARD, branch.recorded).phases[:-1] == phases[: phases.index(at)]
