"""XIV.1: the grace period for writing orders after the time for diplomacy."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.clock import ProcessNow
from judge.game.decision import Why
from judge.game.house_rules import HOUR, MINUTE, TEMPLATES, HouseRules
from judge.game.phases import PhaseOpened
from judge.game.press import MODERATOR
from tests.unit.game.table import DEADLINE, MONDAY, happened, refused, send_press, started, submit

FIVE_MINUTES = timedelta(minutes=5)
SECOND = timedelta(seconds=1)
WRITING = started(HouseRules(press_closes_before_deadline=5 * MINUTE))


def test_even_a_short_game_has_four_hours_and_phases_of_fifteen_minutes_or_less() -> None:
    game = started(TEMPLATES["evening"])

    opened = happened(game, ProcessNow("mod"), MONDAY + HOUR)[1]
    ended = happened(game, ProcessNow("mod"), MONDAY + 5 * HOUR)[-1]

    assert isinstance(opened, PhaseOpened)
    assert opened.deadline == "2026-11-23T13:15:00Z"
    assert isinstance(ended, PhaseOpened), "Fall of that year is still to be played"


def test_no_player_writes_to_others_in_the_last_five_minutes() -> None:
    in_time = send_press("FRANCE", "ITALY", at=DEADLINE - FIVE_MINUTES - SECOND)

    assert happened(WRITING, in_time)
    for at in (DEADLINE - FIVE_MINUTES, DEADLINE - SECOND, DEADLINE + SECOND):
        assert refused(WRITING, send_press("FRANCE", "ITALY", at=at)) is Why.PRESS_CLOSED


@pytest.mark.parametrize("pair", [("FRANCE", MODERATOR), (MODERATOR, "FRANCE")])
def test_the_moderator_is_written_to_all_the_same_and_writes(pair: tuple[str, str]) -> None:
    writer, reader = pair

    assert happened(WRITING, send_press(writer, reader, at=DEADLINE - SECOND))


def test_orders_are_taken_up_to_the_deadline() -> None:
    assert happened(WRITING, submit("FRANCE", "A Par-Bur", at=DEADLINE - SECOND))


def test_without_the_house_rule_diplomacy_lasts_as_long() -> None:
    assert happened(started(), send_press("FRANCE", "ITALY", at=DEADLINE - SECOND))
