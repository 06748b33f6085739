"""The judge was away: everybody gets the time back (docs/developers/decisions.md, Time)."""

from __future__ import annotations

from dataclasses import replace

from judge.game.clock import OUTAGE, CreditOutage
from judge.game.deadlines import DeadlineMoved, DeadlinePassed
from tests.unit.game.table import (
    BOARD,
    DAY,
    HOUR,
    STANDARD,
    all_hold,
    created,
    given,
    happened,
    look,
    opened,
)
from tests.unit.game.test_deadline import FRIDAY, THURSDAY


def test_a_deadline_that_was_running_is_put_off_by_the_length_of_the_outage() -> None:
    away = CreditOutage(began=THURSDAY - HOUR)

    assert happened(opened(BOARD.start), away, now=THURSDAY + HOUR) == (
        DeadlineMoved("S1901M", "2026-11-26T22:00:00Z", "2026-11-27T22:00:00Z", OUTAGE, None),
    )


def test_in_grace_its_end_is_put_off_and_the_deadline_stays() -> None:
    game = opened(BOARD.start)
    game = given(game, *all_hold(game, but="TURKEY"), look(THURSDAY))

    assert happened(game, CreditOutage(began=THURSDAY + HOUR), now=FRIDAY + DAY) == (
        DeadlinePassed("S1901M", ("TURKEY",), "2026-11-29T19:00:00Z"),
    )


def test_a_grace_that_had_ended_before_the_outage_stays() -> None:
    game = opened(BOARD.start)
    game = given(game, *all_hold(game, but="TURKEY"), look(THURSDAY))

    assert happened(game, CreditOutage(began=FRIDAY + HOUR), now=FRIDAY + DAY) == ()


def test_where_nothing_is_open_or_closes_by_itself_nothing_is_put_off() -> None:
    manual = replace(STANDARD, manual_processing=True)

    assert happened(created(), CreditOutage(began=THURSDAY), now=FRIDAY) == ()
    assert happened(opened(BOARD.start, manual), CreditOutage(began=THURSDAY), now=FRIDAY) == ()
