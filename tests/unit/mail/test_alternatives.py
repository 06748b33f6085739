"""An email with two alternatives is read in the better one: plain text or HTML."""

from __future__ import annotations

from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest

from judge.mail.body import TAGS_MAX, Text
from judge.mail.envelope import OpenedEmail, open_mail
from tests.support.cost import takes_less_than
from tests.support.selection import one_in
from tests.unit.mail.clients import letter

PARAGRAPH = (
    "A Ber - Pru, A Den H, F Hel S A Den, A Sil S A Ber - Pru, A Vie S\nITALIAN A Tyr - Tri."
)
TABLE = (
    "<table><tr><td>A Par</td><td>-</td><td>Bur</td></tr>"
    "<tr><td>A Mar</td><td>-</td><td>Spa</td></tr></table>"
)
INDENTED = "<blockquote style='margin:0 0 0 40px;border:none'>A Par-Bur</blockquote>"
WHOLE = PARAGRAPH.replace("\n", " ")
HEADED = "On Tue, Nov 3, 2026 at 9:00 AM TEST judge <judge@judge.test> wrote:"


def both(plain: str, html: str) -> MIMEMultipart:
    """Return the two forms, without a header."""
    parts = MIMEMultipart("alternative")
    parts.attach(MIMEText(plain, "plain", "utf-8"))
    parts.attach(MIMEText(html, "html", "utf-8"))
    return parts


def text_of(raw: bytes) -> Text:
    opened = open_mail(raw, "france@player.test")
    assert isinstance(opened, OpenedEmail)
    return opened.text


def read(plain: str, html: str) -> Text:
    return text_of(both(plain, html).as_bytes())


def lines(text: Text) -> list[str]:
    return [" ".join(line.text.split()) for line in text.fresh if line.text.strip()]


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        pytest.param(PARAGRAPH, f'<div dir="ltr">{WHOLE}</div>', id="gmail"),
        pytest.param(
            f"{PARAGRAPH}\n\n{HEADED}\n\n> A Par H\n",
            f'<div dir="ltr">{WHOLE}</div><br><div class="gmail_quote"><div class="gmail_attr">'
            f'{HEADED}<br></div><blockquote class="gmail_quote">A Par H</blockquote></div>',
            id="gmail, with a quote",
        ),
        pytest.param(
            f"{PARAGRAPH}\n\n\nFrom: TEST judge <judge@judge.test>\nSent: Tuesday, November 3, "
            "2026 9:00 AM\nTo: Frank\nSubject: x\n\nA Par H\n",
            f"<div class=WordSection1><p class=MsoNormal>{WHOLE}<o:p></o:p></p><p class=MsoNormal>"
            "<o:p>&nbsp;</o:p></p><div style='border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>"
            "<b>From:</b> TEST judge<br><b>Sent:</b> Tuesday, November 3, 2026 9:00 AM<br><b>To:"
            "</b> Frank<br><b>Subject:</b> x</p></div><p class=MsoNormal>A Par H</p></div>",
            id="outlook",
        ),
        pytest.param(
            f"*{PARAGRAPH}*\n\n-- \nFrank",
            f"<p><b>{WHOLE.replace(' ', '&nbsp;')}</b></p><pre class='moz-signature'>-- \nFrank"
            "</pre>",
            id="thunderbird, bold, hard spaces, a signature",
        ),
        pytest.param(
            f" {PARAGRAPH}\n\n   On Tuesday, November 3, 2026 at 09:00:00 AM GMT+1, judge "
            "<judge@judge.test> wrote:  \n \n A Par H\n",
            f"<div class='ydp'>{WHOLE}</div><div id='yahoo_quoted_1' class='yahoo_quoted'><div>On "
            "Tuesday, judge wrote:</div><div>A Par H</div></div>",
            id="yahoo",
        ),
    ],
)
def test_of_two_parts_that_which_keeps_lines_whole_is_read(plain: str, html: str) -> None:
    text = read(plain, html)

    assert text.html
    assert [line.strip("*") for line in lines(text)] == [WHOLE]


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        pytest.param(
            "A Par-Bur\nA Mar-Spa\nF Bre H", "<p>A Par-Bur\nA Mar-Spa\nF Bre H</p>", id="-"
        ),
        pytest.param(
            "France: A Paris - Burgundy, A Marseilles - Spain\nGermany: A Munich - Ruhr",
            "<div>France: A Paris - Burgundy, A Marseilles - Spain Germany: A Munich - Ruhr</div>",
            id="of different lengths",
        ),
        pytest.param(
            "A Par S A Mar - Bur and nothing else at all\n\nA Mar - Bur",
            "<p>A Par S A Mar - Bur and nothing else at all A Mar - Bur</p>",
            id="a paragraph",
        ),
    ],
)
def test_lines_that_the_html_ran_together_are_read_as_the_plain_text_has_them(
    plain: str, html: str
) -> None:
    text = read(plain, html)

    assert not text.html
    assert lines(text) == [line for line in plain.split("\n") if line]


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("A Par-Bur A Mar-Spa", "A Par-Bur<br>A Mar-Spa"),
        ("A Par-Bur A Mar-Spa", "<div>A Par-Bur</div><div>A Mar-Spa</div>"),
        ("A Par-Bur\n", "A Par-Bur<br>A Mar-Spa"),
        ("A Par\n-\nBur\nA Mar\n-\nSpa", TABLE),
        ("This is an HTML message. Your mail program cannot show it.", "A Par-Bur<br>A Mar-Spa"),
        ("Ihr E-Mail-Programm unterstützt leider kein HTML.", "A Par-Bur<br>A Mar-Spa"),
        ("\n \n", "A Par-Bur<br>A Mar-Spa"),
        ("> A Par H\n", "A Par-Bur<br>A Mar-Spa<blockquote>A Par H</blockquote>"),
    ],
    ids=[
        *("run together", "divs", "cut short", "table", "boilerplate", "German boilerplate"),
        *("empty", "quote alone"),
    ],
)
def test_text_that_only_the_html_keeps_is_read(plain: str, html: str) -> None:
    text = read(plain, html)

    assert ["".join(line.split()) for line in lines(text)] == ["APar-Bur", "AMar-Spa"]


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        pytest.param("A Par-Bur\nA Mar-Spa", "<p>A Par-Bur</p>", id="the HTML is cut short"),
        pytest.param(
            "A Par-Bur\nA Mar-Spa\n\n> A Bur H\n> F Bre H\n> Who goes where?",
            "<p>A Par-Bur<br>A Mar-Spa</p><div>A Bur H<br>F Bre H<br>Who goes where?</div>",
            id="an old email that the HTML does not mark",
        ),
        pytest.param(
            "A Par-Bur\nA Mar-Spa\n\n-- \nFrank, A Bur H",
            "<p>A Par-Bur<br>A Mar-Spa</p><p>Frank, A Bur H</p>",
            id="a signature that the HTML does not mark",
        ),
    ],
)
def test_the_plain_text_is_read_where_the_html_is_worse(plain: str, html: str) -> None:
    text = read(plain, html)

    assert not text.html
    assert lines(text) == ["A Par-Bur", "A Mar-Spa"]


def test_an_old_email_that_only_the_html_marks_is_not_read() -> None:
    text = read(
        "A Par-Bur\n\nThe judge said:\nA Mar H\nF Bre - Eng\n",
        "<p>A Par-Bur</p><blockquote>The judge said:<br>A Mar H<br>F Bre - Eng</blockquote>",
    )

    assert lines(text) == ["A Par-Bur"]
    assert "A Mar H" in text.unread


@pytest.mark.parametrize(
    ("plain", "html"),
    [
        ("A Par-Bur\nSent from my iPhone", "<div>A Par-Bur</div><div>Sent from my iPhone</div>"),
        ("- A Par-Bur\n- A Mar-Spa\n", "<ul><li>A Par-Bur</li><li>A Mar-Spa</li></ul>"),
        ("   1. A Par-Bur\n   2. A Mar-Spa\n", "<ol><li>A Par-Bur</li><li>A Mar-Spa</li></ol>"),
        ("A Par-Bur\n\nA Mar-Spa\n", "<p>A Par-Bur</p><p>A Mar-Spa</p>"),
        ("See here <https://x.test/a?b=c>\n", "<a href='https://x.test/a?b=c'>See here</a>"),
        ("A Par-Bur [image: map.png]\n", "A Par-Bur <img src='cid:1' alt='map.png'>"),
        ("A Par-Bur\n> A Mar H\n", "A Par-Bur<blockquote type=cite>A Mar H</blockquote>"),
        ("    A Par-Bur\n", INDENTED),
    ],
    ids=["phone", "bullets", "numbers", "paragraphs", "link", "picture", "quote", "indented"],
)
def test_parts_that_say_the_same_are_no_reason_to_say_anything(plain: str, html: str) -> None:
    text = read(plain, html)

    assert text.unread == ()
    assert not text.says_more


@pytest.mark.parametrize("kind", ["mixed", "related"])
def test_two_parts_inside_another_are_compared_too(kind: str) -> None:
    mail = MIMEMultipart(kind)
    mail.attach(both(PARAGRAPH, f"<div>{WHOLE}</div>"))
    mail.attach(MIMEImage(b"GIF89a", "gif"))

    assert lines(text_of(mail.as_bytes())) == [WHOLE]


def test_html_with_its_pictures_is_one_of_the_two_parts() -> None:
    related = MIMEMultipart("related")
    related.attach(MIMEText(f"<div>{WHOLE}</div>", "html"))
    related.attach(MIMEImage(b"GIF89a", "gif"))
    mail = MIMEMultipart("alternative")
    mail.attach(MIMEText(PARAGRAPH, "plain"))
    mail.attach(related)

    assert lines(text_of(mail.as_bytes())) == [WHOLE]


@pytest.mark.parametrize(
    "plain", ["A M?n - Tyr", "A M\N{REPLACEMENT CHARACTER}n - Tyr", "A M\u00c3\u00bcn - Tyr"]
)
def test_letters_that_the_plain_text_lost_are_read_from_the_html(plain: str) -> None:
    assert lines(read(plain, "<p>A M&uuml;n - Tyr</p>")) == ["A M\u00fcn - Tyr"]


def test_letters_that_the_html_lost_are_read_from_the_plain_text() -> None:
    assert lines(read("A M\u00fcn - Tyr", "<p>A M?n - Tyr</p>")) == ["A M\u00fcn - Tyr"]


def test_too_much_html_beside_plain_text_is_left_unread() -> None:
    text = read("A Par-Bur", "<p>" * (TAGS_MAX + 1))

    assert lines(text) == ["A Par-Bur"]
    assert text.says_more


@pytest.mark.parametrize(
    ("plain", "html"),
    one_in(
        3,
        [
            ("A Par - Bur\n" * 20_000, "<p>" + "A Par - Bur " * 20_000),
            ("a " * 200_000, "a" * 400_000),
            ("[image " * 60_000, "<p>x"),
            ("(https://" * 50_000, "<p>x"),
            (" " * 400_000, "<p>x"),
            ("1. " * 100_000, "<p>x"),
        ],
    ),
)
def test_comparing_both_parts_takes_time_in_their_length(plain: str, html: str) -> None:
    assert takes_less_than(3, text_of, both(plain, html).as_bytes())


@pytest.mark.parametrize(
    ("written", "parameters", "expected"),
    [
        ("A Par S \nA Mar - Bur\n", "format=flowed", ["A Par S A Mar - Bur"]),
        ("A Par S A \n Mar - Bur\n", "format=flowed; delsp=yes", ["A Par S AMar - Bur"]),
        ("F Kie-Hol \n und A Ber\n", 'Format="Flowed"; DelSp=YES', ["F Kie-Holund A Ber"]),
        ("A Par H\N{NO-BREAK SPACE}\nA Mar H\n", "format=flowed", ["A Par H", "A Mar H"]),
        ("A Par H \n\nA Mar H\n", "format=flowed", ["A Par H", "A Mar H"]),
        ("A Par H \n-- \nFrank\n", "format=flowed", ["A Par H"]),
    ],
    ids=["joined", "delsp", "parameters", "hard space", "blank line", "signature"],
)
def test_flowed_text_is_read_as_rfc_3676_says(
    written: str, parameters: str, expected: list[str]
) -> None:
    mail = letter(written, f"text/plain; charset=utf-8; {parameters}")

    assert lines(text_of(mail)) == expected
