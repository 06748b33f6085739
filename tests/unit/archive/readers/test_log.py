"""Our own log, as `judge log show --json` prints it, read as recorded games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.archive.formats import log_json
from judge.archive.log_conversion import record_from_log
from judge.archive.reading import UnreadableError
from judge.archive.records import Record
from judge.cli.root import root
from judge.event_log import Recorded
from judge.rules.board import Map
from judge.rules.types import Phase
from tests.support.recorded_game import game_10713, write_10713
from tests.support.table import Table
from tests.unit.archive.reading import game_in, games_in

FRANCE = "A Par-Bur\nA Mar S A Par-Bur\nF Bre H"


@pytest.fixture(name="shown")
def log_of_a_game(tmp_path: Path) -> str:
    """Return the log of a game in Fall 1901, in which France has ordered again."""
    table = Table(tmp_path)
    table.start("baltic")
    table.play(FRANCE=FRANCE)
    table.send("FRANCE", "A Bur-Mun")
    table.close()
    return show(tmp_path, "baltic")


def show(folder: Path, game: str) -> str:
    database = str(folder / "judge.db")
    return run("log", "show", game, "--json", "--database", database)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(root, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_log_has_the_phases_that_were_closed_and_the_position_after(shown: str) -> None:
    record = game_in(log_json.FORMAT, shown)

    assert [each.phase for each in record.phases] == [Phase.parse("S1901M"), Phase.parse("F1901M")]
    orders = {(each.power, each.text): each.results for each in record.phases[0].orders}
    assert orders["FRANCE", "A PAR - BUR"] == ()
    assert len(orders) == 22
    assert not record.phases[1].orders
    assert (record.name, record.source.format, record.rulebook) == ("baltic", "log", "datc")
    assert (record.source.first_line, record.source.last_line) == (1, len(shown.splitlines()))


def test_a_log_that_makes_no_game_is_read_as_far_as_it_does(
    shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = len(shown.splitlines())

    def only_short_logs(board: Map, events: Sequence[Recorded]) -> Record:
        if len(events) >= rows - 5:
            raise ValueError("forged")
        return record_from_log(board, events)

    monkeypatch.setattr(log_json, "record_from_log", only_short_logs)

    record = game_in(log_json.FORMAT, shown, strict=False)

    assert record.phases
    assert [each.text for each in record.doubts] == ["the end of baltic is left out"]


def test_a_log_can_be_verified_as_any_recorded_game(shown: str, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(shown)

    found = json.loads(run("archive", "verify", "--json", str(file)))

    assert (found["games"], found["compared"], found["differing"]) == (1, 1, 0)


def test_several_games_are_told_apart(shown: str, tmp_path: Path) -> None:
    database, file = str(tmp_path / "judge.db"), tmp_path / "log.jsonl"
    file.write_text(shown)
    run("game", "import", str(file), "--as", "other", "--database", database)

    first, second = games_in(log_json.FORMAT, shown + show(tmp_path, "other"))

    assert first.phases == second.phases
    assert (first.name, second.name) == ("baltic", "other")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        pytest.param(
            "A PAR - BUR", "A PAR - PIC", "was changed after it was written", id="altered"
        ),
        pytest.param('"version": 3', '"version": "3"', "version: must be a whole", id="no number"),
        pytest.param('"payload": {', '"payload": 1.5, "x": {', "a float", id="a float"),
        pytest.param(
            '"payload": {"after"', '"payload": null, "x": {"after"', "was changed after", id="none"
        ),
        pytest.param('"type": "player_joined"', '"type": "x"', "was changed after", id="no type"),
    ],
)
def test_a_changed_event_is_named_with_its_line(shown: str, old: str, new: str, why: str) -> None:
    assert old in shown

    with pytest.raises(UnreadableError, match=r"game\.txt:\d+: .*" + why):
        games_in(log_json.FORMAT, shown.replace(old, new))


def test_a_log_without_its_beginning_is_no_game(shown: str) -> None:
    _, *rest = shown.splitlines()

    with pytest.raises(UnreadableError, match=r"game\.txt:1: event 2: was changed after"):
        games_in(log_json.FORMAT, "\n".join(rest))


def test_in_a_lenient_reading_the_rest_of_a_game_may_be_none(shown: str) -> None:
    _, *rest = shown.splitlines()

    assert games_in(log_json.FORMAT, "\n".join(rest), strict=False) == []


def test_a_whole_game_that_was_imported_is_as_it_was(tmp_path: Path) -> None:
    database, file = str(tmp_path / "judge.db"), write_10713(tmp_path)
    run("game", "import", str(file), "--as", "whole", "--database", database)

    assert game_in(log_json.FORMAT, show(tmp_path, "whole")).phases == game_10713().phases
