"""Signatures of mails (DKIM, RFC 6376), checked with the keys that the DNS gives."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from typing import TypeAlias

import dkim
from dkim.dnsplug import get_txt

SECONDS_MAX = 5  # for one question to the DNS
BITS_MIN = 1024  # RFC 8301, 3.2
BARE_LINE_END = re.compile(rb"(?<!\r)\n")
TESTING = re.compile(rb"(?:^|;)\s*t\s*=[^;]*\by\b")  # RFC 6376, 3.6.1: as if it were not signed

Lookup: TypeAlias = Callable[..., bytes | None]


class DkimCheck:
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
