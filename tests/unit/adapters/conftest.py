from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from judge.adapters.store.database import open_database
from judge.adapters.store.transactions import SqlDatabase


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "judge.db"


@pytest.fixture
def database(store: Path) -> Iterator[SqlDatabase]:
    with closing(open_database(store)) as opened:
        yield opened
