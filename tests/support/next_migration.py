"""A database migration that a later version of the judge might add."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.adapters import migrations
from judge.adapters.store import database

NEXT = "9000"
CODE = f"""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{migrations.NEWEST}"


def upgrade():
    op.add_column("people", sa.Column("shoe_size", sa.Integer, server_default="42"))
"""


def add_next_step(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make the judge a version with one more step, whose modules are in *folder*."""
    shutil.copytree(Path(migrations.__file__).parent, folder / "migrations")
    Path(folder, "migrations", "versions", "next.py").write_text(CODE)
    monkeypatch.setattr(database, "STEPS", str(folder / "migrations"))
    monkeypatch.setattr(migrations, "NEWEST", NEXT)
