"""Text typed into an answer to one of our emails is read, whatever mail program made it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache

import pytest

from judge.app.ports.people import MailForm
from judge.app.sent_emails import split_by_sent_text
from judge.mail.body import Text, compared
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.sent_text import SentEmail, sent_email
from tests.emails.mail_programs import FRAMES, LANGUAGES, PLACES, Ours, answers, as_text
from tests.support.table import Table, address_of

ORDERS = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao"
LETTER = f"Hello France,\n\nI suggest this:\n{ORDERS}\nI would go A Mun-Ruh.\n\nYours, Wilhelm"
NEW = ["A Par-Pic", "A Mar S A Par-Pic", "F Bre-Eng"]
COPIED = ["A Par-Bur", "A Mar S A Par-Bur", "F Bre-Eng"]  # with one order corrected
TYPED = (NEW, COPIED, ["WAIT"])  # Receipts name that, too.
QUICK = ("outlook_web", "gmail", "apple", "mu4e")
PROGRAMS = [
    pytest.param(each, marks=[] if each in QUICK else [pytest.mark.gate]) for each in FRAMES
]
MARKS = re.compile(r"[\s*>|•-]+")


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[bytes, str]]:
    """Return emails of ours to France, and the kinds that the outbox stores them as."""
    table = Table(tmp_path_factory.mktemp("sent"), form=MailForm.PICTURES)
    table.start()
    table.run_once()
    found = {"start": latest(table)}
    table.send("FRANCE", ORDERS)
    found["receipt"] = latest(table)
    table.send("GERMANY", f"PRESS TO F\n{LETTER}\nENDPRESS")
    found["press"] = latest(table)
    table.send("FRANCE", "SET MAILS DAILY")
    table.send("GERMANY", "PRESS TO F\nShall we share Belgium?\nA Par-Pic\nENDPRESS")
    table.send("ENGLAND", "PRESS TO F\nStay out of the Channel, please.\nENDPRESS")
    table.pass_time(hours=13)
    found["digest"] = latest(table)
    table.send("FRANCE", "SET MAILS AT ONCE")
    table.play(FRANCE=ORDERS)
    found["results"] = latest(table)
    assert [kind for _, kind in found.values()] == [
        "game_start",
        "receipt",
        "letter",
        "digest",
        "phase_results",
    ]
    table.close()
    return found


def latest(table: Table) -> tuple[bytes, str]:
    emails = table.query("SELECT raw, kind, recipient FROM outbox ORDER BY id DESC")
    return next((raw, kind) for raw, kind, to in emails if to == address_of("FRANCE"))


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_only_what_was_typed_is_read(
    program: str, step: int, sent: Mapping[str, tuple[bytes, str]]
) -> None:
    wrong = []
    for number, (kind, stored) in enumerate(sent.items()):
        for at, place in [*enumerate(PLACES)][number % step :: step]:
            turn = number * 7 + at * 3 + [*FRAMES].index(program)
            typed, language = TYPED[turn % len(TYPED)], [*LANGUAGES][turn % len(LANGUAGES)]
            forms = [*answers(Ours.of(stored[0]), program, language, typed, place)]
            found = read(forms[turn % len(forms)], texts(*stored))
            if sorted(found) != sorted(map(plainly, typed)):
                wrong.append((kind, place, language, found))

    assert wrong == []


@pytest.mark.parametrize("program", ["mu4e", "hey", "outlook_web", "gmail_forward"])
def test_a_sentence_with_a_date_an_hour_and_a_colon_begins_no_quote(
    program: str, sent: Mapping[str, tuple[bytes, str]]
) -> None:
    typed = ["On Monday 23 November 2026 I promised at 12:00 this:", *NEW]
    for kind, place in (("start", "above"), ("receipt", "under the heading"), ("digest", "below")):
        for raw in answers(Ours.of(sent[kind][0]), program, "pl", typed, place):
            found = read(raw, texts(*sent[kind]))
            assert (kind, sorted(found)) == (kind, sorted(map(plainly, typed)))


def test_orders_typed_in_several_places_of_a_quote_and_at_its_end_are_read(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    for kind, stored in sent.items():
        ours = Ours.of(stored[0])
        lines = [f"> {line}".rstrip() for line in ours.plain.split("\n")]
        heading = f"On 28 November 2026 at 04:06, {ours.name} <{ours.address}> wrote:"
        middle = next(i for i, line in enumerate(lines) if i > len(lines) // 2 and line == ">")
        quote = [*lines[:middle], f"> {NEW[1]}", *lines[middle:], f"> {NEW[2]}"]
        raw = f"From: a@b.test\n\n{NEW[0]}\n\n{heading}\n" + "\n".join(quote) + "\n"

        found = read(raw.encode(), texts(*stored))

        assert (kind, found) == (kind, [plainly(each) for each in NEW])


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_order_corrected_in_the_quote_is_read(
    program: str, sent: Mapping[str, tuple[bytes, str]]
) -> None:
    for kind in ("receipt", "press"):
        ours = Ours.of(sent[kind][0]).corrected("F Bre-Mao", "F Bre-Eng")
        for raw in answers(ours, program, "en", [], "above"):
            assert read(raw, texts(*sent[kind])) == ["F Bre Eng"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_marks_and_one_form_tell_what_comparing_with_all_forms_tells(
    program: str, sent: Mapping[str, tuple[bytes, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`body._as_marked` and comparing with one form are only faster than with all forms."""
    places = ("above", "below", 0.6)
    turn = [*FRAMES].index(program)
    emails = [
        (raw, stored)
        for number, stored in enumerate(sent.values(), turn)
        for raw in answers(Ours.of(stored[0]), program, "pl", NEW, places[number % len(places)])
    ]
    found = [read(raw, texts(*stored)) for raw, stored in emails]
    monkeypatch.setattr("judge.mail.body._as_marked", lambda *_: None)
    monkeypatch.setattr("judge.mail.comparison.WHOLE", 2)

    assert [read(raw, texts(*stored)) for raw, stored in emails] == found


@pytest.mark.parametrize("form", ["plain", "html", "whole"])
def test_a_redirect_says_nothing_new_and_has_no_attachments(
    form: str, sent: Mapping[str, tuple[bytes, str]]
) -> None:
    for kind, stored in sent.items():
        redirected = message_from_bytes(stored[0], _class=EmailMessage, policy=default)
        del redirected["From"], redirected["To"]
        if form != "whole":
            body = redirected.get_body((form,))
            assert body
            content = body.get_content()
            redirected.clear_content()
            redirected.set_content(content, subtype=form)
        redirected["From"], redirected["To"] = "Frank <frank@player.test>", "judge@judge.test"

        text = split_by(redirected.as_bytes(), stored)

        assert (kind, [line for line in text.fresh if line.text.strip()]) == (kind, [])
        assert (kind, text.attachments, text.pictures) == (kind, (), ())


def test_a_redirected_digest_is_known_among_the_letters_whose_subjects_it_shows(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    ours = Ours.of(sent["digest"][0])
    text = as_text(ours.body, bold="**", bullet="* ", link="({})")
    raw = f"From: a@b.test\nSubject: Fwd: {ours.subject}\n\n{text}\n".encode()
    opened = open_mail(raw, "frank@player.test")
    assert isinstance(opened, OpenedEmail)

    found = split_by_sent_text(opened, (*sent.values(), sent["start"]))

    assert [line.text for line in found.text.fresh] == []


def test_our_email_as_an_attachment_is_neither_read_nor_named(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    for kind, stored in sent.items():
        for mime_type in ("message/rfc822", "message/global"):
            forward = EmailMessage()
            forward["From"], forward["To"] = "Frank <frank@player.test>", "judge@judge.test"
            forward["Subject"] = "Fwd: JUDGE:baltic"
            forward.set_content("\n".join(NEW))
            forward.add_attachment(message_from_bytes(stored[0], policy=default))
            raw = forward.as_bytes().replace(b"message/rfc822", mime_type.encode())

            text = split_by(raw, stored)

            assert (kind, [line.text for line in text.fresh]) == (kind, NEW)
            assert (kind, text.attachments) == (kind, ())


@pytest.mark.parametrize("place", ["above", "below"])
@pytest.mark.parametrize("mark", ["", "> "])
def test_the_source_of_our_email_says_nothing_new_in_a_program_without_mime(
    mark: str, place: str, sent: Mapping[str, tuple[bytes, str]]
) -> None:
    picture = "\n".join(("iVBORw0KGgoAAAANSUhEUgAA" * 4, "AElFTkSuQmCC"))
    for kind, stored in sent.items():
        source = stored[0].decode().replace("\r\n", "\n").rstrip("\n")
        source = re.sub(r"^\.picture .*(?:\n\S+)*", picture, source, flags=re.MULTILINE)
        lines = [mark + line for line in source.replace("\n--", "\n- --").split("\n")]
        quote = ["------- Forwarded Message", "", *lines, "", "------- End of Forwarded Message"]
        if mark:
            quote = [f"{Ours.of(stored[0]).name} writes:", *lines[lines.index(mark) :]]
        text = [*NEW, "", *quote] if place == "above" else [*quote, "", *NEW]
        raw = "\n".join(("From: a@b.test\n", *text)).encode()

        assert (kind, read(raw, texts(*stored))) == (kind, [plainly(each) for each in NEW])


@pytest.mark.parametrize(
    "titles", ["References\n\n   Visible links", "References:\n", "Verweise\n", "Links:"]
)
@pytest.mark.parametrize("mark", ["> ", "| ", "\t", ""])
def test_the_list_of_our_links_is_not_new_where_a_program_shows_html_as_text(
    mark: str, titles: str, sent: Mapping[str, tuple[bytes, str]]
) -> None:
    link = "[1]" if "References:" in titles else "   1."
    target = "mailto:judge%2Babc@judge.example?subject=ORDERS&body=A%20Mar%0AF%20Bre"
    for kind, stored in sent.items():
        ours = Ours.of(stored[0])
        listed = f"{as_text(ours.body)}\n\n{titles}\n{link} {target}\n{link} {target}"
        quote = "\n".join((mark + line).rstrip() for line in listed.split("\n"))
        for text in (f"{NEW[0]}\n\n{ours.name} idatzi du:\n{quote}", f"{quote}\n\n{NEW[0]}"):
            found = read(f"From: a@b.test\n\n{text}\n".encode(), texts(*stored))
            assert (kind, found) == (kind, [plainly(NEW[0])])


@pytest.mark.parametrize("number", ["   {}. ", ""])
@pytest.mark.parametrize("mark", ["> ", ""])
def test_the_text_of_an_email_that_a_link_prepares_is_not_new(
    mark: str, number: str, sent: Mapping[str, tuple[bytes, str]]
) -> None:
    target = "mailto:judge+abc@judge.example?subject="  # as lynx shows it
    links = (f"{target}ORDERS&body=A Ber ", "F Kie ", "A Mun ", f"{target}HELP&body=HELP")
    listed = [
        f"{number.format(at)}{each}" if ":" in each else each for at, each in enumerate(links)
    ]
    for kind, stored in sent.items():
        quote = [*as_text(Ours.of(stored[0]).body).split("\n"), "", "References", "", *listed]
        lines = [(mark + line).rstrip() for line in quote]
        for text in ([NEW[0], "", *lines], [*lines, "", NEW[0]]):
            raw = "\n".join(("From: a@b.test\n", *text)).encode()
            assert (kind, read(raw, texts(*stored))) == (kind, [plainly(NEW[0])])


def split_by(raw: bytes, stored: tuple[bytes, str]) -> Text:
    opened = open_mail(raw, "frank@player.test")
    assert isinstance(opened, OpenedEmail)
    return split_by_sent_text(opened, (stored,)).text


def test_press_keeps_its_lines_where_a_program_knows_no_style(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    assert "I suggest this:<br>A Par-Bur<br>" in Ours.of(sent["press"][0]).body


def test_the_same_orders_as_in_the_results_are_new_above_a_quote_without_them(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    typed = "A Ven H\nA Rom H\nF Nap H"  # as the results have them
    quote = "> The next phase of 'baltic' will be Movement for Fall of 1901."
    raw = f"From: a@b.test\n\n{typed}\n\nOn Monday, JUDGE judge wrote:\n{quote}\n".encode()

    assert read(raw, texts(*sent["results"])) == [plainly(line) for line in typed.split("\n")]


def test_an_order_struck_through_in_the_quote_is_not_read_beside_the_new_one(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    ours = Ours.of(sent["receipt"][0]).corrected("F Bre-Mao", "<s>F Bre-Mao</s> F Bre-Eng")
    for raw in answers(ours, "hey", "en", [], "above"):
        if b"text/html" in raw:
            assert read(raw, texts(*sent["receipt"])) == ["F Bre Eng"]


def test_orders_that_an_ally_has_sent_before_are_new_with_the_sentence_below_them(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    raw, kind = sent["press"]
    typed = [*ORDERS.split("\n"), "I would go A Mun-Ruh.", "", "please order it just like that"]
    stored = raw.replace(b"Yours, Wilhelm", typed[-1].encode())

    found = read("\n".join(("From: a@b.test\n", *typed)).encode(), texts(stored, kind))

    assert found == [plainly(line) for line in typed if line]


def test_what_a_friend_typed_into_our_email_is_not_new_below_their_heading(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    ours = Ours.of(sent["receipt"][0])
    top, _, rest = ours.plain.partition("\n\n")
    for inside in (f"{top}\n\nA Par-Pic\nF Bre-Eng\n\n{rest}", f"A Par-Pic\n\n{ours.plain}"):
        heading = "Kimden: Ali <ali@x.test>\nTarih: 28.11.2026\nKonu: Re: JUDGE:baltic - Receipt"
        raw = f"From: a@b.test\n\nLook:\n\n{heading}\n\n{inside}\n".encode()

        assert read(raw, texts(*sent["receipt"])) == ["Look:"]


def test_what_a_friend_typed_between_the_lines_of_our_email_is_not_new(
    sent: Mapping[str, tuple[bytes, str]],
) -> None:
    heading = "On Saturday, Ali wrote:"
    for kind, stored in sent.items():
        ours = Ours.of(stored[0])
        lines = [f"> > {line}".rstrip() for line in ours.plain.split("\n")]
        half = next(i for i, line in enumerate(lines) if i > 4 and line == "> >")
        plain = [heading, *lines[:half], *(f"> {line}" for line in NEW), *lines[half:]]
        title, _, rest = ours.body.partition("</h1>")
        top = f"<blockquote type='cite'>{title.replace('<div', '<p')}</h1></blockquote>"
        below = f"<blockquote type='cite'>{rest.replace('</div>', '')}</blockquote>"
        typed = "".join(f"<div>{line}</div>" for line in NEW)
        html = f"<p>{heading}</p><blockquote type='cite'>{top}{typed}{below}</blockquote>"

        for body, form in (("\n".join(plain), "plain"), (html, "html")):
            raw = f"From: a@b.test\nContent-Type: text/{form}\n\nLook!\n\n{body}\n"
            text = compared(opened_text(raw.encode()), texts(*stored))
            assert (kind, form, [line.text for line in text.fresh]) == (kind, form, ["Look!"])
            assert {plainly(line) for line in NEW} <= {plainly(line) for line in text.quoted}


def opened_text(raw: bytes) -> Text:
    opened = open_mail(raw, "frank@player.test")
    assert isinstance(opened, OpenedEmail)
    return opened.text


def read(raw: bytes, sent: tuple[SentEmail, ...]) -> list[str]:
    """Return the new lines of the email *raw* to somebody who got *sent*, without list marks."""
    lines = (plainly(line.text) for line in compared(opened_text(raw), sent).fresh)
    return [line for line in lines if line]


def plainly(line: str) -> str:
    return MARKS.sub(" ", line).strip()


@cache
def texts(raw: bytes, kind: str) -> tuple[SentEmail, ...]:
    return (sent_email(raw, kind),)
