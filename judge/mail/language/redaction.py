"""Passwords are taken out of what is kept of a mail, in its own lines and in those it quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.mail.body import Line, Text
from judge.mail.language.commands import HIDDEN, without_secrets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from judge.rules.board import Map

QUOTE_MARKS = "> |"
END_OF_HEADER = re.compile(rb"\r?\n\r?\n")
OF_BODY = (b"content-", b"mime-version:")  # Fields that say how the body is written.


def secrets_of(text: Text, board: Map) -> tuple[str, ...]:
    """Return the words of *text* that are passwords, or may be."""
    quoted = (Line(0, line.lstrip(QUOTE_MARKS)) for line in text.quoted)
    lines = (*text.fresh, *quoted)
    return tuple(dict.fromkeys(word for line in lines for word in _secrets(line, board)))


def mentions(text: Text, secrets: Collection[str]) -> bool:
    """Say whether one of *secrets* stands in *text* as a word."""
    lines = (*(line.text for line in text.fresh), *text.quoted, *text.signature)
    return any(_as_word(secret).search(line.encode()) for line in lines for secret in secrets)


def struck_out(raw: bytes, secrets: Collection[str]) -> bytes:
    """Return the mail *raw* with stars for each of *secrets* in its body, if it is found there."""
    header, end, body = _parted(raw)
    for secret in secrets:
        body = _as_word(secret).sub(lambda found: b"*" * len(found[0]), body)
    return header + end + body


def written_anew(raw: bytes, lines: Collection[str]) -> bytes:
    """Return the mail *raw* with *lines* as its body, where secrets are hidden by an encoding."""
    header, _, _ = _parted(raw)
    kept: list[bytes] = []
    dropping = False
    for line in header.splitlines():
        dropping = dropping if line[:1] in (b" ", b"\t") else line.lower().startswith(OF_BODY)
        kept += [] if dropping else [line]
    kept += [b"MIME-Version: 1.0", b"Content-Type: text/plain; charset=utf-8"]
    kept += [b"Content-Transfer-Encoding: 8bit", b""]
    return b"\r\n".join([*kept, *(line.encode() for line in lines), b""])


def _secrets(line: Line, board: Map) -> Iterator[str]:
    shown = without_secrets(line, board)
    if shown != line.text:
        pairs = zip(line.text.split(), shown.split(), strict=True)
        yield from (word.rstrip(".") for word, instead in pairs if instead == HIDDEN)


def _as_word(secret: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!\w)" + re.escape(secret.encode()) + rb"(?!\w)")


def _parted(raw: bytes) -> tuple[bytes, bytes, bytes]:
    end = END_OF_HEADER.search(raw)
    return (raw[: end.start()], end[0], raw[end.end() :]) if end else (raw, b"", b"")
