"""Mailboxes with several emails, encoded or not, of several games."""

from __future__ import annotations

import base64
import quopri

import pytest

from judge.archive.formats.njudge import readers
from judge.archive.formats.njudge.mail_text import split_mails
from judge.archive.records import Record
from tests.support.njudge import reading, spring

HEADERS = """\
From seed@seed.example Tue Mar 10 00:00:00 1998
Received: from seed.example
From: seed@seed.example
To: anna@seed.example
Date: Mon, 9 Mar 98 23:45:00 -0100
Subject: SEED:lagoon - S1901M Results
"""
LETTER = "Message from fran@seed.example as France to Germany in 'lido':\n\nPax?\n"


def read(text: str) -> list[Record]:
    return list(readers.read_mailbox(reading(), text.split("\n")))


def mail(body: str, encoding: str = "7bit") -> str:
    return f"{HEADERS}Content-Transfer-Encoding: {encoding}\n\n{body}\n\n"


def test_emails_of_several_games_are_told_apart() -> None:
    other = spring().replace("agoon", "ido")
    games = read(mail(spring()) + mail(other) + mail(LETTER))

    assert [(each.name, len(each.phases), len(each.press)) for each in games] == [
        ("lagoon", 2, 0),
        ("lido", 2, 1),
    ]
    assert games[1].press[0].text == "Pax?"


def test_the_date_of_an_email_is_when_it_was_reported() -> None:
    (record,) = read(mail(spring()))

    assert str(record.phases[0].reported) == "1998-03-10 00:45:00+00:00"


def test_without_a_date_it_is_that_of_the_separator() -> None:
    undated = mail(spring()).replace("Date: Mon, 9 Mar 98 23:45:00 -0100\n", "")
    (record,) = read(undated)

    assert str(record.phases[0].reported) == "1998-03-10 00:00:00+00:00"


@pytest.mark.parametrize("charset", ["utf-7", "idna", "nonsense"])
def test_an_odd_charset_does_no_harm(charset: str) -> None:
    letter = mail(f"{LETTER}+2AA-\n", "quoted-printable")
    odd = letter.replace("Content-", f"Content-Type: text/plain; charset={charset}\nContent-", 1)
    (record,) = read(odd)

    assert record.press[0].text.startswith("Pax?")
    assert record.press[0].text.encode()


def test_a_line_has_its_number_in_the_file() -> None:
    (record,) = read(mail(spring()))

    assert record.phases[0].orders[0].line == len(mail("").split("\n")) - 2 + 6 - 1


def test_encoded_emails_are_decoded() -> None:
    quoted = quopri.encodestring(spring().encode()).decode()
    packed = base64.encodebytes(spring().encode()).decode()
    plain = [each.position for each in read(mail(spring()))[0].phases]

    for body, encoding in ((quoted, "quoted-printable"), (packed, "base64")):
        (record,) = read(mail(body, encoding))
        assert [each.position for each in record.phases] == plain


def test_of_several_parts_the_plain_text_is_read() -> None:
    text = (
        f"{HEADERS}MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=cut\n\n"
        f"--cut\nContent-Type: text/html\n\n<b>Movement</b>\n"
        f"--cut\nContent-Type: text/plain\n\n{spring()}\n--cut--\n"
    )
    (record,) = read(text)

    assert len(record.phases) == 2


def test_the_files_of_a_maildir_are_emails_without_separators() -> None:
    files = [mail(spring()), mail(LETTER)]
    letters = [
        letter for text in files for letter in split_mails(text.partition("\n")[2].split("\n"))
    ]

    assert [each.name for each in readers.sort_emails(reading(), letters)] == ["lagoon", "lido"]


def test_it_knows_a_mailbox_of_njudge() -> None:
    assert readers.recognizes_mailbox(mail(spring()))
    assert readers.recognizes_mailbox(
        mail(base64.encodebytes(spring().encode()).decode(), "base64")
    )
    assert not readers.recognizes_mailbox(spring())
    assert not readers.recognizes_mailbox(
        f"{HEADERS}\nHello.".replace("SEED:lagoon - S1901M", "Hi")
    )
