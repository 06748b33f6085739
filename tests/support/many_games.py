"""Stores with many games that are over, copied from one with its players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from judge.adapters.store.transactions import SqlEventStore
from judge.app.game.apply import apply_command
from judge.app.game.summaries import Rebuilt, fill_summaries, rebuild_summaries
from judge.game.moderator_actions import Terminate
from judge.game.players.creation import GameCreated
from tests.support.table import MODERATOR, Table

ENDED = "over"


def add_ended_games(table: Table, count: int, *, emails: bool = False) -> None:
    """Add *count* games that are over, all with the players of the table and one moderator.

    The *emails* of the first one are removed unless they are wanted.
    """
    table.start(ENDED, moderator=MODERATOR)
    with table.database.write() as transaction:
        now = table.clock.now()
        apply_command(table.judge, transaction, ENDED, Terminate("operator"), now)
        log = [each.event for each in transaction.events.read(ENDED)]
        for number in range(1, count):
            name = f"{ENDED}{number}"
            events = [
                replace(each, game=name) if isinstance(each, GameCreated) else each for each in log
            ]
            transaction.events.append(name, 0, events, now)
        if not emails:
            transaction.connection.exec_driver_sql("DELETE FROM outbox WHERE game = 'over'")
    table.reread_outbox()
    fill_summaries(table.judge)


@dataclass(slots=True)
class Work:
    """The *statements* that the store executed, and the games whose logs were *read*.

    *writing* are the statements of each transaction that writes.
    """

    statements: int = 0
    read: list[str] = field(default_factory=list)
    writing: list[list[str]] = field(default_factory=list)


@contextmanager
def counting(table: Table) -> Iterator[Work]:
    """Count the work of the block."""
    work, read = Work(), SqlEventStore.read

    writes = False

    def note_statement(_connection: object, _cursor: object, text: str, *_: object) -> None:
        nonlocal writes
        work.statements += 1
        if text.startswith("BEGIN"):
            writes = "IMMEDIATE" in text
            work.writing += [[]] if writes else []
        elif writes:
            work.writing[-1].append(" ".join(text.split()))

    def note_reading(store: SqlEventStore, game: str, *span: int) -> object:
        work.read.append(game)
        return read(store, game, *span)

    engine = table.database._engine
    sa.event.listen(engine, "before_cursor_execute", note_statement)
    SqlEventStore.read = note_reading  # type: ignore[method-assign,assignment] # until the end
    try:
        yield work
    finally:
        SqlEventStore.read = read  # type: ignore[method-assign] # as it was
        sa.event.remove(engine, "before_cursor_execute", note_statement)


def check_table_of_games(table: Table) -> None:
    """Check that the table of games says what the logs say."""
    known = table.query("SELECT game, person FROM taking_part WHERE present")
    assert {*known} == {(name, each) for name in names(table) for each in table.game(name).people}
    counted = table.query("SELECT game, phases_closed FROM summaries ORDER BY game")

    assert rebuild_summaries(table.judge) == Rebuilt(names(table), differed=[], unread=[])
    assert table.query("SELECT game, phases_closed FROM summaries ORDER BY game") == counted


def names(table: Table) -> Sequence[str]:
    with table.database.read() as transaction:
        return transaction.events.games()
