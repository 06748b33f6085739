"""A whole recorded game, written in five styles and read back."""

from __future__ import annotations

import pytest

from judge.app.commands.email_orders import read_email
from judge.app.commands.order_lines import read_for_phase
from judge.app.commands.situation import Situation
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import Understood
from tests.e2e.test_long_game import RECORDED, asked, orders_of, written
from tests.support.dialects import DIALECTS
from tests.support.recorded_game import BOARD, game_10713
from tests.support.selection import one_in


@pytest.mark.parametrize("dialect", one_in(3, DIALECTS))
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


@pytest.mark.parametrize(
    "number", one_in(4, range(len(RECORDED))), ids=lambda n: RECORDED[n].phase.code
)
def test_every_email_of_the_game_that_is_replayed_by_mail_leaves_nothing_to_ask(
    number: int,
) -> None:
    position = RECORDED[number].position
    assert position
    for power in asked(RECORDED[number]):
        read = read_email(Situation(BOARD, position, power), split(written(number, power)))
        orders = orders_of(number, power)
        assert sorted(map(write_order, read.orders)) == sorted(map(write_order, orders))
