"""A game that has begun, made once: each test kills a copy of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.serving import QUICK, Serving, seat


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge with the game `baltic` in Spring 1901, its daemon at rest."""
    daemon = Serving(tmp_path_factory.mktemp("begun"))
    daemon.start()
    seat(daemon, "baltic", *QUICK)
    daemon.come_to_rest()
    daemon.stop()
    return daemon.folder
