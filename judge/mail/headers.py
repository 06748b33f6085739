"""The header fields of a mail that came in, as text: unfolded, and never a reason to fail."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from judge.mail.charsets import decode
from judge.mail.cleaning import one_line
from judge.mail.identity import strict_mailbox

if TYPE_CHECKING:
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
    """Return the Message-IDs of the mails that this one answers, the latest first."""
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
    """Return what the writer's clock said, in UTC; nothing is decided by it."""
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
