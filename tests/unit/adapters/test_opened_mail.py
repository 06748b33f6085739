"""Encoding of opened emails between the reader process and the judge."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.adapters.mail_sandbox import ANSWER_BYTES_MAX, WHOLE_MAX, MalformedError, decode, encode
from judge.mail.body import Line, Text
from judge.mail.envelope import Bounce, OpenedEmail, Unreadable, open_mail
from judge.mail.headers import Automatic
from judge.mail.sender_evidence import SenderEvidence, Signature
from tests.unit.mail.clients import CLIENTS, OLD, letter

words = st.text(max_size=20) | st.sampled_from(
    ["\udc80", "\ud800x", "\x00", "\u2028", "\U0010ffff"]
)
numbers = st.integers(0, WHOLE_MAX)
instants = st.datetimes(timezones=st.just(UTC))
several = st.lists(words, max_size=3).map(tuple)
texts = st.builds(
    Text,
    fresh=st.lists(st.builds(Line, numbers, words), max_size=4).map(tuple),
    quoted=several,
    signature=several,
    attachments=several,
    struck=several,
    html=st.booleans(),
    unread=several,
    says_more=st.booleans(),
)
signatures = st.builds(Signature, numbers, words, words, st.none() | numbers)
emails = st.builds(Unreadable, words, st.none() | words) | st.builds(
    OpenedEmail,
    sender=st.none() | words,
    subject=words,
    message_id=st.none() | words,
    answers=several,
    date=st.none() | instants,
    recipients=several,
    text=texts,
    automatic=st.none() | st.sampled_from(Automatic),
    answerable=st.booleans(),
    evidence=st.builds(
        SenderEvidence, words, st.lists(signatures, max_size=2).map(tuple), several
    ),
    bounce=st.none() | st.builds(Bounce, st.booleans(), several),
    name=words,
)


@example(opened=Unreadable("\udc80\x00", "\ud800x\u2028\U0010ffff"))
@given(opened=emails)
def test_any_opened_email_survives_the_encoding(opened: OpenedEmail | Unreadable) -> None:
    assert decode(encode(opened)) == opened


@pytest.mark.parametrize("client", CLIENTS)
def test_emails_of_mail_programs_survive_the_encoding(
    client: Callable[[tuple[str, ...]], bytes],
) -> None:
    opened = open_mail(client(OLD), "a@b.example")

    assert decode(encode(opened)) == opened


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(pickle.dumps(os.system), id="a pickle"),
        pytest.param(b"cos\nsystem\n.", id="a pickle in text"),
        pytest.param(b"nonsense", id="nonsense"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_other_versions_of_the_format_are_refused(written: bytes) -> None:
    with pytest.raises(MalformedError, match="another version"):
        decode(written)


def test_a_reader_of_another_version_is_refused() -> None:
    version, _, told = encode(Unreadable("")).partition(b"\n")

    with pytest.raises(MalformedError, match="another version"):
        decode(version[:-1] + b"\n" + told)


SOMETHING = open_mail(letter("A PAR - BUR\n"), "france@player.test")


def forged(change: Callable[[list[Any]], object]) -> bytes:
    """Return an encoded email with *change* applied, as a compromised reader might write it."""
    version, _, told = encode(SOMETHING).partition(b"\n")
    plain = json.loads(told)
    change(plain)
    return version + b"\n" + json.dumps(plain).encode()


def put(place: int, value: object) -> Callable[[list[Any]], object]:
    return lambda plain: plain[1].__setitem__(place, value)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(put(1, 3), id="a number for a text"),
        pytest.param(put(1, None), id="no subject"),
        pytest.param(put(4, "yesterday"), id="no instant"),
        pytest.param(put(4, 0), id="a number for an instant"),
        pytest.param(put(5, "abc"), id="a text for a list"),
        pytest.param(put(5, {"a": "b"}), id="a table for a list"),
        pytest.param(put(7, "OWN"), id="no such member"),
        pytest.param(put(7, "__class__"), id="an attribute of an enum that is no member"),
        pytest.param(put(8, 1), id="a number for a truth"),
        pytest.param(put(6, [[[True, "A"]], [], [], [], False, []]), id="a truth for a number"),
        pytest.param(put(6, [[[-1, "A"]], [], [], [], False, []]), id="a negative number"),
        pytest.param(put(6, [[[2**63, "A"]], [], [], [], False, []]), id="a huge number"),
        pytest.param(put(6, [[[1.0, "A"]], [], [], [], False, []]), id="a float"),
        pytest.param(lambda plain: plain[1].append(None), id="a field too many"),
        pytest.param(lambda plain: plain[1].pop(), id="a field too few"),
        pytest.param(lambda plain: plain.__setitem__(0, "Text"), id="another class"),
        pytest.param(lambda plain: plain.__setitem__(0, ["Letter"]), id="no name of a class"),
        pytest.param(lambda plain: plain.append(1), id="a choice with more"),
    ],
)
def test_a_value_of_another_type_is_refused(change: Callable[[list[Any]], object]) -> None:
    with pytest.raises(MalformedError):
        decode(forged(change))


@pytest.mark.parametrize(
    "told", [b"[" * 100_000, b'["Unreadable",["x",NaN]]', b"9" * 9_999, b"\xff"]
)
def test_other_json_is_refused(told: bytes) -> None:
    version = encode(SOMETHING).partition(b"\n")[0]

    with pytest.raises(MalformedError):
        decode(version + b"\n" + told)


def test_an_email_that_is_too_large_when_opened_is_reported() -> None:
    assert isinstance(SOMETHING, OpenedEmail)
    large = replace(SOMETHING, subject="x" * ANSWER_BYTES_MAX)

    assert decode(encode(large)) == Unreadable("too many characters")
    with pytest.raises(MalformedError, match="too long"):
        decode(b" " * (ANSWER_BYTES_MAX + 1))


def test_an_instant_keeps_its_microsecond() -> None:
    assert isinstance(SOMETHING, OpenedEmail)
    dated = replace(SOMETHING, date=datetime(2026, 3, 29, 1, 0, 0, 1, UTC))

    assert decode(encode(dated)) == dated
