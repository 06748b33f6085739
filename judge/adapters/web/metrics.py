"""Metrics for Prometheus, counted in the store when it asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from judge.app.admin.health import Health, examine
from judge.app.ports.judge import Judge
from judge.overriding import override
from judge.settings import Endpoint

STATES = {  # Without names of people, games or mails: a label is not the place for them.
    "judge_inbox_mails": "Incoming emails by state",
    "judge_outbox_mails": "Outgoing emails by state",
}
NUMBERS = {
    "judge_inbox_oldest_seconds": "Age of the oldest unprocessed email",
    "judge_outbox_oldest_seconds": "Age of the oldest email due to be sent",
    "judge_outbox_retried_mails": "Emails waiting to be retried",
    "judge_outbox_refused_mails": "Emails given up in the last day",
    "judge_last_tick_seconds": "Last activity of the judge, in Unix time",
    "judge_next_look_seconds": "Next scheduled event of a game, in Unix time; 0 if none",
    "judge_mailboxes_failing": "Mailboxes that cannot be read",
    "judge_troubles": "Problems that need attention; see `judge status`",
}


class StoreCollector(Collector):
    """Counts whenever it is asked."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @override
    def collect(self) -> Iterator[Metric]:
        health = examine(self._judge)
        counted = (health.tally.inbox, health.tally.outbox)
        for (name, told), mails in zip(STATES.items(), counted, strict=True):
            family = GaugeMetricFamily(name, told, labels=["state"])
            for state, number in mails.items():
                family.add_metric([state], number)
            yield family
        for (name, told), value in zip(NUMBERS.items(), _numbers(health), strict=True):
            yield GaugeMetricFamily(name, told, value=value)


def serve_metrics(judge: Judge, where: Endpoint) -> Callable[[], None]:
    """Answer on *where* from now on, in threads of its own, until what is returned is called."""
    registry = CollectorRegistry()
    registry.register(StoreCollector(judge))
    server, thread = start_http_server(where.port, where.host, registry)

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


def _numbers(health: Health) -> tuple[float, ...]:
    """Return the value of each of `NUMBERS`."""
    tally = health.tally
    return (
        _age(tally.oldest_waiting, health.at),
        _age(tally.oldest_queued, health.at),
        tally.retried,
        tally.refused,
        _unix(health.last_tick),
        _unix(tally.games[0][1] if tally.games else None),
        sum(mailbox.failing_utc is not None for mailbox in health.mailboxes),
        len(health.troubles),
    )


def _age(instant: datetime | None, now: datetime) -> float:
    return max(0.0, (now - instant).total_seconds()) if instant else 0.0


def _unix(instant: datetime | None) -> float:
    return instant.timestamp() if instant else 0.0
