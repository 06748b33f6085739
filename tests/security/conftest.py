from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.app.ports.people import MailForm
from tests.support.table import Table


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Table]:
    """A judge without any game."""
    table = Table(tmp_path, form=MailForm.PICTURES)
    yield table
    table.close()


@pytest.fixture
def table(judge: Table) -> Table:
    """A judge with the game `baltic`, which has just started."""
    judge.start()
    return judge
