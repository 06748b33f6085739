"""Secrets of this judge, made once and kept in a database."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, select

from judge.adapters.tables import SecretRow, insert_new, table

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
        if key is not None:
            return key
        made = {"name": "token_key", "value": secrets.token_bytes(TOKEN_KEY_BYTES)}
        insert_new(self._connection, _SECRETS, made)
        return self.token_key()  # which another judge may have made at the same moment
