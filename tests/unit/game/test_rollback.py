"""Rolling a game back to an earlier phase, and correcting its board."""

from __future__ import annotations

from dataclasses import replace

from judge.event_log import Event, Recorded
from judge.game.clock import ProcessNow
from judge.game.decision import Accepted, Why
from judge.game.events import CODEC, replay
from judge.game.game_state import Game, Stage
from judge.game.house_rules import HouseRules
from judge.game.moderator_actions import ChangeRules
from judge.game.moderator_tasks import roll_forward_target
from judge.game.phases import PhaseClosed
from judge.game.players.creation import CreateGame
from judge.game.players.joining import Begin, Resign
from judge.game.players.standbys import JoinGame
from judge.game.rollback import (
    CorrectPosition,
    EarlierPhase,
    GameRolledBack,
    GameRolledForward,
    RollBack,
    RollForward,
    Unstart,
    played_phases,
    without_rolled_back,
)
from judge.rules.rulebook import DATC
from judge.rules.types import Unit, UnitKind
from tests.support.event_store import MemoryEventStore
from tests.unit.game.table import (
    BOARD,
    MONDAY,
    STANDARD,
    all_hold,
    ask,
    created,
    draw,
    given,
    phase_of,
    refused,
    standing,
    started,
    submit,
)


class Log:
    """A game with its event log."""

    def __init__(self) -> None:
        self.store = MemoryEventStore(CODEC)
        self.put(CreateGame("lepanto", "standard", DATC, STANDARD, "mod"))
        for power in BOARD.powers:
            self.put(JoinGame(power.lower(), ((power,),), "seed"))

    @property
    def events(self) -> tuple[Recorded, ...]:
        return tuple(self.store.read("lepanto"))

    @property
    def game(self) -> Game:
        found = replay(BOARD, self.events)
        assert found
        return found

    def put(self, command: object) -> tuple[Event, ...]:
        before = replay(BOARD, self.events)
        answer = ask(before, command, MONDAY)  # type: ignore[arg-type] # any command
        assert isinstance(answer, Accepted), answer
        self.store.append("lepanto", before.version if before else 0, answer.events, MONDAY)
        return answer.events

    def play(self, *orders: tuple[str, str]) -> None:
        for power, text in orders:
            self.put(submit(power, text))
        self.put(ProcessNow("operator"))

    def earlier(self, phase: str) -> EarlierPhase:
        return next(
            each for each in played_phases(self.events) if each.position.phase.code == phase
        )

    def forward(self) -> tuple[Event, ...]:
        forth = roll_forward_target(BOARD, self.events)
        assert forth
        return self.put(RollForward(forth, "it was right", "mod"))

    def back_to(self, phase: str, *, restore: bool = False) -> GameRolledBack:
        command = RollBack(self.earlier(phase), "a wrong reading", "mod", restore)
        [event] = self.put(command)
        assert isinstance(event, GameRolledBack)
        return event


def test_a_game_goes_back_to_a_phase_that_was_played() -> None:
    log = Log()
    log.play(("FRANCE", "A PAR - BUR"))
    log.play(("FRANCE", "A BUR - BEL"))

    event = log.back_to("S1901M")

    assert event.undone == ("S1901M", "F1901M")
    assert phase_of(log.game) == "S1901M"
    assert log.game.position == BOARD.start
    assert standing(log.game, "FRANCE") == ()
    assert log.game.replayed == {"S1901M", "F1901M"}


def test_a_rollback_can_restore_orders_with_their_commitments() -> None:
    log = Log()
    log.play(("FRANCE", "A PAR - BUR"))
    log.back_to("S1901M", restore=True)

    assert standing(log.game, "FRANCE") == ("A PAR - BUR",)
    [*_, closed, _] = log.put(ProcessNow("operator"))
    assert isinstance(closed, PhaseClosed)
    assert closed.orders == {"FRANCE": ("A PAR - BUR",)}


def test_a_replayed_phase_can_be_rolled_back_again() -> None:
    log = Log()
    log.play(("FRANCE", "A PAR - BUR"))
    log.play()
    log.back_to("F1901M")
    log.play(("FRANCE", "A BUR - MUN"))
    first = log.back_to("S1901M")
    log.play()
    second = log.back_to("S1901M")

    assert first.undone == ("S1901M", "F1901M")
    assert second.undone == ("S1901M",)
    assert [each.position.phase.code for each in played_phases(log.events)] == ["S1901M"]


def test_phases_rolled_back_do_not_count() -> None:
    log = Log()
    log.play(("FRANCE", "A PAR - BUR"))
    log.play()
    log.back_to("S1901M")
    log.play(("FRANCE", "A PAR - PIC"))

    counting = [each.event for each in without_rolled_back(log.events)]
    closed = [each for each in counting if isinstance(each, PhaseClosed)]
    assert [each.orders for each in closed] == [{"FRANCE": ("A PAR - PIC",)}]
    again = replay(BOARD, without_rolled_back(log.events))
    assert again
    assert again.position == log.game.position


def test_a_finished_game_can_be_rolled_back() -> None:
    log = Log()
    log.play()
    for power in BOARD.powers:
        log.put(draw(power))
    assert log.game.stage is Stage.ENDED

    log.back_to("S1901M")

    assert (log.game.stage, log.game.ending) == (Stage.PLAYING, None)
    assert log.game.draw_votes == frozenset()


def test_a_phase_not_played_cannot_be_rolled_back_to() -> None:
    log = Log()

    assert refused(log.game, RollBack(log.earlier("S1901M"), "", "mod")) is Why.NOTHING_PLAYED
    assert refused(created(), RollBack(log.earlier("S1901M"), "", "mod")) is Why.NOT_STARTED


class TestForward:
    def test_rolling_forward_restores_the_phase_and_its_orders(self) -> None:
        log = Log()
        log.play(("FRANCE", "A PAR - BUR"))
        log.put(submit("FRANCE", "A BUR - BEL"))
        before = log.game
        back = log.back_to("S1901M")

        [forward] = log.forward()

        assert isinstance(forward, GameRolledForward)
        assert forward.redone == back.undone == ("S1901M",)
        assert phase_of(log.game) == "F1901M"
        assert log.game.position == before.position
        assert standing(log.game, "FRANCE") == ("A BUR - BEL",)
        assert log.game.replayed == frozenset()

    def test_phases_rolled_forward_count_and_can_be_rolled_back_again(self) -> None:
        log = Log()
        log.play(("FRANCE", "A PAR - BUR"))
        log.play(("FRANCE", "A BUR - BEL"))
        log.back_to("S1901M")
        log.forward()
        log.play()

        closed = [
            e.event for e in without_rolled_back(log.events) if isinstance(e.event, PhaseClosed)
        ]
        assert [each.phase for each in closed] == ["S1901M", "F1901M", "W1901A"]
        again = replay(BOARD, without_rolled_back(log.events))
        assert again
        assert again.position == log.game.position
        assert log.back_to("F1901M").undone == ("F1901M", "W1901A")
        assert [each.position.phase.code for each in played_phases(log.events)] == [
            "S1901M",
            "F1901M",
        ]

    def test_several_rollbacks_in_a_row_are_undone_at_once(self) -> None:
        log = Log()
        log.play(("FRANCE", "A PAR - BUR"))
        log.play(("FRANCE", "A BUR - BEL"))
        log.back_to("F1901M")
        log.back_to("S1901M")

        [forward] = log.forward()

        assert isinstance(forward, GameRolledForward)
        assert forward.redone == ("S1901M", "F1901M")
        assert phase_of(log.game) == "W1901A"

    def test_a_roll_forward_needs_a_rollback(self) -> None:
        log = Log()
        assert roll_forward_target(BOARD, log.events) is None
        log.play()
        assert roll_forward_target(BOARD, log.events) is None
        log.back_to("S1901M")
        forth = roll_forward_target(BOARD, log.events)
        log.play()
        assert roll_forward_target(BOARD, log.events) is None
        for power in BOARD.powers:
            log.put(draw(power))
        log.back_to("S1901M")
        assert roll_forward_target(BOARD, log.events) is None
        assert forth
        assert refused(created(), RollForward(forth, "", "mod")) is Why.NOT_STARTED


class TestUnstart:
    def test_an_unstarted_game_forms_again_with_its_players(self) -> None:
        game = given(started(), submit("FRANCE", "A PAR - BUR"), Resign("italy"))

        forming = given(game, Unstart("somebody is missing", "mod"))

        assert (forming.stage, forming.position, forming.phase) == (Stage.FORMING, None, None)
        assert "italy" not in forming.joined
        assert forming.joined["france"] == (("FRANCE",),)
        assert forming.seats == {}

    def test_an_unstarted_game_can_start_again(self) -> None:
        again = given(started(), Unstart("", "mod"), Begin("mod", "seed"))

        assert again.power_of("france") == "FRANCE"
        assert phase_of(again) == "S1901M"

    def test_an_unstarted_game_keeps_the_promises_of_its_start(self) -> None:
        forming = given(started(HouseRules(anonymous=True)), Unstart("", "mod"))

        assert refused(forming, ChangeRules(STANDARD, "mod")) is Why.ALREADY_STARTED
        without_draws = ChangeRules(HouseRules(anonymous=True, draws=False), "mod")
        assert not given(forming, without_draws).house_rules.draws

    def test_a_played_game_cannot_be_unstarted(self) -> None:
        log = Log()
        log.play()
        assert refused(log.game, Unstart("", "mod")) is Why.PLAYED_ON
        log.back_to("S1901M")
        assert refused(log.game, Unstart("", "mod")) is Why.PLAYED_ON
        assert refused(created(), Unstart("", "mod")) is Why.NOT_STARTED


def test_a_board_correction_clears_the_orders() -> None:
    game = given(started(), *all_hold(started()))
    army = Unit("TURKEY", UnitKind.ARMY, "SYR")
    right = replace(BOARD.start, units=(*BOARD.start.units, army))

    after = given(game, CorrectPosition(right, "an army was forgotten", "mod"))

    assert after.position == right
    assert standing(after, "FRANCE") == ()


def test_a_phase_is_played_from_the_corrected_board() -> None:
    log = Log()
    right = replace(BOARD.start, units=BOARD.start.units[1:])
    log.put(CorrectPosition(right, "a unit too many", "mod"))
    log.play()

    assert log.earlier("S1901M").position == right


def test_only_the_open_phases_board_can_be_corrected() -> None:
    game = given(started(), ProcessNow("operator"))
    assert game.position
    klingons = replace(game.position, owners={"PAR": "KLINGONS"})

    assert refused(game, CorrectPosition(BOARD.start, "", "mod")) is Why.OTHER_PHASE
    assert refused(game, CorrectPosition(game.position, "", "mod")) is Why.NOTHING_CHANGED
    assert refused(game, CorrectPosition(klingons, "", "mod")) is Why.UNKNOWN_POWER
    assert refused(created(), CorrectPosition(BOARD.start, "", "mod")) is Why.NOT_STARTED
