"""Automatic email is not read for orders, or gets no reply; a person's email always does."""

from __future__ import annotations

import pytest

from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.headers import LOOP_HEADER, Automatic
from tests.unit.mail.clients import letter

PLAIN = "text/plain"


def opened(
    *fields: str, sender: str | None = "france@player.test", kind: str = PLAIN
) -> OpenedEmail:
    found = open_mail(letter("A PAR H", kind, *fields), sender)
    assert isinstance(found, OpenedEmail)
    return found


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("Auto-Submitted: auto-replied", Automatic.AUTO_SUBMITTED),
        ("Auto-Submitted: auto-generated; x=no", Automatic.AUTO_SUBMITTED),
        ("Auto-Submitted: no\r\nAuto-Submitted: auto-replied", Automatic.AUTO_SUBMITTED),
        ("Auto-Submitted:", Automatic.AUTO_SUBMITTED),
        (f"{LOOP_HEADER}: 1", Automatic.OWN_MAIL),
        ("Auto-Submitted: no", None),
        ("Auto-Submitted: No (really); x=y", None),
        ("Precedence: bulk", None),
        ("List-Id: <x.test>", None),
        ("Return-Path: <>", None),
    ],
)
def test_a_field_tells_a_machine(field: str, why: Automatic | None) -> None:
    assert opened(field).automatic is why


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("multipart/report; report-type=delivery-status", Automatic.REPORT),
        ("message/disposition-notification", Automatic.REPORT),
        ("text/calendar; method=REPLY", Automatic.CALENDAR),
        ("text/calendar; method=PUBLISH", None),
        ("text/plain", None),
    ],
)
def test_a_kind_of_content_tells_a_machine(kind: str, why: Automatic | None) -> None:
    assert opened(kind=kind).automatic is why


@pytest.mark.parametrize(
    ("sender", "field", "why"),
    [
        ("", "X-Nothing: x", Automatic.NULL_SENDER),
        ("<>", "X-Nothing: x", Automatic.NULL_SENDER),
        (None, "Return-Path: <>", Automatic.NULL_SENDER),
        (None, "Return-Path: <france@player.test>", None),
        (None, "X-Nothing: x", None),
    ],
)
def test_a_null_sender_is_a_machine(sender: str | None, field: str, why: Automatic | None) -> None:
    assert opened(field, sender=sender).automatic is why


@pytest.mark.parametrize(
    "field",
    [
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: list",
        "List-Id: <x.test>",
        "List-Unsubscribe: <mailto:x@x.test>",
        "X-Auto-Response-Suppress: OOF, AutoReply",
        "X-Autoreply: yes",
    ],
)
def test_a_stranger_who_may_be_many_gets_no_answer(field: str) -> None:
    assert not opened(field).answerable


@pytest.mark.parametrize("local", ["MAILER-DAEMON", "postmaster", "no-reply", "noreply+1"])
def test_automatic_email_gets_no_reply(local: str) -> None:
    found = open_mail(f"From: <{local}@x.test>\n\nHELP".encode(), "x@x.test")

    assert isinstance(found, OpenedEmail)
    assert not found.answerable


@pytest.mark.parametrize("field", ["Precedence: first-class", "X-Auto-Response-Suppress: None"])
def test_others_get_an_answer(field: str) -> None:
    assert opened(field).answerable
