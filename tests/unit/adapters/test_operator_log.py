"""The operator's log."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from errno import ENOSPC
from io import StringIO

import pytest

from judge.adapters.service import LOGGER, OperatorLog, set_up_logging


@pytest.fixture(autouse=True)
def _silent_afterwards() -> Iterator[None]:
    yield
    LOGGER.handlers.clear()


def test_problems_are_logged_as_warnings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up_logging("warning")
    log = OperatorLog()
    log.note("game.moved", game="baltic")
    log.warning("game.damaged", game="baltic", number=3)

    [line] = capsys.readouterr().err.splitlines()
    record = json.loads(line)
    assert list(record) == ["game", "number", "event", "level", "timestamp"]
    assert (record["level"], record["event"], record["number"]) == ("warning", "game.damaged", 3)


def test_the_console_form_begins_with_instant_and_level(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up_logging("info", "console")
    OperatorLog().note("game.moved", game="bal\ntic")

    [line] = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r'\S+Z info    game\.moved game="bal\\ntic"', line)


def test_a_command_without_a_log_shows_a_warning_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", False)  # pytest listens too
    OperatorLog().warning("game.damaged", game="50% baltic")

    assert capsys.readouterr().err == 'game.damaged game="50% baltic"\n'


class FullStream(StringIO):
    """A stream on a full disk, which counts what it is asked to write."""

    asked = 0

    def write(self, text: str) -> int:  # noqa: ARG002 - an override
        self.asked += 1
        raise OSError(ENOSPC, "no room")


def test_a_log_on_a_full_disk_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    full = FullStream()
    monkeypatch.setattr("sys.stderr", full)
    set_up_logging("info")
    for _ in range(2):
        OperatorLog().note("game.moved", game="baltic")

    assert full.asked == 2


def test_what_fails_again_and_again_is_logged_once_in_a_while_with_a_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logging("info")
    log, now = OperatorLog(), 0.0
    monkeypatch.setattr("judge.adapters.service.time.monotonic", lambda: now)

    for second in range(601):
        now = float(second)
        for game in ("baltic", "adriatic"):
            log.failed("game.failed", OSError(5, "Input/output error"), game=game)

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["game"], line.get("repeated")) for line in lines] == [
        ("baltic", None),
        ("adriatic", None),
        ("baltic", 599),
        ("adriatic", 599),
    ]
