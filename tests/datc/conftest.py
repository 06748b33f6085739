"""Says at the end of a test run how many cases of the DATC passed."""

from __future__ import annotations

import pytest

from tests.datc.cases import IDS

TEST = "::test_comes_out_as_in_datc_3_2["


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    passed, failed = (
        sum(TEST in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed")
    )
    if passed or failed:
        terminalreporter.write_line(f"DATC 3.2: {passed} of {len(IDS)} cases passed")
