"""What the use cases need of the machine: its clock, its dice, its secrets, its log."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The one place where the time is read."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...


class Chance(Protocol):
    """The one place where dice are rolled."""

    def nonce(self) -> str:
        """Return 128 random bits in hexadecimal."""
        ...

    def key(self) -> bytes:
        """Return a new key to seal a person's press with."""
        ...


class Sealer(Protocol):
    """Encrypts press, so that the log can outlive what a person wrote."""

    def seal(self, text: str, key: bytes) -> str:
        """Encrypt *text*."""
        ...

    def open(self, sealed: str, key: bytes) -> str:
        """Decrypt what `seal` made; raises `ValueError` when the key is another."""
        ...


class Passwords(Protocol):
    """Hashes passwords slowly."""

    def hash(self, password: str) -> str:
        """Return a salted hash with its parameters."""
        ...

    def matches(self, password: str, hashed: str) -> bool:
        """Compare in constant time."""
        ...


class Journal(Protocol):
    """What the operator may read about the judge's own doings; never a word of a mail."""

    def note(self, event: str, **facts: str | int) -> None:
        """Write down that *event* happened."""
        ...

    def warn(self, event: str, **facts: str | int) -> None:
        """Write down that *event* happened, about which somebody should do something."""
        ...

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        """Write down a failure of ours: its kind and where it happened, not what it says."""
        ...


class Signatures(Protocol):
    """Checks the signatures (DKIM) of mails."""

    def is_valid(self, raw: bytes, number: int) -> bool:
        """Say whether the signature *number* of the mail *raw*, from 0 at its top, is valid."""
        ...
