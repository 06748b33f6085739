from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from judge.app.ports.people import MailForm
from tests.support.table import Table


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of a judge with the game `baltic`, which has just started."""
    with closing(Table(tmp_path_factory.mktemp("laid"), form=MailForm.PICTURES)) as judge:
        judge.start()
        judge.render()
    return judge.file


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Table]:
    """A judge without any game."""
    with closing(Table(tmp_path, form=MailForm.PICTURES)) as judge:
        yield judge


@pytest.fixture
def table(laid: Path, tmp_path: Path) -> Iterator[Table]:
    """A judge with the game `baltic`, which has just started."""
    shutil.copy(laid, tmp_path)
    with closing(Table(tmp_path, "copy", form=MailForm.PICTURES)) as judge:
        yield judge
