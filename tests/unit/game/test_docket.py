"""What waits for a moderator."""

from __future__ import annotations

import pytest

from judge.game.commands import Begin, Command, JoinGame, ProcessNow
from judge.game.docket import (
    CanBegin,
    Decision,
    Late,
    Overdue,
    Standing,
    TimeWanted,
    answered,
    docket,
    mark,
)
from judge.game.house_rules import HouseRules, Start
from judge.game.steps import AnswerExtension, AskExtension, Eject, GoOn, Pause
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


def test_nothing_waits_in_a_game_that_goes_its_way_or_is_over() -> None:
    assert docket(BOARD, started()) == ()
    assert docket(BOARD, given(started(), *map(draw, BOARD.powers))) == ()


def test_a_game_that_begins_by_hand_waits_for_that() -> None:
    rules = HouseRules(start=Start.BY_HAND)
    joins = [JoinGame(power.lower(), (), "seed") for power in BOARD.powers[:2]]

    assert docket(BOARD, created(rules)) == ()
    assert docket(BOARD, given(created(rules), *joins)) == (CanBegin(2),)
    assert docket(BOARD, given(created(), *joins)) == ()


def test_requests_and_a_pause_wait() -> None:
    asked = AskExtension("ITALY", "italy", 24, "")

    game = given(started(), asked, Pause("ill", "mod"))

    assert docket(BOARD, game) == (Standing(MONDAY), TimeWanted("ITALY", 24))


@pytest.mark.parametrize("manual", [True, False])
def test_the_late_wait_and_a_phase_that_closes_by_hand(*, manual: bool) -> None:
    rules = HouseRules(manual_processing=manual, first_spring_extension_hours=0)
    game = started(rules)
    game = given(game, *all_hold(game, but="ITALY"), look(DEADLINE))

    assert docket(BOARD, game) == (*((Overdue("S1901M"),) if manual else ()), Late("ITALY"))


@pytest.mark.parametrize(
    ("decision", "yes"),
    [
        (Late("F"), Eject("F", "m")),
        (Overdue("S1901M"), ProcessNow("m", "S1901M")),
        (Standing(MONDAY), GoOn("m")),
        (CanBegin(3), Begin("m", "seed")),
    ],
)
def test_yes_does_something_and_no_leaves_it(decision: Decision, yes: Command) -> None:
    assert answered(decision, "m", "seed", yes=True) == yes
    assert answered(decision, "m", "seed", yes=False) is None


@pytest.mark.parametrize("yes", [True, False])
def test_who_asks_for_time_gets_an_answer_either_way(*, yes: bool) -> None:
    wanted = TimeWanted("F", 1)

    assert answered(wanted, "m", "seed", yes=yes) == AnswerExtension("F", yes, "m")


def test_a_mark_is_of_these_decisions_only() -> None:
    assert mark((Late("FRANCE"),)) == mark((Late("FRANCE"),))
    assert mark((Late("FRANCE"),)) != mark((Late("ITALY"),))
