"""Brings a database to the present tables, in one transaction, and never back."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Engine, inspect, text
from sqlmodel import SQLModel

from judge.adapters import sqlite
from judge.adapters.migrations import NEWEST
from judge.errors import JudgeError


class NewerStoreError(JudgeError):
    """The database was made by a later version of the judge."""


def upgrade(engine: Engine) -> None:
    """Take every step that is still to be taken: all or, if anything fails, none."""
    with engine.begin() as connection:
        bring(connection)


def bring(connection: Connection, to: str = NEWEST) -> None:
    """Take every step that is still to be taken up to the one called *to*."""
    guard_events = _alone(connection)
    step = _step(connection)
    if step != to:
        _take_steps(connection, step, to)
    guard_events(connection)


def begin_again(connection: Connection, to: str) -> None:
    """Put the tables of the step *to* in place of those that are there, with all that is in them.

    Raises `NewerStoreError` if there is no such step.
    """
    _alone(connection)
    for each in reversed(SQLModel.metadata.sorted_tables):
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {each.name}")
    connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
    bring(connection, to)


def _alone(connection: Connection) -> Callable[[Connection], None]:
    """Let nobody else change the tables, and return what guards the events in them."""
    if connection.dialect.name == "sqlite":
        return sqlite.guard_events
    from judge.adapters import postgresql  # noqa: PLC0415 - most judges have a file

    postgresql.wait_for(connection, postgresql.MIGRATION)
    return postgresql.guard_events


def _step(connection: Connection) -> str | None:
    """Return the last step that was taken, where Alembic keeps it."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return step


def _take_steps(connection: Connection, step: str | None, to: str) -> None:
    # Imported only when a step is due: it takes as long as everything else about opening a store.
    from alembic import command  # noqa: PLC0415 - see above
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "judge.adapters:migrations")
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    for each in {step or to, to} - known:
        raise NewerStoreError(
            f"the database has the tables of a later judge (step {each}): install that version, "
            "or go back to a copy made before it"
        )
    config.attributes["connection"] = connection
    command.upgrade(config, to)
