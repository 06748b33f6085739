"""`--picture`: commands that draw the board."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.root import archive
from tests.unit.cli.test_archive import GAME


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "somme.txt"
    file.write_text(GAME)
    return file


def show(game: Path, *arguments: object) -> Result:
    return CliRunner().invoke(archive, ["show", str(game), *map(str, arguments)])


def test_a_phase_is_drawn_with_its_outcomes(game: Path) -> None:
    picture = game.with_name("out.svg")
    said = show(game, "--phase", "S1901M", "--picture", picture, "--names", "full")

    assert (said.exit_code, said.output) == (0, "")
    svg = picture.read_text(encoding="utf-8")
    assert "<title>somme.txt \N{MIDDLE DOT} S1901M</title>" in svg
    assert "<title>Austria: A BUD - SER" in svg
    assert ">Serbia</text>" in svg


def test_a_phase_without_orders_shows_the_position(game: Path) -> None:
    picture = game.with_name("out.svg")
    show(game, "--phase", "F1901M", "--picture", picture)

    assert "<title>Austria: A SER</title>" in picture.read_text(encoding="utf-8")


def test_a_png_is_as_wide_as_asked(game: Path) -> None:
    picture = game.with_name("out.png")
    show(game, "--phase", "S1901M", "--picture", picture, "--size", "240", "--theme", "dark")

    head = picture.read_bytes()[:20]
    assert head.startswith(b"\x89PNG")
    assert int.from_bytes(head[16:20], "big") == 240


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        pytest.param(["--picture", "o.svg"], 64, "--picture needs --phase", id="no phase"),
        pytest.param(
            ["--phase", "S1901M", "--picture", "o.gif"],
            64,
            "o.gif ends neither in .svg nor in .png",
            id="suffix",
        ),
        pytest.param(
            ["--phase", "S1901M", "--picture", "o.svg", "--theme", "tea"],
            64,
            "there is no theme 'tea', only bw, dark, light, safe",
            id="theme",
        ),
        pytest.param(
            ["--phase", "S1901M", "--picture", "/nowhere/o.svg"],
            69,
            "/nowhere/o.svg cannot be written: No such file or directory",
            id="folder",
        ),
    ],
)
def test_an_error_in_drawing_is_reported(
    game: Path, arguments: list[str], code: int, why: str
) -> None:
    said = show(game, *arguments)

    assert said.exit_code == code
    assert why in said.stderr


def test_one_of_several_games_must_be_named(game: Path) -> None:
    text = game.read_text()
    game.write_text(text + text)
    said = show(game, "--phase", "S1901M", "--picture", game.with_name("out.svg"))

    assert (said.exit_code, "choose one with --game or --number" in said.stderr) == (64, True)
