"""Replay pages: a whole game in one HTML file, with nothing that is not public."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache

import pytest
from lxml import html

from judge.adapters.variant_files import load_map
from judge.app.admin import game_admin
from judge.app.replay.page import NothingToReplayError, game_index_page
from judge.archive.records import Record, Source
from judge.notation.order_text import write_short
from judge.reports.render import content_security_hash
from judge.rules.types import Phase
from tests.support.replays import JUDGE, PRIVATE, PUBLIC, open_game, page_of, whole_game
from tests.support.table import MODERATOR, Table
from tests.support.written_orders import order_in

BYTES_MAX = 1_500_000
ELSEWHERE = re.compile(r"https?:|//[a-z]|url\(|@import|\bsrc=|<link|<img|<iframe", re.IGNORECASE)


@cache
def whole() -> html.HtmlElement:
    return html.document_fromstring(page_of(whole_game()))


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def section(page: html.HtmlElement, name: str) -> html.HtmlElement:
    [found] = page.xpath("//*[@id=$id]", id=name)
    return found


def test_the_page_refers_to_nothing_outside_it() -> None:
    page = page_of(whole_game()) + page_of(open_game(), writer=True)

    assert ELSEWHERE.findall(page) == []
    assert {link[:1] for link in re.findall(r'href="([^"]*)"', page_of(whole_game()))} == {"#"}


def test_nothing_but_its_own_style_and_script_may_be_used() -> None:
    [policy] = whole().xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    [style], [script] = (
        whole().xpath("//style/text()"),
        whole().xpath("//script[not(@type)]/text()"),
    )

    assert policy.startswith("default-src 'none';")
    assert f"style-src {content_security_hash(style)};" in policy
    assert f"script-src {content_security_hash(script)};" in policy
    assert whole().xpath("//@style | //@onclick") == []


def test_the_page_is_small() -> None:
    assert len(page_of(whole_game()).encode()) < BYTES_MAX


def test_the_same_game_makes_the_same_page() -> None:
    assert page_of(whole_game()) == page_of(whole_game())


def test_each_phase_has_its_picture_and_its_text() -> None:
    sections = whole().xpath("//section[@class='phase']")

    assert [each.get("id") for each in sections] == [
        each.phase.code for each in whole_game().phases
    ]
    for each in sections:
        assert each.xpath(".//svg[@role='img']/@aria-label")
        assert "Units and centers" in words(each)


def test_every_shape_that_is_used_is_on_the_page_once() -> None:
    ids = whole().xpath("//@id")

    assert len(ids) == len(set(ids))
    assert {use.removeprefix("#") for use in whole().xpath("//use/@href")} <= set(ids)
    assert {link.removeprefix("#") for link in whole().xpath("//a/@href")} <= set(ids)


def test_orders_are_shown_with_outcome_and_reason() -> None:
    failed = section(whole(), "S1902M").xpath(".//li[@class='failed']")

    assert failed
    assert all(each.xpath(".//em") and each.xpath("p[@class='why']") for each in failed)


def test_press_to_all_is_shown_in_its_phase_and_no_other_press() -> None:
    assert PUBLIC in words(section(whole(), "S1902M"))
    assert PUBLIC not in words(section(whole(), "F1902M"))
    assert PRIVATE not in page_of(whole_game())


def test_players_and_ending_are_shown() -> None:
    header = words(whole().xpath("//header")[0])

    assert "France: Anna, Turkey: Berta" in header
    assert "Drawn by France and Turkey." in header


def test_centers_are_counted_by_year() -> None:
    rows = [
        [words(cell) for cell in row.xpath("th | td")]
        for row in section(whole(), "centers").xpath(".//tbody/tr")
    ]

    assert rows[0] == ["1900", "3", "3", "3", "3", "3", "4", "3"]
    assert [int(row[0]) for row in rows] == [*range(1900, 1911)]


def test_the_position_after_the_last_orders_is_shown() -> None:
    first, *_ = whole_game().phases
    page = html.document_fromstring(page_of(replace(whole_game(), phases=(first,))))

    assert page.xpath("//section[@class='phase']/@id") == ["S1901M", "F1901M"]


def test_an_unknown_position_is_called_unknown() -> None:
    [first, *_] = whole_game().phases
    gap = replace(whole_game(), phases=(replace(first, position=None),))
    page = html.document_fromstring(page_of(gap))

    assert "The position of this phase is unknown" in words(section(page, "S1901M"))
    assert "A Bud" in words(section(page, "S1901M"))


def test_without_phases_there_is_no_page() -> None:
    with pytest.raises(NothingToReplayError):
        page_of(Record(name="none", source=Source("record", "none", "")))


@pytest.mark.parametrize(
    ("phase", "language"), [("S1902M", "en"), ("F1902R", "de"), ("W1903A", "fr")]
)
def test_the_judge_understands_every_order_of_the_order_writer(phase: str, language: str) -> None:
    page = html.document_fromstring(page_of(open_game(phase), writer=True, language=language))
    told = json.loads(section(page, "data").text)
    texts = {
        text
        for power in told["powers"]
        for piece in power["pieces"]
        for text, *_ in piece["orders"]
    }
    kind = Phase.parse(phase).kind
    read = {text: order_in(text, load_map(), kind) for text in texts}

    assert texts
    assert [write_short(order, load_map()) for order in read.values()] == [*read]
    assert told["address"] == JUDGE


def test_as_many_builds_can_be_waived_as_are_due() -> None:
    page = html.document_fromstring(page_of(open_game("W1901A"), writer=True))
    powers = json.loads(section(page, "data").text)["powers"]
    waived = {
        power["due"]: [each["name"] for each in power["pieces"] if each["orders"] == [["Waive"]]]
        for power in powers
    }

    assert waived == {due: ["unused build"] * int(due) for due in ("+1", "+2")}


def test_a_page_speaks_the_language_that_is_asked_for() -> None:
    page = html.document_fromstring(page_of(open_game("W1901A"), writer=True, language="de"))
    told = words(page)
    script = json.loads(section(page, "words").text)
    [austria, *_] = json.loads(section(page, "data").text)["powers"]

    assert page.get("lang") == "de"
    assert "Frühjahr 1901 bis Winter 1901, 3 Phasen." in told
    assert "A Mun-Bur abgeprallt" in told
    assert "A Mun-Bur prallte ab: 1 gegen 2" in told
    assert script["now"] == "{phase} ({number} von {phases})"
    assert austria["name"] == "Österreich"
    assert "Wien" in [each["name"] for each in austria["pieces"]]
    assert "Deutschland: A MUN - BUR (abgeprallt)" in page_of(whole_game(), language="de")


def test_texts_of_the_script_are_escaped() -> None:
    page = html.document_fromstring(page_of(open_game(), writer=True, language="fr"))

    assert json.loads(section(page, "words").text)["where"] == "{unit} : vers où ?"
    assert "&#39;" not in section(page, "words").text


def test_a_finished_game_has_no_order_writer() -> None:
    assert 'id="writer"' not in page_of(whole_game(), writer=True)


def test_an_index_links_to_the_pages() -> None:
    page = html.document_fromstring(game_index_page(load_map(), [("a game.html", whole_game())]))

    french = html.document_fromstring(
        game_index_page(load_map(), [("a.html", whole_game())], "fr")
    )

    assert page.xpath("//td/../th/a/@href") == ["a%20game.html"]
    assert "Printemps 1901 \N{EN DASH} Automne 1911" in words(french)
    assert "Spring 1901 to Fall 1911" in words(page)


def test_of_a_running_game_only_closed_phases_and_their_public_press_are_published(
    table: Table,
) -> None:
    table.send("FRANCE", f"A Par-Bur\nBROADCAST\n{PUBLIC}\nENDBROADCAST")
    table.send("FRANCE", f"PRESS TO G\n{PRIVATE}\nENDPRESS")
    before = game_admin.public_record_of_game(table.judge, "baltic")
    game_admin.close_phase_now(table.judge, "baltic", None)
    after = game_admin.public_record_of_game(table.judge, "baltic")

    assert (before.press, before.phases[-1].orders) == ((), ())
    assert [(each.sender, each.text) for each in after.press] == [("FRANCE", PUBLIC)]


@pytest.mark.parametrize(
    ("rule", "texts"),
    [("publish_press=no", [PUBLIC]), ("publish_press=yes", [PRIVATE, "unsigned", PUBLIC])],
)
def test_private_press_is_published_after_the_game_if_the_rules_say_so(
    judge: Table, rule: str, texts: list[str]
) -> None:
    judge.start("baltic", rule, "signing=white_grey", moderator=MODERATOR)
    judge.send("FRANCE", f"PRESS TO G\n{PRIVATE}\nENDPRESS\nPRESS TO M\nHelp\nENDPRESS")
    judge.send("FRANCE", "PRESS GREY TO G,E\nunsigned\nENDPRESS")
    judge.send("FRANCE", f"BROADCAST\n{PUBLIC}\nENDBROADCAST")
    game_admin.close_phase_now(judge.judge, "baltic", None)
    running = game_admin.public_record_of_game(judge.judge, "baltic").press
    judge.all_send("DRAW")

    press = game_admin.public_record_of_game(judge.judge, "baltic").press

    assert [each.text for each in running] == [PUBLIC]
    assert [each.text for each in press] == texts
    told = {each.text: (each.sender, each.readers) for each in press}
    assert told[PUBLIC] == ("FRANCE", ())
    assert told.get("unsigned") in {None, (None, ("GERMANY", "ENGLAND"))}


def test_private_press_is_published_when_all_who_wrote_any_agree(table: Table) -> None:
    table.send("FRANCE", f"PRESS TO G\n{PRIVATE}\nENDPRESS\nSHOW PRESS")
    table.send("ITALY", "PRESS TO G\nBeware.\nENDPRESS")
    table.all_send("DRAW")
    before = game_admin.public_record_of_game(table.judge, "baltic").press
    unread = table.send("TURKEY", "HISTORY baltic BROAD").text

    assert (
        "When the game is over, everyone can read"
        in table.send("ITALY", "SIGNON Ibaltic\nSHOW PRESS").words
    )
    read = table.send("TURKEY", "HISTORY baltic BROAD").text
    after = game_admin.public_record_of_game(table.judge, "baltic").press
    table.send("ITALY", "SIGNON Ibaltic\nHIDE PRESS")

    assert before == ()
    assert PRIVATE not in unread
    assert PRIVATE in read
    assert [each.text for each in after] == [PRIVATE, "Beware."]
    assert game_admin.public_record_of_game(table.judge, "baltic").press == ()


def test_players_are_published_by_their_handles_and_never_by_an_address(table: Table) -> None:
    seats = game_admin.public_record_of_game(table.judge, "baltic").seats

    assert [each.power for each in seats] == list(load_map().powers)
    assert [each for each in seats if not each.player or "@" in each.player or each.address] == []
