"""Passwords, for those who sign on as the old judges had it: only a slow hash is kept."""

from __future__ import annotations

import hashlib
import hmac

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

PASSWORD_CHARACTERS_MAX = 200  # a longer one is cut: nobody shall make us hash a letter
SCRYPT = "scrypt$"  # how hashes begin that the first judges made


class SlowPasswords:
    """Argon2id (RFC 9106) with its second recommended parameters, which stand in the hash."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=3, memory_cost=2**16, parallelism=4, type=Type.ID)

    def hash(self, password: str) -> str:
        """Return a salted hash with its parameters."""
        return self._hasher.hash(password[:PASSWORD_CHARACTERS_MAX])

    def matches(self, password: str, hashed: str) -> bool:
        """Compare in constant time."""
        if hashed.startswith(SCRYPT):
            return _matches_scrypt(password[:PASSWORD_CHARACTERS_MAX], hashed)
        try:
            return self._hasher.verify(hashed, password[:PASSWORD_CHARACTERS_MAX])
        except (VerificationError, InvalidHashError):
            return False


def _matches_scrypt(password: str, hashed: str) -> bool:
    _, cost, block, lanes, salt, digest = hashed.split("$")
    tried = hashlib.scrypt(
        password.encode(), salt=bytes.fromhex(salt), n=int(cost), r=int(block), p=int(lanes)
    )
    return hmac.compare_digest(tried, bytes.fromhex(digest))
