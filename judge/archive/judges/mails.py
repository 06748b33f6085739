"""Mails to the lines that were written in them, without what mail programs wrap around those."""

from __future__ import annotations

import email
import re
from collections.abc import Iterable, Iterator, Sequence
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import TypeAlias

from judge.archive.judges.lines import Line, line_of

MAIL_STARTS = re.compile(r"From (?:\S+ .*\d{4}|-|\S+@\S+)\s*$")
DELIVERED = re.compile(r"From \S+ +(?P<date>\w{3} \w{3} +\d+ [\d:]{8} \d{4})\s*$")
HEADER = re.compile(r"[A-Za-z][\w-]*: ")
ADDRESSED = re.compile(
    r"^(?:Return-Path|Received|Message-ID|From|To):", re.IGNORECASE | re.MULTILINE
)
DATE_FORMAT = "%a %b %d %Y %H:%M:%S %z"  # that of the judges
OURS = re.compile(r"^X-Judge-Kind: ", re.MULTILINE)
LINES_A_MAIL_MAX = 20_000  # A judge's own limit is some 15,000 bytes; a history is longer.

Mail: TypeAlias = Sequence[tuple[int, str]]  # its lines with their numbers in the file


def is_mail(head: str) -> bool:
    """Tell whether *head* begins as a mailbox does, or a mail in a Maildir."""
    first, _, _ = head.lstrip("\n").partition("\n")
    headers, _, _ = head.lstrip("\n").partition("\n\n")
    if MAIL_STARTS.match(first):
        return True
    return bool(HEADER.match(first) and ADDRESSED.search(headers))


def is_ours(head: str) -> bool:
    """Tell whether *head* begins with mails, one of which this judge wrote."""
    return is_mail(head) and bool(OURS.search(head))


def mails(lines: Iterable[str]) -> Iterator[Mail]:
    """Cut *lines* of a mailbox into mails; without separators they are one mail."""
    mail: list[tuple[int, str]] = []
    blank = True
    for number, line in enumerate(lines, 1):
        if (blank and MAIL_STARTS.match(line)) or len(mail) == LINES_A_MAIL_MAX:
            if mail:
                yield mail
            mail = []
        mail.append((number, line))
        blank = not line.strip()
    if mail:
        yield mail


def written_in(mail: Mail) -> Iterator[Line]:
    """Yield date and subject of *mail*, and the lines of its plain text.

    A line has its number in the file, or that of the first line of the mail if it was encoded.
    """
    first = mail[0][0]
    rest = mail[1:] if MAIL_STARTS.match(mail[0][1]) else mail
    message = email.message_from_string("\n".join(line for _, line in rest))
    if date := _date(message) or _delivered(mail[0][1]):
        yield Line(first, f"Date: {date}")
    yield Line(first, f"Subject: {_subject(message)}")
    yield Line(first, "")
    texts = _text(message).splitlines()
    start = _find([line for _, line in rest], texts)
    for index, text in enumerate(texts):
        yield line_of(first if start is None else rest[start + index][0], text)


def _date(message: Message) -> str | None:
    try:
        return parsedate_to_datetime(str(message["Date"])).strftime(DATE_FORMAT)
    except (ValueError, OverflowError):
        return None


def _delivered(line: str) -> str | None:
    """Return the date of a separator of mails, which is in universal time (RFC 4155)."""
    found = DELIVERED.match(line)
    return f"{found['date']} +0000" if found else None


def _subject(message: Message) -> str:
    written = str(message["Subject"] or "")
    try:
        return " ".join(str(make_header(decode_header(written))).split())
    except (MessageError, LookupError, ValueError):
        return " ".join(written.split())


def _text(message: Message) -> str:
    """Return the first part of *message* that is plain text."""
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return _decoded(part)
    return ""


def _decoded(part: Message) -> str:
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding not in {"quoted-printable", "base64"}:
        return str(part.get_payload())
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes), "a part without parts has a payload"
    try:
        text = payload.decode(str(part.get_content_charset("utf-8")), errors="replace")
    except (LookupError, UnicodeError):  # no such charset, or one that is not for texts
        return payload.decode("latin-1")
    return text.encode(errors="replace").decode()  # UTF-7 can have halves of letters.


def _find(lines: Sequence[str], texts: Sequence[str]) -> int | None:
    """Return where *texts* stand in *lines*, None if they were encoded."""
    length = len(texts)
    if not texts:
        return None
    for start in range(len(lines) - length + 1):
        if lines[start] == texts[0] and list(lines[start : start + length]) == list(texts):
            return start
    return None
