"""What holds for every test.

A test that needs a server which a machine may lack skips with a reason that starts with
"needs-server:"; `.ci/run` fails when one does.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("gate", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=2_000)
settings.load_profile("gate")

DATC_TEST = "::test_comes_out_as_in_datc_3_2["


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many cases of the DATC passed; here, since parallel runs see no other conftest."""
    passed, failed = (
        sum(DATC_TEST in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed")
    )
    if passed or failed:
        cases = passed + failed
        terminalreporter.write_line(f"DATC 3.2: {passed} of {cases} cases passed")
