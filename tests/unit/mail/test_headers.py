"""The headers that mail servers add, read without parsing the email."""

from __future__ import annotations

from base64 import b64encode, encodebytes
from datetime import UTC, datetime

import pytest

from judge.app.ports.inbox import MailReception
from judge.mail.headers import (
    MORE_ADDRESSES,
    addressees,
    addresses_in_email,
    envelope_sender,
    received_at,
)
from tests.support.cost import takes_less_than

MX = "mx.judge.example"
POSTFIX = (
    b"Received: from [127.0.0.1] (localhost [127.0.0.1])\r\n"
    b"\tby mx.judge.example (Postfix) with ESMTP id 9207722A11E\r\n"
    b"\tfor <judge+x@judge.example>; Sat, 21 Nov 2026 11:52:16 +0100 (CET)\r\n"
)
FORGED = b"Received: from x by mx.judge.example; Sat, 1 Jan 2000 00:00:00 +0000\r\n"
ELSEWHERE = b"Received: from x by mx.other.example; Sat, 21 Nov 2026 10:00:00 +0000\r\n"
TAIL = (
    b"Subject: x\r\n\r\nReceived: from x by mx.judge.example; Sat, 1 Jan 2000 00:00:00 +0000\r\n"
)
THEN = datetime(2026, 11, 21, 10, 52, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(POSTFIX + TAIL, THEN, id="ours"),
        pytest.param(b"Return-Path: <a@b.example>\r\n" + POSTFIX + TAIL, THEN, id="not first"),
        pytest.param(POSTFIX + FORGED + TAIL, THEN, id="a forged one below"),
        pytest.param((POSTFIX + TAIL).replace(b"\r\n", b"\n"), THEN, id="bare newlines"),
        pytest.param(POSTFIX.replace(b"mx.j", b"MX.J") + TAIL, THEN, id="case"),
        pytest.param(ELSEWHERE + FORGED + TAIL, None, id="another on top"),
        pytest.param(TAIL, None, id="none"),
        pytest.param(b"Received: by mx.judge.example; soon\r\n" + TAIL, None, id="no time"),
        pytest.param(
            b"Received: by mx.judge.example; Sat, 21 Nov 2026 11:52:16\r\n" + TAIL,
            None,
            id="no zone",
        ),
        pytest.param(b"Received: by notmx.judge.example; " + TAIL, None, id="like ours"),
    ],
)
def test_the_time_is_that_of_the_topmost_received_if_that_is_ours(
    raw: bytes, expected: datetime | None
) -> None:
    assert received_at(raw, MX) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (b"Return-Path: <a@b.example>\r\n", "a@b.example"),
        (b"Return-Path: <>\r\n", ""),
        (b"Return-Path: <a@b.example>\r\nReturn-Path: <>\r\n", "a@b.example"),
        (b"", None),
    ],
)
def test_the_sender_is_that_of_the_topmost_return_path(
    header: bytes, expected: str | None
) -> None:
    assert envelope_sender(header + TAIL) == expected


def test_the_recipient_of_an_email_comes_from_the_last_server_or_else_to_and_cc() -> None:
    named = b"To: Judge <a@j.example>,\r\n\tb@j.example\r\nCc: c@j.example, a@j.example\r\n"
    delivered = b"Delivered-To: d@j.example\r\nDelivered-To: e@j.example\r\n"

    assert addressees(named + TAIL) == ("a@j.example", "b@j.example", "c@j.example")
    assert addressees(delivered + named + TAIL) == ("d@j.example",)
    assert addressees(b"\r\nTo: a@j.example\r\n") == ()


@pytest.mark.parametrize("box", ["judge@j.example", "12-judge@j.example", "club@provider.example"])
def test_a_token_counts_where_a_provider_names_only_its_mailbox(box: str) -> None:
    reception = MailReception("judge@j.example", "+")
    token = "judge+abcdefghijklmnop@j.example"
    delivered = f"Delivered-To: {box}\r\nTo: ann@p.example\r\n".encode()

    assert reception.recipients(delivered + f"Cc: {token}\r\n".encode() + TAIL) == (token,)
    assert reception.recipients(delivered + TAIL) == ("judge@j.example",)


def test_a_delivery_address_with_a_token_counts_alone() -> None:
    ours, others = (f"judge+{letter * 16}@j.example" for letter in "ab")
    header = f"Delivered-To: {ours}\r\nTo: {ours}, {others}\r\n".encode()

    assert MailReception("judge@j.example", "+").recipients(header + TAIL) == (ours,)


@pytest.mark.parametrize(
    "raw",
    [
        b"Received: " + b"(" * 1_000_000,
        b"Received: by mx.judge.example;" + b" \r\n\t" * 300_000,
        b"received:\n" * 300_000,
        b"To: " + b"a@," * 300_000,
        b"\xff" * 1_000_000,
        b"\n\n" + b"a@" * 1_000_000,
        b"\n\n" + (b"QUJDQEFCQ0RFRkdI" * 4 + b"\n") * 30_000,
        (b"!a" * 32 + b"@x.example ") * 25_000,
    ],
)
def test_nothing_takes_long(raw: bytes) -> None:
    def read() -> None:
        received_at(raw, MX)
        envelope_sender(raw)
        addressees(raw)
        addresses_in_email(raw)

    assert takes_less_than(2, read)


ANNA = "anna@x.example"


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(b"\r\nAsk Anna@X.example.", id="plain"),
        pytest.param(b"\r\nhttps://y.example/?to=3Danna=40x.example", id="quoted-printable"),
        pytest.param(b"\r\nhttps://y.example/?to=anna%40x.example", id="in an address"),
        pytest.param(b"\r\n<a>anna&#64;x.example</a>", id="HTML"),
        pytest.param(b"\r\n" + encodebytes(b"This is long, and ends so: anna@x.example"), id="b"),
        pytest.param(
            b"Subject: =?utf-8?B?" + b64encode(b"about anna@x.example!") + b"?=\r\n\r\n",
            id="in a word of the header",
        ),
    ],
)
def test_addresses_are_found_anywhere_in_an_email(written: bytes) -> None:
    assert ANNA in addresses_in_email(b"From: b@y.example\r\n" + written)


def test_an_identifier_of_an_email_is_no_address() -> None:
    ids = b"References: <1@x.example>\r\n <2@x.example>\r\nIn-Reply-To: <3@x.example>\r\n"

    assert addresses_in_email(b"Message-ID: <4@x.example>\r\n" + ids + b"\r\nHi") == frozenset()


def test_of_an_email_with_very_many_addresses_only_some_are_looked_at() -> None:
    found = addresses_in_email(b"\n".join(b"a%d@x.example" % number for number in range(9_999)))

    assert MORE_ADDRESSES in found
    assert len(found) < 1_000
