"""Random keys, encryption of stored press, and password hashes.

The libraries load slowly, and a judge starts without them: each is imported where it is used.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argon2 import PasswordHasher
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NONCE_BYTES = 16  # 128 bits, as a commitment needs


class SystemRandomness:
    """The operating system's source of randomness."""

    def nonce(self) -> str:
        return secrets.token_hex(NONCE_BYTES)

    def key(self) -> bytes:
        from cryptography.fernet import Fernet  # noqa: PLC0415 - see above

        return Fernet.generate_key()


class FernetEncryption:
    """AES-128-CBC with HMAC-SHA256, in the Fernet format of `cryptography`."""

    def seal(self, text: str, key: bytes) -> str:
        from cryptography.fernet import Fernet  # noqa: PLC0415 - see above

        return Fernet(key).encrypt(text.encode()).decode("ascii")

    def open(self, sealed: str, key: bytes) -> str:
        """Decrypt the output of `seal`; raises `ValueError` if the key is wrong."""
        from cryptography.fernet import Fernet, InvalidToken  # noqa: PLC0415 - see above

        try:
            return Fernet(key).decrypt(sealed.encode("ascii")).decode()
        except InvalidToken:
            raise ValueError("sealed under another key") from None

    def sign(self, message: bytes, seed: bytes) -> bytes:
        return _private_key(seed).sign(message)

    def public_key(self, seed: bytes) -> bytes:
        return _private_key(seed).public_key().public_bytes_raw()

    def is_signed(self, key: bytes, message: bytes, signature: bytes) -> bool:
        return verify_ed25519(key, message, signature)


def _private_key(seed: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - see above

    return ed25519.Ed25519PrivateKey.from_private_bytes(seed)


def verify_ed25519(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether *signature* of *message* is that of the public *key*."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - see above
        Ed25519PublicKey,
    )

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


PASSWORD_CHARACTERS_MAX = 200  # the rest is cut off: hashing a whole email would take too long


class Argon2Passwords:
    """Argon2id (RFC 9106) with its second recommended parameters, which each hash includes."""

    def hash(self, password: str) -> str:
        return self._hasher.hash(password[:PASSWORD_CHARACTERS_MAX])

    def matches(self, password: str, hashed: str) -> bool:
        """Return whether *password* has the hash *hashed*, in constant time."""
        from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415 - see above

        try:
            return self._hasher.verify(hashed, password[:PASSWORD_CHARACTERS_MAX])
        except (VerificationError, InvalidHashError):
            return False

    @property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher, Type  # noqa: PLC0415 - see above

        return PasswordHasher(time_cost=3, memory_cost=2**16, parallelism=4, type=Type.ID)
