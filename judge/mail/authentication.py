"""Who vouches for the From of a mail: the operator's own mail server, or a signature (DKIM).

Both are read by grammars of our own, which know less than the standards allow and are never in
doubt: what they do not know counts as no result. (`authres` raises on what big providers write.)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from judge.mail.identity import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from judge.mail.headers import Headers

RESULTS_MAX = 8_000  # Characters of one Authentication-Results field.
SIGNATURES_MAX = 5  # A signer and some lists; whoever sends more has something in mind.
SIGNATURE_MAX = 4_000  # Characters of one; with a key of 4096 bits it has a thousand.
SIGNED = ("from", "to", "subject", "date", "message-id")  # What makes a mail that mail.
PASS, FAIL = "pass", "fail"
PAIR = [False, True, False]  # Which of `name = value` is the sign.

# RFC 8601, 2.2, and RFC 5322, 3.2.3: a quoted string, a word of `atext` and what may stand in a
# value, or one of the three signs that structure the field.
WORD = re.compile(r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<word>[^\s()";=\\]+)|(?P<sign>[;=]))')
TAG = re.compile(r"\s*([a-zA-Z]\w*)\s*=\s*([^;]*?)\s*(?:;|$)")  # RFC 6376, 3.2
DOMAIN = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+")
SECONDS = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Signature:
    """A DKIM signature that may prove something, if it is valid.

    *number* is where it stands among those of the mail, from 0; *digest* is that of its `b=`.
    """

    number: int
    domain: str
    digest: str
    expires: int | None


@dataclass(frozen=True, slots=True)
class Vouchers:
    """What a mail carries to prove its From, not yet believed.

    *boundary* is the topmost Authentication-Results; *signatures* are those made for the domain
    of the From; *refused* says what is wrong with others.
    """

    boundary: str = ""
    signatures: tuple[Signature, ...] = ()
    refused: tuple[str, ...] = ()


NONE = Vouchers()


def vouchers_of(headers: Headers, sender: str | None) -> Vouchers:
    """Collect what vouches for *sender*, the one mailbox of the From."""
    signatures: list[Signature] = []
    refused: list[str] = []
    domain = _domain_of(sender)
    fields = headers.all("dkim-signature")
    for number, field in enumerate(fields[:SIGNATURES_MAX]):
        found = _signature(field, number, headers, domain)
        if isinstance(found, Signature):
            signatures.append(found)
        else:
            refused.append(found)
    if len(fields) > SIGNATURES_MAX:
        refused.append("too many signatures")
    return Vouchers(headers.first("authentication-results"), tuple(signatures), tuple(refused))


def boundary_verdict(field: str, authserv_id: str, sender: str | None) -> str:
    """Return what our own mail server says of *sender* in *field*: `pass`, `fail` or nothing.

    *field* is the topmost of its name; under any other *authserv_id* it is somebody else's.
    """
    domain = _domain_of(sender)
    read = _results(field) if authserv_id and domain and len(field) <= RESULTS_MAX else None
    if read is None or read[0] != folded(authserv_id):
        return ""
    about = [verdict for result in read[1:] if (verdict := _about(result, domain))]
    if FAIL in about:
        return FAIL
    return PASS if PASS in about else ""


def is_expired(signature: Signature, now: datetime) -> bool:
    """Say whether a signature was made for a time that is over (RFC 6376, 3.5, `x=`)."""
    return signature.expires is not None and signature.expires < now.timestamp()


def _domain_of(sender: str | None) -> str:
    return folded(sender.rpartition("@")[2]) if sender else ""


def _speaks_for(signer: str, domain: str) -> bool:
    """Say whether *signer* is the domain of the From, or one above it (RFC 7489, 3.1.1)."""
    return bool(DOMAIN.fullmatch(signer)) and (domain == signer or domain.endswith(f".{signer}"))


def _about(result: list[tuple[str, str]], domain: str) -> str:
    """Return what one method found out about *domain*, if it speaks of the From at all."""
    method, verdict = result[0]
    said: dict[str, set[str]] = {}
    for name, value in result[1:]:
        said.setdefault(name, set()).add(value)
    method = method.partition("/")[0]  # `dkim/1`, the version of the method
    if method == "dmarc" and said.get("header.from", {domain}) == {domain}:
        return verdict if verdict in (PASS, FAIL) else ""
    signers = {
        *said.get("header.d", ()),
        *(i.rpartition("@")[2] for i in said.get("header.i", ())),
    }
    if method == "dkim" and signers and all(_speaks_for(each, domain) for each in signers):
        return PASS if verdict == PASS else ""
    return ""


def _results(field: str) -> tuple[str, *tuple[list[tuple[str, str]], ...]] | None:
    """Read `id; method=result name=value ...; ...`; None if it is not exactly that."""
    parts: list[list[str]] = [[]]
    for word in _words(field):
        if word is None:
            return None
        if word == ";":
            parts.append([])
        else:
            parts[-1].append(word)
    head, *rest = parts
    if not head or "=" in head or head[1:] not in ([], ["1"]):
        return None
    results = [_pairs(part) for part in rest if part not in ([], ["none"])]
    if any(result is None for result in results):
        return None
    return (head[0], *(result for result in results if result))


def _pairs(words: list[str]) -> list[tuple[str, str]] | None:
    """Read `name=value name=value`."""
    triples = [words[i : i + 3] for i in range(0, len(words), 3)]
    if any(len(each) != len("a=b") or [sign == "=" for sign in each] != PAIR for each in triples):
        return None
    return [(name, value) for name, _, value in triples]


def _words(field: str) -> Iterator[str | None]:
    """Split *field* in lower case, without comments; None at what is no word."""
    text = _without_comments(field)
    at, end = 0, len(text.rstrip())
    while at < end:
        found = WORD.match(text, at)
        if found is None:
            yield None
            return
        quoted = found["quoted"]
        if quoted in (";", "="):  # as words they would be taken for what structures the field
            yield None
            return
        yield folded(found["word"] or found["sign"] or quoted)
        at = found.end()


def _without_comments(field: str) -> str:
    """Put a space for each comment, which may nest (RFC 5322, 3.2.2); one that is open stays."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for sign in field:
        if escaped:
            escaped = False
            kept += [] if depth else [sign]
            continue
        escaped = sign == "\\"
        if not depth and sign == '"':
            quoted = not quoted
        if sign == "(" and not quoted:
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
            kept.append(" ")
        elif not depth:
            kept.append(sign)
    return "".join(kept) + ("(" if depth else "")


def _signature(field: str, number: int, headers: Headers, domain: str) -> Signature | str:
    """Read a signature that may prove the From, or say why it cannot."""
    tags = _tags(field)
    if tags is None:
        return "unreadable"
    signed = [name.strip() for name in folded(tags.get("h", "")).split(":")]
    signer, value = folded(tags.get("d", "")), "".join(tags.get("b", "").split())
    unsigned = [name for name in SIGNED if name not in signed or len(headers.all(name)) != 1]
    if not domain or not _speaks_for(signer, domain):
        return "made for another domain"
    if "l" in tags:
        return "covers only a part of the text"
    if unsigned:
        return f"does not cover {', '.join(unsigned)}"
    expires = tags.get("x")
    if not value or (expires is not None and not SECONDS.fullmatch(expires)):
        return "unreadable"
    digest = sha256(value.encode()).hexdigest()
    return Signature(number, signer, digest, int(expires) if expires else None)


def _tags(field: str) -> Mapping[str, str] | None:
    """Read `name=value;...`; None if a name stands twice, or anything else stands there."""
    if len(field) > SIGNATURE_MAX:
        return None
    tags: dict[str, str] = {}
    at = 0
    while at < len(field.rstrip()):
        found = TAG.match(field, at)
        if found is None or found[1] in tags:
            return None
        tags[found[1]] = found[2]
        at = found.end()
    return tags
