"""Press is sent as it is: hardly any is held, and none of it changes anything."""

from __future__ import annotations

import pytest

from tests.emails.press.trying import try_press

HELD_MAX = 0.02


@pytest.mark.parametrize("count", [300, pytest.param(3_000, marks=pytest.mark.gate)])
def test_hardly_any_press_is_held_and_nothing_in_it_is_acted_on(count: int) -> None:
    tried = try_press(count)

    assert len(tried.held) <= HELD_MAX * count, tried.held[0].text
    assert tried.wishes == {}
