"""Imported games and branches: over, or with vacant powers to take over."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.game.decision import Why
from judge.game.game_state import Game, SeatState, Stage
from judge.game.house_rules import HOUR, HouseRules
from judge.game.payloads import position_from_payload, position_to_payload
from judge.game.phases import PhaseOpened, PhaseRecorded
from judge.game.players.creation import (
    CreateGame,
    GameBranched,
    GameCreated,
    GameImported,
    Origin,
    PastGame,
)
from judge.game.players.joining import Resign
from judge.game.players.seats import CivilDisorderDeclared, PowerTakenOver
from judge.game.players.standbys import JoinGame
from judge.game.visibility import Moderator, Observer, view
from judge.game.voting import GameEnded
from judge.rules.rulebook import DATC
from judge.rules.types import Phase, Position
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    MONDAY,
    STANDARD,
    all_hold,
    concede,
    deadline_of,
    draw,
    given,
    happened,
    look,
    phase_of,
    refused,
    submit,
)

IMPORTED = GameImported("somme", "somme.txt", "njudge", "0" * 64, None)
SPRING = PhaseRecorded(
    phase="S1901M",
    position=position_to_payload(BOARD.start),
    orders=(),
    results_told=False,
    removed=(),
    by_law=False,
)
FALL = replace(BOARD.start, phase=Phase.parse("F1901M"))
WEEK = timedelta(days=7)


def create(
    then: Position | GameEnded = FALL, rules: HouseRules = STANDARD, origin: Origin = IMPORTED
) -> CreateGame:
    return CreateGame("again", "standard", DATC, rules, "mod", PastGame(origin, (SPRING,), then))


def game(rules: HouseRules = STANDARD) -> Game:
    return given(None, create(rules=rules))


def join(power: str, person: str = "") -> JoinGame:
    return JoinGame(person or power.lower(), (), "seed", power)


def taken_over(*powers: str) -> Game:
    return given(game(), *map(join, powers))


def test_an_import_records_the_past_phases_and_opens_the_next() -> None:
    created, origin, recorded, opened = happened(None, create())

    assert isinstance(created, GameCreated)
    assert origin == replace(IMPORTED, takeover_until="2026-11-30T12:00:00Z")
    assert recorded == SPRING
    assert isinstance(opened, PhaseOpened)
    assert (opened.phase, opened.number) == ("F1901M", 1)
    assert position_from_payload(opened.position) == FALL
    assert opened.deadline == "2026-11-30T20:00:00Z"  # as for the first phase of any game


def test_a_branch_is_as_vacant_as_an_imported_game() -> None:
    origin = GameBranched("baltic", 9, "f" * 64, None)

    begun = given(None, create(origin=origin))

    assert begun.origin == replace(origin, takeover_until="2026-11-30T12:00:00Z")
    assert {seat.state for seat in begun.seats.values()} == {SeatState.VACANT}


def test_names_and_house_rules_are_checked_as_for_any_game() -> None:
    assert refused(None, replace(create(), game="Again")) is Why.BAD_NAME
    assert refused(None, create(rules=HouseRules(zone="Mars"))) is Why.BAD_HOUSE_RULES
    assert refused(game(), create()) is Why.GAME_EXISTS


def test_an_ended_game_is_over_and_nobody_has_ever_played_it_here() -> None:
    ended = given(None, create(GameEnded("F1907M", "draw", ("FRANCE", "ITALY"))))

    assert ended.stage is Stage.ENDED
    assert ended.position == BOARD.start  # the last recorded position
    assert not any(seat.person for seat in ended.seats.values())
    assert refused(ended, join("FRANCE")) is Why.GAME_OVER
    assert happened(ended, look(MONDAY + WEEK)) == ()


def test_its_powers_are_taken_over_as_those_of_players_who_left() -> None:
    assert happened(game(), join("FRANCE")) == (PowerTakenOver("FRANCE", "france", "F1901M"),)
    assert refused(taken_over("FRANCE"), join("FRANCE", "bob")) is Why.NO_VACANCY
    assert refused(taken_over("FRANCE"), join("ITALY", "france")) is Why.ALREADY_IN


@pytest.mark.parametrize("reader", [Moderator(), Observer()])
def test_only_players_who_took_over_are_shown(reader: Moderator | Observer) -> None:
    assert view(taken_over("FRANCE"), reader).people == {"FRANCE": "france"}


def test_nobody_orders_for_a_vacant_power() -> None:
    assert refused(game(), submit("FRANCE", "A Par-Bur")) is Why.NOT_A_PLAYER


def test_a_player_who_took_over_may_resign() -> None:
    assert given(taken_over("FRANCE"), Resign("france")).seats["FRANCE"].person == "france"


def test_the_phase_closes_when_all_have_ordered() -> None:
    everybody = taken_over(*BOARD.powers)

    after = given(given(everybody, *all_hold(everybody)), look(MONDAY + timedelta(hours=13)))

    assert phase_of(after) == "S1902M"
    assert after.phase
    assert after.phase.number == 2


def test_the_phase_waits_for_players_until_their_time_is_over() -> None:
    but_turkey = [power for power in BOARD.powers if power != "TURKEY"]
    waiting = taken_over(*but_turkey)
    waiting = given(waiting, *all_hold(waiting, but="TURKEY"))
    assert happened(waiting, look(MONDAY + timedelta(days=6))) == ()

    first, *_ = happened(waiting, look(MONDAY + WEEK))

    assert first == CivilDisorderDeclared("TURKEY", "F1901M")
    assert given(waiting, look(DEADLINE)).seats["TURKEY"].state is SeatState.CIVIL_DISORDER


def test_a_game_that_nobody_wants_is_abandoned() -> None:
    *_, last = happened(game(), look(MONDAY + WEEK))

    assert last == GameEnded("F1901M", "abandoned", ())


def test_the_first_players_cannot_end_the_game_before_the_takeover_time_is_over() -> None:
    two = given(taken_over("FRANCE", "ITALY"), draw("FRANCE"), concede("ITALY", "FRANCE"))

    assert two.stage is Stage.PLAYING
    assert happened(two, draw("ITALY"))[1:] == ()
    *_, last = happened(given(two, draw("ITALY")), look(MONDAY + WEEK))
    assert last == GameEnded("F1901M", "draw", BOARD.powers)


def test_a_late_takeover_gets_time_for_orders() -> None:
    late = given(None, create(rules=HouseRules(takeover_hours=500 * HOUR)))
    two_hours_before = DEADLINE - timedelta(hours=2)

    events = happened(late, join("FRANCE"), two_hours_before)

    assert [type(each).__name__ for each in events] == ["PowerTakenOver", "DeadlineMoved"]
    assert deadline_of(late) == DEADLINE
