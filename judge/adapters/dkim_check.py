"""Signatures of mails (DKIM, RFC 6376), checked with the keys that the DNS gives."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import dkim
from dkim.dnsplug import get_txt

SECONDS_MAX = 5  # for one question to the DNS
BITS_MIN = 1024  # RFC 8301, 3.2
BARE_LINE_END = re.compile(rb"(?<!\r)\n")

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
            return bool(signed.verify(idx=number, dnsfunc=self._lookup))
        except Exception:  # noqa: BLE001 - it raises nearly anything on hostile bytes and keys
            return False
