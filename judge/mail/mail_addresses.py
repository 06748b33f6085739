"""Email addresses, and the tokens in our reply addresses."""

from __future__ import annotations

import hmac
import json
import re
from base64 import b32encode
from hashlib import sha256
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAILBOX_MAX = 1_000
LOCAL_BYTES_MAX, DOMAIN_BYTES_MAX = 64, 255  # RFC 5321, 4.5.3.1
TOKEN_BYTES = 10  # 80 bits: beyond guessing by mail, and 16 letters of base32.
TOKEN = re.compile(r"[a-z2-7]{16}")
TAG = re.compile(r"[ \t]?\[#[a-z2-7]{16}\]", re.IGNORECASE)
EXTENSION = (
    r"[\w.%+=-]{0,64}"  # What may stand behind the delimiter in text that was broken or encoded.
)

# Our own grammar and not the library's, whose versions disagree on what forgers write
# (CVE-2023-27043): no quoted local part, no domain literal, no group, no route, no nested comment.
PHRASE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^()<>@,;:\\"\[\]])*')
ADDRESS = re.compile(
    r"(?P<local>[^\s()<>@,;:\\\".\[\]]+(?:\.[^\s()<>@,;:\\\".\[\]]+)*)"
    r"@(?P<domain>[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)*)"
)
LISTED = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^",])+')  # One of a list that commas part.
LIST_MAX = 8_000  # Characters of a To.
COMMENT = re.compile(r" ?\([^()\\]*\)$")  # `kaiser@player.test (Wilhelm)`, as old mailers write.
FOLD_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)


def strict_mailbox(text: str) -> str | None:
    """Return the address if *text* names exactly one mailbox and can be read in one way only."""
    text = text.strip()
    if len(text) > MAILBOX_MAX:
        return None
    if text.endswith(">"):
        phrase, opened, address = text[:-1].rpartition("<")
        return _checked(address) if opened and PHRASE.fullmatch(phrase) else None
    return _checked(COMMENT.sub("", text))


def mailboxes_in(fields: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses in *fields* such as To, and nothing that only looks like one.

    Text in a name, a comment or a group is no address: `"judge@example.org" <a@b.example>` goes to
    `a@b.example` alone.
    """
    parts = (found[0] for field in fields for found in LISTED.finditer(field[:LIST_MAX]))
    found = (strict_mailbox(part) for part in parts)
    return tuple(address for address in found if address)


def same_mailbox(one: str, other: str) -> bool:
    """Compare two addresses without the case of ASCII letters.

    Other letters count as they are: a Kelvin sign folds to `k` and a long s to `s`, so folding
    them would let their owner speak as another player.
    """
    return folded(one) == folded(other)


def folded(address: str) -> str:
    """Return *address* in the form in which two of them are compared."""
    return address.translate(FOLD_ASCII)


def token_text(  # noqa: PLR0913 - all that a token is bound to, by name
    key: bytes,
    *,
    purpose: str,
    game: str | None,
    power: str | None,
    person: str,
    phase: str | None,
    subject: str | None,
    key_version: int,
) -> str:
    """Return the token for all this, which cannot be made or changed without *key*."""
    meaning = json.dumps([purpose, game, power, person, phase, subject, key_version])
    digest = hmac.digest(key, meaning.encode(), sha256)
    return b32encode(digest[:TOKEN_BYTES]).decode().lower()


def address_with(token: str, own_address: str, delimiter: str = "+") -> str:
    """Return our address with *token* behind the delimiter; bare where there is no delimiter."""
    if not delimiter:
        return own_address
    local, _, domain = own_address.rpartition("@")
    return f"{local}{delimiter}{token}@{domain}"


def token_of(recipient: str, own_address: str, delimiter: str = "+") -> str | None:
    """Return the token in *recipient*, in lower case; None if it is not of ours or has none."""
    extension = _extension(recipient, own_address, delimiter)
    return extension if extension and TOKEN.fullmatch(extension) else None


def is_ours(recipient: str, own_address: str, delimiter: str = "+") -> bool:
    """Return whether *recipient* is our address, with any text after the delimiter."""
    return _extension(recipient, own_address, delimiter) is not None


def scrub(text: str, own_address: str, delimiter: str = "+") -> str:
    """Reduce our addresses in *text* to the bare one, since a token gives access.

    Tags in subjects that stand for tokens are removed too.
    """
    text = TAG.sub("", text)
    if not delimiter:
        return text
    local, _, domain = own_address.rpartition("@")
    either = f"(?:{re.escape(delimiter)}|%{ord(delimiter[0]):02x})"
    ours = rf"{re.escape(local)}{either}{EXTENSION}(?:@|%40){re.escape(domain)}"
    return re.sub(ours, lambda _: own_address, text, flags=re.IGNORECASE)


def _checked(address: str) -> str | None:
    found = ADDRESS.fullmatch(address)
    if found is None or not address.isprintable() or "\ufffd" in address:
        return None
    fits = (
        len(found["local"].encode()) <= LOCAL_BYTES_MAX
        and len(found["domain"].encode()) <= DOMAIN_BYTES_MAX
    )
    return address if fits else None


def _extension(recipient: str, own_address: str, delimiter: str) -> str | None:
    """Return the text after the delimiter: empty if bare, None if it is not our address."""
    own_local, _, own_domain = folded(own_address).rpartition("@")
    local, _, domain = folded(recipient).rpartition("@")
    if domain != own_domain:
        return None
    if local == own_local:
        return ""
    start = own_local + delimiter
    return local.removeprefix(start) if delimiter and local.startswith(start) else None
