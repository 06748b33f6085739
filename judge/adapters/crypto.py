"""Random keys, encryption of stored press, password hashes and DKIM signatures.

The libraries load slowly, and a judge starts without them: each is imported where it is used.
"""

from __future__ import annotations

import re
import secrets
from base64 import b64decode
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from argon2 import PasswordHasher
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from dkim import DKIM

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


DNS_SECONDS_MAX = 5
KEY_BITS_MIN = 1024  # RFC 8301 3.2
BARE_LINE_END = re.compile(rb"(?<!\r)\n")
TESTING = re.compile(rb"(?:^|;)\s*t\s*=[^;]*\by\b")  # RFC 6376 3.6.1: treat as unsigned

Lookup: TypeAlias = Callable[..., bytes | None]


class DkimVerifier:
    """Checks DKIM signatures; *lookup* returns the TXT record of a domain name."""

    def __init__(self, lookup: Lookup | None = None) -> None:
        from dkim.dnsplug import get_txt  # noqa: PLC0415 - most judges leave this to a mail server

        self._lookup = lookup or get_txt

    def is_valid(self, raw: bytes, number: int) -> bool:
        """Return whether the email's signature with index *number* is valid."""
        import dkim  # noqa: PLC0415 - see above

        mail = BARE_LINE_END.sub(b"\r\n", raw)
        try:
            signed = dkim.DKIM(mail, minkey=KEY_BITS_MIN, timeout=DNS_SECONDS_MAX)
            return bool(signed.verify(idx=number, dnsfunc=self._key)) and _is_canonical(signed)
        except Exception:  # noqa: BLE001 - it raises nearly anything on hostile bytes and keys
            return False

    def _key(self, name: bytes, **options: int) -> bytes | None:
        record = self._lookup(name, **options)
        return None if record and TESTING.search(record) else record


def _is_canonical(signed: DKIM) -> bool:
    """Return whether an RSA signature has the length of its key and is below the modulus.

    dkimpy also accepts leading zeros and multiples of the modulus, unlike RFC 8017 8.2.2: with
    these anyone could make a "new" signature from an old one.
    """
    if signed.ktag != b"rsa":
        return True
    value = b64decode(re.sub(rb"\s+", b"", signed.signature_fields[b"b"]))
    modulus: int = signed.pk["modulus"]
    octets = (modulus.bit_length() + 7) // 8
    return len(value) == octets and int.from_bytes(value) < modulus
