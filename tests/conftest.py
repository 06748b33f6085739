"""What holds for every test.

A test that needs a server which a machine may lack skips with a reason that starts with
"needs-server:"; `.ci/run` fails when one does.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.postgres import Postgres, postgresql
from tests.support.serving import QUICK, Serving, seat

settings.register_profile("gate", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("long", deadline=None, max_examples=2_000)
settings.load_profile("gate")

# Tests start hundreds of interpreters, each of which would compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

DATC_TEST = "::test_comes_out_as_in_datc_3_2["


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge with the game `baltic` in Spring 1901, its daemon at rest.

    It is made once; each test copies it.
    """
    with Serving(tmp_path_factory.mktemp("begun")) as daemon:
        daemon.start()
        seat(daemon, "baltic", *QUICK)
        daemon.come_to_rest(60)  # it draws the board, seven times
        daemon.stop()
        return daemon.folder


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT interrupt what the test starts.

    A script that starts pytest in the background ignores SIGINT, and so do all processes below.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL server for as long as the tests do."""
    with postgresql() as server:
        yield server


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many cases of the DATC passed, and what tests have measured.

    Here, since parallel runs see no other conftest.
    """
    passed, failed = (
        sum(DATC_TEST in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed")
    )
    if passed or failed:
        cases = passed + failed
        terminalreporter.write_line(f"DATC 3.2: {passed} of {cases} cases passed")
    for report in terminalreporter.getreports("passed"):
        for name, figures in report.user_properties:
            terminalreporter.write_line(f"{name}: {figures}")
