"""Secrets of this judge, made once and kept in a database."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, insert, select

from judge.adapters.tables import SecretRow, table

TOKEN_KEY_BYTES = 32  # RFC 2104: as long as the output of SHA-256.

_SECRETS = table(SecretRow)


class SqlSecrets:
    """The secrets as one transaction sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def token_key(self) -> bytes:
        """Return the key of the tokens, made at the first call."""
        kept = select(_SECRETS.c.value).where(_SECRETS.c.name == "token_key")
        key: bytes | None = self._connection.execute(kept).scalar_one_or_none()
        if key is None:
            key = secrets.token_bytes(TOKEN_KEY_BYTES)
            self._connection.execute(insert(_SECRETS), {"name": "token_key", "value": key})
        return key
