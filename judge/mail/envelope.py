"""Open an email: turn bytes into an `OpenedEmail`, or a reason why they cannot be read.

Limits are checked before parsing: within them the standard library's `compat32` parser takes less
than two seconds for the worst known input.

A report by RFC 3464 takes precedence over what `flufl.bounce` guesses from the words of old
mailers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from judge.mail import headers
from judge.mail.body import Text, calendar_methods, read_body
from judge.mail.sender_evidence import NO_EVIDENCE, SenderEvidence, collect_evidence
from judge.mail.server_replies import STATUS, is_of_recipient
from judge.mail.visible_html import TooMuchMarkupError

BYTES_MAX = 2 * 1024 * 1024  # A plain text email has 10 kB; with a quoted picture, some hundreds.
LINES_MAX = 50_000
HEADER_BYTES_MAX = 102_400  # Postfix's header_size_limit.
HEADER_LINES_MAX = 1_000
FIELD_BYTES_MAX = 8_192  # A Content field, which takes quadratic time to parse.
PARTS_MAX = 1_000  # Lines that begin with `--`; in text they are rules, and never so many.
CONTAINERS_MAX = 50  # Each nested part needs its own boundary.

RETURNING = (
    headers.Automatic.NULL_SENDER,
    headers.Automatic.REPORT,
    headers.Automatic.AUTO_SUBMITTED,
)
# Some programs end a line at it and others do not, so it can hide a field from mail servers.
BARE_RETURN = re.compile(rb"\r(?!\n)")
END_OF_HEADER = re.compile(rb"\n\r?\n")
CONTENT_FIELD = re.compile(rb"\ncontent-[^\n]*(?:\n[ \t][^\n]*)*")  # after lower()


class UnopenedError(Exception):
    """Parsing an email crashed or timed out; the message says how."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An email for quarantine, with the limit or fault as its *reason*.

    *writer* is the From, if readable and not of an automatic email. *addresses* are as in
    `OpenedEmail`.
    """

    reason: str
    writer: str | None = None
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenedEmail:
    """An opened email.

    *sender* is the only mailbox of the only From, None if ambiguous; *name* is its display name.
    *recipients* are the addresses in To and Cc. *answers* are the Message-IDs that it replies to,
    the latest first. *automatic* is the reason not to read it for orders; *answerable* is set if a
    stranger who sent it may get a reply; *evidence* are the evidence for the From; *bounce* is set
    for a bounce message. *addresses* are those anywhere in it.
    """

    sender: str | None
    subject: str
    message_id: str | None
    answers: tuple[str, ...]
    date: datetime | None
    recipients: tuple[str, ...]
    text: Text
    automatic: headers.Automatic | None
    answerable: bool
    evidence: SenderEvidence = NO_EVIDENCE
    bounce: Bounce | None = None
    name: str = ""
    addresses: tuple[str, ...] = ()

    @property
    def is_marked_automatic(self) -> bool:
        """Return whether its header says that a program wrote it; some servers mark everything."""
        return self.automatic is headers.Automatic.AUTO_SUBMITTED or not self.answerable


def open_mail(raw: bytes, envelope_sender: str | None = None) -> OpenedEmail | Unreadable:
    """Open the email *raw*; *envelope_sender* is empty for a bounce, None if unknown."""
    found = headers.addresses_in_email(raw[:BYTES_MAX])
    return replace(_opened(raw, envelope_sender), addresses=tuple(sorted(found)))


def _opened(raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
    if BARE_RETURN.search(END_OF_HEADER.split(b"\n" + raw, 1)[0] + b"\n"):
        return Unreadable("a bare CR in the header")
    lines = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    reason = _too_large(lines)
    try:
        if reason:
            return Unreadable(reason, _writer(lines, envelope_sender))
        return _open(lines, envelope_sender)
    except TooMuchMarkupError:
        return Unreadable("too many tags", _writer(lines, envelope_sender))
    except Exception as fault:  # noqa: BLE001 - the library raises nearly anything on hostile bytes
        return Unreadable(reason or type(fault).__name__)


def _too_large(raw: bytes) -> str:
    header = raw.partition(b"\n\n")[0]
    lowered = b"\n" + raw.lower()
    sizes = (
        ("bytes", len(raw), BYTES_MAX),
        ("lines", raw.count(b"\n"), LINES_MAX),
        ("header bytes", len(header), HEADER_BYTES_MAX),
        ("header lines", header.count(b"\n"), HEADER_LINES_MAX),
        ("parts", raw.count(b"\n--"), PARTS_MAX),
        ("depth", lowered.count(b"multipart/") + lowered.count(b"message/"), CONTAINERS_MAX),
        ("field bytes", max(map(len, CONTENT_FIELD.findall(lowered)), default=0), FIELD_BYTES_MAX),
    )
    return next((f"too many {what}" for what, size, limit in sizes if size > limit), "")


def _open(raw: bytes, envelope_sender: str | None) -> OpenedEmail:
    message = message_from_bytes(raw, policy=compat32)
    fields = headers.headers_of(message)
    automatic = headers.why_automatic(fields, envelope_sender, calendar_methods(message))
    return OpenedEmail(
        sender=_sender(fields),
        subject=headers.subject_of(fields),
        message_id=headers.message_id_of(fields),
        answers=headers.answers_of(fields),
        date=headers.date_of(fields),
        recipients=headers.recipients_of(fields),
        text=read_body(message),
        automatic=automatic,
        answerable=headers.answerable(fields),
        bounce=read_bounce(message) if automatic in RETURNING else None,
        evidence=collect_evidence(fields, _sender(fields)),
        name=headers.name_of(fields),
    )


def _writer(raw: bytes, envelope_sender: str | None) -> str | None:
    header = raw.partition(b"\n\n")[0] + b"\n\n"
    if _too_large(header):
        return None
    fields = headers.headers_of(message_from_bytes(header, policy=compat32))
    return None if headers.why_automatic(fields, envelope_sender) else _sender(fields)


def _sender(fields: headers.Headers) -> str | None:
    froms = fields.all("from")
    return headers.strict_mailbox(froms[0]) if len(froms) == 1 else None


BOUNCE_PARTS_MAX = 20
STATUSES = ("message/delivery-status", "message/global-delivery-status")
RETURNED = ("message/rfc822", "text/rfc822-headers", "message/global")
ORIGINAL_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,500}>)", re.IGNORECASE | re.MULTILINE)
RETURNED_MAX = 20_000  # Characters of the returned email; its header is at the top.


@dataclass(frozen=True, slots=True)
class Bounce:
    """A failure report on emails of ours.

    *refusal* is the reply of the server, if it refuses the judge and not just the recipient.
    """

    permanent: bool
    message_ids: tuple[str, ...] = ()
    refusal: str = ""


def read_bounce(message: Message) -> Bounce | None:
    """Read a failure report; None for any other email, such as an out-of-office reply."""
    blocks = [*_statuses(message)]
    actions = [action for block in blocks for action in _actions(block)]
    if actions:
        if not ("failed" in actions or "delayed" in actions):
            return None
        return Bounce("failed" in actions, _originals(message), _refusal_of_judge(blocks))
    temporary, permanent = _guess_failures(message)
    if temporary or permanent:
        return Bounce(permanent, _originals(message))
    return None


def _guess_failures(message: Message) -> tuple[bool, bool]:
    """Guess from the words of old mailers whether there is a temporary and a permanent failure."""
    from flufl.bounce import all_failures  # noqa: PLC0415 - for the sandbox, not its daemon

    try:
        temporary, permanent = all_failures(message)
    except Exception:  # noqa: BLE001 - it raises nearly anything on other emails
        return False, False
    return bool(temporary), bool(permanent)


def _statuses(message: Message) -> Iterator[Message]:
    for part in list(message.walk())[:BOUNCE_PARTS_MAX]:
        if part.get_content_type() in STATUSES:
            blocks = part.get_payload()
            yield from (each for each in blocks if isinstance(each, Message))


DIAGNOSTIC = re.compile(r"(?s)(?:.*?;)?\s*(?:(\d{3})[ -])?(.*)")


def _refusal_of_judge(blocks: Iterable[Message]) -> str:
    """Return the first reply, if each failure in a report (RFC 3464) is a refusal of the judge."""
    replies = []
    for block in blocks:
        if "failed" in _actions(block):
            found = DIAGNOSTIC.fullmatch(str(block.get("diagnostic-code", "")))
            status = str(block.get("status", "")).strip()
            code, text = (found[1], found[2]) if found else (None, "")
            code = code or (f"{status[:1]}50" if status[:1] in ("4", "5") else "550")
            text = text if STATUS.search(text) else f"{status} {text}"
            if is_of_recipient(int(code), text):
                return ""
            replies.append(f"{code} {text}")
    return replies[0] if replies else ""


def _actions(block: Message) -> Iterator[str]:
    for value in block.get_all("action", []):
        yield str(value).strip().lower()


def _originals(message: Message) -> tuple[str, ...]:
    found = headers.MESSAGE_ID.findall(str(message.get("in-reply-to", "")))
    found += headers.MESSAGE_ID.findall(str(message.get("references", "")))
    for part in list(message.walk())[:BOUNCE_PARTS_MAX]:
        if part.get_content_type() in RETURNED:
            inner = part.get_payload()
            mails = inner if isinstance(inner, list) else []
            found += [
                str(each.get("message-id", "")).strip()
                for each in mails
                if isinstance(each, Message)
            ]
            text = inner if isinstance(inner, str) else ""
            found += ORIGINAL_ID.findall(text[:RETURNED_MAX])
    return tuple(dict.fromkeys(each for each in found if headers.MESSAGE_ID.fullmatch(each)))
