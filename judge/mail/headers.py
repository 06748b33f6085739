"""Header fields: names, dates, recipients, delivery, and signs of automatic mail (RFC 3834).

Only the header is read, and not parsed: these functions run where mail is received, and must be
fast there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import parsedate_to_datetime
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

from judge.mail.mail_addresses import strict_mailbox
from judge.mail.plain_text import decode, one_line

if TYPE_CHECKING:
    from collections.abc import Collection
    from email.message import Message

SUBJECT_RAW_MAX = 2_000  # Decoding tries every `=?` against the rest, so that must be short.
SUBJECT_MAX = 500
DATE_MAX = 100
MESSAGE_ID = re.compile(r"<[^<>\s]{1,500}>")
AROUND_ADDRESSES = re.compile(r"[\s,;:<>()\"]+")
RECIPIENTS_MAX = 50
ANSWERS_MAX = 50  # Threads name every mail before them; ours is among the latest.


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields in their order, with names in lower case."""

    fields: tuple[tuple[str, str], ...]

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of the field *name*."""
        return tuple(value for field, value in self.fields if field == name)

    def first(self, name: str) -> str:
        """Return the first value of the field *name*, empty if there is none."""
        return next(iter(self.all(name)), "")


def headers_of(message: Message) -> Headers:
    """Read the fields of *message*; bytes that are not ASCII are UTF-8 (RFC 6532), or replaced."""
    return Headers(tuple((name.lower(), _unfolded(value)) for name, value in message.raw_items()))


def subject_of(headers: Headers) -> str:
    """Return the subject as it is shown: decoded (RFC 2047), in one line, capped."""
    return _decoded(headers.first("subject")[:SUBJECT_RAW_MAX])


def _decoded(raw: str) -> str:
    try:
        words = decode_header(raw)
    except HeaderParseError:  # A broken encoded word is shown as it came.
        return one_line(raw, SUBJECT_MAX)
    return one_line("".join(_word(word, charset) for word, charset in words), SUBJECT_MAX)


def name_of(headers: Headers) -> str:
    """Return what the first From calls its writer, empty if that is but an address."""
    raw = headers.first("from")[:SUBJECT_RAW_MAX]
    before, _, _ = raw.rpartition("<")
    _, _, comment = raw.partition("(")
    return _decoded(before or comment.rpartition(")")[0]).strip(' "')


def message_id_of(headers: Headers) -> str | None:
    """Return the Message-ID with its angle brackets."""
    found = MESSAGE_ID.search(headers.first("message-id"))
    return found[0] if found else None


def answers_of(headers: Headers) -> tuple[str, ...]:
    """Return the Message-IDs of the emails that this one answers, the latest first."""
    replied = MESSAGE_ID.findall(headers.first("in-reply-to"))
    thread = MESSAGE_ID.findall(headers.first("references"))
    return tuple(dict.fromkeys([*replied, *reversed(thread)]))[:ANSWERS_MAX]


def recipients_of(headers: Headers) -> tuple[str, ...]:
    """Return the addresses in To and Cc, the first of many."""
    written = " ".join([*headers.all("to"), *headers.all("cc")])
    words = [word for word in AROUND_ADDRESSES.split(written) if "@" in word]
    addresses = (strict_mailbox(word) for word in words[:RECIPIENTS_MAX])
    return tuple(address for address in addresses if address)


def date_of(headers: Headers) -> datetime | None:
    """Return the Date in UTC, by the writer's clock; no decision depends on it."""
    try:
        date = parsedate_to_datetime(headers.first("date")[:DATE_MAX])
        return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _unfolded(value: object) -> str:
    raw = str(value).encode("utf-8", "surrogateescape")
    return " ".join(raw.decode("utf-8", "replace").split())


def _word(word: bytes | str, charset: str | None) -> str:
    if isinstance(word, str):
        return word
    return decode(word, charset) if charset else word.decode("raw-unicode-escape", "replace")


HEADER_BYTES_MAX = 65_536
FIELD_MAX = 4_096
RECEIVED_DATE_MAX = 100
END_OF_HEADER = re.compile(rb"(?:\A|\r?\n)\r?\n")
DELIVERED = ("delivered-to", "x-original-to", "envelope-to")  # The first that a server wrote.
AROUND_RECIPIENTS = re.compile(r"[\s,;:<>()\"]+")
HEADER_COMMENT = re.compile(r"\([^()]*\)")
WORDS_MAX = 200


def received_at(raw: bytes, host: str) -> datetime | None:
    """Return when *host* received the email, if the topmost Received is of *host*, in UTC.

    Those below it prove nothing: the sender can have written them.
    """
    field = next(iter(_header_fields(_header_bytes(raw), "received")), "")
    path, _, date = HEADER_COMMENT.sub(" ", field).rpartition(";")
    words = path.lower().split()
    if ("by", host.lower()) not in pairwise(words):
        return None
    try:
        received = parsedate_to_datetime(date.strip()[:RECEIVED_DATE_MAX])
        return received.astimezone(UTC) if received.tzinfo else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def envelope_sender(raw: bytes) -> str | None:
    """Return the topmost Return-Path, empty for a bounce, None if there is none."""
    found = next(iter(_header_fields(_header_bytes(raw), "return-path")), None)
    return None if found is None else found.strip().strip("<>").strip()


def addressees(raw: bytes) -> tuple[str, ...]:
    """Return the delivery addresses of the email, or else every address in To and Cc."""
    header = _header_bytes(raw)
    for name in DELIVERED:
        delivered = _header_fields(header, name)
        if delivered:
            return _addresses(delivered[0])
    return _addresses(" ".join([*_header_fields(header, "to"), *_header_fields(header, "cc")]))


def _header_bytes(raw: bytes) -> bytes:
    start = raw[:HEADER_BYTES_MAX]
    end = END_OF_HEADER.search(start)
    return start[: end.start()] if end else start


def _header_fields(header: bytes, name: str) -> list[str]:
    """Return the values of the fields *name*, unfolded, in their order."""
    pattern = rb"^%b:([^\n]*(?:\n[ \t][^\n]*)*)" % re.escape(name).encode()
    found = re.findall(pattern, header, re.IGNORECASE | re.MULTILINE)
    return [" ".join(each[:FIELD_MAX].decode("utf-8", "replace").split()) for each in found]


def _addresses(text: str) -> tuple[str, ...]:
    words = AROUND_RECIPIENTS.split(text)[:WORDS_MAX]
    return tuple(dict.fromkeys(word for word in words if "@" in word))


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
    """The reason why an email is not read for orders (decisions.md, Identity)."""

    NULL_SENDER = "null_sender"
    REPORT = "report"
    AUTO_SUBMITTED = "auto_submitted"
    CALENDAR = "calendar"
    OWN_MAIL = "own_mail"


def why_automatic(
    headers: Headers, envelope_sender: str | None, calendar_methods: Collection[str] = ()
) -> Automatic | None:
    """Return why the email was not written by hand, None if it may have been.

    *envelope_sender* is empty for a bounce; if it is None, because the way in does not give it,
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
    """Return whether a stranger who sent this may be answered; recognized players always are."""
    if any(name.startswith("list-") or name in RESPONDERS for name, _ in headers.fields):
        return False
    if any(_keyword(value) in BULK for value in headers.all("precedence")):
        return False
    if any(_keyword(value) != "none" for value in headers.all("x-auto-response-suppress")):
        return False
    sender = strict_mailbox(headers.first("from"))
    return sender is not None and not sender.lower().startswith(MACHINES)


def _keyword(value: str) -> str:
    """Return the word before any parameter or comment: `no` of `no; because=...`."""
    words = value.replace(";", " ").replace("(", " ").lower().split()
    return words[0] if words else ""
