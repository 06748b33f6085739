"""Writes a store anew, so that what was removed from it is no more on the disk either."""

from __future__ import annotations

from contextlib import closing

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel


def compact(engine: Engine) -> bool:
    """Write everything anew; False if somebody else kept it from coming to its end."""
    try:
        return _vacuum_file(engine) if engine.dialect.name == "sqlite" else _vacuum_tables(engine)
    except DBAPIError:
        return False


def _vacuum_file(engine: Engine) -> bool:
    """Write the file anew, and empty its journal, which still holds the old one."""
    with closing(engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
        try:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [(busy, *_)] = cursor.fetchall()
        except engine.dialect.loaded_dbapi.OperationalError:
            return False
    return not busy


def _vacuum_tables(engine: Engine) -> bool:
    """Write every table but that of the events anew, since nothing was removed from that one.

    What the planner knows of them has the commonest values in it: that is made anew as well.
    """
    alone = engine.execution_options(isolation_level="AUTOCOMMIT")
    with alone.connect() as connection:
        for each in SQLModel.metadata.sorted_tables:
            if each.name != "events":
                connection.execute(text(f"VACUUM (FULL, ANALYZE) {each.name}"))
        connection.execute(text("VACUUM FULL pg_statistic"))
    return True
