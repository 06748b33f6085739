"""Mail inputs: when older mail must have arrived, and pauses between retries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from judge.adapters.inputs.imap import pause_seconds
from judge.adapters.inputs.listeners import HandoverInput

NOON = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_a_mail_server_has_a_moment_to_hand_over_what_came_before_the_deadline() -> None:
    way = HandoverInput("mx", NOON - timedelta(days=1), handover=10 * SECOND, retry=300 * SECOND)

    assert not way.has_read(NOON, NOON + 9 * SECOND)
    assert way.has_read(NOON, NOON + 10 * SECOND)


def test_after_a_start_a_mail_server_gets_time_to_retry() -> None:
    way = HandoverInput("mx", NOON, handover=10 * SECOND, retry=300 * SECOND)

    assert not way.has_read(NOON - timedelta(hours=1), NOON + 299 * SECOND)
    assert way.has_read(NOON - timedelta(hours=1), NOON + 300 * SECOND)


def test_pauses_double_up_to_five_minutes() -> None:
    assert [pause_seconds(failures) for failures in (1, 2, 3, 4)] == [1, 2, 4, 8]
    assert pause_seconds(50) == 300
