"""The tasks that await a moderator."""

from __future__ import annotations

import pytest

from judge.game.clock import ProcessNow
from judge.game.commands import Command
from judge.game.deadlines import AnswerExtension, AskExtension, Pause, ResumeGame
from judge.game.house_rules import HOUR, HouseRules, Start
from judge.game.moderator_tasks import (
    CanBegin,
    ExtensionWanted,
    LatePlayer,
    ModeratorTask,
    PausedGame,
    PhaseOverdue,
    command_for_answer,
    moderator_tasks,
    tasks_mark,
)
from judge.game.players.joining import Begin
from judge.game.players.seats import Eject
from judge.game.players.standbys import JoinGame
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    MONDAY,
    all_hold,
    created,
    draw,
    given,
    look,
    started,
)


def test_a_running_or_finished_game_has_no_tasks() -> None:
    assert moderator_tasks(BOARD, started()) == ()
    assert moderator_tasks(BOARD, given(started(), *map(draw, BOARD.powers))) == ()


def test_a_game_that_begins_by_hand_waits_for_that() -> None:
    rules = HouseRules(start=Start.BY_HAND)
    joins = [JoinGame(power.lower(), (), "seed") for power in BOARD.powers[:2]]

    assert moderator_tasks(BOARD, created(rules)) == ()
    assert moderator_tasks(BOARD, given(created(rules), *joins)) == (CanBegin(2),)
    assert moderator_tasks(BOARD, given(created(), *joins)) == ()


def test_requests_and_a_pause_are_tasks() -> None:
    asked = AskExtension("ITALY", "italy", 24 * HOUR, "")

    game = given(started(), asked, Pause("ill", "mod"))

    assert moderator_tasks(BOARD, game) == (
        PausedGame(MONDAY),
        ExtensionWanted("ITALY", 24 * HOUR),
    )


@pytest.mark.parametrize("manual", [True, False])
def test_late_players_and_a_phase_closed_by_hand_are_tasks(*, manual: bool) -> None:
    rules = HouseRules(manual_processing=manual, first_spring_extension_hours=0 * HOUR)
    game = started(rules)
    game = given(game, *all_hold(game, but="ITALY"), look(DEADLINE))

    assert moderator_tasks(BOARD, game) == (
        *((PhaseOverdue("S1901M"),) if manual else ()),
        LatePlayer("ITALY"),
    )


@pytest.mark.parametrize(
    ("decision", "yes"),
    [
        (LatePlayer("F"), Eject("F", "m")),
        (PhaseOverdue("S1901M"), ProcessNow("m", "S1901M")),
        (PausedGame(MONDAY), ResumeGame("m")),
        (CanBegin(3), Begin("m", "seed")),
    ],
)
def test_yes_performs_the_task_and_no_leaves_it(decision: ModeratorTask, yes: Command) -> None:
    assert command_for_answer(decision, "m", "seed", yes=True) == yes
    assert command_for_answer(decision, "m", "seed", yes=False) is None


@pytest.mark.parametrize("yes", [True, False])
def test_a_request_for_time_is_answered_either_way(*, yes: bool) -> None:
    wanted = ExtensionWanted("F", HOUR)

    assert command_for_answer(wanted, "m", "seed", yes=yes) == AnswerExtension("F", yes, "m")


def test_a_mark_is_of_these_decisions_only() -> None:
    assert tasks_mark((LatePlayer("FRANCE"),)) == tasks_mark((LatePlayer("FRANCE"),))
    assert tasks_mark((LatePlayer("FRANCE"),)) != tasks_mark((LatePlayer("ITALY"),))
