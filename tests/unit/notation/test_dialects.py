"""A whole recorded game, written in five styles and read back."""

from __future__ import annotations

import pytest

from judge.app.commands.order_lines import read_for_phase
from judge.notation.readings import Understood
from tests.support.dialects import DIALECTS
from tests.support.recorded_game import BOARD, game_10713


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_order_of_a_game_is_read_as_it_was_written(dialect: str) -> None:
    for phase in game_10713().phases:
        for power in BOARD.powers:
            orders = [each.order for each in phase.orders if each.power == power and each.order]
            text = DIALECTS[dialect](orders, BOARD)

            readings = read_for_phase(text, BOARD, phase.phase.kind)

            read = [each.order for each in readings if isinstance(each, Understood)]
            asked = len(readings) - len(read)
            assert len(read) + asked == len(orders), text
            assert read == [each for each in orders if each in read], text
            assert not asked or dialect == "sentences", text
