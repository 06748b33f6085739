"""The HTML of mails: small, with nothing to fetch, and nobody's markup but ours."""

from __future__ import annotations

import re
from typing import Any

import pytest
from lxml import html

from judge.game.decision import Why
from judge.reports import items, press, receipts
from judge.reports.blocks import Shape, blocks
from judge.reports.documents import Chip, document
from judge.reports.greetings import Answer
from judge.reports.render import render
from judge.reports.taps import addressed
from tests.unit.reports.letters import sent
from tests.unit.reports.samples import BOARD, CODE, game, samples

BYTES_MAX = 60_000
WITH_RESULTS = re.compile("results|what_if")  # which name orders in short there
SAMPLES = samples()
CHIPS = {power: Chip("#b3261e", "#ffffff") for power in BOARD.powers}
ANSWER = Answer("judge+abcdefghijklmnop@judge.example", "[#abcdefghijklmnop]")
HOSTILE = "</td><script>alert(1)</script><img src=x onerror=y>&amp;{{ 7*7 }}"


def page_of(markup: str) -> Any:  # noqa: ANN401 - lxml's types are of all that XPath can find
    return html.fromstring(markup)


def written(name: str) -> str:
    context = addressed(SAMPLES[name], ANSWER, None)
    return document([render(context, "board@judge.example")], CHIPS)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_mail_is_small_and_whole_by_itself(name: str) -> None:
    mail = written(name)

    assert len(mail.encode()) < BYTES_MAX
    links = page_of(mail).xpath("//@src | //@href | //@background")
    assert [link for link in links if not link.startswith(("cid:board@", "mailto:judge%2B"))] == []
    assert "url(" not in mail
    assert "<script" not in mail
    assert "&amp;amp;" not in mail
    assert "&amp;#" not in mail


@pytest.mark.parametrize("name", SAMPLES)
def test_every_picture_has_words_and_every_style_stands_in_its_tag(name: str) -> None:
    page = page_of(written(name))

    assert all(picture.get("alt") for picture in page.iter("img"))
    assert all(each.get("style") for each in page.xpath("//p | //h1 | //ul"))


@pytest.mark.parametrize("name", [name for name in SAMPLES if not WITH_RESULTS.match(name)])
def test_it_says_all_that_the_text_says(name: str) -> None:
    rendered = render(SAMPLES[name])
    page = page_of(f"<table>{rendered.html}</table>")
    shown = set(re.findall(r"\w+", " ".join(map(str, page.itertext()))))
    text = re.sub(r"<mailto:[^>]*>", "", rendered.text.partition("\n\n")[2])
    said = set(re.findall(r"\w+", text))

    assert said <= shown


def test_what_a_player_wrote_is_no_markup() -> None:
    letter = press.letter(BOARD, game(), sent("FRANCE", "ENGLAND"), HOSTILE, judge_code=CODE)
    receipt = receipts.receipt(
        BOARD,
        game(),
        "FRANCE",
        [
            items.LineNotUnderstood(1, HOSTILE, HOSTILE),
            items.PressBack((HOSTILE,), Why.NO_DRAWS),
            items.AttachmentsLeftOut((HOSTILE,)),
        ],
        judge_code=CODE,
    )
    for context in (letter, receipt):
        page = page_of(document([render(context)], CHIPS))

        assert list(page.iter("script", "img")) == []
        assert "<script>alert(1)</script>" in page.text_content()


def test_pages_of_one_mail_stand_in_one_document() -> None:
    pages = [render(SAMPLES["status"]), render(SAMPLES["help"])]
    page = page_of(document(pages, CHIPS))

    assert [heading.text for heading in page.iter("h1")] == ["Status", "Help"]
    assert page.findtext(".//title") == pages[0].subject


def test_the_lines_of_a_text_keep_their_shape() -> None:
    text = "One.\nTwo.\n\n- a\n  b\n- c\n  d\n| e\nAustria:    3    4\n"
    found = blocks(text)

    assert [(each.shape, each.lines) for each in found] == [
        (Shape.PROSE, ("One.", "Two.")),
        (Shape.ITEMS, ("a\nb", "c\nd")),
        (Shape.SET_IN, ("| e",)),
        (Shape.COLUMNS, ("Austria:    3    4",)),
    ]
    assert found[-1].rows == (("Austria:", "3    4"),)
    assert blocks("") == ()


def test_a_picture_is_shown_only_by_what_has_one() -> None:
    results = SAMPLES["results_movement"]

    assert "cid:x@y" in render(results, "x@y").html
    assert "<img" not in render(results).html
