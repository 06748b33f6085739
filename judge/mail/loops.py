"""Which mails a machine wrote (RFC 3834), and which of the others are better left unanswered."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from judge.mail.identity import strict_mailbox

if TYPE_CHECKING:
    from collections.abc import Collection

    from judge.mail.headers import Headers

LOOP_HEADER = "X-Judge-Loop"  # On every mail of ours; who sends it back to us is a loop.
REPORTS = ("multipart/report", "message/delivery-status", "message/disposition-notification")
CALENDAR_ANSWERS = (
    "reply",
    "counter",
    "declinecounter",
)  # Methods of RFC 5546 that answer an invitation.
BULK = ("bulk", "junk", "list", "auto_reply")
RESPONDERS = ("x-autoreply", "x-autorespond", "mailing-list", "x-loop")
MACHINES = ("mailer-daemon", "postmaster", "no-reply", "noreply", "do-not-reply", "donotreply")


class Automatic(Enum):
    """Why a mail is not read for orders (docs/developers/decisions.md, Identity)."""

    NULL_SENDER = "null_sender"
    REPORT = "report"
    AUTO_SUBMITTED = "auto_submitted"
    CALENDAR = "calendar"
    OWN_MAIL = "own_mail"


def why_automatic(
    headers: Headers, envelope_sender: str | None, calendar_methods: Collection[str] = ()
) -> Automatic | None:
    """Say why nobody wrote this mail by hand, None if somebody may have.

    *envelope_sender* is empty for a bounce; None where the way in does not tell it, then
    Return-Path does.
    """
    if envelope_sender is None:
        envelope_sender = headers.first("return-path") or "unknown"
    if headers.all(LOOP_HEADER.lower()):
        return Automatic.OWN_MAIL
    if envelope_sender.strip() in ("", "<>"):
        return Automatic.NULL_SENDER
    if headers.first("content-type").lower().startswith(REPORTS):
        return Automatic.REPORT
    if any(_keyword(value) != "no" for value in headers.all("auto-submitted")):
        return Automatic.AUTO_SUBMITTED
    if any(method.lower() in CALENDAR_ANSWERS for method in calendar_methods):
        return Automatic.CALENDAR
    return None


def answerable(headers: Headers) -> bool:
    """Say whether a stranger who sent this may be answered; a player we recognise always is."""
    if any(name.startswith("list-") or name in RESPONDERS for name, _ in headers.fields):
        return False
    if any(_keyword(value) in BULK for value in headers.all("precedence")):
        return False
    if any(_keyword(value) != "none" for value in headers.all("x-auto-response-suppress")):
        return False
    sender = strict_mailbox(headers.first("from"))
    return sender is not None and not sender.lower().startswith(MACHINES)


def _keyword(value: str) -> str:
    """Return the word before any parameter or comment: `no; because=...` says no."""
    words = value.replace(";", " ").replace("(", " ").lower().split()
    return words[0] if words else ""
