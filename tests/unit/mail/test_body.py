"""The body of an email as lines: decoded, without quotes and signature."""

from __future__ import annotations

import base64
import time

import pytest

from judge.mail.body import Text, digest_of, split
from judge.mail.envelope import OpenedEmail, Unreadable, open_mail
from tests.unit.mail.clients import letter


def fresh(text: Text) -> list[str]:
    return [line.text for line in text.fresh]


def read(raw: bytes) -> list[str]:
    opened = open_mail(raw, "france@player.test")
    assert isinstance(opened, OpenedEmail)
    return fresh(opened.text)


PLAIN = "text/plain"
UTF_8 = "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("raw", "content_type", "encoding"),
    [
        pytest.param("Grüße".encode(), UTF_8, "8bit", id="utf-8"),
        pytest.param(
            "Grüße".encode("latin-1"), "text/plain; charset=iso-8859-1", "8bit", id="latin-1"
        ),
        pytest.param("Grüße".encode("cp1252"), UTF_8, "8bit", id="cp1252 that says utf-8"),
        pytest.param(
            "Grüße".encode(), "text/plain; charset=us-ascii", "8bit", id="utf-8 that says ascii"
        ),
        pytest.param(
            "Grüße".encode(), "text/plain; charset=klingon", "8bit", id="unknown charset"
        ),
        pytest.param(
            "Grüße".encode(), "text/plain; charset=zlib", "8bit", id="a codec that is no charset"
        ),
        pytest.param("Grüße".encode(), "text/plain; charset=punycode", "8bit", id="a slow codec"),
        pytest.param(
            "Grüße".encode(), 'text/plain; charset="ut\0f"', "8bit", id="NUL in the charset"
        ),
        pytest.param(
            "Grüße".encode(), "text/plain; name=orders.txt", "8bit", id="text with a name"
        ),
        pytest.param("Grüße".encode(), "text", "8bit", id="no content type"),
        pytest.param("\ufeffGrüße".encode(), PLAIN, "8bit", id="byte order mark"),
        pytest.param("\ufeffGrüße".encode("utf-16-le"), PLAIN, "8bit", id="utf-16"),
        pytest.param(b"Gr=C3=BC=C3=\r\n=9Fe", UTF_8, "quoted-printable", id="quoted-printable"),
        pytest.param(base64.b64encode("Grüße".encode()), UTF_8, "base64", id="base64"),
        pytest.param("Gr\u200büße\x00".encode(), UTF_8, "8bit", id="unseen characters"),
    ],
)
def test_text_is_decoded(raw: bytes, content_type: str, encoding: str) -> None:
    mail = letter("", content_type, f"Content-Transfer-Encoding: {encoding}") + raw

    assert read(mail) == ["Grüße"]


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\x0b", "\u2028"])
def test_any_end_of_line_ends_a_line(end: str) -> None:
    mail = letter("") + f"A PAR - BUR{end}F BRE H".encode()

    assert read(mail) == ["A PAR - BUR", "F BRE H"]


@pytest.mark.parametrize(
    ("written", "parameters", "expected"),
    [
        ("A Par \nS A Mar - Bur\nF Bre H\n", "format=flowed", ["A Par S A Mar - Bur", "F Bre H"]),
        ("A Mar \n- Bur\n", "format=flowed; delsp=yes", ["A Mar- Bur"]),
        (" From Paris\n", "format=flowed", ["From Paris"]),
        ("A Par H\n-- \nA Mar H\n", "format=flowed", ["A Par H"]),
        ("> A Mar \nF Bre H\n", "format=flowed", ["F Bre H"]),
    ],
    ids=["joined", "delsp", "unstuffed", "signature", "quote depth"],
)
def test_flowed_lines_are_joined(written: str, parameters: str, expected: list[str]) -> None:
    assert read(letter(written, f"text/plain; charset=utf-8; {parameters}")) == expected


def multipart(kind: str, *parts: tuple[str, str]) -> bytes:
    inner = "".join(f"--B\n{fields}\n\n{text}\n" for fields, text in parts)
    return letter(f"{inner}--B--\n", f'multipart/{kind}; boundary="B"')


TEXT = f"Content-Type: {UTF_8}"
HTML = "Content-Type: text/html"
FILE = "Content-Type: text/plain\nContent-Disposition: attachment; filename=../../etc/orders.txt"


@pytest.mark.parametrize(
    ("mail", "expected"),
    [
        pytest.param(
            multipart("alternative", (TEXT, "A"), (HTML, "B")), ["A"], id="plain is preferred"
        ),
        pytest.param(
            multipart("alternative", (TEXT, " "), (HTML, "B")), ["B"], id="unless it is empty"
        ),
        pytest.param(
            multipart("mixed", (TEXT, "A"), (FILE, "B"), (TEXT, "C")), ["A", "C"], id="attachment"
        ),
        pytest.param(
            multipart("mixed", (HTML, "A"), (TEXT, "B")), ["A", "B"], id="both kinds inline"
        ),
        pytest.param(multipart("digest", ("", "Subject: x\n\nA")), [], id="attached emails"),
        pytest.param(
            multipart("mixed", ("Content-Type: image/png", "A")), [], id="only a picture"
        ),
        pytest.param(letter("A", "multipart/mixed"), ["A"], id="no boundary"),
        pytest.param(letter(""), [], id="empty"),
    ],
)
def test_the_typed_parts_are_read(mail: bytes, expected: list[str]) -> None:
    assert [line for line in read(mail) if line] == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<div style='display:none'>A MAR H</div>",
        "<span style='DISPLAY : none'>A MAR H</span>",
        "<span style='font-size:0px'>A MAR H</span>",
        "<span hidden>A MAR H</span>",
        "<style>A MAR H</style>",
        "<script>A MAR H</script>",
        "<!-- A MAR H -->",
        "<blockquote>A MAR H</blockquote>",
        "<div class='gmail_quote'><div>A MAR H</div></div>",
        "<div id='mail-editor-reference-message-container'>A MAR H</div>",
    ],
)
def test_hidden_and_quoted_html_is_not_read(hidden: str) -> None:
    assert read(letter(f"<p>A PAR H</p>{hidden}", "text/html")) == ["A PAR H"]


@pytest.mark.parametrize(
    ("html", "expected", "struck"),
    [
        ("<p>A PAR H</p><p><s>A MAR H</s></p>", ["A PAR H"], ("A MAR H",)),
        ("A PAR H<br><del>A MAR H<br>F BRE H</del>", ["A PAR H"], ("A MAR H", "F BRE H")),
        ("<strike>A <s>MAR</s></strike><br>A PAR H", ["A PAR H"], ("A", "MAR")),
        ("A PAR - <s>BUR</s> PIC", ["A PAR - PIC"], ("BUR",)),
        (
            "A PAR H<p style='color: red; text-decoration: underline line-through'>A MAR H</p>",
            ["A PAR H"],
            ("A MAR H",),
        ),
        ("<strong>A PAR H</strong><br><span>A MAR H</span>", ["A PAR H", "A MAR H"], ()),
        ("<p style='text-decoration:underline'>A PAR H</p>", ["A PAR H"], ()),
        ("A PAR H<blockquote><s>A MAR H</s></blockquote>", ["A PAR H"], ()),
    ],
)
@pytest.mark.parametrize("alternative", [False, True])
def test_text_struck_through_is_not_read(
    html: str, expected: list[str], struck: tuple[str, ...], *, alternative: bool
) -> None:
    mail = letter(html, "text/html")
    if alternative:  # The plain part does not tell what is struck.
        plain = "A PAR H\nA MAR H" if struck else "\n".join(expected)
        mail = multipart("alternative", (TEXT, plain), (HTML, html))

    opened = open_mail(mail, "france@player.test")

    assert isinstance(opened, OpenedEmail)
    assert [line for line in fresh(opened.text) if line] == expected
    assert opened.text.struck == struck


def test_html_lists_give_orders_without_bullets() -> None:
    mail = letter("<ul><li>A PAR H</li><li>F BRE H</li></ul>", "text/html")

    assert [line for line in read(mail) if line] == ["A PAR H", "F BRE H"]


def test_answers_between_html_quotes_are_read() -> None:
    mail = letter(
        "<div class='gmail_quote'><div class='gmail_attr'>On Monday wrote:</div>"
        "<blockquote>A MAR H</blockquote>A PAR H<blockquote>F BRE H</blockquote>A BUR H</div>",
        "text/html",
    )

    assert [line for line in read(mail) if line] == ["A PAR H", "A BUR H"]


PRESS = "PRESS TO A\n{}\nNobody believed it.\nENDPRESS\nA PAR - BUR\n"


@pytest.mark.parametrize(
    "line",
    [
        "On Monday Austria wrote:",
        "On 3 November at 10:00 Austria wrote:",
        "Am Montag schrieb Italien:",
        "From: France",
        "From: France\nTo: Austria\nSubject: Peace\nDate: Spring 1901",
        "________________________________",
        "Sent from my mother's old house in the country, with much love to you all, and to Rome:",
        "This is a disclaimer",
    ],
)
def test_press_that_looks_like_a_quote_loses_nothing(line: str) -> None:
    written = PRESS.format(line).strip().split("\n")

    assert fresh(split(PRESS.format(line))) == written


@pytest.mark.parametrize(
    "follows",
    [
        "> A MAR H\n",
        "\n> A MAR H\n",
        ":: Judge: TEST  Game: garnet\nA MAR H\n",
        "[notice]\n\n:: Judge: TEST\nA MAR H\n",
        "-----Original Message-----\nA MAR H\n",
        "From: a\nSent: Monday 10:00\nTo: b\nA MAR H\n",
    ],
    ids=["marked", "marked below", "ours", "ours below a notice", "rule", "fields"],
)
def test_the_text_after_an_attribution_decides_whether_it_is_one(follows: str) -> None:
    assert fresh(split(f"A PAR H\n\nOn Monday the judge wrote:\n{follows}")) == ["A PAR H"]


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("Here are my new orders:", ["A PAR H", "", "Here are my new orders:"]),
        ("On Mon, 23 Nov 2026 at 10:00 the judge wrote:", ["A PAR H"]),
    ],
)
def test_above_nothing_a_line_with_a_date_is_an_attribution(line: str, new: list[str]) -> None:
    assert fresh(split(f"A PAR H\n\n{line}\n")) == new


def test_an_order_right_above_an_attribution_stays() -> None:
    text = "DEN - SWE\nOn Monday 3 Nov\n<judge@judge.test> wrote:\n> A MAR H"

    assert fresh(split(text)) == ["DEN - SWE"]


@pytest.mark.parametrize(
    "mark",
    [
        "-- ",
        "--",
        "\N{EM DASH}",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Get Outlook for Android",
        "CONFIDENTIALITY NOTICE: this may hold secrets",
        "This e-mail and any files with it are for you",
    ],
)
def test_a_signature_is_never_an_order(mark: str) -> None:
    text = split(f"A PAR H\n\n{mark}\nA MAR H\n")

    assert fresh(text) == ["A PAR H"]
    assert text.signature[-1] == "A MAR H"


def test_the_digest_is_of_the_new_lines_only() -> None:
    assert digest_of(split("A PAR  H \n\nF BRE H\n> old")) == digest_of(split("A PAR H\nF BRE H"))
    assert digest_of(split("A PAR H")) != digest_of(split("A PAR - BUR"))


@pytest.mark.parametrize(
    "hidden",
    [
        '<style>.x{display:none}</style><p class="x">F Bre-Mao</p>',
        "<style>td .x, b.x { font-size: 0 }</style><p class=x>F Bre-Mao</p>",
        "<textarea>F Bre-Mao</textarea>",
        "<iframe>F Bre-Mao</iframe>",
        '<p style="visibility: collapse">F Bre-Mao</p>',
        '<p style="display:/* none of it */none">F Bre-Mao</p>',
        "<style>p.x { display: none !important }</style><p class=x>F Bre-Mao</p>",
        "<style>.z > #x { visibility: hidden }</style><div class=z><p id=x>F Bre-Mao</p></div>",
        "<style>.x * { display: none }</style><div class=x><p>F Bre-Mao</p></div>",
        "<style>[data-x] { display: none }</style><p data-x=1>F Bre-Mao</p>",
        "<style>@media screen { .x { display: none } }</style><p class=x>F Bre-Mao</p>",
        "<style>p:is(.x, .y) { display: none }</style><p class=x>F Bre-Mao</p>",
        '<p style="d\\69splay: none">F Bre-Mao</p>',
        '<p style="display:\tnone">F Bre-Mao</p>',
        "<noembed>F Bre-Mao</noembed>",
        "<datalist><option>F Bre-Mao</option></datalist>",
        "<ruby><rp>F Bre-Mao</rp></ruby>",
    ],
)
def test_text_that_is_hidden_is_not_read(hidden: str) -> None:
    assert new_lines(f"<p>A Par-Bur</p>{hidden}") == (["A Par-Bur"], ())


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="color: #FFF">F Bre-Mao</p>',
        '<font color="white">F Bre-Mao</font>',
        "<style>p.y{color:white}</style><p class=y>F Bre-Mao</p>",
        '<p style="font-size:1px">F Bre-Mao</p>',
        '<p style="position: absolute; left: -9999px">F Bre-Mao</p>',
        '<div style="height: 0px; overflow: hidden">F Bre-Mao</div>',
        '<div style="height: 0px !important; overflow: hidden">F Bre-Mao</div>',
        '<div style="background: #123456"><p style="color: #123457">F Bre-Mao</p></div>',
        '<div style="background: navy"><p style="color: #000080">F Bre-Mao</p></div>',
        '<p style="position: absolute; clip: rect(1px, 1px, 1px, 1px)">F Bre-Mao</p>',
        '<p style="clip-path: polygon(0 0, 0 0, 0 0)">F Bre-Mao</p>',
        '<p style="transform: matrix(0, 0, 0, 0, 0, 0)">F Bre-Mao</p>',
        '<p style="scale: 0">F Bre-Mao</p>',
        '<p style="text-indent: 100%; white-space: nowrap; overflow: hidden">F Bre-Mao</p>',
        '<p style="margin: -9999px">F Bre-Mao</p>',
        "<font color=ffffff>F Bre-Mao</font>",
        '<p style="color: transparent">F Bre-Mao</p>',
        '<p style="color: rgb(254 254 254)">F Bre-Mao</p>',
        '<p style="color: hsl(0, 0%, 100%)">F Bre-Mao</p>',
        '<p style="color: #ffffff00; background: black">F Bre-Mao</p>',
        '<p style="-webkit-text-fill-color: transparent">F Bre-Mao</p>',
        '<p style="background-color: black; color: black">F Bre-Mao</p>',
        '<p style="color: rgb(0 0 0 / 0)">F Bre-Mao</p>',
        "<font color=snow>F Bre-Mao</font>",
        '<p style="font: 0/0 a">F Bre-Mao</p>',
        '<p style="font: 1px Arial">F Bre-Mao</p>',
        '<p style="font-size: .1em">F Bre-Mao</p>',
        '<p style="font-size: 1%">F Bre-Mao</p>',
        '<p style="opacity: 0.01">F Bre-Mao</p>',
        '<p style="filter: opacity(0)">F Bre-Mao</p>',
        '<p style="transform: translateX(-9999px)">F Bre-Mao</p>',
        '<p style="text-indent: 9999px; overflow: hidden">F Bre-Mao</p>',
        '<p style="letter-spacing: -1em">F Bre-Mao</p>',
        '<p style="zoom: 0">F Bre-Mao</p>',
        '<p style="font-size: 2px">F Bre-Mao</p>',
        '<p style="position: absolute; left: calc(-1 * 9999px)">F Bre-Mao</p>',
        '<p style="position: absolute; inset: -9999px auto auto auto">F Bre-Mao</p>',
        '<p style="position: fixed; right: 200%">F Bre-Mao</p>',
        '<p style="clip-path: circle(0)">F Bre-Mao</p>',
        '<p style="transform: scale(.01)">F Bre-Mao</p>',
        '<p style="transform: rotateX(90deg)">F Bre-Mao</p>',
        '<div style="background: black"><p style="color: #000">F Bre-Mao</p></div>',
        '<table bgcolor=#123456><tr><td style="color: rgb(18, 52, 86)">F Bre-Mao</table>',
        '<p style="mask-image: linear-gradient(transparent, transparent)">F Bre-Mao</p>',
        '<p style="mix-blend-mode: lighten">F Bre-Mao</p>',
        '<p style="word-spacing: -9999px">F Bre-Mao</p>',
        '<p style="-webkit-clip-path: url(#none)">F Bre-Mao</p>',
        '<p style="something-new: 0">F Bre-Mao</p>',
        "<style>.x {animation: hide 0s forwards}</style><p class=x>F Bre-Mao</p>",
        "<div popover>F Bre-Mao</div>",
        "<details>F Bre-Mao</details>",
        "<style>@media (min-width: 1px) { .x { display: none } }</style><p class=x>F Bre-Mao</p>",
        "<style>@supports (top: 0) { .x { display: none } }</style><p class=x>F Bre-Mao</p>",
        "<style>:root { --d: none } .x { display: var(--d) }</style><p class=x>F Bre-Mao</p>",
        "<style>.x { text-decoration: line-through }</style><p class=x>F Bre-Mao</p>",
        "<style>b:nth-of-type(1) { display: none }</style><b>F Bre-Mao</b>",
        "<style>b.x.y { display: none }</style><b class='x y'>F Bre-Mao</b>",
        "<style>[data-x='1'] { display: none }</style><b data-x=1>F Bre-Mao</b>",
    ],
)
def test_text_that_can_hardly_be_seen_is_shown_and_not_read(hidden: str) -> None:
    assert new_lines(f"<p>A Par-Bur</p>{hidden}") == (["A Par-Bur"], ("F Bre-Mao",))


@pytest.mark.parametrize(
    "sheet",
    [
        '<style>@import url("data:text/css,p{display:none}");</style>',
        '<link rel="stylesheet" href="data:text/css,p{display:none}">',
    ],
)
def test_nothing_is_read_below_a_style_sheet_that_the_judge_has_not(sheet: str) -> None:
    assert new_lines(f"{sheet}<p>A Par-Bur</p>") == ([], ("A Par-Bur",))


@pytest.mark.parametrize(
    "shown",
    [
        '<style>@import url("https://fonts.example/css?family=Lato");</style><p>A Par-Bur</p>',
        '<p style="mso-margin-top-alt: auto; -webkit-nbsp-mode: space; orphans: 2">A Par-Bur</p>',
        '<p style="position: relative; transform: none; z-index: 1; --theme: dark">A Par-Bur</p>',
        '<body style="background: #000; color: #fff"><p>A Par-Bur</p>',
        '<table bgcolor="#000000"><tr><td style="color: white">A Par-Bur</td></tr></table>',
        "<style>@media (max-width: 400px) {.x {display: none}}</style><p class=x>A Par-Bur</p>",
        '<p style="font-size: 10pt; margin-left: -10px">A Par-Bur</p>',
        '<p style="font: 11pt/1.4 Aptos; letter-spacing: -0.01em; opacity: 0.9">A Par-Bur</p>',
        '<p style="color: inherit; background: inherit">A Par-Bur</p>',
        '<p style="color: rgb(0, 0, 0); opacity: 1">A Par-Bur</p>',
        '<p style="color: rgba(0, 0, 0, 0.87); font: 0.9em Arial">A Par-Bur</p>',
        '<p style="color: #222; background: #fff">A Par-Bur</p>',
        "<style>a:hover, p::before { display: none }</style><p>A Par-Bur</p>",
        "<style>@supports (top: 0) { .x { color: red } }</style><p class=x>A Par-Bur</p>",
        '<div style="background: #123"><p style="color: #124">A Par-Bur</p></div>',
        '<div style="background: #eee"><p style="background: #123; color: #eee">A Par-Bur</p>',
        "<details open>A Par-Bur</details>",
        '<p style="margin-left: -5px; max-width: 600px; width: 100%">A Par-Bur</p>',
    ],
)
def test_text_on_a_dark_ground_or_for_some_screens_is_read(shown: str) -> None:
    assert new_lines(shown) == (["A Par-Bur"], ())


def test_a_style_sheet_that_is_hidden_itself_hides_nothing() -> None:
    sheet = '<style type="text/css" style="display:none;">P {margin-top:0}</style>'  # of Outlook

    assert new_lines(f"<html><head>{sheet}</head><body><p>A Par-Bur</p></body></html>") == (
        ["A Par-Bur"],
        (),
    )


def new_lines(markup: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the new lines of an email in HTML, and those that are shown but not read."""
    raw = f"From: a@b.test\nContent-Type: text/html\n\n{markup}\n"
    opened = open_mail(raw.encode(), "a@b.test")
    assert isinstance(opened, OpenedEmail)
    return [line.text for line in opened.text.fresh if line.text], opened.text.struck


@pytest.mark.parametrize("levels", [260, 600])
def test_text_deep_in_tags_is_read(levels: int) -> None:
    deep = f"<p>A Par-Bur</p>{'<div>' * levels}F Bre-Mao{'</div>' * levels}<p>A Mar H</p>"

    assert new_lines(deep) == (["A Par-Bur", "F Bre-Mao", "A Mar H"], ())


def test_html_that_would_be_cut_off_is_not_read_in_part() -> None:
    for levels in (1_500, 5_000):
        deep = f"<p>A Par-Bur</p>{'<div>' * levels}F Bre-Mao{'</div>' * levels}"

        opened = open_mail(f"Content-Type: text/html\n\n{deep}\n".encode(), "a@b.test")

        assert isinstance(opened, Unreadable)
        assert opened.reason == "too many tags"


@pytest.mark.parametrize(
    "markup",
    [
        "<div style='color: #123; background: #124'>" + "<div style='color: #124'>" * 200 + "<b>",
        "<style>" + "@media a" * 10_000 + "</style>",
        "<div style='color: white'>" * 600 + "<b style='color: white'>x</b>" * 600,
        f"<style>{'>[(' * 160}b{{display: none}}</style>" * 200 + "<b>x</b>" * 2_000,
        f"<style>{'.x:not(' * 70}b{{display: none}}</style>" * 200 + "<b>x</b>" * 2_000,
    ],
)
def test_hidden_text_is_found_in_little_time(markup: str) -> None:
    raw = f"From: a@b.test\nContent-Type: text/html\n\n{markup}\n".encode()
    start = time.process_time()

    open_mail(raw, "a@b.test")

    assert time.process_time() - start < 0.5


def test_a_content_type_without_its_semicolon_is_text() -> None:
    header = "From: =?utf-8?q?J=C3=B6?= <a@b.test> (home)\nContent-Type: text/plain charset=utf-8"
    raw = f"{header}\n\n\uff21 Par\uff0dBur\n"

    opened = open_mail(raw.encode(), "a@b.test")

    assert isinstance(opened, OpenedEmail)
    assert opened.sender == "a@b.test"
    assert [line.text for line in opened.text.fresh] == ["A Par-Bur"]
    assert opened.text.attachments == ()


@pytest.mark.parametrize("padding", [b"", b"="])
def test_both_blocks_of_a_text_in_base64_are_read(padding: bytes) -> None:
    blocks = b"\n".join(map(base64.b64encode, (b"A Par-Bur\n", b"F Bre-Mao\n")))
    blocks = blocks.replace(b"=", padding)
    header = b"From: a@b.test\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"

    assert read(header + blocks) == ["A Par-Bur", "F Bre-Mao"]


@pytest.mark.parametrize("below", [b"-- \nsent to a list", b"lists", b"F Bre-Mao\nA Mar-Spa"])
def test_text_below_base64_is_not_read_but_named(below: bytes) -> None:
    header = b"From: a@b.test\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    raw = header + base64.b64encode(b"A Par-Bur\n") + b"\n" + below + b"\n"

    opened = open_mail(raw, "a@b.test")

    assert isinstance(opened, OpenedEmail)
    assert [line.text for line in opened.text.fresh] == ["A Par-Bur"]
    assert opened.text.attachments == (f'"{" ".join(below.decode().split())}"',)
