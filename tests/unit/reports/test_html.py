"""The HTML of emails: small, self-contained, and without markup of players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from judge.game.decision import Why
from judge.reports.emails import press, receipts
from judge.reports.emails.contexts import Answer, addressed_to_reader
from judge.reports.operator_templates import template_faults
from judge.reports.render import HTML_BYTES_MAX, NameColors, Rendered, html_document, render
from judge.reports.text_formatting import Shape, text_blocks
from judge.resources import folder, override_files
from tests.support.selection import in_one
from tests.unit.reports.press_samples import sent
from tests.unit.reports.samples import BOARD, CODE, game, samples

BYTES_MAX = 60_000
WITH_RESULTS = re.compile("results|what_if")  # short forms of orders
SAMPLES = samples()
CHIPS = {power: NameColors("#b3261e", "#ffffff") for power in BOARD.powers}
ANSWER = Answer("judge+abcdefghijklmnop@judge.example", "[#abcdefghijklmnop]")
HOSTILE = "</td><script>alert(1)</script><img src=x onerror=y>&amp;{{ 7*7 }}"


def page_of(markup: str) -> Any:  # noqa: ANN401 - lxml types every result of XPath
    return html.fromstring(markup)


def document_of(*pages: Rendered) -> str:
    document = html_document(pages, CHIPS)
    assert document
    return document


def written(name: str) -> str:
    context = addressed_to_reader(SAMPLES[name], ANSWER, None)
    return document_of(render(context, {"orders": "board@judge.example"}))


@in_one(SAMPLES)
def test_an_email_is_small_and_whole_by_itself(name: str) -> None:
    mail = written(name)

    assert len(mail.encode()) < BYTES_MAX
    links = page_of(mail).xpath("//@src | //@href | //@background")
    assert [link for link in links if not link.startswith(("cid:board@", "mailto:judge%2B"))] == []
    assert "url(" not in mail
    assert "<script" not in mail
    assert "&amp;amp;" not in mail
    assert "&amp;#" not in mail


@in_one(SAMPLES)
def test_every_picture_has_alternative_text_and_styles_are_inline(name: str) -> None:
    page = page_of(written(name))

    assert all(picture.get("alt") for picture in page.iter("img"))
    assert all(each.get("style") for each in page.xpath("//p | //h1 | //ul"))


@in_one([name for name in SAMPLES if not WITH_RESULTS.match(name)])
def test_the_html_says_all_that_the_text_says(name: str) -> None:
    rendered = render(SAMPLES[name])
    page = page_of(f"<table>{rendered.html}</table>")
    shown = set(re.findall(r"\w+", " ".join(map(str, page.itertext()))))
    text = re.sub(r"<mailto:[^>]*>", "", rendered.text.partition("\n\n")[2])
    said = set(re.findall(r"\w+", text))

    assert said <= shown


def test_the_words_of_players_are_escaped() -> None:
    letter = press.press_email(BOARD, game(), sent("FRANCE", "ENGLAND"), HOSTILE, judge_code=CODE)
    receipt = receipts.receipt(
        BOARD,
        game(),
        "FRANCE",
        [
            receipts.LineNotUnderstood(1, HOSTILE, (HOSTILE,)),
            press.PressReturned((HOSTILE,), Why.NO_DRAWS),
            receipts.AttachmentsIgnored((HOSTILE,)),
        ],
        judge_code=CODE,
    )
    for context in (letter, receipt):
        page = page_of(document_of(render(context)))

        assert list(page.iter("script", "img")) == []
        assert "<script>alert(1)</script>" in page.text_content()


def test_several_replies_in_one_email_form_one_document() -> None:
    pages = [render(SAMPLES["status"]), render(SAMPLES["help"])]
    page = page_of(document_of(*pages))

    assert [heading.text for heading in page.iter("h1")] == ["Status", "Help"]
    assert page.findtext(".//title") == pages[0].subject


def test_the_lines_of_a_text_keep_their_shape() -> None:
    text = "One.\nTwo.\n\n- a\n  b\n- c\n  d\n| e\nAustria:    3    4\n"
    found = text_blocks(text)

    assert [(each.shape, each.lines) for each in found] == [
        (Shape.PROSE, ("One.", "Two.")),
        (Shape.ITEMS, ("a\nb", "c\nd")),
        (Shape.SET_IN, ("| e",)),
        (Shape.COLUMNS, ("Austria:    3    4",)),
    ]
    assert found[-1].rows == (("Austria:", "3    4"),)


def test_two_columns_of_text_are_read_as_rows() -> None:
    [found] = text_blocks(
        "A Par-Bur   move   A Par B    build\nA Par H     hold   A Par D    remove\n"
    )

    assert found.rows == (
        *(("A Par-Bur", "move"), ("A Par B", "build")),
        *(("A Par H", "hold"), ("A Par D", "remove")),
    )


def test_a_long_cell_is_kept_in_its_column() -> None:
    said = [
        "SET ADDRESS a@b.org  where mail goes",
        "CLEAR                what",
        "OF GERMANY, AUSTRIA: us",
    ]
    prose, table = text_blocks("\n".join(["They are:", *said]))

    assert prose.lines == ("They are:",)
    assert table.rows == (
        ("SET ADDRESS a@b.org", "where mail goes"),
        ("CLEAR", "what"),
        ("OF GERMANY, AUSTRIA:", "us"),
    )


def test_only_emails_with_a_picture_show_one() -> None:
    results = SAMPLES["results_movement"]

    html = render(results, {"orders": "x@y", "position": "z@y"}).html
    assert html.index("cid:x@y") < html.index("cid:z@y")
    assert "cid:z@y" in render(results, {"position": "z@y"}).html
    assert "<img" not in render(results).html


@pytest.fixture(name="own")
def templates_of_an_operator(tmp_path: Path) -> Iterator[Path]:
    override_files("templates", tmp_path)
    yield tmp_path
    override_files("templates", None)


def edited(own: Path, name: str, before: str, after: str) -> None:
    """Copy the template *name* into *own*, with *before* replaced by *after*."""
    text = (folder("templates") / name).read_text(encoding="utf-8")
    assert before in text
    (own / name).parent.mkdir(parents=True, exist_ok=True)
    (own / name).write_text(text.replace(before, after), encoding="utf-8")
    override_files("templates", own)


GREETING = "Greetings from <the> club."


def greeted(own: Path, name: str, before: str) -> None:
    edited(own, name, before, f"{before}\n{{{{ '{GREETING}' }}}}\n\n")


def said_in(mail: str) -> str:
    return " ".join(page_of(mail).text_content().split())


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("phase_results", "{% block body %}"),
        ("results/movement", "{% for power, given in orders.items() %}"),
    ],
)
def test_html_is_made_from_an_operators_text_template(own: Path, name: str, before: str) -> None:
    ours = written("results_movement")
    greeted(own, f"mail/{name}.txt.j2", before)
    mail = written("results_movement")

    assert GREETING not in said_in(ours)
    assert GREETING in said_in(mail)
    assert "<the>" not in mail
    assert "cid:board@judge.example" in mail
    assert "Italy: Army Venice -> Trieste." in said_in(mail)
    assert "Italy: Army Venice -> Trieste." not in said_in(ours)


def test_an_operators_html_template_is_used(own: Path) -> None:
    greeted(own, "mail/phase_results.txt.j2", "{% block body %}")
    alone = written("results_movement")
    edited(own, "mail/phase_results.html.j2", '<div class="box">', "<p>Mine.</p>")

    assert "Mine." not in alone
    assert "Mine." in written("results_movement")
    assert GREETING not in written("results_movement")


def test_the_html_of_other_emails_is_unchanged(own: Path) -> None:
    before = {name: written(name) for name in ("game_over", "help", "results_movement")}
    greeted(own, "mail/help.txt.j2", "{% block body %}")
    after = {name: written(name) for name in before}

    assert {name for name in before if before[name] != after[name]} == {"help"}


def test_an_operators_frame_without_html_is_warned_about(own: Path) -> None:
    edited(own, "mail/base.txt.j2", "Every mail", "Each mail")

    [fault] = template_faults(own)
    assert fault.level == "warning"
    assert fault.text.endswith("emails in HTML have a frame of their own, mail/base.html.j2")


@pytest.mark.parametrize("number", [1, 3, 10, 40])
def test_no_document_is_longer_than_what_gmail_shows(number: int) -> None:
    page = render(SAMPLES["results_movement"])

    document = html_document([page] * number, {})

    assert (document is None) == (number == 40)
    assert document is None or len(document.encode()) <= HTML_BYTES_MAX
    assert document is None or 'class="order"' in document


def test_no_table_surrounds_the_text() -> None:
    document = document_of(render(SAMPLES["game_start"]))

    shown = re.sub(r"<!--.*?-->", "", document)
    assert shown.index("<h1") < shown.index("<table")
