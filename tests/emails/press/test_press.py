"""Press is sent as it is: hardly any is held, and none of it changes anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.mail.body import split
from tests.emails.press.generated import Press
from tests.emails.press.recorded import recorded_press
from tests.emails.press.trying import is_held, try_press

HELD_MAX = 0.02
CARRIED_OUT_MAX = 0.01  # of recorded press, if it were sent as orders


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(120, marks=pytest.mark.sample),
        pytest.param(1_000, marks=pytest.mark.gate),
        pytest.param(3_000, marks=pytest.mark.slow),
    ],
)
def test_hardly_any_press_is_held_and_nothing_in_it_is_acted_on(count: int) -> None:
    tried = try_press(count)

    assert len(tried.held) <= HELD_MAX * count, tried.held[0].text
    assert tried.wishes == {}


@pytest.mark.skipif("JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder")
def test_recorded_press_is_sent_and_hardly_any_would_be_read_as_orders() -> None:
    messages = tuple(recorded_press(Path(os.environ["JUDGE_SAMPLES"])))

    assert messages
    assert sum(map(is_held, messages)) <= HELD_MAX * len(messages)
    assert sum(map(orders_something, messages)) <= CARRIED_OUT_MAX * len(messages)


def orders_something(press: Press) -> bool:
    situation = Situation(press.board, press.position, press.power)
    return bool(read_email(situation, split(press.text)).orders)
