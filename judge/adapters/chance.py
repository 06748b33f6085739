"""The one place where dice are rolled."""

from __future__ import annotations

import secrets

from cryptography.fernet import Fernet

NONCE_BYTES = 16  # 128 bits, as a commitment needs


class SystemChance:
    """The machine's source of randomness."""

    def nonce(self) -> str:
        """Return 128 random bits in hexadecimal."""
        return secrets.token_hex(NONCE_BYTES)

    def key(self) -> bytes:
        """Return a new key to seal a person's press with."""
        return Fernet.generate_key()
