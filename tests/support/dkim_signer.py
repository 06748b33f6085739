"""Sign emails with DKIM as the mail servers of players do."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from judge.adapters.dkim_verifying import (
    BARE_LINE_END,
    CANONICAL_BODIES,
    CANONICAL_FIELDS,
    choose_fields,
    split_email,
)


def dkim_signature(  # noqa: PLR0913 - what a signature says
    raw: bytes,
    key: rsa.RSAPrivateKey,
    *,
    domain: str,
    selector: str = "k",
    fields: Sequence[str],
    form: str = "relaxed/simple",
    length: bool = False,
) -> bytes:
    """Return a field with the signature of *domain*; with *length*, text may follow."""
    of_fields, of_body = form.encode().split(b"/")
    canonical = CANONICAL_FIELDS[of_fields]
    found, body = split_email(BARE_LINE_END.sub(b"\r\n", raw))
    content = CANONICAL_BODIES[of_body](body)
    value = (
        f" v=1; a=rsa-sha256; c={form}; d={domain}; s={selector}; h={' : '.join(fields)};"
        f"{f' l={len(content)};' if length else ''}\r\n"
        f" bh={b64encode(sha256(content).digest()).decode()}; b="
    ).encode()
    chosen = choose_fields((canonical(*each) for each in found), map(str.encode, fields))
    _, own = canonical(b"DKIM-Signature", value)
    signed = b"".join([*chosen, own.removesuffix(b"\r\n")])
    made = b64encode(key.sign(signed, padding.PKCS1v15(), hashes.SHA256()))
    return b"DKIM-Signature:" + value + made + b"\r\n"
