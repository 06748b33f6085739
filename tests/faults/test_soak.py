"""A soak test, of seconds or a quarter of an hour, in which every process gets killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from judge.adapters.store.transactions import SqlTransaction
from judge.app.outbound.delivery import IN_HAND_MAX
from judge.cli.operator.log import verify_game
from tests.faults.soak import Soak, soaking
from tests.support.final_count import emails_are_answered_once
from tests.support.postgres import Postgres

SECONDS = 900
PATIENCE_SECONDS = 300
WARM_EMAILS = 200  # by then a daemon has done everything once, and keeps what it needs again
EMAILS = 5 * WARM_EMAILS
GROWTH_MAX = 1.25  # of a warm daemon, from the first third of its emails to the last
CLOSED = """SELECT game, payload::json ->> 'phase', count(*) FROM events
    WHERE type = 'phase_closed' GROUP BY 1, 2"""
SENT = "SELECT message_id FROM outbox WHERE state = 'sent'"


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(
    ("games", "seconds", "pause"),
    [
        pytest.param(2, 8, (1.0, 2.0), id="quick", marks=pytest.mark.slow),
        pytest.param(8, SECONDS, (3.0, 9.0), id="long", marks=pytest.mark.slow),
    ],
)
def test_every_email_is_answered_and_every_phase_closed_once_whichever_process_dies(
    postgres: Postgres,
    tmp_path: Path,
    games: int,
    seconds: float,
    pause: tuple[float, float],
    record_property: Callable[[str, object], None],
) -> None:
    emails = EMAILS if seconds >= SECONDS else 0
    with soaking(postgres, tmp_path, games, breath_seconds=0.3) as soak:
        soak.run(seconds, emails, pause)
        soak.nodes.come_to_rest(PATIENCE_SECONDS)

        emails_are_answered_once(soak.nodes, soak.promised)
        phases = every_phase_was_closed_once(soak)
        twice = every_mail_was_sent(soak)
        every_log_is_sound(soak)
        record_property("The soak", told(soak, phases, twice))
        assert "PendingRollbackError" not in soak.nodes.log(), "a dead connection is kept"
        if emails:
            memory_is_flat(soak.resident)
        assert soak.nodes.stop() == 0


def every_phase_was_closed_once(soak: Soak) -> int:
    closed = soak.nodes.ask(CLOSED)
    assert [each for each in closed if each[2] != 1] == []
    *played, _ = soak.games  # the last one waits for its deadline
    assert {game for game, _, _ in closed} >= {*played}, "each game went on"
    return len(closed)


def every_mail_was_sent(soak: Soak) -> int:
    """Return how many emails came twice: some of those in progress when a process was killed.

    Deadlines pass and emails are queued meanwhile: every sent email has come, none was given up.
    """
    sent = {str(name) for (name,) in soak.nodes.ask(SENT)}
    came = Counter(str(mail["Message-ID"]) for mail in soak.relay.all())
    assert sent
    assert sent <= came.keys()
    assert soak.nodes.ask("SELECT DISTINCT state FROM outbox WHERE state <> 'queued'") == [
        ("sent",)
    ]
    twice = came.total() - len(came)
    assert twice <= soak.blows.total() * IN_HAND_MAX * len(soak.nodes.nodes)
    return twice


def every_log_is_sound(soak: Soak) -> None:
    with soak.judge.database.read() as transaction:
        assert isinstance(transaction, SqlTransaction)
        found = [verify_game(transaction, game) for game in soak.games]
    assert [each.wrong for each in found if each.wrong] == []


def memory_is_flat(resident: Sequence[tuple[int, int]]) -> None:
    warm = [memory for emails, memory in resident if emails >= WARM_EMAILS]
    third = len(warm) // 3
    first, last = (sorted(each)[third // 2] for each in (warm[:third], warm[-third:]))
    assert last <= GROWTH_MAX * first


def told(soak: Soak, phases: int, twice: int) -> str:
    """Return the figures of the run."""
    marks = soak.resident[:: max(1, len(soak.resident) // 6)]
    memory = ", ".join(f"{each / 1e6:.0f} MB after {emails}" for emails, each in marks)
    blows = ", ".join(f"{name} {count} times" for name, count in sorted(soak.blows.items()))
    return (
        f"{len(soak.promised)} emails answered, {phases} phases closed, "
        f"{len(soak.relay.all())} emails sent ({twice} of them twice); {blows}; "
        f"the daemon left alone had {memory} emails"
    )
