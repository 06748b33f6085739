"""Any bytes become an email or a reason why not, never an exception."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.mail.body import TAGS_MAX
from judge.mail.envelope import (
    BYTES_MAX,
    CONTAINERS_MAX,
    FIELD_BYTES_MAX,
    HEADER_BYTES_MAX,
    HEADER_LINES_MAX,
    LINES_MAX,
    PARTS_MAX,
    OpenedEmail,
    Unreadable,
    open_mail,
)
from tests.support.cost import takes_less_than
from tests.unit.mail.clients import letter


def opened(raw: bytes) -> OpenedEmail:
    found = open_mail(raw, "france@player.test")
    assert isinstance(found, OpenedEmail)
    return found


def with_fields(*fields: str) -> bytes:
    return "\r\n".join((*fields, "", "A PAR H")).encode()


def test_an_opened_email_has_what_a_reply_needs() -> None:
    found = opened(
        with_fields(
            "From: =?utf-8?q?Fran=C3=A7ois?= <france@player.test>",
            "Subject: =?utf-8?b?R3LDvMOfZQ==?=\r\n and more",
            "Message-ID: <1@player.test>",
            "In-Reply-To: <9@judge.test>",
            "References: <7@judge.test>\r\n <8@judge.test> <9@judge.test>",
            "Date: Tue, 03 Nov 2026 10:00:00 +0100",
        )
    )

    assert found.sender == "france@player.test"
    assert found.subject == "Grüße and more"
    assert found.message_id == "<1@player.test>"
    assert found.answers == ("<9@judge.test>", "<8@judge.test>", "<7@judge.test>")
    assert found.date == datetime(2026, 11, 3, 9, tzinfo=UTC)
    assert found.text.fresh[0].text == "A PAR H"
    assert found.automatic is None
    assert found.answerable


def test_a_missing_field_is_none() -> None:
    found = opened(b"\r\nA PAR H")

    assert (found.sender, found.message_id, found.date) == (None, None, None)
    assert (found.subject, found.answers, found.answerable) == ("", (), False)


@pytest.mark.parametrize(
    "date",
    [
        "",
        "yesterday",
        "Tue, 99 Foo 2026",
        "Tue, 03 Nov 99999 10:00:00 +0100",
        "1 2 3 4 5 6 7 8",
        "\ufffd",
    ],
)
def test_a_date_that_is_none_is_none(date: str) -> None:
    assert opened(with_fields(f"Date: {date}")).date is None


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("=?utf-8?q?x=0D=0ABcc:_evil@x?=", "x Bcc: evil@x"),
        ("a\x07b\x1b[31mc", "ab[31mc"),
        ("=?utf-8?b?4oCuZXZpbA==?=", "evil"),
        ("=?klingon?q?abc?=", "abc"),
        ("=?utf-8?b?a?=", "=?utf-8?b?a?="),
        ("x" * 5_000, "x" * 500),
    ],
    ids=["injected field", "terminal", "direction", "unknown charset", "broken word", "long"],
)
def test_a_subject_is_one_clean_line(raw: str, shown: str) -> None:
    assert opened(with_fields(f"Subject: {raw}")).subject == shown


def nested(depth: int) -> bytes:
    levels = (
        f'Content-Type: multipart/mixed; boundary="b{i}"\r\n\r\n--b{i}\r\n' for i in range(depth)
    )
    return "".join(levels).encode() + b"Content-Type: text/plain\r\n\r\nA PAR H\r\n"


EMPTY_PARTS = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\n" * (
    PARTS_MAX + 1
)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        pytest.param(b"\r\n" + b"x" * BYTES_MAX, "too many bytes", id="bytes"),
        pytest.param(b"\r\n" + b"\n" * LINES_MAX, "too many lines", id="lines"),
        pytest.param(
            b"X: " + b"a " * HEADER_BYTES_MAX, "too many header bytes", id="header bytes"
        ),
        pytest.param(
            b"X: y\n" * (HEADER_LINES_MAX + 2), "too many header lines", id="header lines"
        ),
        pytest.param(EMPTY_PARTS, "too many parts", id="parts"),
        pytest.param(nested(CONTAINERS_MAX + 1), "too many depth", id="depth"),
        pytest.param(
            b"Content-Type: message/rfc822\r\n\r\n" * 2_000,
            "too many depth",
            id="depth of messages",
        ),
        pytest.param(
            b"Content-Type: text/plain" + b"; a=b" * FIELD_BYTES_MAX,
            "too many field bytes",
            id="parameters",
        ),
        pytest.param(letter("<p>" * (TAGS_MAX + 1), "text/html"), "too many tags", id="markup"),
    ],
)
def test_each_limit_has_its_reason(raw: bytes, reason: str) -> None:
    opened = open_mail(raw, "x@player.test")

    assert isinstance(opened, Unreadable)
    assert opened.reason == reason


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(nested(CONTAINERS_MAX), id="nested as deep as allowed"),
        pytest.param(letter("On " * 20_000), id="20,000 times On"),
        pytest.param(letter("On a@b 1 wrote:\n" * 20_000), id="20,000 attributions"),
        pytest.param(letter("From: a\n" * 20_000), id="20,000 header fields"),
        pytest.param(letter(">" * 20_000 + "\n" + "> " * 20_000), id="20,000 marks"),
        pytest.param(letter("-- \n" * 900), id="signatures"),
        pytest.param(letter("<a " * 20_000, "text/html"), id="20,000 open tags"),
        pytest.param(letter("<div>" * 20_000, "text/html"), id="20,000 nested tags"),
        pytest.param(letter("<blockquote>x" * 20_000, "text/html"), id="20,000 nested quotes"),
        pytest.param(letter("&" * 20_000, "text/html"), id="20,000 entities"),
        pytest.param(
            letter("a \n" * 20_000, "text/plain; format=flowed"), id="one flowed paragraph"
        ),
        pytest.param(with_fields("From: " + '"' * 20_000), id="20,000 quotes in From"),
        pytest.param(with_fields("From: " + "(" * 20_000), id="20,000 comments in From"),
        pytest.param(with_fields("From: " + "a@b," * 20_000), id="20,000 senders"),
        pytest.param(
            with_fields("Subject: " + "=?u?q?" * 15_000), id="15,000 open words in Subject"
        ),
        pytest.param(with_fields("Message-ID: " + "<" * 90_000), id="90,000 open Message-IDs"),
        pytest.param(
            with_fields("Content-Type: text/plain; name*99999999=x; name*0=y"), id="RFC 2231"
        ),
    ],
)
def test_hostile_input_is_read_quickly(raw: bytes) -> None:
    opened = open_mail(raw, "x@player.test")

    # Tags that are nested too deep are refused, as their text would be cut off.
    assert isinstance(opened, OpenedEmail) or opened.reason == "too many tags"
    assert takes_less_than(3, open_mail, raw, "x@player.test")


@example(b"")
@example(b"\0\xff\xfe\r")
@example(b"From: \xff\n\n\xff")
@example(b"Content-Type: multipart/mixed\n\n--\n\n----")
@example(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b")
@example(b"Content-Type: text/plain; charset=utf-16\n\n\xd8\0")
@given(st.binary(max_size=2_000))
def test_any_bytes_get_an_answer(raw: bytes) -> None:
    assert isinstance(open_mail(raw, "x@player.test"), OpenedEmail | Unreadable)


FIELD = st.sampled_from(
    [
        "From",
        "Subject",
        "Date",
        "Message-ID",
        "References",
        "Content-Type",
        "Content-Disposition",
        "Content-Transfer-Encoding",
        "Auto-Submitted",
        "Precedence",
    ]
)
VALUE = st.text(max_size=60) | st.sampled_from(
    [
        "text/html",
        "text/plain; charset=utf-16",
        "text/plain; format=flowed",
        "multipart/mixed; boundary=b",
        "message/rfc822",
        "base64",
        "quoted-printable",
        "x-uuencode",
        "<a@b>",
    ]
)
BODY = st.text(
    st.sampled_from("ab <>/=-\n\r:&;%'\"\0") | st.characters(exclude_categories=["Cs"]),
    max_size=300,
)


@example([("Content-Type", "multipart/mixed; boundary=b")], "--b\n\n--b--")
@example([("Content-Type", "message/rfc822")], "")
@example([("Content-Transfer-Encoding", "base64")], "a=\0")
@example([("Content-Transfer-Encoding", "x-uuencode")], "begin 644 \n")
@example([("Content-Type", "text/html"), ("Content-Type", "<a@b>")], "<a <b>&#0;&#x110000;")
@example([("From", "\u2028"), ("Date", "0" * 60)], "\r")
@given(st.lists(st.tuples(FIELD, VALUE), max_size=8), BODY)
def test_any_fields_and_any_body_make_an_email(fields: list[tuple[str, str]], body: str) -> None:
    head = "".join(f"{name}: {' '.join(value.split())}\n" for name, value in fields)

    assert isinstance(open_mail(f"{head}\n{body}".encode(), "x@player.test"), OpenedEmail)


def test_a_bare_return_below_an_empty_header_is_text() -> None:
    assert isinstance(open_mail(b"\n\r", "x@player.test"), OpenedEmail)
