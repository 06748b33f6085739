"""The way out when there is no smarthost: into a Maildir, from which anything can fetch the mails.

The file is named after the Message-ID, so that a mail written before a crash is found and not
written again: exactly once, whatever happens.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path

from judge.app.outbound.delivery import Delivery, Later, Taken
from judge.app.ports.outbox import OutgoingMail

FOLDER_MODE, FILE_MODE = 0o700, 0o600


class Maildir:
    """A folder with `tmp`, `new` and `cur`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for part in (".", "tmp", "new", "cur"):
            (folder / part).mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Write one mail, unless it is there."""
        try:
            await asyncio.to_thread(self._write, mail)
        except OSError as error:
            return Later(f"{type(error).__name__}: {error}")
        return Taken()

    async def rest(self) -> None:
        """Do nothing: each mail is complete by itself."""

    def _write(self, mail: OutgoingMail) -> None:
        name = f"{hashlib.sha256(mail.message_id.encode()).hexdigest()[:40]}.judge"
        if self._is_there(name):
            return
        draft = self._folder / "tmp" / name
        with open(draft, "wb", opener=_private) as file:
            file.write(_envelope(mail) + mail.raw)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self._folder / "new" / name)
        _sync(self._folder / "new")

    def _is_there(self, name: str) -> bool:
        """Look in `new` and, as readers move mails and add flags to their names, in `cur`."""
        if (self._folder / "new" / name).exists():
            return True
        return any((self._folder / "cur").glob(f"{name}*"))


def _envelope(mail: OutgoingMail) -> bytes:
    """Keep the envelope, as a delivering server does (RFC 5321 4.4)."""
    return f"Return-Path: <{mail.sender}>\r\nDelivered-To: {mail.recipient}\r\n".encode()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE_MODE)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
