"""Passwords, for those who sign on as the old judges had it: only a slow hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets

COST, BLOCK, LANES = 2**14, 8, 1  # RFC 7914; 16 MB and some 50 ms a try
SALT_BYTES = 16
PASSWORD_CHARACTERS_MAX = 200  # a longer one is cut: nobody shall make us hash a letter


class ScryptPasswords:
    """scrypt from the standard library; the parameters stand in the hash."""

    def hash(self, password: str) -> str:
        """Return a salted hash with its parameters."""
        salt = secrets.token_bytes(SALT_BYTES)
        digest = _scrypt(password, salt, COST, BLOCK, LANES)
        return f"scrypt${COST}${BLOCK}${LANES}${salt.hex()}${digest.hex()}"

    def matches(self, password: str, hashed: str) -> bool:
        """Compare in constant time."""
        _, cost, block, lanes, salt, digest = hashed.split("$")
        tried = _scrypt(password, bytes.fromhex(salt), int(cost), int(block), int(lanes))
        return hmac.compare_digest(tried, bytes.fromhex(digest))


def _scrypt(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    secret = password[:PASSWORD_CHARACTERS_MAX].encode()
    return hashlib.scrypt(secret, salt=salt, n=cost, r=block, p=lanes)
