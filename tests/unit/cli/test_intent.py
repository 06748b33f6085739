"""`judge intent`: how sentences are read as wishes, and the operator's own examples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.store.database import open_database
from judge.cli.operator.intent import intent
from judge.cli.terminal import BAD_INPUT, UNAVAILABLE
from judge.mail.intents import installed, training
from judge.mail.intents.weights import Weights, scores_of
from judge.mail.intents.wish_files import digest_of
from judge.resources import override_files


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    override_files("templates", None)


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of the operator's own templates."""
    folder = tmp_path / "templates"
    folder.mkdir()
    monkeypatch.setenv("JUDGE_TEMPLATES", "templates")
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(intent, arguments)


def test_a_sentence_is_tried_with_its_slots_and_the_nearest_examples() -> None:
    tried = run("try", "I'm on vacation from 24 Dec 2026 to 2 Jan 2027")

    assert "act: " in tried.stdout
    assert "absence: ABSENT 24 Dec 2026 TO 2 Jan 2027" in tried.stdout
    assert "to = 2027-01-02" in tried.stdout
    assert "absence: I'm on vacation from {date} to {date}" in tried.stdout


def test_talk_wants_nothing() -> None:
    assert "nothing is wanted" in run("try", "Great stab, I did not see that coming!").stdout


def test_an_example_is_added_to_the_operators_own_and_learned(
    templates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = installed.weights()
    assert ours

    def quickly(folder: Path, own: Path) -> Weights:
        return replace(ours, digest=digest_of(folder, own))

    monkeypatch.setattr(training, "train", quickly)
    added = run("add", "absence", "off to the cabin till {date}")

    assert added.exit_code == 0, added.output
    file = templates / "intents/absence.toml"
    assert file.read_text(encoding="utf-8") == 'en = """\noff to the cabin till {date}\n"""\n'
    run("add", "absence", "bin auf der Hütte bis {date}", "--language", "de")
    assert "Hütte" in file.read_text(encoding="utf-8")

    override_files("templates", templates)
    learned = installed.weights()
    assert learned
    assert learned.digest != ours.digest


def test_an_unknown_wish_is_refused(templates: Path) -> None:
    refused = run("add", "fly", "I want to fly")

    assert refused.exit_code == BAD_INPUT
    assert "there is no wish called fly" in refused.stderr
    assert not (templates / "intents").exists()


def test_without_a_folder_of_their_own_nothing_is_added() -> None:
    assert run("add", "absence", "away").exit_code == UNAVAILABLE


@pytest.mark.gate
def test_nearly_all_examples_are_read_as_what_they_are() -> None:
    checked = run("check").stdout.splitlines()[-1]

    wrong, total = int(checked.split()[0]), int(checked.split(" of ")[1].split()[0])
    assert wrong < total / 50


def test_what_was_not_understood_is_listed_by_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_DATABASE", str(tmp_path / "judge.db"))
    with closing(open_database(tmp_path / "judge.db")) as database, database.write() as writing:
        writing.missed.note("who is {power}", datetime(2026, 11, 28, 12, tzinfo=UTC))

    assert run("missed").stdout == "2026-11-28  who is {power}\n"
    assert '"sentence": "who is {power}"' in run("missed", "--json").stdout


def test_weights_are_the_same_whatever_python_adds_them() -> None:
    assert scores_of([[[1e16, 0.1], [1.0, 0.2], [-1e16, 0.3]], [], []], 1.0) == [1.0, 0.6]
