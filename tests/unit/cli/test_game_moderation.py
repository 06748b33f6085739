"""`judge game rollback`, `correct`, `pause`, `resume`, `rules`, `eject`, `terminate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.root import root
from tests.support.table import Table

USAGE, BAD_INPUT, UNAVAILABLE = 64, 65, 69


def judge(arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(root, ["game", *arguments.split()], input=text)


@pytest.fixture(autouse=True)
def baltic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a judge in the working directory with the game `baltic` in Fall 1901."""
    monkeypatch.chdir(tmp_path)
    table = Table(tmp_path)
    table.start("baltic")
    table.play()
    table.close()


def done(arguments: str, text: str = "") -> str:
    result = judge(arguments, text)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_game_is_rolled_back_and_names_its_phase() -> None:
    assert done("rollback baltic --reason misread") == "baltic is again in S1901M\n"
    refused = judge("rollback baltic --to F1905M --reason x")
    assert (refused.exit_code, "not played that phase" in refused.stderr) == (UNAVAILABLE, True)
    assert judge("rollback opal --reason x").exit_code == UNAVAILABLE
    assert judge("rollback baltic").exit_code != 0


def test_a_rollback_is_undone() -> None:
    assert judge("rollforward baltic --reason x").exit_code == UNAVAILABLE
    done("rollback baltic --reason misread")
    assert done("rollforward baltic --reason right") == "baltic is again in F1901M\n"
    assert judge("rollforward opal --reason x").exit_code == UNAVAILABLE


def test_an_unplayed_game_is_unstarted(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("opal")
    table.close()

    assert done("unstart opal --reason early") == "opal is open for sign-up again\n"
    assert done("begin opal")
    assert "past its first phase" in judge("unstart baltic --reason x").stderr


def test_a_board_is_corrected_from_the_output_of_show() -> None:
    board = json.loads(done("show baltic --json"))
    board["units"]["FRANCE"] = ["A GAS", *board["units"]["FRANCE"][:2]]

    assert "corrected" in done("correct baltic - --reason typo", json.dumps(board))
    assert "A GAS" in json.loads(done("show baltic --json"))["units"]["FRANCE"]
    assert judge("correct baltic - --reason typo", "[").exit_code == BAD_INPUT


def test_a_game_is_paused_resumed_and_ended() -> None:
    assert done("pause baltic --reason ill") == "baltic is paused\n"
    assert done("resume baltic") == "baltic resumed\n"
    assert done("eject baltic italy") == "ITALY is vacant\n"
    assert done("terminate baltic") == "baltic is over\n"
    assert judge("resume baltic").exit_code == UNAVAILABLE


def test_rules_are_shown_and_changed() -> None:
    assert "press=all\n" in done("rules baltic")
    assert json.loads(done("rules baltic --json"))["press"] == "all"
    assert "changed" in done("rules baltic press=none")
    assert "press=none\n" in done("rules baltic")
    assert "changed" in done(
        "rules baltic movement_hours=15m grace_hours=1h30 reminder_hours=2,5m"
    )
    assert "movement_hours=15m\n" in done("rules baltic")
    assert "reminder_hours=2,5m\n" in done("rules baltic")
    assert judge("rules baltic ends_at=2020-01-01T23:00").exit_code == UNAVAILABLE
    assert judge("rules baltic rulebook=1982").exit_code == USAGE
    assert judge("rules baltic x=1").exit_code == USAGE
