"""How the judge is, as `judge status` says it."""

from __future__ import annotations

from judge.app.health import examine
from judge.app.judge import Judge
from judge.reports.desk_views import Condition


def condition(judge: Judge) -> Condition:
    """Look how the judge is."""
    health = examine(judge)
    tally = health.tally
    return Condition(
        troubles=health.troubles,
        last_tick=health.last_tick,
        inbox=tally.inbox,
        outbox=tally.outbox,
        oldest_waiting=tally.oldest_waiting,
        oldest_queued=tally.oldest_queued,
        retried=tally.retried,
        refused=tally.refused,
        mailboxes=tuple(
            (each.name, each.read_utc, each.failing_utc, each.reason) for each in health.mailboxes
        ),
    )
