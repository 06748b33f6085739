"""`judge archive stats`: counts over many games or for each game."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.archive.reading import writer_named
from judge.archive.records import Ending, EndKind
from judge.archive.summary import OpeningCount, PowerSum, Summary, YearMean
from judge.cli.root import archive
from judge.resources import folder
from tests.unit.archive.recorded_games import BOARD, order, phase, position, record

DOCUMENT = (folder("templates").parent / "docs/archive.md").read_text(encoding="utf-8")
LEPANTO = phase(
    BOARD.start,
    order("ITALY F NAP - ION"),
    order("ITALY A ROM - APU"),
    order("ITALY A VEN H"),
    order("TURKEY A SMY S A CON - BUL", "void"),
)
WINTER = phase(position("W1901A", centers={"ITALY": "VEN NAP ROM TUN", "TURKEY": "CON BUL"}))
DRAWN = replace(record(LEPANTO, WINTER), ending=Ending(EndKind.DRAW, ("TURKEY", "ITALY")))
WON = replace(
    record(replace(LEPANTO, orders=(order("ITALY A ROM - VEN", "bounce"),))),
    name="fisher",
    ending=Ending(EndKind.SOLO, ("ITALY",)),
)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(archive, ["stats", *(str(each) for each in arguments)])


def counted(*arguments: object) -> Any:  # noqa: ANN401 - what JSON holds
    return json.loads(run("--json", *arguments).stdout)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder with a file of two games, a file without games and a broken one."""
    write = writer_named("record")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "1").write_text("".join([*write(DRAWN, BOARD), *write(WON, BOARD)]))
    (tmp_path / "games" / "2").write_text("\0")
    (tmp_path / "games" / "README").write_text("Old games.")
    return tmp_path / "games"


def test_all_games_are_counted_together(games: Path) -> None:
    told = counted(games / "1")

    assert (told["games"], told["formats"]) == (2, {"record": 2})
    assert told["phases"] == {"movement": 2, "retreats": 0, "adjustments": 1}
    assert told["ends"] == {"draw": 1, "solo": 1}
    assert told["draw_sizes"] == {"2": 1}
    assert told["draws"] == [{"powers": ["ITALY", "TURKEY"], "games": 1}]
    assert told["lengths"] == {"1": 2}


def test_a_power_has_its_openings_orders_and_end(games: Path) -> None:
    told = counted(games / "1")["powers"]

    assert told["ITALY"]["openings"] == [
        {
            "orders": "F NAP - ION, A ROM - APU, A VEN H",
            "name": "Lepanto",
            "games": 1,
            "share": 0.5,
        },
        {"orders": "F NAP H, A ROM - VEN, A VEN H", "name": None, "games": 1, "share": 0.5},
    ]
    assert told["ITALY"]["orders"]["move"] == {
        "all": 3,
        "succeeded": 2,
        "bounced": 1,
        "no_convoy": 0,
        "void": 0,
        "untold": 0,
    }
    assert told["TURKEY"]["orders"]["support"]["void"] == 1
    assert [told["ITALY"][key] for key in ("solos", "draws", "survived")] == [1, 1, 1]
    assert told["FRANCE"]["eliminated"] == {"1901": 1}


def test_the_chart_of_a_year_has_both_indices(games: Path) -> None:
    (year,) = counted(games / "1")["years"]

    assert (year["year"], year["games"], year["centers"]["ITALY"]) == (1901, 1, 4)
    assert (year["index_by_players"], year["index_by_survivors"]) == (20 // 7, 20 // 2)


def test_each_game_is_counted_separately_with_its_file(games: Path) -> None:
    lines = run("--json", "--by", "game", games / "1").stdout.splitlines()

    first, second = map(json.loads, lines)
    assert (first["number"], first["game"], first["ends"]) == (1, "dogger", {"draw": 1})
    assert (second["number"], second["game"], second["ends"]) == (2, "fisher", {"solo": 1})
    assert first["file"] == second["file"] == f"{games}/1"


def test_two_processes_count_as_one_does(games: Path) -> None:
    assert counted("--jobs", 2, games) == counted("--jobs", 1, games)


def test_into_a_pipe_tables_are_lines_with_tabs(games: Path) -> None:
    lines = run(games / "1").stdout.splitlines()

    assert lines[0] == "2 games, phases: 2 movement, 0 retreats, 1 adjustments"
    assert "2\tITALY, TURKEY\t1" in lines
    assert "ITALY\t1\t50.0%\tLepanto\tF NAP - ION, A ROM - APU, A VEN H" in lines
    assert "year\tgames\tAUSTRIA\tENGLAND\tFRANCE\tGERMANY\tITALY\tRUSSIA\tTURKEY" in "".join(
        lines
    )


def test_the_number_of_openings_shown_is_limited(games: Path) -> None:
    shown = run("--top", 1, games / "1").stdout

    assert "Lepanto" in shown
    assert "A ROM - VEN" not in shown
    assert "Openings" not in run("--top", 0, games / "1").stdout


def test_on_a_terminal_tables_are_drawn(games: Path) -> None:
    terminal, stdout = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "judge", "archive", "stats", "--by", "game", games / "1"],
        stdout=stdout,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "120"},
    ) as judge:
        os.close(stdout)
        shown = b""
        while piece := _read(terminal):
            shown += piece
    os.close(terminal)

    assert judge.returncode == 0
    assert "│ Lepanto" in shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 10_000)
    except OSError:  # closed by the reader
        return b""


def test_an_unreadable_file_is_reported_and_the_rest_counted(games: Path) -> None:
    result = run("--json", games)

    assert json.loads(result.stdout)["games"] == 2
    assert result.stderr == f"judge: {games}/2:1: binary data, not text\n"
    assert result.exit_code == 65


def test_a_game_under_an_unknown_rulebook_is_reported_with_its_file(games: Path) -> None:
    write = writer_named("record")
    chess = replace(DRAWN, rulebook="chess")
    (games / "1").write_text("".join([*write(chess, BOARD), *write(WON, BOARD)]))

    result = run("--json", "--by", "game", games / "1")

    assert [json.loads(each)["number"] for each in result.stdout.splitlines()] == [2]
    assert "chess" in result.stderr
    assert result.exit_code == 65
    assert counted(games / "1")["games"] == 1


def test_every_key_is_documented() -> None:
    for shape in (Summary, PowerSum, OpeningCount, YearMean):
        assert [key for key in shape.__annotations__ if f"`{key}`" not in DOCUMENT] == []
