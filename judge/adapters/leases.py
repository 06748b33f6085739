"""What each of several judges on one PostgreSQL has in hand.

`FOR UPDATE SKIP LOCKED` holds a row until its transaction ends. That suits a mail being answered
(`judge.adapters.shared_mail`), but not one that a mail server is slow to take: a transaction which
is open for minutes keeps what is old from being removed, and blocks its player's SET MAILS. So
what outlasts a transaction is locked by name, and skipped in the same way where it is locked; the
locks are those of one connection, and are free once it is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeVar

from sqlalchemy import Connection, Engine, Select, text
from sqlalchemy.exc import SQLAlchemyError

from judge.adapters.postgresql import key_of

TAKE_SOME = text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key "
    "WHERE pg_try_advisory_lock(key) LIMIT :most"
)
LEAVE = text("SELECT pg_advisory_unlock(:key)")
ALIVE = text("SELECT 1")

Answer = TypeVar("Answer")


class Leases:
    """The claims of this judge."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self._held: set[str] = set()
        self._turn = Lock()

    def take(self, name: str) -> bool:
        """Have *name* in hand, or have it already; False if another judge does."""
        return bool(self._asking(lambda connection: self._take(connection, [name], 1)))

    def take_listed(self, names: Select[str], most: int) -> Sequence[str]:
        """Have in hand, in their order, so many of *names* as nobody else has."""

        def take(connection: Connection) -> Sequence[str]:
            return self._take(connection, connection.execute(names).scalars().all(), most)

        return self._asking(take)

    def leave(self, name: str) -> None:
        """Let others have *name*."""
        with self._turn:
            if name in self._held and self._connection is not None:
                self._held.remove(name)
                try:
                    self._connection.execute(LEAVE, {"key": key_of(name)})
                except SQLAlchemyError:
                    self._lose()

    def close(self) -> None:
        """Let others have everything."""
        with self._turn:
            self._lose()

    def _asking(self, ask: Callable[[Connection], Answer]) -> Answer:
        """Ask by the connection, or by a new one if it is gone, and all that was held with it."""
        with self._turn:
            if self._connection is not None:
                try:
                    self._connection.execute(ALIVE)
                except SQLAlchemyError:
                    self._lose()
            if self._connection is None:
                self._connection = self._engine.connect()
            try:
                return ask(self._connection)
            except SQLAlchemyError:
                self._lose()
                raise

    def _take(self, connection: Connection, names: Sequence[str], most: int) -> Sequence[str]:
        held = [name for name in names if name in self._held][:most]
        keys = {key_of(name): name for name in names if name not in self._held}
        if keys and len(held) < most:
            asked = {"keys": list(keys), "most": most - len(held)}
            taken = connection.execute(TAKE_SOME, asked).scalars().all()
            held += [keys[key] for key in taken]
            self._held.update(held)
        return held

    def _lose(self) -> None:
        """Forget the connection, which frees what it held."""
        self._held.clear()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None
