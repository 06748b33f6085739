"""Emails forged in a player's name, and the tools to write the player's genuine ones.

Some forgeries carry true signatures: the player's mail server signed another email, and a reader
of that, or a server on the way, makes what they can of it.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from judge.adapters.dkim_verifying import DkimVerifier
from tests.support.dkim_signer import dkim_signature

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)
RECORD = b"v=DKIM1; k=rsa; p=" + b"".join(PUBLIC.splitlines()[1:-1])
NAMES = {
    "k._domainkey.players.example": RECORD,
    "k._domainkey.mail.players.example": RECORD,
    "k._domainkey.elsewhere.example": RECORD,
    "test._domainkey.players.example": RECORD.replace(b"k=rsa", b"k=rsa; t=y"),
}
MIME = ("mime-version", "content-type", "content-transfer-encoding")
SIGNED = ("from", "to", "cc", "subject", "date", "message-id", *MIME)
OURS = "mx.judge.example"  # the boundary
PASSED = "dmarc=pass header.from=players.example"
ORDER = "A Mar-Spa"
EVIL = "evil@elsewhere.example"


def look_up(name: bytes, **_: int) -> bytes | None:
    """Answer as the DNS of the players does."""
    return NAMES.get(name.decode().rstrip("."))


@dataclass(frozen=True, slots=True)
class Victim:
    """A player, and what others may have of theirs.

    *live* and *live_id* are the reply address and Message-ID of the judge's latest email to them,
    *old* and *old_id* those of one of a phase that is over, *other* the reply address of another
    player's. *sent* is what they have sent to the judge, signed.
    """

    address: str
    judge: str
    live: str
    live_id: str
    old: str = ""
    old_id: str = ""
    other: str = ""
    sent: bytes = b""


def email(sender: str, to: str, text: str = ORDER, /, **fields: str) -> bytes:
    """Write an email; *fields* have `_` for `-`, and an empty one is left out."""
    standard = {
        "From": sender,
        "To": to,
        "Subject": "orders",
        "Date": "Mon, 23 Nov 2026 12:00:00 +0000",
        "Message-ID": f"<{abs(hash((text, tuple(fields.items()), to)))}@players.example>",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "7bit",
    }
    standard |= {name.replace("_", "-"): value for name, value in fields.items()}
    head = [f"{name}: {value}" for name, value in standard.items() if value]
    return "\r\n".join([*head, "", text, ""]).encode()


def signed(
    raw: bytes,
    *,
    domain: str = "players.example",
    selector: str = "k",
    fields: Sequence[str] = SIGNED,
    length: bool = False,
) -> bytes:
    """Return *raw* with the signature of *domain* above it."""
    signature = dkim_signature(
        raw,
        KEY,
        domain=domain,
        selector=selector,
        fields=fields,
        form="relaxed/relaxed",
        length=length,
    )
    return signature + raw


def without(*names: str) -> tuple[str, ...]:
    """Return what is signed as a rule, but for *names*."""
    return tuple(each for each in SIGNED if each not in names)


def checked(raw: bytes) -> bytes:
    """Return *raw* as a boundary hands it over: with true results at its top.

    It checks DKIM, and DMARC as relaxed as that is: by any signature of the organization.
    """
    check, results, aligned = DkimVerifier(look_up), [], False
    for number, field in enumerate(re.findall(rb"(?im)^dkim-signature *:(?:.|\n[ \t])*", raw)):
        domain = b"".join(re.findall(rb"\bd=([\w.-]+)", field)).decode()
        passed = check.is_valid(re.sub(rb"(?m)^([\w-]+) +:", rb"\1:", raw), number)
        results.append(f"dkim={'pass' if passed else 'fail'} header.d={domain}")
        aligned |= passed and domain.endswith("players.example")
    results += [PASSED] if aligned else ["dmarc=none header.from=players.example"]
    return f"Authentication-Results: {'; '.join([OURS, *results])}\r\n".encode() + raw


# What is forged


def _results(field: str, name: str = "Authentication-Results:") -> Callable[[Victim], bytes]:
    """Put forged results above an email in the player's name."""

    def forge(victim: Victim) -> bytes:
        return f"{name} {field}\r\n".encode() + email(victim.address, victim.judge, X=field[:30])

    return forge


def _private(to: str = "italy@players.example", **fields: str) -> Callable[[Victim], bytes]:
    """Send on what the player wrote to another person; *fields* are added, and not signed."""

    def forge(victim: Victim) -> bytes:
        raw = signed(email(victim.address, to), fields=without("cc"))
        added = {name.replace("_", "-"): text for name, text in fields.items()}
        values = {"judge": victim.judge, "live_id": victim.live_id, "old": victim.old}
        head = "".join(f"{name}: {text.format(**values)}\r\n" for name, text in added.items())
        return head.encode() + raw

    return forge


def _changed(
    unsigned: Sequence[str], before: bytes, after: bytes, **fields: str
) -> Callable[[Victim], bytes]:
    """Change what the signature of an email to the judge does not cover."""

    def forge(victim: Victim) -> bytes:
        raw = signed(email(victim.address, victim.judge, **fields), fields=without(*unsigned))
        assert before in raw
        return raw.replace(before, after, 1)

    return forge


def _again(change: Callable[[bytes], bytes]) -> Callable[[Victim], bytes]:
    """Send once more what the player sent, with its signature written differently."""

    def forge(victim: Victim) -> bytes:
        written = re.search(rb"b=([A-Za-z0-9+/=\s]+?)\r\n(?=\S)", victim.sent)
        assert written
        start, end = written.span(1)
        value = b"".join(written[1].split())
        return victim.sent[:start] + change(value) + victim.sent[end:]

    return forge


def _as_number(value: bytes, *, add: int = 0, zeros: int = 0) -> bytes:
    number = int.from_bytes(b64decode(value)) + add
    return b64encode(bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8))


def _plus_modulus(value: bytes) -> bytes:
    return _as_number(value, add=KEY.public_key().public_numbers().n)


def _answering(field: str, which: str) -> Callable[[Victim], bytes]:
    def forge(victim: Victim) -> bytes:
        answered = victim.live_id if which == "live" else victim.old_id
        return email(victim.address, victim.judge, **{field: answered})

    return forge


def _to(which: str, sender: str = "") -> Callable[[Victim], bytes]:
    def forge(victim: Victim) -> bytes:
        return email(sender or victim.address, getattr(victim, which), X_Way=which + sender)

    return forge


def _garbage_above_a_part(victim: Victim) -> bytes:
    """Write a signature that would cover all, and is none, above a valid one of a part."""
    part = signed(email(victim.address, victim.judge), length=True)
    whole = signed(email(victim.address, victim.judge, "other"))
    return whole[: whole.index(b"From:")] + part + b"A Par-Gas\r\n"


def _hidden_signature(victim: Victim) -> bytes:
    part = signed(email(victim.address, victim.judge), length=True)
    return part.replace(b"DKIM-Signature:", b"DKIM-Signature :", 1) + b"A Par-Gas\r\n"


def _of_a_part(victim: Victim) -> bytes:
    return signed(email(victim.address, victim.judge), length=True) + b"A Par-Gas\r\n"


def _by(domain: str, selector: str = "k", **tags: bytes) -> Callable[[Victim], bytes]:
    def forge(victim: Victim) -> bytes:
        raw = signed(
            email(victim.address, victim.judge, X_By=domain), domain=domain, selector=selector
        )
        for name, value in tags.items():
            raw = raw.replace(b"; s=", b"; " + name.encode() + b"=" + value + b"; s=", 1)
        return raw

    return forge


ORDERS_IN_HTML = "text/html; charset=utf-8"
FORGERIES: dict[str, Callable[[Victim], bytes]] = {
    "nothing but the address": lambda v: email(v.address, v.judge),
    "results as ours are": _results(f"{OURS}; {PASSED}"),
    "results in capitals": _results(
        f"{OURS.upper()}; {PASSED.upper()}", "AUTHENTICATION-RESULTS:"
    ),
    "results with the version": _results(f"{OURS} 1; {PASSED}"),
    "results behind a comment": _results(f"(x) {OURS}; {PASSED}"),
    "results behind nested comments": _results(f"(x (y\\) z)) {OURS}; {PASSED}"),
    "results of a quoted name": _results(f'"{OURS}"; {PASSED}'),
    "results of a name and a comment": _results(f"{OURS}(x); {PASSED}"),
    "results on the next line": _results(f"\r\n\t{OURS};\r\n\t{PASSED}"),
    "results in a folded comment": _results(f"(\r\n x)\r\n {OURS}; {PASSED}"),
    "results with a space before the colon": _results(
        f"{OURS}; {PASSED}", "Authentication-Results :"
    ),
    "results of nobody's From": _results(f"{OURS}; dmarc=pass"),
    "results of a signature": _results(f"{OURS}; dkim=pass header.d=players.example"),
    "results of the envelope": _results(f"{OURS}; {PASSED}; spf=pass smtp.mailfrom=a@b.example"),
    "several results": _results(
        f"{OURS}; {PASSED}\r\nAuthentication-Results: other.example; spf=none\r\n"
        f"Authentication-Results: (y) {OURS}; {PASSED}"
    ),
    "results of another, with ours quoted": _results(
        f'a.example; x=fail reason="{OURS}; {PASSED}"'
    ),
    "results behind a bare CR": lambda v: email(
        v.address, v.judge, Subject=f"orders\rAuthentication-Results: {OURS}; {PASSED}"
    ),
    "an older Received": lambda v: (
        f"Received: from x by {OURS}; Mon, 19 Nov 2001 11:00:00 +0000\r\n".encode()
        + email(v.address, v.judge, X_Old="1")
    ),
    "two Froms": lambda v: f"From: {EVIL}\r\n".encode() + email(v.address, v.judge),
    "two addresses in From": lambda v: email(f"{v.address}, {EVIL}", v.judge),
    "the player as Sender and Reply-To": lambda v: email(
        EVIL, v.judge, Sender=v.address, Reply_To=v.address, Resent_From=v.address
    ),
    "a live token from another address": _to("live", EVIL),
    "another player's token": _to("other"),
    "a wrong password": lambda v: email(v.address, v.judge, f"SIGNON Fbaltic guess\n{ORDER}"),
    "the password from another address": lambda v: email(
        EVIL, v.judge, f"SIGNON Fbaltic open-sesame\n{ORDER}"
    ),
    "a private email": _private(),
    "a private email, the judge as the name of its reader": _private(
        '"judge@judge.example" <italy@players.example>'
    ),
    "a private email, the judge in a comment": _private(
        "italy@players.example (judge@judge.example)"
    ),
    "a private email, the judge in a group's name": _private(
        '"judge@judge.example, x": italy@players.example;'
    ),
    "a private email with an added Cc": _private(Cc="{judge}"),
    "a private email with a second To": _private(To="{judge}"),
    "a private email with results": _private(Authentication_Results=f"(x) {OURS}; {PASSED}"),
    "a part is signed": _of_a_part,
    "a part is signed, and all in vain": _garbage_above_a_part,
    "a part is signed, in a field that hides": _hidden_signature,
    "To is not signed": _changed(("to",), b"To: judge@", b"To:  judge@"),
    "Subject is not signed": _changed(("subject",), b"Subject: orders", b"Subject: F baltic"),
    "Date is not signed": _changed(("date",), b"12:00:00", b"13:00:00"),
    "Message-ID is not signed": _changed(("message-id",), b"Message-ID: <", b"Message-ID: <a"),
    "MIME-Version is not signed": _changed(("mime-version",), b"1.0", b"1.1"),
    "Content-Type is not signed": _changed(("content-type",), b"text/plain", b"text/html"),
    "the encoding is not signed": _changed(MIME[2:], b"7bit", b"8bit"),
    "the encoding is not signed as absent": _changed(
        MIME[2:], b"Subject:", b"Subject:", Content_Transfer_Encoding=""
    ),
    "no subject, and not signed as absent": _changed(("subject",), b"To:", b"To:", Subject=""),
    "a disposition was added": _changed(
        (), b"MIME-Version", b"Content-Disposition: inline\r\nMIME-Version"
    ),
    "a second subject was added": _changed((), b"Subject", b"Subject: baltic\r\nSubject"),
    "another domain signed it": _by("elsewhere.example"),
    "a mail server of the organization signed it": _by("mail.players.example"),
    "what was sent, once more": _again(lambda value: value),
    "what was sent, with more padding": _again(lambda value: value + b"===="),
    "what was sent, its signature folded": _again(lambda value: value[:9] + b"\r\n " + value[9:]),
    "what was sent, with zeros before its signature": _again(
        lambda value: _as_number(value, zeros=3)
    ),
    "what was sent, its signature a modulus higher": _again(_plus_modulus),
}
# What only our own checks see: Postfix does not say it, or hands no bare CR on.
OF_OUR_CHECK: dict[str, Callable[[Victim], bytes]] = {
    "a live token, and a bare CR in the header": lambda v: email(
        v.address, v.live, Subject="orders\rX-Hidden: something"
    ),
    "a key on trial signed it": _by("players.example", "test"),
}
OF_CLOSED_PHASES: dict[str, Callable[[Victim], bytes]] = {
    "the token of a closed phase": _to("old"),
    "the thread of a closed phase": _answering("In_Reply_To", "old"),
}
WHERE_A_BOUNDARY_CHECKS: dict[str, Callable[[Victim], bytes]] = {
    "a thread of ours": _answering("In_Reply_To", "live"),
    "a private email that answers ours now": _private(In_Reply_To="{live_id}"),
    "a thread of ours, further back": _answering("References", "live"),
}
