from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import pytest

from judge.adapters.database import SqlDatabase, open_database
from judge.events.memory import MemoryEventStore
from judge.events.store import EventStore

Log: TypeAlias = Callable[[], AbstractContextManager[EventStore]]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqlDatabase]:
    with closing(open_database(tmp_path / "judge.db")) as opened:
        yield opened


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest) -> Log:
    """Each store of events, through transactions of its own."""
    if request.param == "memory":
        store, turns = MemoryEventStore(), Lock()
        return lambda: _in_memory(store, turns)
    opened: SqlDatabase = request.getfixturevalue("database")
    return lambda: _in_database(opened)


@contextmanager
def _in_memory(store: EventStore, turns: Lock) -> Iterator[EventStore]:
    with turns:
        yield store


@contextmanager
def _in_database(opened: SqlDatabase) -> Iterator[EventStore]:
    with opened.write() as transaction:
        yield transaction.events
