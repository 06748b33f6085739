"""Random keys, encryption of stored press, password hashes and DKIM signatures."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import b64decode
from collections.abc import Callable
from typing import TypeAlias

import dkim
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from cryptography.fernet import Fernet, InvalidToken
from dkim.dnsplug import get_txt

NONCE_BYTES = 16  # 128 bits, as a commitment needs


class SystemRandomness:
    """The machine's source of randomness."""

    def nonce(self) -> str:
        """Return 128 random bits in hexadecimal."""
        return secrets.token_hex(NONCE_BYTES)

    def key(self) -> bytes:
        """Return a new key to seal a person's press with."""
        return Fernet.generate_key()


class FernetEncryption:
    """AES-128-CBC with HMAC-SHA256, as `cryptography` packs them."""

    def seal(self, text: str, key: bytes) -> str:
        """Encrypt *text*."""
        return Fernet(key).encrypt(text.encode()).decode("ascii")

    def open(self, sealed: str, key: bytes) -> str:
        """Decrypt what `seal` made; raises `ValueError` when the key is another."""
        try:
            return Fernet(key).decrypt(sealed.encode("ascii")).decode()
        except InvalidToken:
            raise ValueError("sealed under another key") from None


PASSWORD_CHARACTERS_MAX = 200  # a longer one is cut: nobody shall make us hash a letter
SCRYPT = "scrypt$"  # how hashes begin that the first judges made


class Argon2Passwords:
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


SECONDS_MAX = 5  # for one question to the DNS
BITS_MIN = 1024  # RFC 8301, 3.2
BARE_LINE_END = re.compile(rb"(?<!\r)\n")
TESTING = re.compile(rb"(?:^|;)\s*t\s*=[^;]*\by\b")  # RFC 6376, 3.6.1: as if it were not signed

Lookup: TypeAlias = Callable[..., bytes | None]


class DkimVerifier:
    """Checks signatures; *lookup* answers for a name of the DNS."""

    def __init__(self, lookup: Lookup = get_txt) -> None:
        self._lookup = lookup

    def is_valid(self, raw: bytes, number: int) -> bool:
        """Say whether the signature *number* of a mail, from 0 at its top, is valid."""
        mail = BARE_LINE_END.sub(b"\r\n", raw)
        try:
            signed = dkim.DKIM(mail, minkey=BITS_MIN, timeout=SECONDS_MAX)
            return bool(signed.verify(idx=number, dnsfunc=self._key)) and _is_whole(signed)
        except Exception:  # noqa: BLE001 - it raises nearly anything on hostile bytes and keys
            return False

    def _key(self, name: bytes, **options: int) -> bytes | None:
        """Look a key up; one that its domain only tests is none."""
        record = self._lookup(name, **options)
        return None if record and TESTING.search(record) else record


def _is_whole(signed: dkim.DKIM) -> bool:
    """Say whether an RSA signature is the one number that its key makes, in all its octets.

    dkimpy takes it with zeros before it or with the modulus added too (unlike RFC 8017, 8.2.2):
    anybody could make a "new" signature of an old one.
    """
    if signed.ktag != b"rsa":
        return True
    value = b64decode(re.sub(rb"\s+", b"", signed.signature_fields[b"b"]))
    modulus: int = signed.pk["modulus"]
    octets = (modulus.bit_length() + 7) // 8
    return len(value) == octets and int.from_bytes(value) < modulus
