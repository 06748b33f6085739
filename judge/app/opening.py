"""Opening mails here and now, where nobody else depends on how that ends."""

from __future__ import annotations

from judge.mail.envelope import Letter, Unreadable, open_mail


class AtOnce:
    """Opens mails in this process: a mail that kills its reader kills us."""

    def open(self, raw: bytes, envelope_sender: str | None) -> Letter | Unreadable:
        """Open a mail."""
        return open_mail(raw, envelope_sender)
