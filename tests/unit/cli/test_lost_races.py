"""A command that loses a race with the judge on the same store says so and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.app.ports.database import OvertakenError
from judge.cli.game_source import open_store
from judge.event_log import StaleStreamError
from judge.settings import Settings


@pytest.mark.parametrize(
    "error", [OvertakenError("a key"), StaleStreamError("baltic", 3)], ids=["a key", "a log"]
)
def test_the_second_command_is_told_to_check_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    with pytest.raises(SystemExit) as ended, open_store(Settings(database=tmp_path / "judge.db")):
        raise error

    assert ended.value.code == 69
    assert capsys.readouterr().err == (
        "judge: another command changed the game first: check it and try again\n"
    )
