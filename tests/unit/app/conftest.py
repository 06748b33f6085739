"""Judges with games to test with: each test gets its own copy of a database built once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
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
def laid(tmp_path_factory: pytest.TempPathFactory, bare: Path) -> Callable[[MailForm], Path]:
    """Return what lays a judge with the game `baltic` in Spring 1901, with a moderator.

    It returns its folder. The first emails to the players are rendered: that takes long.
    """

    @cache
    def lay(form: MailForm) -> Path:
        folder = tmp_path_factory.mktemp("laid")
        shutil.copy(bare / "judge.db", folder)
        table = Table(folder, "laid", form=form)
        table.start("baltic", moderator=MODERATOR)
        table.render()
        table.close()
        return folder

    return lay


@pytest.fixture
def form() -> MailForm:
    """Return the form of outgoing emails: plain text unless a module overrides this fixture."""
    return MailForm.TEXT


@pytest.fixture
def judge(bare: Path, tmp_path: Path, form: MailForm) -> Iterator[Table]:
    """Return a judge without any game, on Monday at noon."""
    yield from _copy(bare, tmp_path, form)


@pytest.fixture
def table(laid: Callable[[MailForm], Path], tmp_path: Path, form: MailForm) -> Iterator[Table]:
    """Return a judge with the game `baltic`, just started; its players have emails to reply to."""
    yield from _copy(laid(form), tmp_path, form)


def _copy(folder: Path, tmp_path: Path, form: MailForm) -> Iterator[Table]:
    shutil.copy(folder / "judge.db", tmp_path)
    table = Table(tmp_path, "copy", form=form)
    yield table
    table.close()
