"""`judge report` and `judge templates`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.archive.formats.record_json import write_record
from judge.cli.games.game_import import import_command
from judge.cli.games.report import report
from judge.cli.operator.check import check
from judge.cli.operator.own_templates import templates
from judge.resources import folder, override_files
from tests.support.zines import BOARD, two_years


@pytest.fixture(autouse=True)
def _our_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    override_files("templates", None)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a file with two years of a game."""
    file = tmp_path / "game.jsonl"
    record = replace(two_years(), numbers={}, gamemaster=None)
    file.write_text("".join(write_record(record, BOARD)), encoding="utf-8")
    return file


def run(*arguments: object) -> Result:
    return CliRunner().invoke(report, [*map(str, arguments)])


def edited(tmp_path: Path, name: str, before: str, after: str) -> Path:
    """Export the templates, edit the one called *name*, and return their folder."""
    own = tmp_path / "own"
    said = CliRunner().invoke(templates, ["export", str(own), "--only", "zine/"])
    assert said.exit_code == 0, said.output
    text = (own / name).read_text(encoding="utf-8")
    assert before in text
    (own / name).write_text(text.replace(before, after), encoding="utf-8")
    return own


def test_a_report_is_printed_as_text(game: Path) -> None:
    said = run(game, "--years", "1901", "--boardman", "1989H", "--gm", "Ann Smith")

    assert said.exit_code == 0, said.output
    assert "Boardman number: 1989H\nGM: Ann Smith\n" in said.stdout
    assert "Spring 1901\n-----------\n" in said.stdout
    assert "Spring 1902" not in said.stdout


@pytest.mark.parametrize(
    ("form", "begins"),
    [("html", b"<!doctype html>"), ("pdf", b"%PDF-"), ("docx", b"PK"), ("markdown", b"# Game")],
)
def test_a_report_is_written_into_a_file(
    game: Path, tmp_path: Path, form: str, begins: bytes
) -> None:
    file = tmp_path / f"out.{form}"
    said = run(game, "--years", "1901", "--format", form, "--theme", "bw", "-o", file)

    assert said.exit_code == 0, said.output
    assert file.read_bytes().lstrip().startswith(begins)


def test_a_report_is_written_in_the_language_that_is_asked_for(game: Path, tmp_path: Path) -> None:
    centers = tmp_path / "centers.svg"
    said = run(game, "--years", "1901", "--language", "Deutsch")
    drawn = run(game, *("--style", "table", "--format", "svg", "-o", centers, "--language", "fr"))

    assert "Frühjahr 1901\n-------------\n" in said.stdout
    assert "DEUTSCHLAND: A Ber-Kie," in said.stdout
    assert drawn.exit_code == 0, drawn.output
    assert 'aria-label="Centres par année"' in centers.read_text(encoding="utf-8")


def test_positions_are_printed_when_they_are_asked_for(game: Path) -> None:
    assert "Positions\n\nAUSTRIA: " in run(game, "--positions").stdout
    assert "Stellung\n\nÖSTERREICH: " in run(game, "--positions", "--language", "de").stdout
    assert "Positions" not in run(game).stdout


@pytest.mark.parametrize(
    "others", [("--style", "judge"), ("--format", "svg", "-o", "maps")], ids=["judge", "maps"]
)
def test_positions_are_refused_where_they_cannot_be_printed(
    others: tuple[str, ...], game: Path
) -> None:
    said = run(game, "--positions", *others)

    assert "--positions is for the styles zine and table" in said.stderr
    assert said.exit_code == 64


def test_without_pictures_there_are_none(game: Path) -> None:
    said = run(game, "--years", "1901", "--format", "html", "--no-pictures")

    assert "<img" not in said.stdout


@pytest.mark.parametrize(("form", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_several_pictures_fill_a_folder(
    game: Path, tmp_path: Path, form: str, begins: bytes
) -> None:
    said = run(game, "--years", "1901", "--format", form, "-o", tmp_path / "maps")

    assert said.exit_code == 0, said.output
    names = sorted(file.name for file in (tmp_path / "maps").iterdir())
    assert names == [f"F1901M.{form}", f"S1901M.{form}"]
    assert (tmp_path / "maps" / names[0]).read_bytes().startswith(begins)


def test_a_single_picture_is_a_file(game: Path, tmp_path: Path) -> None:
    centers = tmp_path / "centers.svg"
    chart = run(game, "--style", "table", "--format", "svg", "-o", centers)
    several = run(game, "--format", "svg", "-o", tmp_path / "all.svg")

    assert chart.exit_code == 0, chart.output
    assert centers.read_text(encoding="utf-8").startswith("<svg")
    assert several.exit_code == 64
    assert "name a folder, or fewer --years" in several.stderr


@pytest.mark.parametrize(
    ("arguments", "why", "code"),
    [
        (["--format", "pdf"], "--format pdf needs -o", 64),
        (["--theme", "pink"], "there is no theme 'pink'", 64),
        (["--language", "klingon"], "there is no language 'klingon'; choose from en, de, fr", 64),
        (["--language", "de", "--style", "judge"], "is in English only", 64),
        (["--years", "1905-1901"], "expected a year, or two of them as in 1901-1905", 64),
        (["--years", "late"], "expected a year", 64),
        (["--years", "1950"], "no such phase of the game was played", 69),
        (["-o", "none/report.txt"], "cannot be written", 69),
        (["--format", "svg", "-o", "game.jsonl/maps"], "cannot be written", 69),
    ],
)
def test_an_error_is_reported_in_one_line(
    game: Path, arguments: list[str], why: str, code: int
) -> None:
    said = run(game.name, *arguments)

    assert said.exit_code == code, said.output
    assert why in said.stderr
    assert said.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("form", "package", "door"),
    [("pdf", "typst", "judge.reports.pdf"), ("docx", "python-docx", "judge.reports.docx")],
)
def test_a_missing_extra_is_named(
    game: Path, monkeypatch: pytest.MonkeyPatch, form: str, package: str, door: str
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    monkeypatch.setitem(sys.modules, "docx", None)
    monkeypatch.delitem(sys.modules, door, raising=False)
    said = run(game, "--years", "1901", "--format", form, "-o", f"out.{form}")

    assert said.exit_code == 69
    expected = f"judge: --format {form} needs {package}: pip install {package}\n"
    assert said.stderr == expected


def test_a_game_of_the_log_is_reported_by_its_closed_phases(begun: Path) -> None:
    before = run("baltic", "--database", begun / "judge.db")

    assert before.exit_code == 69
    assert "no such phase of the game was played" in before.stderr


@pytest.mark.parametrize(
    ("rule", "shown"),
    [("blind=no", "A Mun-Bur"), ("blind=yes", "dark is blind: nothing of its board is public")],
)
def test_a_running_blind_game_has_no_report(game: Path, rule: str, shown: str) -> None:
    taken = [str(game), "--as", "dark", "--at", "S1902M", "--rule", rule]
    imported = CliRunner().invoke(import_command, [*taken, "--database", "judge.db"])
    said = run("dark", "--database", "judge.db")

    assert imported.exit_code == 0, imported.output
    assert shown in said.output
    assert ("A Mun-Bur" in said.output) == (rule == "blind=no")


def test_edited_templates_are_used_in_the_report(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = edited(tmp_path, "zine/parts.j2", "Supply centers", "Who owns what")
    monkeypatch.setenv("JUDGE_TEMPLATES", str(own))

    assert "Who owns what" in run(game, "--years", "1901").stdout
    assert "ok       templates: 12 in" in CliRunner().invoke(check).stdout
    monkeypatch.delenv("JUDGE_TEMPLATES")
    assert "Supply centers" in run(game, "--years", "1901").stdout


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (("zine/zine.j2", "{% for season in seasons %}", "{% for season in %}"), "zine.j2:7: "),
        (("zine/parts.j2", "facts.players", "facts.nobody"), "parts.j2:12: "),
        (("zine/words.j2", "| brief }}", "| breif }}"), "No filter named 'breif'"),
    ],
)
def test_a_broken_template_is_named_with_its_line(
    game: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    edit: tuple[str, str, str],
    why: str,
) -> None:
    own = edited(tmp_path, *edit)
    monkeypatch.setenv("JUDGE_TEMPLATES", str(own))
    told, checked = run(game, "--years", "1901"), CliRunner().invoke(check)

    assert told.exit_code == 78, told.output
    assert why in told.stderr
    assert told.stderr.count("\n") == 1
    errors = [line for line in checked.stdout.splitlines() if line.startswith("error")]
    assert any(why in line for line in errors)
    assert checked.exit_code == 1


def test_a_typst_error_names_its_templates(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = edited(tmp_path, "zine/look.typ", "#let press(", "#let pross(")
    monkeypatch.setenv("JUDGE_TEMPLATES", str(own))
    said = run(game, "--format", "pdf", "-o", "out.pdf")

    assert said.exit_code == 78
    assert "zine/look.typ or zine/marks/typst.j2: unknown variable: press" in said.stderr


def test_an_unknown_template_name_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    (own / "zine").mkdir(parents=True)
    (own / "zine" / "word.j2").write_text("")
    (own / "zine" / "words.j2").write_bytes(b"\xff")
    (own / "zine" / "parts.j2").write_text("{% macro head() %}{{ nobody }}{% endmacro %}")
    monkeypatch.setenv("JUDGE_TEMPLATES", str(own))
    found = CliRunner().invoke(check).stdout

    assert "word.j2: none of ours has this name; did you mean zine/words.j2?" in found
    assert "words.j2: 'utf-8' codec can't decode" in found
    assert "parts.j2:1: ours uses nothing called 'nobody'" in found


def test_a_missing_folder_is_reported(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    monkeypatch.setenv("JUDGE_TEMPLATES", "nowhere")
    said = run(game)

    assert said.exit_code == 78
    assert "templates: there is no folder" in said.stderr


def test_an_export_is_complete_and_keeps_edited_files(tmp_path: Path) -> None:
    own = tmp_path / "own"
    first = CliRunner().invoke(templates, ["export", str(own)])
    (own / "zine" / "zine.j2").write_text("mine")
    second = CliRunner().invoke(templates, ["export", str(own)])
    ours = {
        file.relative_to(folder("templates"))
        for file in folder("templates").rglob("*")
        if file.is_file()
    }

    assert first.stdout == f"{len(ours)} templates are in {own}\n"
    assert {file.relative_to(own) for file in own.rglob("*") if file.is_file()} == ours
    assert (own / "zine" / "zine.j2").read_text() == "mine"
    assert f"kept     {own / 'zine' / 'zine.j2'}" in second.stderr


def test_a_failed_export_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nothing = CliRunner().invoke(templates, ["export", "--only", "nothing/"])
    nowhere = CliRunner().invoke(templates, ["export", str(tmp_path / "file")])

    assert "no template's name begins with 'nothing/'" in nothing.stderr
    assert "cannot be written to" in nowhere.stderr
