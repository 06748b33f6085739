"""Split a mailbox into emails, lines and sentences, without quote marks and line wraps."""

from __future__ import annotations

import email
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import TypeAlias

MAIL_STARTS = re.compile(r"From (?:\S+ .*\d{4}|-|\S+@\S+)\s*$")
DELIVERED = re.compile(r"From \S+ +(?P<date>\w{3} \w{3} +\d+ [\d:]{8} \d{4})\s*$")
HEADER = re.compile(r"[A-Za-z][\w-]*: ")
ADDRESSED = re.compile(
    r"^(?:Return-Path|Received|Message-ID|From|To):", re.IGNORECASE | re.MULTILINE
)
DATE_FORMAT = "%a %b %d %Y %H:%M:%S %z"
OURS = re.compile(r"^X-Judge-Kind: ", re.MULTILINE)
LINES_A_MAIL_MAX = 20_000  # A judge's limit is some 15,000 bytes; histories are longer.

Mail: TypeAlias = Sequence[tuple[int, str]]  # lines with their numbers in the file


def is_mail(head: str) -> bool:
    """Return whether *head* starts a mailbox or a single email."""
    first, _, _ = head.lstrip("\n").partition("\n")
    headers, _, _ = head.lstrip("\n").partition("\n\n")
    if MAIL_STARTS.match(first):
        return True
    return bool(HEADER.match(first) and ADDRESSED.search(headers))


def is_own_mail(head: str) -> bool:
    """Return whether *head* starts emails that include one of this judge's."""
    return is_mail(head) and bool(OURS.search(head))


def split_mails(lines: Iterable[str]) -> Iterator[Mail]:
    """Split the *lines* of a mailbox into emails."""
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


def lines_of_mail(mail: Mail) -> Iterator[Line]:
    """Yield the date and subject of *mail*, then the lines of its plain text.

    Lines keep their number in the file; lines of an encoded email get the number of its first
    line.
    """
    first = mail[0][0]
    rest = mail[1:] if MAIL_STARTS.match(mail[0][1]) else mail
    message = email.message_from_string("\n".join(line for _, line in rest))
    if date := _date(message) or _delivery_date(mail[0][1]):
        yield Line(first, f"Date: {date}")
    yield Line(first, f"Subject: {_subject(message)}")
    yield Line(first, "")
    texts = _text(message).splitlines()
    start = _find([line for _, line in rest], texts)
    for index, text in enumerate(texts):
        yield parse_line(first if start is None else rest[start + index][0], text)


def _date(message: Message) -> str | None:
    try:
        return parsedate_to_datetime(str(message["Date"])).strftime(DATE_FORMAT)
    except (ValueError, OverflowError):
        return None


def _delivery_date(line: str) -> str | None:
    """Return the date of an mbox separator, which is in UTC (RFC 4155)."""
    found = DELIVERED.match(line)
    return f"{found['date']} +0000" if found else None


def _subject(message: Message) -> str:
    written = str(message["Subject"] or "")
    try:
        return " ".join(str(make_header(decode_header(written))).split())
    except (MessageError, LookupError, ValueError):
        return " ".join(written.split())


def _text(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return _decoded(part)
    return ""


def _decoded(part: Message) -> str:
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding not in {"quoted-printable", "base64"}:
        return str(part.get_payload())
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes), "a text part has bytes"
    try:
        text = payload.decode(str(part.get_content_charset("utf-8")), errors="replace")
    except (LookupError, UnicodeError):  # unknown or non-text charset
        return payload.decode("latin-1")
    return text.encode(errors="replace").decode()  # UTF-7 can contain lone surrogates.


def _find(lines: Sequence[str], texts: Sequence[str]) -> int | None:
    length = len(texts)
    if not texts:
        return None
    for start in range(len(lines) - length + 1):
        if lines[start] == texts[0] and list(lines[start : start + length]) == list(texts):
            return start
    return None


QUOTED = re.compile(r"(?:\s?>)+ ?")
# The start of a sentence that may continue on the next line.
OPENS = re.compile(
    r"\s*(?:[A-Z][\w-]*:\s|The\s|Message\s|Broadcast\s|Game\s'|\S+@\S+\s(?:as|has)\b)"
)
# The start of a line that cannot continue a sentence.
STARTS = re.compile(
    r"\s*(?:[A-Z][\w-]*:(?:\s|$)|::\s|----|The\s(?:next|deadline|game|following)\s|Time\sto\s"
    r"|The\s\w+\s(?:Army|Fleet)\s|Ownership\sof|(?:Movement|Retreat|Adjustment)s?\s(?:results|orders)"
    r"|Message\s|Broadcast\s|from\s[SUFW]\d|End\sof\s(?:press\s)?message)",
    re.IGNORECASE,
)
# The end of a sentence; `-> St.` and `3 Units:` continue on the next line.
COMPLETE = re.compile(r"(?:(?<!\bSt)\.|\*\)|!|(?<!\bUnit)(?<!\bUnits):)$")
WRAPPED_MAX = 12  # lines of one sentence; a list of 34 owned centers has 6


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its *number* from 1, its text without quote marks, and its quote *depth*."""

    number: int
    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One or more wrapped lines: the joined *text*, and the *lines* as in the file."""

    text: str
    lines: tuple[Line, ...]

    @property
    def number(self) -> int:
        """Return the number of the first line."""
        return self.lines[0].number

    @property
    def last(self) -> int:
        """Return the number of the last line."""
        return self.lines[-1].number

    @property
    def depth(self) -> int:
        """Return the quote depth of the first line."""
        return self.lines[0].depth


def parse_lines(texts: Iterable[str]) -> Iterator[Line]:
    """Yield *texts* as lines numbered from 1."""
    for number, text in enumerate(texts, 1):
        yield parse_line(number, text)


def parse_line(number: int, text: str) -> Line:
    """Strip and count the quote marks of *text*."""
    marks = QUOTED.match(text)
    if not marks:
        return Line(number, text.rstrip())
    return Line(number, text[marks.end() :].rstrip(), marks[0].count(">"))


def sentences(lines: Iterable[Line]) -> Iterator[Sentence]:
    """Join wrapped lines; every other line, even a blank one, is its own sentence."""
    open_lines: list[Line] = []
    for line in lines:
        if open_lines and not _continues(open_lines, line):
            yield _joined(open_lines)
            open_lines = []
        open_lines.append(line)
    if open_lines:
        yield _joined(open_lines)


def _continues(lines: list[Line], following: Line) -> bool:
    if not following.text or not OPENS.match(lines[0].text) or len(lines) == WRAPPED_MAX:
        return False
    if following.text.lstrip().startswith("(*"):
        return True
    return not COMPLETE.search(lines[-1].text) and not STARTS.match(following.text)


def _joined(lines: list[Line]) -> Sentence:
    return Sentence(" ".join(" ".join(line.text for line in lines).split()), tuple(lines))
