"""DKIM signatures of others: the samples of RFC 8463, and what no signature may do."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from time import process_time
from typing import cast

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from judge.adapters import dkim_verifying
from judge.adapters.dkim_verifying import DkimVerifier, relaxed_body, simple_body
from tests.support.dkim_signer import dkim_signature

# RFC 8463, appendix A: one email with two signatures.
DINNER = b"""\
DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
"""
FOOTBALL = {
    b"brisbane._domainkey.football.example.com.": (
        b"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
    ),
    b"test._domainkey.football.example.com.": (
        b"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6"
        b"Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6l"
        b"HvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB"
    ),
}

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
RAW = (
    b"From: anna@players.example\r\nTo: judge@judge.example\r\nSubject: a  b\r\n\r\nA Par-Bur\r\n"
)
FIELDS = ("from", "to", "subject", "subject", "cc")


def public(key: rsa.RSAPrivateKey = KEY, of: str = "SubjectPublicKeyInfo") -> bytes:
    form = {
        "SubjectPublicKeyInfo": serialization.PublicFormat.SubjectPublicKeyInfo,
        "RSAPublicKey": serialization.PublicFormat.PKCS1,
    }[of]
    return b64encode(key.public_key().public_bytes(serialization.Encoding.DER, form))


def is_valid(raw: bytes, record: bytes = b"v=DKIM1; p=" + public()) -> bool:
    return DkimVerifier(lambda _: record).is_valid(raw, 0)


def signed(form: str = "relaxed/relaxed", key: rsa.RSAPrivateKey = KEY) -> bytes:
    return dkim_signature(RAW, key, domain="players.example", fields=FIELDS, form=form) + RAW


@pytest.mark.parametrize("number", [0, 1], ids=["Ed25519", "RSA"])
def test_the_samples_of_the_standard_are_valid(number: int) -> None:
    verifier = DkimVerifier(FOOTBALL.get)

    assert verifier.is_valid(DINNER, number)
    assert not verifier.is_valid(DINNER.replace(b"lost", b"won"), number)
    assert not verifier.is_valid(DINNER.replace(b"dinner", b"lunch"), number)


@pytest.mark.parametrize("headers", ["simple", "relaxed"])
@pytest.mark.parametrize("body", ["simple", "relaxed"])
def test_blanks_may_change_on_the_way_where_the_signature_says_so(headers: str, body: str) -> None:
    raw = signed(f"{headers}/{body}")

    assert is_valid(raw)
    assert is_valid(raw.replace(b"a  b", b"a\r\n b")) == (headers == "relaxed")
    assert is_valid(raw.replace(b"Par-Bur\r\n", b"Par-Bur \t\r\n")) == (body == "relaxed")
    assert is_valid(raw + b"\r\n\r\n")
    assert not is_valid(raw + b"A Mar-Spa\r\n")


@pytest.mark.parametrize(
    "field",
    [b"From: evil@players.example", b"Subject: other", b"Cc: x@players.example", b"no field"],
)
def test_a_field_that_is_signed_cannot_be_added(field: bytes) -> None:
    assert not is_valid(field + b"\r\n" + signed())
    assert is_valid(b"Received: by mx\r\n" + signed())


def test_a_line_that_ends_for_some_programs_only_proves_nothing() -> None:
    assert not is_valid(b"X-A: 1\rFrom: evil@players.example\r\n" + signed())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a=rsa-sha256", b"a=rsa-sha1"),
        (b"a=rsa-sha256", b"a=ed25519-sha256"),
        (b"v=1;", b"v=2;"),
        (b"v=1;", b""),
        (b"h=from", b"h=date"),
        (b" d=players.example;", b" d=players.example; i=@example;"),
        (b" d=players.example;", b" d=players.example; x=5; t=6;"),
        (b" d=players.example;", b" d=players.example; q=post;"),
        (b" d=players.example;", b" d=players.example; d=players.example;"),
        (b" c=relaxed/relaxed;", b" c=other;"),
    ],
)
def test_a_changed_signature_is_invalid(before: bytes, after: bytes) -> None:
    raw = signed()
    assert before in raw

    assert not is_valid(raw.replace(before, after, 1))


@pytest.mark.parametrize(
    "tags", [b"", b"v=DKIM1; k=rsa; h=sha256; s=email; t=s; ", b"s=*; n=made by hand; "]
)
def test_a_key_is_good_for_what_its_record_says(tags: bytes) -> None:
    assert is_valid(signed(), tags + b"p=" + public())


@pytest.mark.parametrize(
    "tags",
    [b"v=DKIM2; ", b"h=sha1; ", b"s=tlsrpt; ", b"t=y; ", b"t=s:y; ", b"k=ed25519; "],
)
def test_a_key_is_good_for_nothing_else(tags: bytes) -> None:
    assert not is_valid(signed(), tags + b"p=" + public())


def test_a_key_may_have_either_form_of_rsa_and_be_revoked() -> None:
    assert is_valid(signed(), b"p=" + public(of="RSAPublicKey"))
    assert not is_valid(signed(), b"p=")
    assert not is_valid(signed(), b"")
    assert not is_valid(signed(), b"p=%%%")


def test_a_key_is_for_no_subdomain_if_its_record_says_so() -> None:
    raw = (
        dkim_signature(RAW, KEY, domain="players.example; i=@a.players.example", fields=FIELDS)
        + RAW
    )

    assert is_valid(raw, b"p=" + public())
    assert not is_valid(raw, b"t=s; p=" + public())


class ShortKey:
    """A key of 768 bits, which signs by itself: libraries make none any more."""

    modulus = int(
        "cb0b704e79273fe17fe480872340d9af17d3cee52e4fc4c943973dd099bd86123c154afe5a7ebec5"
        "b7eca3bb5443c7ab54bc903c741ac41b447604be1cb492da71462840a5d803c619216ab6318c81a6"
        "d7e0024c8d72606c96e87491148545b9",
        16,
    )
    exponent = int(
        "af14a2f797b2877bebaade4528d9df9b0281ca5286779429341632e02fe163bd4f7fd0d5b8b4b7cd"
        "87c60e7d16b10776a37a6429ed230470b41ec3a51eaa4c241aaefe4773c35c1f2a37527caaa2f918"
        "bc8c2eb7bfc15a5ad3349eca4d99e70d",
        16,
    )

    def sign(self, data: bytes, _padding: object, _hash: object) -> bytes:
        digest = bytes.fromhex("3031300d060960864801650304020105000420") + sha256(data).digest()
        number = int.from_bytes(b"\0\1" + b"\xff" * (96 - 3 - len(digest)) + b"\0" + digest)
        return pow(number, self.exponent, self.modulus).to_bytes(96)

    def public_key(self) -> rsa.RSAPublicKey:
        return rsa.RSAPublicNumbers(65537, self.modulus).public_key()


def test_a_short_key_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    key = cast(rsa.RSAPrivateKey, ShortKey())

    assert not is_valid(signed(key=key), b"p=" + public(key))
    monkeypatch.setattr(dkim_verifying, "KEY_BITS_MIN", 768)
    assert is_valid(signed(key=key), b"p=" + public(key))


def test_nobody_can_write_a_signature_another_way() -> None:
    raw = signed()
    [value] = re.findall(rb"b=([\w+/=]{100,})\r\n", raw)
    number = int.from_bytes(b64decode(value))
    modulus = KEY.public_key().public_numbers().n

    for other in (b"\0" + b64decode(value), (number + modulus).to_bytes(257)):
        assert not is_valid(raw.replace(value, b64encode(other)))


@pytest.mark.parametrize("kind", [b" ", b"\r\n", b"\t \t"])
def test_a_long_run_of_blanks_takes_no_longer_than_text(kind: bytes) -> None:
    body = kind * 1_000_000 + b"x"
    began = process_time()

    relaxed_body(body)
    simple_body(body)

    assert process_time() - began < 5
