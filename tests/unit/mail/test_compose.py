"""Our emails arrive as written: with the intended fields only, in lines that relays keep."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message as Parsed
from email.policy import compat32
from email.utils import getaddresses

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.mail.compose import (
    WIRE,
    Attachment,
    Message,
    Picture,
    compose,
    message_id,
    recipes_of,
    with_pictures,
)
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.headers import Automatic

RECEIPT = Message(
    message_id="<1@judge.test>",
    sender="judge@judge.test",
    sender_name="TEST judge",
    recipient="france@player.test",
    recipient_name="Frank",
    reply_to="judge+abcdefghijklmnop@judge.test",
    subject="TEST:garnet - S1901M Orders",
    text="A PAR - BUR\n",
    date=datetime(2026, 11, 27, 20, tzinfo=UTC),
    automatic="auto-replied",
    in_reply_to="<2@player.test>",
    headers=(("X-Judge-Kind", "receipt"),),
)
FIELDS = {
    "Content-Type",
    "MIME-Version",
    "Content-Transfer-Encoding",
    "From",
    "To",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "X-Judge-Loop",
    "X-Judge-Kind",
}


def parsed(message: Message) -> Parsed:
    return message_from_bytes(compose(message))


def body_of(message: Message) -> str:
    payload = parsed(message).get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().replace("\r\n", "\n")


def shown(message: Message, field: str) -> str:
    return str(make_header(decode_header(parsed(message)[field])))


PRINTABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=100)


@example("Subject", "x" * 68)
@example("Subject", "x" * 69)
@example("Subject", "a " * 34 + "b")
@example("X", "\r\nBcc: x@evil.test")
@example("X", "=?utf-8?q?=0D=0ABcc:_x?=")
@example("X", " \t")
@given(st.from_regex("[A-Z][a-z]{0,30}", fullmatch=True), PRINTABLE | st.text(max_size=100))
def test_headers_that_fit_a_line_are_written_as_the_library_folds_them(
    name: str, value: str
) -> None:
    slow = compat32.clone(linesep="\r\n")
    try:
        folded = slow.fold_binary(name, value)
    except HeaderParseError:
        with pytest.raises(HeaderParseError):
            WIRE.fold_binary(name, value)
    else:
        assert WIRE.fold_binary(name, value) == folded


def test_a_receipt_has_its_fields() -> None:
    mail = parsed(RECEIPT)

    assert mail["From"] == '"TEST judge" <judge@judge.test>'
    assert mail["To"] == '"Frank" <france@player.test>'
    assert mail["Reply-To"] == "judge+abcdefghijklmnop@judge.test"
    assert mail["Date"] == "Fri, 27 Nov 2026 20:00:00 +0000"
    assert mail["In-Reply-To"] == mail["References"] == "<2@player.test>"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert set(mail.keys()) == FIELDS


def test_the_same_message_is_the_same_bytes() -> None:
    message = replace(RECEIPT, html="<p>A PAR - BUR</p>")

    assert compose(message) == compose(message)


def test_our_own_email_is_recognized_when_it_comes_back() -> None:
    back = open_mail(compose(RECEIPT), "judge@judge.test")

    assert isinstance(back, OpenedEmail)
    assert back.automatic is Automatic.OWN_MAIL


HOSTILE = [
    "x\r\nBcc: evil@x.test",
    "x\nBcc: evil@x.test\n\nbody",
    "x\rBcc: evil@x.test",
    "=?utf-8?q?x=0D=0ABcc:_evil@x.test?=",
    "=?utf-8?b?DQpCY2M6IGV2aWxAeC50ZXN0?=",
    "x\0y\x1b[2J\x85\u2028\u202e",
    "Grüße, \U0001f1eb\U0001f1f7" * 40,
    "x" * 100_000,
    'Kaiser" <evil@x.test>, "',
    "evil@x.test, ",
    "a:b;c\\",
    "\ud800",
    "",
    " ",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_makes_another_field_or_recipient(text: str) -> None:
    message = replace(
        RECEIPT,
        subject=text,
        sender_name=text,
        recipient_name=text,
        headers=(("X-Judge-Kind", text),),
    )
    mail = parsed(message)

    assert set(mail.keys()) | {"Subject", "X-Judge-Kind"} == FIELDS
    assert [address for _, address in getaddresses([mail["To"]])] == [RECEIPT.recipient]
    assert [address for _, address in getaddresses([mail["From"]])] == [RECEIPT.sender]
    assert len(shown(message, "To")) < 120
    assert body_of(message) == RECEIPT.text
    assert all(len(line) <= 998 for line in compose(message).split(b"\r\n"))


@example("\r\nBcc: x@evil.test", '"<x@evil.test>", y@evil.test')
@example("=?utf-8?q?=0D=0ABcc:_x@evil.test?=", "=?utf-8?b?IiwgPHhAZXZpbC50ZXN0Pg==?=")
@example("\x00\u2028\u202e", '\\" (')
@example("\xe9" * 200, "\U0001f600" * 200)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_subject_and_name_leave_the_fields_alone(subject: str, name: str) -> None:
    mail = parsed(replace(RECEIPT, subject=subject, sender_name=name, recipient_name=name))

    assert set(mail.keys()) | {"Subject"} == FIELDS
    assert [address for _, address in getaddresses([mail["To"]])] == [RECEIPT.recipient]


def test_a_subject_arrives_as_it_was_meant() -> None:
    subject = "TEST:garnet - Grüße =?utf-8?q?x?="

    assert shown(replace(RECEIPT, subject=subject), "Subject") == subject


def test_long_message_ids_stay_whole() -> None:
    long = f"<{'x' * 120}@outlook.test>"
    mail = parsed(replace(RECEIPT, in_reply_to=long, references=("<0@x.test>", "no id", long)))

    assert mail["In-Reply-To"].strip() == long
    assert mail["References"].split() == ["<0@x.test>", long]


@pytest.mark.parametrize(
    ("text", "arrives"),
    [
        (".\n..\n.\r.\r\nx", ".\n..\n.\n.\nx\n"),
        ("From Paris\n", "From Paris\n"),
        ("Grüße \N{EN DASH} → \U0001f1eb", "Grüße \N{EN DASH} → \U0001f1eb\n"),
        ("x" * 5_000, "x" * 5_000 + "\n"),
        ("a\0b\x1bc\td", "abc\td\n"),
        ("a=b \n", "a=b \n"),
        ("".join(f"{'x' * n} \n{'.' * n}\n" for n in range(70, 80)),) * 2,
        ("{{7*7}} {% raw", "{{7*7}} {% raw\n"),
        ("", "\n"),
    ],
    ids=[
        "dots",
        "From",
        "unicode",
        "long line",
        "controls",
        "trailing space",
        "full lines",
        "template",
        "empty",
    ],
)
def test_the_text_arrives_over_lines_that_no_relay_changes(text: str, arrives: str) -> None:
    message = replace(RECEIPT, text=text)
    raw = compose(message)

    assert body_of(message) == arrives
    assert raw.isascii()
    assert raw.count(b"\r") == raw.count(b"\n") == raw.count(b"\r\n")
    assert all(len(line) <= 76 for line in raw.partition(b"\r\n\r\n")[2].split(b"\r\n"))
    assert b"\r\n." not in raw
    assert b"\r\nFrom " not in raw


def test_html_is_another_form_of_the_text() -> None:
    mail = parsed(replace(RECEIPT, html="<p>A PAR - BUR</p>"))
    parts = [part.get_content_type() for part in mail.walk()]

    assert parts == ["multipart/alternative", "text/plain", "text/html"]


def test_an_address_in_another_script_is_kept() -> None:
    raw = compose(replace(RECEIPT, recipient="jürgen@player.test", recipient_name=""))

    assert "To: jürgen@player.test\r\n".encode() in raw


@pytest.mark.parametrize("address", ["", "no address", "a@b, c@d", "a@b\r\nBcc: c@d", "<a@b>"])
def test_an_invalid_address_gets_no_email(address: str) -> None:
    with pytest.raises(ValueError, match="not an address"):
        compose(replace(RECEIPT, recipient=address))


@pytest.mark.parametrize("name", ["Bcc", "X-A\r\nBcc", "X-A:", "X-Judge-Loop", "", "Subject"])
def test_only_fields_of_ones_own_can_be_added(name: str) -> None:
    with pytest.raises(ValueError, match="callers may not set"):
        compose(replace(RECEIPT, headers=((name, "x"),)))


def test_a_message_id_is_of_the_judge_the_cause_and_the_reader() -> None:
    made = message_id(b"ours", "garnet/7", "p1", "judge.test")

    assert made == message_id(b"ours", "garnet/7", "p1", "judge.test")
    assert made != message_id(b"ours", "garnet/8", "p1", "judge.test")
    assert made != message_id(b"ours", "garnet/7", "p2", "judge.test")
    assert made != message_id(b"guessed", "garnet/7", "p1", "judge.test")
    assert made.endswith("@judge.test>")


BOARD = Picture("board@judge.test", "garnet.png", b"a recipe")
SHOWN = replace(RECEIPT, html='<img src="cid:board@judge.test">', pictures=(BOARD,))


def test_the_text_comes_first_and_the_picture_stands_with_the_html_that_shows_it() -> None:
    calendar = Attachment("garnet.ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "PUBLISH")
    proof = Attachment("judge-proof.json", '{"proofs": []}\n')
    mail = parsed(replace(SHOWN, attachments=(calendar, proof)))

    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/calendar",
        "application/json",
    ]
    *_, picture, shown, _ = mail.walk()
    assert picture["Content-ID"] == "<board@judge.test>"
    assert picture.get_content_disposition() == "inline"
    assert shown.get_param("method") == "PUBLISH"
    assert shown.get_content_disposition() == "attachment"


def test_an_email_waits_for_its_picture_and_is_whole_with_it() -> None:
    png = bytes(range(256)) * 40
    raw = compose(SHOWN)
    *_, picture = message_from_bytes(with_pictures(raw, [png])).walk()

    assert recipes_of(raw) == (b"a recipe",)
    assert recipes_of(with_pictures(raw, [png])) == ()
    assert picture.get_payload(decode=True) == png
    assert max(map(len, with_pictures(raw, [png]).split(b"\r\n"))) <= 76


def test_each_of_several_pictures_stands_in_its_place() -> None:
    after = Picture("after@judge.test", "after.png", b"another recipe")
    raw = compose(replace(SHOWN, pictures=(BOARD, after)))
    *_, first, second = message_from_bytes(with_pictures(raw, [b"one", b"two"])).walk()

    assert recipes_of(raw) == (b"a recipe", b"another recipe")
    assert (first["Content-ID"], first.get_payload(decode=True)) == (
        "<board@judge.test>",
        b"one",
    )
    assert (second["Content-ID"], second.get_payload(decode=True)) == (
        "<after@judge.test>",
        b"two",
    )


def test_a_picture_that_cannot_be_painted_leaves_its_words() -> None:
    *_, picture = message_from_bytes(with_pictures(compose(SHOWN), [b""])).walk()

    assert picture.get_payload(decode=True) == b""


@example("")
@example("\r\n.picture YQ==\r\n\r\n")
@given(st.text())
def test_no_text_asks_for_a_picture(text: str) -> None:
    planted = f"{text}\r\n.picture YQ==\r\n{text}"
    message = replace(RECEIPT, text=planted, html=planted, subject=planted, recipient_name=planted)

    assert recipes_of(compose(message)) == ()


def test_no_field_begins_with_a_line_without_a_word() -> None:
    long = f"<mailto:judge+{'a' * 80}@judge.example?subject=unsubscribe>"
    raw = compose(replace(RECEIPT, headers=(("List-Unsubscribe", long),)))

    assert f"\r\nList-Unsubscribe: {long}\r\n".encode() in raw


def test_a_domain_that_is_not_ascii_goes_out_in_a_labels() -> None:
    assert b"jo@xn--bcher-kva.example" in compose(
        replace(RECEIPT, recipient="jo@b\u00fccher.example")
    )
