"""A late player whose email bounced gets a longer grace, once a game year."""

from __future__ import annotations

from datetime import timedelta

from judge.game.clock import Tick
from judge.game.deadlines import PowerProtected
from judge.game.game_state import Game
from judge.game.house_rules import HOUR, HouseRules
from judge.game.phases import PhaseClosed
from judge.game.players.seats import PowerVacated
from tests.unit.game.table import DAY, DEADLINE, all_hold, given, happened, look, started

GRACE_END = DEADLINE + DAY
SPARED_UNTIL = GRACE_END + timedelta(hours=48)
TURKEY = frozenset({"turkey"})
UNPROTECTED = HouseRules(first_spring_extension_hours=0 * HOUR)


def late(rules: HouseRules = UNPROTECTED) -> Game:
    game = started(rules)
    return given(game, *all_hold(game, but="TURKEY"), look(DEADLINE))


def test_grace_is_two_days_longer_for_an_unreachable_player() -> None:
    events = happened(late(), Tick(GRACE_END, TURKEY))

    assert events == (PowerProtected("TURKEY", "turkey", "S1901M", "2026-12-03T20:00:00Z"),)
    assert happened(given(late(), Tick(GRACE_END, TURKEY)), Tick(SPARED_UNTIL - DAY, TURKEY)) == ()


def test_a_longer_grace_is_given_once_a_year() -> None:
    game = given(late(), Tick(GRACE_END, TURKEY))

    [vacated] = happened(game, Tick(SPARED_UNTIL, TURKEY))

    assert isinstance(vacated, PowerVacated)


def test_a_reachable_player_gets_no_longer_grace() -> None:
    [vacated] = happened(late(), Tick(GRACE_END, frozenset({"france"})))

    assert isinstance(vacated, PowerVacated)


def test_the_phase_closes_when_the_unreachable_player_orders() -> None:
    game = given(late(), Tick(GRACE_END, TURKEY))
    orders = [each for each in all_hold(game, at=GRACE_END + DAY) if each.power == "TURKEY"]

    closed, *_ = happened(given(game, *orders), look(SPARED_UNTIL))

    assert isinstance(closed, PhaseClosed)
    assert closed.nmr == ()


def test_an_unreachable_player_is_spared_in_the_first_phase_as_well() -> None:
    game = given(late(HouseRules()), look(DEADLINE + 2 * DAY))

    events = happened(game, Tick(DEADLINE + 3 * DAY, TURKEY))

    assert [type(each) for each in events] == [PowerProtected]
