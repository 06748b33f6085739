"""What the operator reads in the log."""

from __future__ import annotations

import json
from errno import ENOSPC
from io import StringIO

import pytest
import structlog

from judge.adapters.service import OperatorLog, set_up_logging


def test_what_somebody_should_look_after_is_in_a_log_of_warnings(
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


class Full(StringIO):
    """A stream on a disk without room."""

    def write(self, text: str) -> int:  # noqa: ARG002 - an override
        raise OSError(ENOSPC, "no room")


def test_a_log_that_has_no_room_ends_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Full())
    set_up_logging("info")
    try:
        OperatorLog().note("game.moved", game="baltic")
    finally:
        structlog.reset_defaults()
