"""Deliver outgoing emails: through a smarthost, or into a Maildir if there is none.

A file in the Maildir is named after the Message-ID, so an email written before a crash is found
and not written again: each is delivered exactly once.
"""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

from judge.adapters.system_clock import SystemClock
from judge.adapters.whole_files import make_folder, put_file, sync_folder
from judge.app.outbound.delivery import Blocked, Carrier, Delivery, Taken
from judge.app.ports.outbox import OutgoingMail
from judge.settings import Settings


class ReplaceableCarrier:
    """A carrier that can be replaced while emails are being delivered."""

    def __init__(self, carrier: Carrier) -> None:
        self._carriers = [carrier]

    def change(self, carrier: Carrier) -> None:
        """Use *carrier* for emails from now on."""
        self._carriers.append(carrier)

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Deliver one email."""
        return await self._carriers[-1].deliver(mail)

    async def rest(self) -> None:
        """Close the connections of all carriers, including replaced ones."""
        for carrier in self._carriers:
            await carrier.rest()


def carrier_of(settings: Settings) -> Carrier:
    """Return the smarthost if there is one, else the Maildir; both sign if there are keys.

    Raises `ConfigurationError` if half of a login or the key is missing.
    """
    carrier: Carrier
    if settings.smarthost:
        from judge.adapters.smarthost import smarthost_of  # noqa: PLC0415 - the other needs no SMTP

        carrier = smarthost_of(settings)
    else:
        on_server = not isinstance(settings.database, Path)
        carrier = Maildir(settings.maildir, shared=on_server)
    if settings.dkim_keys is None:
        return carrier
    from judge.adapters.dkim_signing import DkimSigner, SigningCarrier  # noqa: PLC0415 - few judges sign

    domain = settings.address.partition("@")[2]
    return SigningCarrier(carrier, DkimSigner(settings.dkim_keys, domain, SystemClock()))


FOLDER_MODE = 0o700


class Maildir:
    """A folder with `tmp`, `new` and `cur`; it may be *shared* with other judges.

    An email may be there already only if it was tried before: as it says itself, or by a process
    that ended before this one began, or by another judge. Looking through `cur` takes long.
    """

    def __init__(self, folder: Path, *, shared: bool = False) -> None:
        self._folder = folder
        self._shared = shared
        self._since = SystemClock().now()
        for part in (".", "tmp", "new", "cur"):
            make_folder(folder / part, FOLDER_MODE)

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Write one email, unless it is already there."""
        try:
            await asyncio.to_thread(self._write, mail)
        except OSError as error:
            return Blocked(f"{error.filename or self._folder}: {error.strerror}")
        return Taken()

    async def rest(self) -> None:
        """Do nothing: a Maildir has no connections."""

    def _write(self, mail: OutgoingMail) -> None:
        name = f"{hashlib.sha256(mail.message_id.encode()).hexdigest()[:40]}.judge"
        tried = self._shared or mail.attempts > 0 or mail.due_utc <= self._since
        if there := self._found(name, tried=tried):
            sync_folder(there)  # The process that wrote it may have ended before that.
            return
        put_file(
            self._folder / "new" / name, _envelope(mail) + mail.raw, self._folder / "tmp" / name
        )

    def _found(self, name: str, *, tried: bool) -> Path | None:
        """Return the folder that has an email.

        It is `new`, or `cur`: mail clients move emails there and add flags to their names.
        """
        new, cur = self._folder / "new", self._folder / "cur"
        if (new / name).exists():
            return new
        there = tried and any(each.name.startswith(name) for each in cur.iterdir())
        return cur if there else None


def _envelope(mail: OutgoingMail) -> bytes:
    """Keep the envelope, as a delivering server does (RFC 5321 4.4)."""
    return f"Return-Path: <{mail.sender}>\r\nDelivered-To: {mail.recipient}\r\n".encode()
