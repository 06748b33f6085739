"""What the mail servers on the way wrote above a mail: to whom it went, from whom, and when.

Only the header is looked at, and not parsed: these questions are asked where mail is taken, and
there nothing may take long.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import pairwise

HEADER_BYTES_MAX = 65_536
FIELD_MAX = 4_096
DATE_MAX = 100
END_OF_HEADER = re.compile(rb"(?:\A|\r?\n)\r?\n")
DELIVERED = ("delivered-to", "x-original-to", "envelope-to")  # The first that a server wrote.
AROUND_ADDRESSES = re.compile(r"[\s,;:<>()\"]+")
COMMENT = re.compile(r"\([^()]*\)")
WORDS_MAX = 200


def received_by(raw: bytes, host: str) -> datetime | None:
    """Return when *host* received the mail, if the topmost Received is of *host*, in UTC.

    Those below it prove nothing: whoever sent the mail can have written them.
    """
    field = next(iter(_fields(_header(raw), "received")), "")
    path, _, date = COMMENT.sub(" ", field).rpartition(";")
    words = path.lower().split()
    if ("by", host.lower()) not in pairwise(words):
        return None
    try:
        received = parsedate_to_datetime(date.strip()[:DATE_MAX])
        return received.astimezone(UTC) if received.tzinfo else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def envelope_sender(raw: bytes) -> str | None:
    """Return what the topmost Return-Path says, empty for a bounce, None if there is none."""
    found = next(iter(_fields(_header(raw), "return-path")), None)
    return None if found is None else found.strip().strip("<>").strip()


def addressees(raw: bytes) -> tuple[str, ...]:
    """Return to whom the mail was delivered, or else every address in To and Cc."""
    header = _header(raw)
    for name in DELIVERED:
        delivered = _fields(header, name)
        if delivered:
            return _addresses(delivered[0])
    return _addresses(" ".join([*_fields(header, "to"), *_fields(header, "cc")]))


def _header(raw: bytes) -> bytes:
    start = raw[:HEADER_BYTES_MAX]
    end = END_OF_HEADER.search(start)
    return start[: end.start()] if end else start


def _fields(header: bytes, name: str) -> list[str]:
    """Return the values of the fields *name*, unfolded, in their order."""
    pattern = rb"^%b:([^\n]*(?:\n[ \t][^\n]*)*)" % re.escape(name).encode()
    found = re.findall(pattern, header, re.IGNORECASE | re.MULTILINE)
    return [" ".join(each[:FIELD_MAX].decode("utf-8", "replace").split()) for each in found]


def _addresses(text: str) -> tuple[str, ...]:
    words = AROUND_ADDRESSES.split(text)[:WORDS_MAX]
    return tuple(dict.fromkeys(word for word in words if "@" in word))
