"""Collect the domains that vouch for the From of an email: Authentication-Results and DKIM.

Our own grammars accept less than the standards allow, so each field has one reading; anything else
counts as no result. (`authres` raises on what big providers write.)
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from hashlib import sha256

from judge.mail.headers import Headers, folded, is_ours, mailboxes_in

RESULTS_MAX = 8_000  # Characters of one Authentication-Results field.
SIGNATURES_MAX = 5  # One signer and a few lists.
SIGNATURE_MAX = 4_000  # Characters of one; a 4096-bit key takes about a thousand.
# Fields that identify an email. A missing one must be signed as absent: otherwise a later sender
# could have removed it.
IDENTIFYING = ("from", "to", "subject", "date", "message-id")
MIME = ("mime-version", "content-type", "content-transfer-encoding")
SIGNED = (*IDENTIFYING, *MIME)
PASS, FAIL = "pass", "fail"
BASE64 = re.compile(r"[A-Za-z0-9+/]+")
PAIR = [False, True, False]  # Where the sign is in `name = value`.

# RFC 8601 2.2 and RFC 5322 3.2.3: a quoted string, a word (`atext` and the other characters
# allowed in a value), or one of the three separators.
WORD = re.compile(r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<word>[^\s()";=\\]+)|(?P<sign>[;=]))')
TAG = re.compile(r"\s*([a-zA-Z]\w*)\s*=\s*([^;]*?)\s*(?:;|$)")  # RFC 6376 3.2
DOMAIN = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+")
SECONDS = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Signature:
    """A DKIM signature that covers all identifying fields; not verified yet.

    *number* is its index among the email's signatures. *digest* is the digest of the decoded `b=`,
    so rewrapping a signature does not change it. *signs_cc* is set if it also covers the Cc.
    """

    number: int
    domain: str
    digest: str
    expires: int | None
    signs_cc: bool = False


class Verdict(Enum):
    """The verdict of the operator's own mail server on the From."""

    NOTHING = "nothing"
    FORGED = "fail"  # dmarc=fail: the domain disowns the email
    DKIM = "dkim"  # a valid signature of the domain
    DMARC = "dmarc"  # a valid signature, or SPF passed for the domain
    SENT = "dmarc and spf"  # SPF passed for exactly this mailbox: no list sent it again


@dataclass(frozen=True, slots=True)
class SenderEvidence:
    """The unverified evidence for the From of an email.

    *boundary* is the topmost Authentication-Results. *signatures* are the usable ones of the
    From's domain; *refused* has the faults of the others. *half_signed* is set if a refused one
    may be the domain's own and the reason for a `pass`. *to* and *cc* are the recipients.
    """

    boundary: str = ""
    signatures: tuple[Signature, ...] = ()
    refused: tuple[str, ...] = ()
    half_signed: bool = False
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()

    def is_for(self, own_address: str, delimiter: str, *, cc: bool = True) -> bool:
        """Return whether To (or Cc, with *cc*) has *own_address*."""
        named = (*self.to, *(self.cc if cc else ()))
        return any(is_ours(each, own_address, delimiter) for each in named)


NO_EVIDENCE = SenderEvidence()


def collect_evidence(headers: Headers, sender: str | None) -> SenderEvidence:
    """Collect the evidence for *sender*, the only mailbox of the From."""
    signatures: list[Signature] = []
    refused: list[str] = []
    half_signed = False
    domain = _domain_of(sender)
    fields = headers.all("dkim-signature")
    for number, field in enumerate(fields[:SIGNATURES_MAX]):
        found = _signature(field, number, headers, domain)
        if isinstance(found, Signature):
            signatures.append(found)
        else:
            refused.append(found)
            half_signed |= _may_speak_for(field, domain)
    if len(fields) > SIGNATURES_MAX:
        refused.append("too many signatures")
        half_signed = True
    return SenderEvidence(
        headers.first("authentication-results"),
        tuple(signatures),
        tuple(refused),
        half_signed,
        mailboxes_in(headers.all("to")),
        mailboxes_in(headers.all("cc")),
    )


def boundary_verdict(field: str, authserv_id: str, sender: str | None) -> Verdict:
    """Return the verdict of our own mail server on *sender* in *field*, its topmost field.

    Only a field that begins with the bare *authserv_id* counts: servers strip forged fields by
    their beginning, and may leave those that begin with a comment or a quotation mark.
    """
    domain = _domain_of(sender)
    if not authserv_id or not domain or len(field) > RESULTS_MAX:
        return Verdict.NOTHING
    if not re.match(rf"{re.escape(folded(authserv_id))}(?: 1)? ?;", folded(field)):
        return Verdict.NOTHING
    results = _results(field) or ()
    dmarc = {each.verdict for each in results if each.is_dmarc_of(domain)}
    if FAIL in dmarc:
        return Verdict.FORGED
    if PASS not in dmarc:
        signed = any(each.is_signature_of(domain) for each in results)
        return Verdict.DKIM if signed else Verdict.NOTHING
    sent = any(each.is_sent_by(folded(sender or "")) for each in results)
    return Verdict.SENT if sent else Verdict.DMARC


def is_expired(signature: Signature, now: datetime) -> bool:
    """Return whether a signature has expired (`x=`, RFC 6376 3.5)."""
    return signature.expires is not None and signature.expires < now.timestamp()


def _domain_of(sender: str | None) -> str:
    return folded(sender.rpartition("@")[2]) if sender else ""


def _speaks_for(signer: str, domain: str) -> bool:
    """Return whether *signer* is the domain of the From or a parent of it (RFC 7489 3.1.1)."""
    return bool(DOMAIN.fullmatch(signer)) and (domain == signer or domain.endswith(f".{signer}"))


def _may_speak_for(field: str, domain: str) -> bool:
    """Return whether DMARC may accept the signature in *field* for *domain*.

    DMARC accepts any domain of the same organization, `mail.example.org` for `example.org` and
    vice versa; here, domains that share their last two labels.
    """
    tags = _tags(field)
    signer = folded(tags.get("d", "")) if tags else ""
    return not signer or signer.split(".")[-2:] == domain.split(".")[-2:]


@dataclass(frozen=True, slots=True)
class _Result:
    """One `method=result`; *properties* maps each property to its values."""

    method: str
    verdict: str
    properties: Mapping[str, frozenset[str]]

    def is_dmarc_of(self, domain: str) -> bool:
        named = self.properties.get("header.from", frozenset())
        unnamed = self.verdict == FAIL and not named
        return self.method == "dmarc" and (unnamed or named == frozenset((domain,)))

    def is_signature_of(self, domain: str) -> bool:
        signers = {
            *self.properties.get("header.d", ()),
            *(i.rpartition("@")[2] for i in self.properties.get("header.i", ())),
        }
        passed = self.method == "dkim" and self.verdict == PASS
        return passed and bool(signers) and all(_speaks_for(each, domain) for each in signers)

    def is_sent_by(self, mailbox: str) -> bool:
        passed = self.method == "spf" and self.verdict == PASS
        return passed and self.properties.get("smtp.mailfrom") == frozenset((mailbox,))


def _results(field: str) -> tuple[_Result, ...] | None:
    """Read `id; method=result name=value ...; ...`; None if malformed."""
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
    results: list[_Result] = []
    for part in rest:
        if part in ([], ["none"]):
            continue
        pairs = _pairs(part)
        if not pairs:
            return None
        (method, verdict), *given = pairs
        properties: dict[str, frozenset[str]] = {}
        for name, value in given:
            properties[name] = properties.get(name, frozenset()) | {value}
        method = method.partition("/")[0]  # `dkim/1`: its version
        results.append(_Result(method, verdict, properties))
    return tuple(results)


def _pairs(words: list[str]) -> list[tuple[str, str]] | None:
    triples = [words[i : i + 3] for i in range(0, len(words), 3)]
    if any(len(each) != len("a=b") or [sign == "=" for sign in each] != PAIR for each in triples):
        return None
    return [(name, value) for name, _, value in triples]


def _words(field: str) -> Iterator[str | None]:
    text = _without_comments(field)
    at, end = 0, len(text.rstrip())
    while at < end:
        found = WORD.match(text, at)
        if found is None:
            yield None
            return
        quoted = found["quoted"]
        if quoted in (";", "="):  # bare, they would be taken for separators
            yield None
            return
        yield folded(found["word"] or found["sign"] or quoted)
        at = found.end()


def _without_comments(field: str) -> str:
    """Replace each comment, which may nest (RFC 5322 3.2.2), by a space; keep an unclosed one."""
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
    """Read a signature that may prove the From, or return its fault."""
    tags = _tags(field)
    if tags is None:
        return "unreadable"
    signed = [name.strip() for name in folded(tags.get("h", "")).split(":")]
    signer, value = folded(tags.get("d", "")), _decoded(tags.get("b", ""))
    unsigned = [name for name in _to_be_signed(headers) if not _covers(signed, headers, name)]
    if not domain or not _speaks_for(signer, domain):
        return "made for another domain"
    if "l" in tags:
        return "covers only a part of the text"
    if unsigned:
        return f"does not cover {', '.join(unsigned)}"
    expires = tags.get("x")
    if not value or (expires is not None and not SECONDS.fullmatch(expires)):
        return "unreadable"
    return Signature(
        number,
        signer,
        digest=sha256(value.lstrip(b"\0")).hexdigest(),  # some checkers allow zeros before it
        expires=int(expires) if expires else None,
        signs_cc=_covers(signed, headers, "cc"),
    )


def _to_be_signed(headers: Headers) -> tuple[str, ...]:
    others = {name for name, _ in headers.fields if name.startswith("content-")}
    return (*SIGNED, *sorted(others.difference(SIGNED)))


def _covers(signed: list[str], headers: Headers, name: str) -> bool:
    return signed.count(name) >= max(1, len(headers.all(name)))


def _decoded(value: str) -> bytes:
    letters = "".join(value.split()).rstrip("=")
    if not BASE64.fullmatch(letters) or len(letters) % 4 == 1:
        return b""
    return b64decode(letters + "=" * (-len(letters) % 4))


def _tags(field: str) -> Mapping[str, str] | None:
    """Read `name=value;...`; None if a name is repeated or the rest is malformed."""
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
