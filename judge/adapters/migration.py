"""Brings a database to the present tables, in one transaction, and never back."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from judge.adapters import sqlite
from judge.errors import JudgeError


class NewerStoreError(JudgeError):
    """The database was made by a later version of the judge."""


def upgrade(engine: Engine) -> None:
    """Take every step that is still to be taken: all or, if anything fails, none."""
    config = Config()
    config.set_main_option("script_location", "judge.adapters:migrations")
    with engine.begin() as connection:
        _refuse_newer(config, connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        sqlite.guard_events(connection)


def _refuse_newer(config: Config, connection: Connection) -> None:
    step = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if step is not None and step not in known:
        raise NewerStoreError(
            f"the database has the tables of a later judge (step {step}): install that version, "
            "or go back to a copy made before it"
        )
