"""XIV.1: when the time set aside for diplomacy is over, minutes are left to write orders in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.decision import Why
from judge.game.house_rules import MINUTE, HouseRules
from judge.game.press import MODERATOR
from tests.unit.game.table import DEADLINE, happened, letter, refused, started, submit

FIVE_MINUTES = timedelta(minutes=5)
SECOND = timedelta(seconds=1)
WRITING = started(HouseRules(press_closes_before_deadline=5 * MINUTE))


def test_nobody_writes_to_others_in_the_last_five_minutes() -> None:
    in_time = letter("FRANCE", "ITALY", at=DEADLINE - FIVE_MINUTES - SECOND)

    assert happened(WRITING, in_time)
    for at in (DEADLINE - FIVE_MINUTES, DEADLINE - SECOND, DEADLINE + SECOND):
        assert refused(WRITING, letter("FRANCE", "ITALY", at=at)) is Why.PRESS_CLOSED


@pytest.mark.parametrize("pair", [("FRANCE", MODERATOR), (MODERATOR, "FRANCE")])
def test_the_moderator_is_written_to_all_the_same_and_writes(pair: tuple[str, str]) -> None:
    writer, reader = pair

    assert happened(WRITING, letter(writer, reader, at=DEADLINE - SECOND))


def test_orders_are_taken_up_to_the_deadline() -> None:
    assert happened(WRITING, submit("FRANCE", "A Par-Bur", at=DEADLINE - SECOND))


def test_without_the_house_rule_diplomacy_lasts_as_long() -> None:
    assert happened(started(), letter("FRANCE", "ITALY", at=DEADLINE - SECOND))
