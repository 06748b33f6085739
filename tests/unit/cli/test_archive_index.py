"""`judge archive index` and `search`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.adapters.archive.catalogue_search import Listed, Query
from judge.archive.reading import writer_named
from judge.archive.records import Ending, EndKind, Record, Seat
from judge.cli.root import archive
from judge.resources import folder
from tests.unit.archive.recorded_games import BOARD, order, phase, record

DOCUMENT = (folder("templates").parent / "docs/archive.md").read_text(encoding="utf-8")
DOGGER = replace(
    record(phase(BOARD.start, order("ITALY A ROM - VEN"))),
    seats=(Seat("ITALY", "Ann Smith", address="ann@example.org"),),
    ending=Ending(EndKind.SOLO, ("ITALY",)),
)
FISHER = replace(DOGGER, name="fisher", seats=(Seat("ITALY", "Bo\tLee"),), ending=None)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(archive, [str(each) for each in arguments])


def text(*games: Record) -> str:
    return "".join(piece for game in games for piece in writer_named("record")(game, BOARD))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder with two files of one game each, and a file without games."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "1").write_text(text(DOGGER))
    (tmp_path / "games" / "2").write_text(text(FISHER))
    (tmp_path / "games" / "README").write_text("Old games.")
    return tmp_path / "games"


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def listed(catalogue: Path, *arguments: object) -> dict[str, Any]:
    told = json.loads(run("index", "--json", catalogue, *arguments).stdout)
    assert isinstance(told, dict)
    return {name: count for name, count in told.items() if count}


def found(catalogue: Path, *arguments: object) -> list[tuple[str, int, str]]:
    lines = run("search", "--json", catalogue, *arguments).stdout.splitlines()
    return [(each["file"], each["number"], each["game"]) for each in map(json.loads, lines)]


def test_games_are_listed_and_found(games: Path, catalogue: Path) -> None:
    result = run("index", catalogue, games)

    assert result.stdout == "files: 3 new; 2 games in the catalogue\n"
    assert result.exit_code == 0
    assert found(catalogue) == [(f"{games}/1", 1, "dogger"), (f"{games}/2", 1, "fisher")]
    assert found(catalogue, "--player", "SMITH") == [(f"{games}/1", 1, "dogger")]


def test_a_found_game_is_a_line_with_tabs_in_a_pipe(games: Path, catalogue: Path) -> None:
    run("index", catalogue, games)

    assert run("search", catalogue).stdout.splitlines() == [
        "file\tnumber\tgame\tplayed\tphases\tend\tplayers",
        f"{games}/1\t1\tdogger\t\tS1901M\tsolo ITALY\tAnn Smith (ITALY)",
        f"{games}/2\t1\tfisher\t\tS1901M\t\tBo Lee (ITALY)",
    ]


def test_a_found_game_can_be_shown(games: Path, catalogue: Path) -> None:
    (games / "1").write_text(text(DOGGER, FISHER))
    run("index", catalogue, games / "1")
    ((file, number, name),) = found(catalogue, "--name", "fisher")

    shown = run("show", file, "--number", number).stdout

    assert shown.startswith(f"{name} (record)\n")
    assert "dogger" not in shown
    assert run("show", file, "--number", 3).exit_code == 69


def test_only_new_or_changed_files_are_read_again(games: Path, catalogue: Path) -> None:
    assert listed(catalogue, games) == {"new": 3, "games": 2}
    assert listed(catalogue, games) == {"unchanged": 3, "games": 2}
    (games / "1").write_text(text(DOGGER, FISHER))
    (games / "3").write_text(text(DOGGER))

    assert listed(catalogue, games) == {"new": 1, "changed": 1, "unchanged": 2, "games": 4}
    assert listed(catalogue, "--lenient", games) == {"changed": 4, "games": 4}


def test_a_missing_file_is_removed_on_request(games: Path, catalogue: Path) -> None:
    (games.parent / "other").write_text(text(FISHER))
    run("index", catalogue, games, games.parent / "other")
    (games / "1").unlink()
    (games.parent / "other").unlink()

    assert listed(catalogue, games) == {"unchanged": 2, "vanished": 1, "games": 3}
    assert listed(catalogue, "--prune", games) == {"unchanged": 2, "removed": 1, "games": 2}
    assert [name for _, _, name in found(catalogue)] == ["fisher", "fisher"]


def test_an_unreadable_file_is_reported_each_time_and_the_rest_listed(
    games: Path, catalogue: Path
) -> None:
    (games / "1").write_text(f"{text(DOGGER)}{{\n")

    for state in ("new", "changed"):
        result = run("index", catalogue, games / "1")
        assert f"judge: {games}/1:2: " in result.stderr
        assert result.stdout == f"files: 1 {state}, 1 unread; 1 games in the catalogue\n"
        assert result.exit_code == 65


def test_an_unopenable_file_is_reported_and_kept(games: Path, catalogue: Path) -> None:
    (games / "mail" / "cur").mkdir(parents=True)
    run("index", catalogue, games)
    (games / "mail" / "cur" / "no mail").mkdir()

    result = run("index", "--prune", catalogue, games)

    assert result.stderr == f"judge: {games}/mail: Is a directory\n"
    assert result.stdout == "files: 3 unchanged, 1 unread; 2 games in the catalogue\n"
    assert result.exit_code == 65


def test_a_catalogue_in_the_folder_of_the_games_is_no_game(games: Path) -> None:
    assert listed(games / "games.db", games) == {"new": 3, "games": 2}
    assert listed(games / "games.db", games) == {"unchanged": 3, "games": 2}


def test_two_processes_list_what_one_does(games: Path, catalogue: Path) -> None:
    run("index", "--jobs", 1, catalogue, games)
    run("index", "--jobs", 2, catalogue.with_name("other.db"), games)

    alone, together = (
        run("search", "--json", each).stdout
        for each in (catalogue, catalogue.with_name("other.db"))
    )
    assert alone == together


def test_mail_addresses_are_listed_only_when_asked(games: Path, catalogue: Path) -> None:
    run("index", catalogue, games)
    assert "@" not in run("search", "--json", catalogue).stdout
    run("index", "--keep-addresses", catalogue, games)
    assert "ann@example.org" in run("search", "--json", catalogue).stdout


def test_an_unknown_player_is_answered_with_similar_names(games: Path, catalogue: Path) -> None:
    run("index", catalogue, games)

    result = run("search", catalogue, "--player", "Ann Smiht")

    expected = f"judge: {catalogue} has no such game; similar players: Ann Smith\n"
    assert (result.stderr, result.exit_code) == (expected, 69)
    result = run("search", catalogue, "--player", "smith", "--year", 1999)
    assert (result.stderr, result.exit_code) == (f"judge: {catalogue} has no such game\n", 69)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--year", "soon"), "'soon' is not a year"),
        (("--year", "1999-1998"), "'1999-1998' is not a year"),
        (("--winner", "Atlantis"), "'Atlantis' is not a power of any board"),
        (("--power", "Italy"), "--power needs"),
    ],
)
def test_a_usage_error_is_reported(
    games: Path, catalogue: Path, arguments: tuple[str, str], why: str
) -> None:
    run("index", catalogue, games)

    result = run("search", catalogue, *arguments)

    assert why in result.stderr
    assert result.exit_code == 64


def test_powers_and_years_are_understood(games: Path, catalogue: Path) -> None:
    run("index", catalogue, games)

    assert len(found(catalogue, "--winner", "italy", "--year", "1900-1910")) == 1
    assert len(found(catalogue, "--opening", "A ROM - VEN", "--power", "Ita")) == 2


def test_a_power_is_searched_on_every_board_that_has_it(
    games: Path, catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("index", catalogue, games)
    asked: list[Query] = []

    def search(_catalogue: object, query: Query) -> Iterator[Listed]:
        asked.append(query)
        return iter(())

    monkeypatch.setattr("judge.cli.archive.search.search_in", search)

    run("search", catalogue, "--winner", "Hungarian", "--player", "Ann", "--power", "italian")

    assert asked[0].winners == {"HUNGARY", "BUDAPEST"}
    assert asked[0].powers == {"ITALY"}


def test_a_file_that_is_no_catalogue_is_reported(games: Path, catalogue: Path) -> None:
    for arguments in (("index", games / "1", games), ("search", games / "1")):
        result = run(*arguments)
        assert "is not a catalogue of recorded games" in result.stderr
        assert result.exit_code == 69
    assert run("search", catalogue).exit_code == 69
    assert not catalogue.exists()


def test_every_key_of_a_game_is_documented() -> None:
    assert [key for key in Listed.__annotations__ if f"`{key}`" not in DOCUMENT] == []


def test_a_closed_pipe_is_not_reported_as_a_broken_catalogue(games: Path, catalogue: Path) -> None:
    run("index", catalogue, games)
    search = [sys.executable, "-m", "judge", "archive", "search", str(catalogue), "--json"]
    read_end, write_end = os.pipe()
    os.close(read_end)

    ended = subprocess.run(search, stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)

    assert ended.stderr == b""
