"""Deliver outgoing emails: through a smarthost, or into a Maildir if there is none.

A file in the Maildir is named after the Message-ID, so an email written before a crash is found
and not written again: each is delivered exactly once.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path

from judge.adapters.system_clock import SystemClock
from judge.adapters.whole_files import sync_folder
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


FOLDER_MODE, FILE_MODE = 0o700, 0o600


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
            (folder / part).mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Write one email, unless it is already there."""
        try:
            await asyncio.to_thread(self._write, mail)
        except OSError as error:
            return Blocked(f"{type(error).__name__}: {error}")
        return Taken()

    async def rest(self) -> None:
        """Do nothing: a Maildir has no connections."""

    def _write(self, mail: OutgoingMail) -> None:
        name = f"{hashlib.sha256(mail.message_id.encode()).hexdigest()[:40]}.judge"
        tried = self._shared or mail.attempts > 0 or mail.due_utc <= self._since
        if self._is_there(name, tried=tried):
            return
        draft = self._folder / "tmp" / name
        with open(draft, "wb", opener=_private) as file:
            file.write(_envelope(mail) + mail.raw)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self._folder / "new" / name)
        sync_folder(self._folder / "new")

    def _is_there(self, name: str, *, tried: bool) -> bool:
        """Search `new` and, as mail clients move emails and add flags to their names, `cur`."""
        if (self._folder / "new" / name).exists():
            return True
        return tried and any(
            each.name.startswith(name) for each in (self._folder / "cur").iterdir()
        )


def _envelope(mail: OutgoingMail) -> bytes:
    """Keep the envelope, as a delivering server does (RFC 5321 4.4)."""
    return f"Return-Path: <{mail.sender}>\r\nDelivered-To: {mail.recipient}\r\n".encode()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE_MODE)
