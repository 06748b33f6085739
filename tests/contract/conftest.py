from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
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
        store = MemoryEventStore()
        return lambda: nullcontext(store)
    opened: SqlDatabase = request.getfixturevalue("database")
    return lambda: _log_of(opened)


@contextmanager
def _log_of(opened: SqlDatabase) -> Iterator[EventStore]:
    with opened.write() as transaction:
        yield transaction.events
