"""Unreadable events are found in the log of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from judge.event_log import Event, Row
from judge.game.events import CODEC, unreadable_event
from judge.game.future_orders import OrdersPlanned
from judge.game.phases import PhaseClosed
from judge.game.rollback import GameRolledBack, GameRolledForward
from judge.game.submission import OrdersCleared, OrdersSubmitted
from judge.game.voting import GameEnded
from tests.support.event_store import MemoryEventStore
from tests.unit.game.table import MONDAY

if TYPE_CHECKING:
    from collections.abc import Sequence

WRITTEN, TORN = "A PAR - BUR", "A PAR - "
SET = {"FRANCE": (WRITTEN,)}
SUBMITTED = OrdersSubmitted(
    power="FRANCE",
    person="france",
    phase="S1901M",
    orders=(WRITTEN,),
    standing=(WRITTEN,),
    received="2026-11-23T12:00:00Z",
    mail="mail",
    evidence=None,
    nonce="nonce",
)
CLEARED = OrdersCleared("FRANCE", "france", "S1901M", (WRITTEN,), "now", "mail", "nonce")
PLANNED = OrdersPlanned(
    power="FRANCE",
    person="france",
    phase="S1901M",
    later="F1901M",
    wishes=({"if": None, "orders": (WRITTEN,)},),
    received="now",
    mail="mail",
    evidence=None,
    nonce="nonce",
)
CLOSED = PhaseClosed("S1901M", 1, SET, (), (), (), (), {}, {}, "datc", "1")
BACK = GameRolledBack("S1901M", 9, 1, {}, (), SET, {}, "now", "then", "then", "a slip", "mod")
FORWARD = GameRolledForward("S1901M", 9, 1, {}, (), SET, {}, "now", "then", "then", "", "mod")


def logged(events: Sequence[Event]) -> tuple[Row, ...]:
    store = MemoryEventStore(CODEC)
    store.append("lepanto", 0, events, MONDAY)
    return tuple(store.rows("lepanto"))


@pytest.mark.parametrize("event", [SUBMITTED, CLEARED, PLANNED, CLOSED, BACK, FORWARD])
def test_the_first_event_with_an_order_that_cannot_be_read_is_found(event: Event) -> None:
    rows = logged((SUBMITTED, event, GameEnded("S1901M", "abandoned", ())))
    torn = (replace(row, payload=row.payload.replace(WRITTEN, TORN)) for row in rows[1:])

    assert unreadable_event(rows) is None
    assert unreadable_event((rows[0], *torn)) == 2


def test_an_invalid_event_is_found() -> None:
    [row] = logged((CLOSED,))

    assert unreadable_event([replace(row, payload="{}")]) == 1
