"""The operator's log."""

from __future__ import annotations

import json
from errno import ENOSPC
from io import StringIO

import pytest
import structlog

from judge.adapters.service import OperatorLog, set_up_logging


def test_problems_are_logged_as_warnings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up_logging("warning")
    try:
        journal = OperatorLog()
        journal.note("game.moved", game="baltic")
        journal.warn("game.damaged", game="baltic", number=3)
    finally:
        structlog.reset_defaults()

    [line] = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert (told["level"], told["event"], told["number"]) == ("warning", "game.damaged", 3)


class FullStream(StringIO):
    """A stream on a full disk."""

    def write(self, text: str) -> int:  # noqa: ARG002 - an override
        raise OSError(ENOSPC, "no room")


def test_a_log_on_a_full_disk_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", FullStream())
    set_up_logging("info")
    try:
        OperatorLog().note("game.moved", game="baltic")
    finally:
        structlog.reset_defaults()
