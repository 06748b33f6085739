"""An outage of the judge moves deadlines by its length (docs/developers/decisions.md, Time)."""

from __future__ import annotations

from dataclasses import replace

from judge.game.clock import OUTAGE, CreditOutage, ResumeFromBackup
from judge.game.deadlines import DeadlineMoved, DeadlinePassed
from judge.game.rollback import GameRestored
from tests.unit.game.table import (
    BOARD,
    DAY,
    HOUR,
    STANDARD,
    after,
    all_hold,
    created,
    given,
    happened,
    look,
    opened,
)
from tests.unit.game.test_deadlines import FRIDAY, THURSDAY


def test_an_open_deadline_moves_by_the_length_of_the_outage() -> None:
    away = CreditOutage(began=THURSDAY - HOUR)

    assert happened(opened(BOARD.start), away, now=THURSDAY + HOUR) == (
        DeadlineMoved("S1901M", "2026-11-26T22:00:00Z", "2026-11-27T22:00:00Z", OUTAGE, None),
    )


def test_in_grace_only_its_end_moves() -> None:
    game = opened(BOARD.start)
    game = given(game, *all_hold(game, but="TURKEY"), look(THURSDAY))

    assert happened(game, CreditOutage(began=THURSDAY + HOUR), now=FRIDAY + DAY) == (
        DeadlinePassed("S1901M", ("TURKEY",), "2026-11-29T19:00:00Z"),
    )


def test_a_grace_that_ended_before_the_outage_does_not_move() -> None:
    game = opened(BOARD.start)
    game = given(game, *all_hold(game, but="TURKEY"), look(THURSDAY))

    assert happened(game, CreditOutage(began=FRIDAY + HOUR), now=FRIDAY + DAY) == ()


def test_without_an_automatic_deadline_nothing_moves() -> None:
    manual = replace(STANDARD, manual_processing=True)

    assert happened(created(), CreditOutage(began=THURSDAY), now=FRIDAY) == ()
    assert happened(opened(BOARD.start, manual), CreditOutage(began=THURSDAY), now=FRIDAY) == ()


def test_a_restored_backup_is_recorded_and_gives_the_time_since_then_back() -> None:
    restored = ResumeFromBackup("1-0123456789abcdef", saved=THURSDAY - HOUR, began=THURSDAY - HOUR)
    game = opened(BOARD.start)

    assert happened(game, restored, now=THURSDAY + HOUR) == (
        GameRestored("1-0123456789abcdef", "2026-11-26T19:00:00Z", "S1901M"),
        DeadlineMoved("S1901M", "2026-11-26T22:00:00Z", "2026-11-27T22:00:00Z", OUTAGE, None),
    )
    then = after(game, *happened(game, restored, now=THURSDAY + HOUR))
    assert then.position == game.position
    assert then.version == game.version + 2


def test_a_backup_of_a_game_that_has_no_phase_is_recorded_too() -> None:
    restored = ResumeFromBackup("2-0123456789abcdef", saved=THURSDAY, began=THURSDAY)

    assert happened(created(), restored, now=FRIDAY) == (
        GameRestored("2-0123456789abcdef", "2026-11-26T20:00:00Z", None),
    )
