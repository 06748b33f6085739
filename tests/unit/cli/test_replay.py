"""`judge replay`: pages of one game, or of a folder with an index."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner, Result

from judge.cli.games.report import replay
from tests.support.recorded_game import game_10713, write_10713
from tests.support.replays import open_game


def run(*arguments: object) -> Result:
    return CliRunner().invoke(replay, [*map(str, arguments)])


def test_a_file_becomes_a_page(tmp_path: Path) -> None:
    said = run(write_10713(tmp_path), "-o", tmp_path / "page.html")

    assert said.exit_code == 0, said.output
    assert '<section class="phase" id="S1901M"' in (tmp_path / "page.html").read_text()


def test_one_of_several_games_must_be_named(tmp_path: Path) -> None:
    file = write_10713(tmp_path, replace(open_game(), name="other"))

    several = run(file, "-o", tmp_path / "page.html")
    named = run(file, "-o", tmp_path / "page.html", "--game", "other", "--writer")

    assert (several.exit_code, named.exit_code) == (64, 0)
    assert "several games, such as 10713, other" in several.stderr
    assert 'id="writer"' in (tmp_path / "page.html").read_text()


def test_a_missing_game_is_reported(tmp_path: Path) -> None:
    file = write_10713(tmp_path)

    assert run(file, "-o", tmp_path / "page.html", "--game", "none").exit_code == 69
    assert run(tmp_path / "none", "-o", tmp_path / "page.html").exit_code == 69


def test_a_folder_becomes_pages_and_an_index(tmp_path: Path) -> None:
    games, pages = tmp_path / "games", tmp_path / "pages"
    games.mkdir()
    write_10713(games, replace(game_10713(), name="index"), game_10713())

    said = run(games, "-o", pages)

    assert said.exit_code == 0, said.output
    assert sorted(file.name for file in pages.iterdir()) == [
        "10713-2.html",
        "10713.html",
        "index-2.html",
        "index.html",
    ]


def test_a_game_of_the_log_becomes_a_page_with_a_writer(begun: Path, tmp_path: Path) -> None:
    said = run("baltic", "-o", tmp_path / "page.html", "--database", begun / "judge.db")

    page = (tmp_path / "page.html").read_text()
    assert said.exit_code == 0, said.output
    assert '<section class="phase" id="S1901M"' in page
    assert "mailto:" in page
    assert "Due " in page


def test_an_unwritable_file_is_reported(tmp_path: Path) -> None:
    said = run(write_10713(tmp_path), "-o", tmp_path / "none" / "page.html")

    assert said.exit_code == 69
    assert "cannot be written" in said.stderr
