"""What a mail of ours says, read back from its bytes, to stand within another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)  # What people wrote is escaped there.


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The words of a mail; *html* says the same in markup, without its frame, if it has any."""

    subject: str
    text: str
    html: str | None


def enclosed(raw: bytes) -> Enclosed:
    """Return what the mail *raw*, which `compose` wrote, says."""
    mail = message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage), "the policy makes it one"
    text, html = _part(mail, "plain"), _part(mail, "html")
    assert text is not None, "every mail of ours has a text"
    body = BODY.search(html) if html else None
    return Enclosed(str(mail["Subject"]), text, body[1] if body else None)


def within(document: str, bodies: tuple[str, ...]) -> str:
    """Return the *document* of a mail of ours with more *bodies* behind its own."""
    head, end, rest = document.rpartition("</body>")
    return "".join([head, *bodies, end, rest])


def _part(mail: EmailMessage, subtype: str) -> str | None:
    part = mail.get_body((subtype,))
    if part is None:
        return None
    content = part.get_content()
    assert isinstance(content, str), "a text"
    return content.replace("\r\n", "\n")
