"""Who opens mails: somebody who may come to harm by them."""

from __future__ import annotations

from typing import Protocol

from judge.mail.envelope import Letter, Unreadable, open_mail


class UnopenedError(Exception):
    """A mail killed or silenced whoever tried to open it; how, in words of ours."""


class Opener(Protocol):
    """Opens mails, which may be made to break whoever reads them."""

    def open(self, raw: bytes, envelope_sender: str | None) -> Letter | Unreadable:
        """Open a mail; raises `UnopenedError` when that did not come to an end."""
        ...


class AtOnce:
    """Opens mails in this process: a mail that kills its reader kills us."""

    def open(self, raw: bytes, envelope_sender: str | None) -> Letter | Unreadable:
        """Open a mail."""
        return open_mail(raw, envelope_sender)
