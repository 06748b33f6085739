"""What a mail says of itself, for whoever looks after it: nothing that a screen obeys, no secret.

No address with a token and no password is in it; orders and press are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.app.desk import STANDARD
from judge.app.incoming import IncomingMail
from judge.app.judge import Judge
from judge.app.opening import Opener, UnopenedError
from judge.mail.body import Line
from judge.mail.envelope import Unreadable
from judge.mail.language.command_reader import without_secrets
from judge.mail.mail_addresses import scrub
from judge.mail.plain_text import one_line
from judge.mail.quotes import without_quote_marks

SHOWN_MAX = 500  # characters of one thing that a mail says


@dataclass(frozen=True, slots=True)
class MailTold:
    """Who sent a mail about what, and its lines: `new`, `quoted` and of the `signature`."""

    sender: str
    subject: str
    message_id: str
    automatic: str | None
    lines: Mapping[str, tuple[str, ...]]


def tell(judge: Judge, mail: IncomingMail, opener: Opener) -> MailTold | Unreadable:
    """Return what *mail*, opened by *opener*, says of itself, or why nobody can say."""
    if not mail.raw:
        return Unreadable("its text is gone")
    try:
        letter = opener.open(mail.raw, mail.sender)
    except UnopenedError as error:
        return Unreadable(str(error))
    if isinstance(letter, Unreadable):
        return letter

    def shown(text: str) -> str:
        return safe(scrub(text, judge.address, judge.delimiter))

    def public(text: str) -> str:
        return shown(without_secrets(Line(0, without_quote_marks(text)), judge.boards(STANDARD)))

    text = letter.text
    return MailTold(
        sender=shown(letter.sender or ""),
        subject=shown(letter.subject),
        message_id=shown(letter.message_id or ""),
        automatic=letter.automatic.value if letter.automatic else None,
        lines={
            "new": tuple(public(line.text) for line in text.fresh),
            "quoted": tuple(map(public, text.quoted)),
            "signature": tuple(map(public, text.signature)),
        },
    )


def safe(text: str) -> str:
    """Return *text* as a screen may be given it: one line, and nothing that cannot be seen."""
    return "".join(each if each.isprintable() else "?" for each in one_line(text, SHOWN_MAX))
