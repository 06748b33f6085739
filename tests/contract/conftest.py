from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import pytest

from judge.adapters.store.database import open_database
from judge.adapters.store.transactions import SqlDatabase
from judge.event_log import EventStore
from judge.game.events import CODEC
from judge.settings import DatabaseServer
from tests.support.event_store import MemoryEventStore
from tests.support.postgres import Postgres
from tests.support.quick_sqlite import make_empty

Log: TypeAlias = Callable[[], AbstractContextManager[EventStore]]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlDatabase]:
    """Each database, empty."""
    with _place(request, tmp_path) as where, closing(open_database(where)) as opened:
        yield opened


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """Each store of events, through transactions of its own."""
    if request.param == "memory":
        store, turns = MemoryEventStore(CODEC), Lock()
        yield lambda: _in_memory(store, turns)
        return
    with _place(request, tmp_path) as where, closing(open_database(where)) as opened:
        yield lambda: _in_database(opened)


@contextmanager
def _place(request: pytest.FixtureRequest, folder: Path) -> Iterator[Path | DatabaseServer]:
    """Lend an empty database."""
    if request.param == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        with postgres.lent() as server:
            yield server
    else:
        make_empty(folder / "judge.db")
        yield folder / "judge.db"


@contextmanager
def _in_memory(store: EventStore, turns: Lock) -> Iterator[EventStore]:
    with turns:
        yield store


@contextmanager
def _in_database(opened: SqlDatabase) -> Iterator[EventStore]:
    with opened.write() as transaction:
        yield transaction.events
