"""Judges with games to test with: each test gets its own copy of a database built once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.app.ports.people import MailForm
from tests.support.table import MODERATOR, Table


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge without any game."""
    folder = tmp_path_factory.mktemp("bare")
    Table(folder).close()
    return folder


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory, bare: Path) -> Path:
    """Return the folder of a judge with the game `baltic` in Spring 1901, with a moderator."""
    folder = tmp_path_factory.mktemp("laid")
    shutil.copy(bare / "judge.db", folder)
    table = Table(folder, "laid", form=MailForm.PICTURES)
    table.start("baltic", moderator=MODERATOR)
    table.close()
    return folder


@pytest.fixture
def form() -> MailForm:
    """Return the form of outgoing emails: plain text unless a module overrides this fixture."""
    return MailForm.TEXT


@pytest.fixture
def judge(bare: Path, tmp_path: Path, form: MailForm) -> Iterator[Table]:
    """Return a judge without any game, on Monday at noon."""
    yield from _copy(bare, tmp_path, form)


@pytest.fixture
def table(laid: Path, tmp_path: Path, form: MailForm) -> Iterator[Table]:
    """Return a judge with the game `baltic`, just started; its players have emails to reply to."""
    yield from _copy(laid, tmp_path, form)


def _copy(folder: Path, tmp_path: Path, form: MailForm) -> Iterator[Table]:
    shutil.copy(folder / "judge.db", tmp_path)
    table = Table(tmp_path, "copy", form=form)
    yield table
    table.close()
