"""A fixture: a daemon that runs for one test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import Daemon, copied


@pytest.fixture
def daemon(begun: Path, tmp_path: Path) -> Iterator[Daemon]:
    """Run the judge with the game `baltic` in Spring 1901."""
    with copied(begun, tmp_path) as daemon:
        daemon.start()
        yield daemon
        assert daemon.stop() == 0
