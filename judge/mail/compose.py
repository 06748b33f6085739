"""Compose our emails, with pictures, calendar entries and other attachments.

Headers are written with the `compat32` policy and not as `EmailMessage`: until Python 3.11.9 the
latter turns `=?utf-8?q?x=0D=0ABcc:...?=` into a header of its own (CVE-2024-6923), and it encodes
long Message-IDs, which breaks threads.
"""

from __future__ import annotations

import base64
import hmac
import re
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.header import Header
from email.message import EmailMessage
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import Compat32, default
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from judge.mail.headers import (
    LOOP_HEADER,
    MESSAGE_ID,
    clean_text,
    one_line,
    strict_mailbox,
    wire_address,
)

SUBJECT_MAX, NAME_MAX, VALUE_MAX = 200, 60, 500
NAME_BREAKERS = re.compile(r"[^\w .'()-]")  # Everything that could end or divide an address.
TOO_LONG = re.compile(r"^(.{74,75})(?==(?:20|09)$)", re.MULTILINE)  # `b2a_qp` counts no last space
AT_LINE_START = re.compile(r"^(?:\.|F(?=rom ))", re.MULTILINE)
SLOT = b"\n.picture "  # The place of a picture. No line of a text or a header begins with a dot.
EXTRA_HEADER = re.compile(r"(X|List)(-[A-Za-z0-9]+)+|Content-Language")


class QuickCompat32(Compat32):
    """The policy `compat32`, a third of whose time goes into folding headers that fit a line."""

    def fold_binary(self, name: str, value: str) -> bytes:
        if not (value.isascii() and value.isprintable()):
            return super().fold_binary(name, value)
        first, *others = value.split(" ")
        lines = [f"{name}: {first}"]  # some programs take a line without a word for an empty field
        for word in others:
            if len(lines[-1]) + len(word) < (self.max_line_length or 0):
                lines[-1] += f" {word}"
            else:
                lines.append(f" {word}")
        return "".join(f"{line}{self.linesep}" for line in lines).encode("ascii")


WIRE = QuickCompat32(linesep="\r\n")


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that the HTML shows as `cid:content_id`.

    It is drawn from its *recipe*, which is much smaller, when the email is sent.
    """

    content_id: str
    filename: str
    recipe: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of *text* that comes with the email.

    It is JSON, or a calendar with an RFC 5546 *method*.
    """

    filename: str
    text: str
    method: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An email to compose.

    Message-IDs have their angle brackets. *html* is another form of *text*, and may show
    *pictures*; *headers* are extra fields, whose names begin with X- or List-.
    """

    message_id: str
    sender: str
    recipient: str
    subject: str
    text: str
    date: datetime
    automatic: Literal["auto-replied", "auto-generated"]  # RFC 3834 5
    sender_name: str = ""
    recipient_name: str = ""
    reply_to: str | None = None
    html: str | None = None
    pictures: tuple[Picture, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()


def compose(message: Message) -> bytes:
    """Write *message* (RFC 5322); the same message always gives the same bytes.

    Raises `ValueError`, for a mistake of the caller, if an address is malformed or a header is not
    allowed.
    """
    text = _mime_part(message.text, "plain")
    if message.html is None:
        body: MIMEBase = text
    else:
        body = _joined(message, "alternative", text, _html_part(message, message.html))
    files = [_attached(each) for each in message.attachments]
    mail = _joined(message, "mixed", body, *files) if files else body
    for name, value in _fields(message):
        mail[name] = value
    return mail.as_bytes(policy=WIRE)


def recipes_of(raw: bytes) -> tuple[bytes, ...]:
    """Return the recipes of the pictures that are not drawn yet in *raw*."""
    return tuple(base64.b64decode(each.partition(b"\r\n")[0]) for each in raw.split(SLOT)[1:])


def with_pictures(raw: bytes, pngs: Sequence[bytes]) -> bytes:
    """Return the email *raw* with *pngs* in place of their recipes."""
    start, *places = raw.split(SLOT)
    parts = [start]
    for png, place in zip(pngs, places, strict=True):
        lines = base64.encodebytes(png).replace(b"\n", b"\r\n")
        parts += b"\n", lines, place.partition(b"\r\n")[2]
    return b"".join(parts)


def message_id(key: bytes, cause: str, reader: str, domain: str) -> str:
    """Return the Message-ID of the email to *reader* about *cause*, the same at every attempt.

    It cannot be predicted without *key*, so a reply proves that its sender has read our email.
    """
    digest = hmac.digest(key, f"{cause}\0{reader}".encode(), sha256)
    return f"<{digest.hex()[:32]}@{domain}>"


def _fields(message: Message) -> list[tuple[str, str]]:
    thread = _joined_ids(*message.references, message.in_reply_to or "")
    fields = {
        "From": _mailbox(message.sender, message.sender_name),
        "To": _mailbox(wire_address(message.recipient), message.recipient_name),
        "Reply-To": _mailbox(message.reply_to) if message.reply_to else "",
        "Subject": _encoded(one_line(message.subject, SUBJECT_MAX)),
        "Date": format_datetime(message.date),
        "Message-ID": _joined_ids(message.message_id),
        "In-Reply-To": _joined_ids(message.in_reply_to or ""),
        "References": thread,
        "Auto-Submitted": message.automatic,
        "X-Auto-Response-Suppress": "OOF, AutoReply",
        LOOP_HEADER: "1",
    }
    written = [(name, value) for name, value in fields.items() if value]
    return written + [_extra(name, value) for name, value in message.headers]


def _mailbox(address: str, name: str = "") -> str:
    """Write `"Name" <address>`; a non-ASCII address goes out in UTF-8 (RFC 6532)."""
    if strict_mailbox(address) != address:
        raise ValueError(f"not an address: {address!r}")
    raw = address.encode().decode("ascii", "surrogateescape")
    shown = one_line(NAME_BREAKERS.sub(" ", one_line(name, VALUE_MAX)), NAME_MAX)
    quoted = f'"{shown}"' if shown.isascii() else _encoded(shown)
    return f"{quoted} <{raw}>" if shown else raw


def _joined_ids(*ids: str) -> str:
    return " ".join(dict.fromkeys(i for i in ids if i.isascii() and MESSAGE_ID.fullmatch(i)))


def _extra(name: str, value: str) -> tuple[str, str]:
    if not EXTRA_HEADER.fullmatch(name) or name == LOOP_HEADER:
        raise ValueError(f"a header that callers may not set: {name!r}")
    return name, _encoded(one_line(value, VALUE_MAX))


def _encoded(text: str) -> str:
    """Encode *text* (RFC 2047) if it is not ASCII, or looks encoded already."""
    if text.isascii() and "=?" not in text:
        return text
    return " ".join(Header(text, "utf-8").encode().split())


def _joined(message: Message, subtype: str, *parts: MIMEBase) -> MIMEMultipart:
    # In quoted-printable two digits follow a `=`, so no line can be the boundary.
    boundary = sha256(f"{subtype} {message.message_id}".encode()).hexdigest()[:32]
    joined = MIMEMultipart(subtype, boundary=f"=_{boundary}")
    for part in parts:
        joined.attach(part)
    return joined


def _html_part(message: Message, html: str) -> MIMEBase:
    page = _mime_part(html, "html")
    if not message.pictures:
        return page
    related = _joined(message, "related", page, *map(_picture, message.pictures))
    related.set_param("type", "text/html")
    return related


def _picture(picture: Picture) -> MIMENonMultipart:
    part = MIMENonMultipart("image", "png", name=picture.filename)
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-ID"] = f"<{picture.content_id}>"
    part.add_header("Content-Disposition", "inline", filename=picture.filename)
    recipe = base64.b64encode(picture.recipe).decode("ascii")
    part.set_payload(f".picture {recipe}\n")
    return part


def _attached(attachment: Attachment) -> MIMEBase:
    if attachment.method:
        part = _mime_part(attachment.text, "calendar")
        part.set_param("method", attachment.method)
    else:
        part = MIMENonMultipart("application", "json", name=attachment.filename)
        part["Content-Transfer-Encoding"] = "quoted-printable"
        part.set_payload(_quoted_printable(attachment.text))
    part.add_header("Content-Disposition", "attachment", filename=attachment.filename)
    return part


def _mime_part(text: str, subtype: str) -> MIMENonMultipart:
    part = MIMENonMultipart("text", subtype, charset="utf-8")
    part["Content-Transfer-Encoding"] = "quoted-printable"
    part.set_payload(_quoted_printable(clean_text(text).rstrip("\n") + "\n"))
    return part


def _quoted_printable(text: str) -> str:
    """Encode *text* so that no line begins with a dot or with From, which relays change."""
    encoded = TOO_LONG.sub("\\1=\n", b2a_qp(text.encode()).decode("ascii"))
    while AT_LINE_START.search(encoded):  # The line may be full, so it ends behind this letter.
        encoded = AT_LINE_START.sub(lambda found: f"={ord(found[0]):02X}=\n", encoded)
    return encoded


CALENDAR_METHODS = {False: "PUBLISH", True: "CANCEL"}
CALENDAR_STATES = {False: "CONFIRMED", True: "CANCELLED"}
LASTS = timedelta(minutes=15)  # calendars do not show events without a duration
PRODUCT = "-//judge//deadlines//EN"
COUNTED_FROM = datetime(2026, 1, 1, tzinfo=UTC)  # as seconds, the sequence fits until 2094


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """An event at an instant, possibly cancelled; every version has the same *uid*.

    It has no attendees, so calendars ask for no reply. A later *sent_at* gives a higher sequence,
    so the latest version counts.
    """

    uid: str
    organizer: str
    sent_at: datetime
    due: datetime | None
    summary: str
    description: str
    cancelled: bool = False

    @property
    def method(self) -> str:
        """Return the RFC 5546 method."""
        return CALENDAR_METHODS[self.cancelled]


@lru_cache(maxsize=64)  # all readers of a phase get the same calendars
def calendar_text(appointment: Appointment) -> str:
    """Write *appointment* as a calendar of its own, with all instants in UTC."""
    # Loading it takes a fifth of a second; commands that write no email save that.
    from icalendar import Calendar, Event, vCalAddress  # noqa: PLC0415 - see above

    event = Event()
    event.add("uid", appointment.uid)
    event.add("sequence", int((appointment.sent_at - COUNTED_FROM).total_seconds()))
    event.add("dtstamp", appointment.sent_at.astimezone(UTC))
    event.add("organizer", vCalAddress(f"mailto:{appointment.organizer}"))
    event.add("summary", appointment.summary)
    event.add("description", appointment.description)
    event.add("status", CALENDAR_STATES[appointment.cancelled])
    event.add("transp", "TRANSPARENT")
    if appointment.due:
        event.add("dtstart", appointment.due.astimezone(UTC))
        event.add("duration", LASTS)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", appointment.method)
    calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content.decode()


BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)  # It escapes what people wrote.


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The content of one of our emails; *html*, if any, is without its frame."""

    subject: str
    text: str
    html: str | None


def enclosed_email(raw: bytes) -> Enclosed:
    """Return the subject and body of the email *raw*, which `compose` wrote."""
    mail = message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage), "the policy makes it so"
    text, html = _body_of(mail, "plain"), _body_of(mail, "html")
    assert text is not None, "every email of ours has a text"
    body = BODY.search(html) if html else None
    return Enclosed(str(mail["Subject"]), text, body[1] if body else None)


def as_enclosed(document: str, bodies: tuple[str, ...]) -> str:
    """Return the *document* of one of our emails with more *bodies* after its own."""
    head, end, rest = document.rpartition("</body>")
    return "".join([head, *bodies, end, rest])


def _body_of(mail: EmailMessage, subtype: str) -> str | None:
    part = mail.get_body((subtype,))
    if part is None:
        return None
    content = part.get_content()
    assert isinstance(content, str), "a text"
    return content.replace("\r\n", "\n")
