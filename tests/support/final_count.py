"""Count at the end of a test of a fault what was lost and what came twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from email import message_from_bytes
from typing import Protocol

from judge.adapters.outputs import Maildir
from tests.support.carriers import deliver_due
from tests.support.daemon import POWERS, Daemon, header_of, text_of
from tests.support.table import Table

FAILS_CODE = 1  # of `judge status`
CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed' AND game = '{}'"
RESULTS = """SELECT recipient, raw, state FROM outbox
    WHERE kind = 'phase_results' AND game = '{}' ORDER BY id"""


class Counted(Protocol):
    """A judge with the Message-IDs of the emails that it *promised* to keep."""

    promised: list[str]

    def ask(self, question: str, /) -> list[tuple[object, ...]]:
        """Return the rows that an SQL *question* to the store is answered with."""
        ...

    def come_to_rest(self) -> None:
        """Wait until nothing is left to do."""
        ...

    def close_phase(self, game: str) -> None:
        """Close the open phase of *game* at once."""
        ...


@dataclass
class CountedTable:
    """The judge of a *table*, which hands its emails over."""

    table: Table
    promised: list[str] = field(default_factory=list)

    def ask(self, question: str) -> list[tuple[object, ...]]:
        return self.table.query(question)

    def come_to_rest(self) -> None:
        self.table.run_once()
        asyncio.run(deliver_due(self.table.judge, Maildir(self.table.file.parent / "outgoing")))

    def close_phase(self, game: str) -> None:
        self.table.close_phase(game)


def status_names(daemon: Daemon, cause: str, code: int = FAILS_CODE) -> None:
    """Check that `judge status` names the *cause* while a fault lasts."""
    assert cause in daemon.judge("status", code=code)


def emails_are_kept_once(judge: Counted, promised: Collection[str] = ()) -> None:
    """Check that each email that was answered 250 is in the store once.

    Without names in *promised*, those that `Daemon.offer` handed over count.
    """
    promised = promised or judge.promised
    kept = Counter(header_of(raw, "Message-ID") for (raw,) in judge.ask("SELECT raw FROM inbox"))
    assert promised
    assert [name for name in promised if kept[name] != 1] == []


def emails_are_answered_once(
    judge: Counted, promised: Collection[str] = (), states: Collection[str] = ("processed",)
) -> None:
    """Check that, besides, each of these has one receipt, and all emails are in these *states*."""
    emails_are_kept_once(judge, promised)
    ends = judge.ask("SELECT id, state, reason FROM inbox")
    assert [end for end in ends if end[1] not in states] == []
    receipts = judge.ask("SELECT raw FROM outbox WHERE kind = 'receipt'")
    answers = Counter(header_of(raw, "In-Reply-To") for (raw,) in receipts)
    assert [name for name in promised or judge.promised if answers[name] != 1] == []


def everything_counts_once(
    judge: Counted,
    *orders: str,
    phases: int = 1,
    game: str = "baltic",
    states: Collection[str] = ("processed",),
) -> None:
    """Close the phase of *game* and check all: emails, answers, results.

    The results, of so many *phases*, must have come to each player once, the last with all
    *orders* in the words of the results.
    """
    judge.come_to_rest()
    emails_are_answered_once(judge, states=states)
    judge.close_phase(game)
    judge.come_to_rest()
    results_came_once(judge, *orders, phases=phases, game=game)


def results_came_once(judge: Counted, *orders: str, phases: int = 1, game: str = "baltic") -> None:
    """Check the results of so many *phases* that have closed."""
    assert judge.ask(CLOSED.format(game)) == [(phases,)]
    rows = judge.ask(RESULTS.format(game))
    came = Counter((recipient, header_of(raw, "Subject")) for recipient, raw, _ in rows)
    assert {state for _, _, state in rows} == {"sent"}
    assert set(came.values()) == {1}
    players = {f"{power.lower()}@players.example" for power in POWERS}
    readers = Counter(recipient for recipient, _ in came if recipient in players)
    assert readers == dict.fromkeys(players, phases)
    raw = rows[-1][1]
    assert isinstance(raw, bytes)
    last = text_of(message_from_bytes(raw))
    assert [order for order in orders if order not in last] == []
