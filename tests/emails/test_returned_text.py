"""Comparing an email with ours tells what its mail program returned from what was typed.

`programs` holds emails that real programs sent, with what was typed; the others are made here, of
real emails of ours, in many languages and two that do not exist.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator
from email import message_from_bytes
from functools import cache
from pathlib import Path

import pytest

from judge.mail.body import compared
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.sent_text import SentEmail, sent_email

HERE = Path(__file__).parent / "programs"
TYPED = tomllib.loads((HERE / "typed.toml").read_text())
KIND = re.compile(rb"^X-Judge-Kind: (\S+)", re.MULTILINE)
LANGUAGES = tomllib.loads((HERE / "headings.toml").read_text())
ADDRESS = "JUDGE judge <judge@judge.test>"
SENT = {"start": "031", "receipt": "111", "results": "213", "German receipt": "258"}
NEW = ["A Par-Bur", "A Mar S A Par-Bur", "F Bre-Eng"]  # the first two are in emails of ours


@pytest.mark.parametrize("name", TYPED)
def test_what_was_typed_in_a_mail_program_is_read_and_nothing_else(name: str) -> None:
    label = TYPED[name]
    sent = texts_of(label["answers"]) if "answers" in label else ()

    assert read((HERE / f"{name}.eml").read_bytes(), sent) == label["typed"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", SENT)
def test_only_new_text_is_read_in_any_language(kind: str, language: str) -> None:
    sent = texts_of(SENT[kind])

    wrong = {
        form: found
        for form, (html, text) in made(kind, language)
        if (found := read(email(text, html=html), sent)) != NEW
    }

    assert wrong == {}


def made(kind: str, language: str) -> Iterator[tuple[str, tuple[bool, str]]]:
    """Yield emails that return one of ours: whether they are HTML, and their text."""
    plain, source = forms_of(SENT[kind])
    body = re.sub(r"</?(?:body|html)[^>]*>", "", source[source.index("<body") :]).strip()
    *labels, above = LANGUAGES[language].split("|")
    values = (ADDRESS, "2026-11-28 04:06", "frank@player.test", "JUDGE:baltic")
    fields = [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]
    new, block = "\n".join(NEW), "\n".join(fields)
    typed = "".join(f"<p>{each}</p>" for each in NEW)
    header = "<br>".join(each.replace("<", "&lt;") for each in fields)
    shown = as_text(source)
    marked = "\n".join(f"> {line}" for line in shown.split("\n"))
    yield "Outlook", (True, f"{typed}<div>{header}</div>{body}")
    yield "no heading", (True, f"{typed}<hr>{body}")
    yield "quote", (True, f"{typed}<p>{above}</p><blockquote type='cite'>{body}</blockquote>")
    yield "below", (True, f"<p>{above}</p><blockquote type='cite'>{body}</blockquote>{typed}")
    cut = body.index("</p>", body.index("</h1>")) + len("</p>")
    yield "inline", (True, f"<blockquote>{body[:cut]}{typed}{body[cut:]}</blockquote>")
    torn = f"<blockquote>{body[:cut]}</blockquote>{typed}<blockquote>{body[cut:]}</blockquote>"
    yield "torn", (True, torn)
    yield "forward", (False, f"{new}\n\n{block}\n\n{shown}")
    short = f"{labels[1]}: 2026-11-28\n{labels[0]}: judge@judge.test"
    yield "date above", (False, f"{new}\n\n{short}\n\n{shown}")
    yield "forward of plain text", (False, f"{new}\n\n{block}\n\n{plain}")
    yield "forward in Emacs", (False, f"{above}\n\n{new}\n\n{marked}")
    yield "reply", (False, f"{new}\n\n{above}\n{marked}")
    yield "reply below", (False, f"{above}\n{marked}\n\n{new}")
    lines = marked.split("\n")
    half = next(i for i, line in enumerate(lines) if i > 4 and len(line) > len("> "))
    yield "between marks", (False, "\n".join((above, *lines[:half], new, *lines[half:])))
    yield "redirect with more", (False, f"{new}\n\n{shown}")


@pytest.mark.parametrize("kind", SENT)
def test_a_redirected_email_says_nothing_new(kind: str) -> None:
    plain, source = forms_of(SENT[kind])
    sent = texts_of(SENT[kind])

    assert read(email(plain), sent) == []
    assert read(email(source, html=True), sent) == []
    assert read(email(as_text(source)), sent) == []


def test_a_list_of_orders_is_new_even_if_a_receipt_has_it() -> None:
    text = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao"

    assert read(email(text), texts_of("111")) == text.split("\n")


def test_a_list_copied_from_a_receipt_with_one_order_corrected_is_new() -> None:
    plain, _ = forms_of("111")
    text = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Eng"
    quote = "\n".join(f"> {line}" for line in plain.split("\n"))

    assert read(email(f"{text}\n\n{quote}"), texts_of("111")) == text.split("\n")
    assert read(email(f"{text}\n\n{plain}"), texts_of("111")) == text.split("\n")


def test_an_order_that_is_changed_within_the_quote_is_new() -> None:
    plain, _ = forms_of("111")
    quote = "\n".join(f"> {line}" for line in plain.replace("F Bre-Mao", "F Bre-Eng").split("\n"))

    assert read(email(quote), texts_of("111")) == ["F Bre-Eng"]


def test_orders_of_a_friend_are_not_new_under_a_heading_in_any_language() -> None:
    text = "Look:\n\nKimden: Ali <ali@x.test>\nTarih: 28.11.2026\n\nA Par-Pic\nF Bre-Eng"

    assert read(email(text), ()) == ["Look:"]


def test_text_made_to_be_compared_for_long_takes_no_longer_than_other_text() -> None:
    sent = texts_of("213")
    words = [word for each in sent for text in each.forms for word in text.words]
    hostile = [
        " ".join(words[i % len(words)] for i in range(40_000)),
        " ".join(words[:5] * 8_000),
        " ".join(words[i * 7 % len(words)] for i in range(40_000)),
        "\n".join(" ".join(words[i : i + 4]) for i in range(len(words))) * 10,
    ]

    spent = [seconds_to_read(email(text), sent) for text in hostile]
    usual = seconds_to_read(email("A Par-Bur or something else\n" * 8_000), sent)

    assert max(spent) < 10 * usual + 1


def test_thirty_kilobytes_against_thirty_emails_take_little_time() -> None:
    sent = [
        SentEmail(raw_of(number), "phase_results") for number in SENT.values() for _ in "12345678"
    ]
    words = sent[0].plain.words
    lone = "\n".join(words[i * 7 % len(words)] for i in range(4_000))
    ends = "\n".join(" ".join(form.words[-6:]) for each in sent for form in each.forms)
    starts = "\n".join(" ".join(form.words[:6]) for each in sent for form in each.forms)
    hostile = [
        f"{lone}\n{ends}",
        f"{starts}\n{lone}",
        "".join(f"> {line}\n" for line in f"{starts}\n{lone}".split("\n")),
        "\n".join(" ".join(words[i : i + 4]) for i in range(len(words))) * 5,
    ]

    for text in hostile:
        assert seconds_to_read(email(text[:30_000]), tuple(sent)) < 1


def seconds_to_read(raw: bytes, sent: tuple[SentEmail, ...]) -> float:
    opened = open_mail(raw, "frank@player.test")
    assert isinstance(opened, OpenedEmail)
    start = time.process_time()
    compared(opened.text, sent)
    return time.process_time() - start


def read(raw: bytes, sent: tuple[SentEmail, ...]) -> list[str]:
    """Return the new lines of the email *raw* to somebody who got *sent*."""
    opened = open_mail(raw, "frank@player.test")
    assert isinstance(opened, OpenedEmail)
    text = compared(opened.text, sent)
    return [line.text.strip() for line in text.fresh if line.text.strip()]


@cache
def raw_of(number: str) -> bytes:
    return (HERE / "sent" / f"{number}.eml").read_bytes()


@cache
def texts_of(number: str) -> tuple[SentEmail, ...]:
    raw = raw_of(number)
    kind = KIND.search(raw)
    assert kind
    return (sent_email(raw, kind[1].decode()),)


@cache
def forms_of(number: str) -> tuple[str, str]:
    """Return the plain text and the HTML of an email of ours."""
    texts = {
        part.get_content_type(): part.get_payload(decode=True)
        for part in message_from_bytes(raw_of(number)).walk()
        if part.get_content_maintype() == "text"
    }
    plain, html = texts["text/plain"], texts["text/html"]
    assert isinstance(plain, bytes)
    assert isinstance(html, bytes)
    return plain.decode(), html.decode()


@cache
def as_text(source: str) -> str:
    """Return HTML as mail programs convert it to text."""
    opened = open_mail(email(source, html=True), "frank@player.test")
    assert isinstance(opened, OpenedEmail)
    return opened.text.forms[-1]


def email(text: str, *, html: bool = False) -> bytes:
    kind = "html" if html else "plain"
    return (
        "From: Frank <frank@player.test>\nTo: judge+abc@judge.test\nSubject: Re: JUDGE:baltic\n"
        f"MIME-Version: 1.0\nContent-Type: text/{kind}; charset=utf-8\n\n{text}\n"
    ).encode()


def test_an_email_that_names_none_of_thirty_is_compared_with_the_one_that_it_shows() -> None:
    thirty = tuple(
        SentEmail(raw_of(number).replace(b"\nSubject: ", b"\nSubject: Re: "), "receipt")
        for number in ("111", "145", "176", "192", "258") * 6
    )
    plain, _ = forms_of("213")
    answered = texts_of("213")
    forward = f"A Par-Pic\n\n---- Qrax ----\nTend: {answered[0].title}\nOsp: {ADDRESS}\n\n{plain}"

    assert read(email(forward), (*thirty, *answered)) == ["A Par-Pic"]
