"""Random games on every board: logged, reported, written as JSON and verified."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random  # noqa: TID251 each case has its seed

import pytest

from judge.adapters.variant_files import InstalledVariants, load_map, variants
from judge.archive.formats import record_json
from judge.archive.log_conversion import record_from_log
from judge.archive.reading import Doubts, Reading
from judge.archive.verification import replay_phase, replayable_phases
from judge.event_log import Recorded
from judge.game.clock import ProcessNow
from judge.game.commands import Command, decide
from judge.game.decision import Accepted
from judge.game.events import CODEC, replay
from judge.game.game_state import Game, Stage
from judge.game.house_rules import HouseRules, Nmr
from judge.game.players.creation import CreateGame
from judge.game.players.standbys import JoinGame
from judge.game.submission import SubmitOrders
from judge.rules.board import Map
from judge.rules.rulebook import DATC
from tests.properties.random_records import random_orders
from tests.support.event_store import MemoryEventStore
from tests.support.selection import one_in

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
NAME = "random"
FIVE = ("fva", "pure", "hundred", "ancient-med", "western-world")
PHASES_MAX = 200


class Log:
    """A game on *board* whose players send random orders, until *last_year* at most."""

    def __init__(self, board: Map, chance: Random, last_year: int) -> None:
        self.board, self._chance, self._store = board, chance, MemoryEventStore(CODEC)
        rules = HouseRules(nmr=Nmr.HOLD, last_year=last_year, draws=False)
        kept = None if board.is_default else InstalledVariants().recorded(board.name)
        self.put(CreateGame(NAME, board.name, DATC, rules, board=kept))
        for power in board.players:
            self.put(JoinGame(power.lower(), ((power,),), "seed"))

    @property
    def recorded(self) -> list[Recorded]:
        return list(self._store.read(NAME))

    @property
    def game(self) -> Game | None:
        return replay(self.board, self.recorded)

    def put(self, command: Command) -> None:
        game = self.game
        answer = decide(self.board, game, command, NOW)
        if isinstance(answer, Accepted):
            self._store.append(NAME, game.version if game else 0, answer.events, NOW)

    def play_to_the_end(self) -> Game:
        for _ in range(PHASES_MAX):
            game = self.game
            assert game
            if game.stage is Stage.ENDED:
                return game
            assert game.position
            for power, orders in random_orders(self.board, self._chance, game.position).items():
                if power in game.seats:
                    person = game.seats[power].person or ""
                    self.put(SubmitOrders(power, person, tuple(orders), NOW, "mail", "nonce"))
            self.put(ProcessNow("operator"))
        raise AssertionError("the game did not end")


def play_and_verify(variant: str, years: int) -> None:
    board = load_map(variant)
    last_year = board.start.phase.year + years * board.calendar.years
    log = Log(board, Random(variant), last_year)  # noqa: S311 - a test

    ended = log.play_to_the_end()

    assert ended.ending
    record = record_from_log(board, log.recorded)
    lines = list(record_json.write_record(record, board))
    [read] = record_json.read(Reading(board, "a game", "0", Doubts("a game")), lines)
    trials = tuple(replayable_phases(board.calendar, read.phases))
    assert len(trials) >= len(record.phases) - 1
    assert [each.phase for each in trials if replay_phase(board, each, DATC)[1]] == []
    assert read.phases == record.phases


@pytest.mark.parametrize("variant", one_in(3, FIVE))
def test_a_random_game_of_two_years_is_verified(variant: str) -> None:
    play_and_verify(variant, years=2)


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants())
def test_a_random_game_to_its_end_is_verified(variant: str) -> None:
    play_and_verify(variant, years=12)
