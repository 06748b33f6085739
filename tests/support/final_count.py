"""Count at the end of a test of a fault what was lost and what came twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from email import message_from_bytes

from tests.support.daemon import POWERS, Daemon, header_of, text_of

FAILS_CODE = 1  # of `judge status`


def status_names(daemon: Daemon, cause: str, code: int = FAILS_CODE) -> None:
    """Check that `judge status` names the *cause* while a fault lasts."""
    assert cause in daemon.judge("status", code=code)


def emails_are_kept_once(daemon: Daemon, promised: Collection[str] = ()) -> None:
    """Check that each email that was answered 250 is in the store once.

    Without names in *promised*, those that `Daemon.offer` handed over count.
    """
    promised = promised or daemon.promised
    kept = Counter(header_of(raw, "Message-ID") for (raw,) in daemon.ask("SELECT raw FROM inbox"))
    assert promised
    assert [name for name in promised if kept[name] != 1] == []


def emails_are_answered_once(daemon: Daemon, promised: Collection[str] = ()) -> None:
    """Check that, besides, all emails were processed, and each of these has one receipt."""
    emails_are_kept_once(daemon, promised)
    assert daemon.ask("SELECT DISTINCT state FROM inbox") == [("processed",)]
    receipts = daemon.ask("SELECT raw FROM outbox WHERE kind = 'receipt'")
    answers = Counter(header_of(raw, "In-Reply-To") for (raw,) in receipts)
    assert [name for name in promised or daemon.promised if answers[name] != 1] == []


def everything_counts_once(daemon: Daemon, *orders: str, phases: int = 1) -> None:
    """Close the phase of `baltic` and check all: emails, answers, results.

    The results, of so many *phases*, must have come to each player once, the last with all
    *orders* in the words of the results.
    """
    daemon.come_to_rest()
    emails_are_answered_once(daemon)
    daemon.judge("game", "process", "baltic")
    daemon.come_to_rest()
    results_came_once(daemon, *orders, phases=phases)


def results_came_once(daemon: Daemon, *orders: str, phases: int = 1) -> None:
    """Check the results of so many *phases* that have closed."""
    closed = "SELECT count(*) FROM events WHERE type = 'phase_closed' AND game = 'baltic'"
    assert daemon.ask(closed) == [(phases,)]
    query = "SELECT recipient, raw, state FROM outbox WHERE kind = 'phase_results' ORDER BY id"
    rows = daemon.ask(query)
    came = Counter((recipient, header_of(raw, "Subject")) for recipient, raw, _ in rows)
    assert {state for _, _, state in rows} == {"sent"}
    assert set(came.values()) == {1}
    players = {f"{power.lower()}@players.example" for power in POWERS}
    assert Counter(recipient for recipient, _ in came) == dict.fromkeys(players, phases)
    raw = rows[-1][1]
    assert isinstance(raw, bytes)
    last = text_of(message_from_bytes(raw))
    assert [order for order in orders if order not in last] == []
