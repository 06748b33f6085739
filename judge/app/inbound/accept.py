"""Accept incoming mail: the known recipients, and the promise of the reply 250."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from judge.mail.headers import addressees, received_at
from judge.mail.mail_addresses import is_ours


@dataclass(frozen=True, slots=True)
class Envelope:
    """A mail at the door: its bytes, its sender (empty for a bounce) and its recipients here.

    *received_utc* is when the boundary of our domain had it, None where only we can say that.
    """

    raw: bytes
    sender: str
    recipients: tuple[str, ...]
    way_in: str
    received_utc: datetime | None = None


class MailStore(Protocol):
    """Stores mails; many waiting at once are committed together."""

    async def keep(self, envelope: Envelope) -> None:
        """Return once every recipient's copy is on the disk; raises when it is not.

        A mail that is already there is there: a redelivery changes nothing and is no error.
        """
        ...


@dataclass(frozen=True, slots=True)
class MailReception:
    """The addresses of this judge: its own, with or without a token behind the delimiter.

    *boundary* is the name of the operator's own mail server, through which all mail comes; empty
    where there is none, and strangers speak to the judge itself.
    """

    address: str
    delimiter: str
    boundary: str = ""

    def knows(self, recipient: str) -> bool:
        """Say whether *recipient* is ours; whether its token is known, the door does not tell."""
        return is_ours(recipient, self.address, self.delimiter)

    def received(self, raw: bytes) -> datetime | None:
        """Return when the operator's own mail server had a mail, if it says so."""
        return received_at(raw, self.boundary) if self.boundary else None

    def recipients(self, raw: bytes) -> tuple[str, ...]:
        """Return to which of our addresses a mail went that comes without an envelope."""
        ours = tuple(each for each in addressees(raw) if self.knows(each))
        return ours or (self.address,)
