"""Which recipients exist, and what is promised with "250": the bytes are stored, nothing more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from judge.mail.identity import is_ours


@dataclass(frozen=True, slots=True)
class Envelope:
    """A mail at the door: its bytes, its sender (empty for a bounce) and its recipients here."""

    raw: bytes
    sender: str
    recipients: tuple[str, ...]
    way_in: str


class Keeper(Protocol):
    """Stores mails; many waiting at once are committed together."""

    async def keep(self, envelope: Envelope) -> None:
        """Return once every recipient's copy is on the disk; raises when it is not.

        A mail that is already there is there: a redelivery changes nothing and is no error.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reception:
    """The addresses of this judge: its own, with or without a token behind the delimiter."""

    address: str
    delimiter: str

    def knows(self, recipient: str) -> bool:
        """Say whether *recipient* is ours; whether its token is known, the door does not tell."""
        return is_ours(recipient, self.address, self.delimiter)
