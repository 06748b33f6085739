"""Strategies for malformed emails: random bytes, and real emails cut, doubled and spliced."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.emails.generated import forms, generate_emails

LETTERS = [next(generate_emails(client, form)).raw for client, form in forms()]
HOSTILE = (
    *(b"\r", b"\n", b"\r\n\r\n", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[2J", b" " * 500),
    *(b">" * 300, b"> " * 300, b"On " * 300, b"wrote:\n", b"-- \n", b"____\n", b"A" * 2_000),
    *(b"<" * 400, b"<div>" * 400, b"<table><tr><td>" * 200, b"<blockquote>" * 200, b"</p>" * 400),
    *(b"<!--", b"<![CDATA[", b"&" * 300, b"&#xD800;", b"&#0;", b"<style>", b'<p style="' * 50),
    *(b"=?utf-8?q?" * 100, b"=?utf-7?b?+AAo-?=", b"=?x?=", b'"' * 500, b"(" * 500, b";" * 500),
    *(b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" * 20, b"\n--=_1\n" * 50),
    *(b"Content-Type: message/rfc822\n\n" * 20, b"Content-Type: text/html; charset=utf-7\n"),
    *(b"Content-Transfer-Encoding: x-uuencode\n", b"begin 644 x\n", b"charset*0*=utf-8''%ff;"),
    *(b"charset=unicode_escape", b"charset=idna", b"boundary*=", b"From: a\nFrom: b\n"),
    *(b"A PAR - BUR\n" * 100, b"PRESS TO ALL\n" * 50, b"ENDPRESS\n", b"SIGNON F" * 30),
    *("\u0410 \u2013 \u2192\n".encode() * 20, "\u202e\u2028\u200b\ufeff".encode() * 50),
)

any_bytes = st.one_of(st.binary(max_size=3_000), st.lists(st.sampled_from(HOSTILE)).map(b"".join))


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Return a generated email after some mutations."""
    mail = draw(st.sampled_from(LETTERS))
    for _ in range(draw(st.integers(1, 8))):
        mail = draw(_accident(mail))
    return mail


mails = st.one_of(any_bytes, mutated(), mutated())


@st.composite
def _accident(draw: st.DrawFn, mail: bytes) -> bytes:
    at = draw(st.integers(0, len(mail)))
    end = min(len(mail), at + draw(st.integers(0, 200)))
    before, piece, after = mail[:at], mail[at:end], mail[end:]
    match draw(st.sampled_from(("cut", "double", "insert", "write", "splice", "swap"))):
        case "cut":
            return before + after
        case "double":
            return before + piece * draw(st.integers(2, 40)) + after
        case "insert":
            return before + draw(st.sampled_from(HOSTILE)) + piece + after
        case "write":
            return before + draw(st.binary(max_size=20)) + after
        case "splice":
            return before + draw(st.sampled_from(LETTERS))[at:]
        case _:
            return after + piece + before
