"""Printed reports for zines, forums and paper, against golden files and read back.

`JUDGE_WRITE_GOLDEN=1 pytest tests/unit/app/test_zine.py` rewrites the golden files: review the
differences before you keep them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from docx import Document
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html
from pypdf import PdfReader
from pypdf.generic import StreamObject

from judge.adapters.variant_files import load_art, load_map
from judge.app.replay.page import game_replay_page
from judge.app.zine.illustrated_report import Style, Subject, report_pictures, write_report
from judge.app.zine.season_report import NothingToReportError, ReportOptions, Years
from judge.archive.formats import zine_reports
from judge.archive.formats.njudge import readers
from judge.archive.reading import Doubts, Format, Reading
from judge.archive.records import (
    Record,
    RecordedPhase,
    RecordedPress,
    Source,
    WrittenOrder,
    ordered_unit,
)
from judge.notation.order_text import write_order
from judge.pictures.png import FONT_FOLDER
from judge.reports.docx import to_docx
from judge.reports.languages import SOURCE, languages
from judge.reports.pdf import TypesettingError, to_pdf
from judge.reports.report_formats import FORMATS, escape_typst
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Hold, Phase, PhaseKind, UnitName
from tests.support.recorded_game import RULEBOOK, game_10713
from tests.support.zines import BOARD, NASTY, PRIVATE, SPRING, two_years, written

GOLDEN = Path(__file__).parents[2] / "golden" / "zine"
SUFFIXES = {
    "text": "txt",
    "markdown": "md",
    "bbcode": "bbcode",
    "html": "html",
    "docx": "docx.html",
    "pdf": "typ",
}
OTHERS = [each for each in languages() if each != SOURCE]
ADAPTED = (Style.ZINE, Style.TABLE)  # styles for people
FIRST_YEAR = Years(1901, 1901)
WORDS = [" ".join(line.split()) for line in NASTY.replace("\x1b", " ").splitlines() if line]
RETREATS = PhaseKind.RETREATS


def elements(page: str, path: str) -> list[html.HtmlElement]:
    found = html.document_fromstring(page).xpath(path)
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, html.HtmlElement)]


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("style", Style)
def test_a_report_reads_as_it_was_approved(style: Style, form: str) -> None:
    _approve(written(two_years(), style, form).text, f"{style.value}.{SUFFIXES[form]}")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("style", ADAPTED)
def test_a_year_reads_as_it_was_approved_in_every_language(
    style: Style, form: str, language: str
) -> None:
    made = written(two_years(), style, form, Years(1902, 1902), language=language).text

    _approve(made, f"{language}/{style.value}.{SUFFIXES[form]}")


def _approve(made: str, name: str) -> None:
    golden = GOLDEN / name
    if os.environ.get("JUDGE_WRITE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(made, encoding="utf-8")

    assert made == golden.read_text(encoding="utf-8")


def test_every_approved_file_is_of_a_report() -> None:
    names = {f"{style.value}.{suffix}" for style in Style for suffix in SUFFIXES.values()}
    adapted = {f"{style.value}.{suffix}" for style in ADAPTED for suffix in SUFFIXES.values()}

    assert {file.name for file in GOLDEN.iterdir() if file.is_file()} == names
    for language in OTHERS:
        assert {file.name for file in (GOLDEN / language).iterdir()} == adapted


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("style", Style)
def test_private_press_is_in_no_report(style: Style, form: str) -> None:
    assert PRIVATE not in written(two_years(), style, form).text


@pytest.mark.parametrize("style", Style)
def test_of_an_open_phase_only_the_deadline_is_shown(style: Style) -> None:
    open_press = RecordedPress(two_years().phases[-1].phase, "FRANCE", (), PRIVATE)
    told = replace(two_years(), press=(open_press,))

    assert "Spring 1903\n-" not in written(told, style, "text").text
    assert "20:00" in written(told, style, "text").text


def test_the_deadline_and_the_address_for_orders_come_last() -> None:
    text = written(two_years(), Style.ZINE, "text").text

    assert text.endswith(
        "Orders for Spring 1903 are due Fri 27 Nov 2026 20:00 UTC, to judge@example.org.\n"
    )


def read_back(form: Format, text: str) -> Record:
    assert form.recognizes(text)
    [record] = form.read(Reading(BOARD, "report", "0", Doubts("report")), text.splitlines())
    return record


def gist(phases: Sequence[RecordedPhase]) -> list[tuple[object, ...]]:
    """Return the record without what no report contains: where standoffs were."""
    return [
        (each.phase, each.position.units, each.position.owners, each.position.dislodged)
        for each in phases
        if each.position
    ]


@pytest.mark.parametrize(
    ("style", "form"), [("zine", zine_reports.FORMAT), ("judge", readers.NJUDGE)]
)
def test_a_report_is_read_back(style: str, form: Format) -> None:
    game = replace(game_10713(), press=two_years().press)
    record = read_back(form, written(game, Style(style), "text").text)

    assert record.doubts == ()
    assert gist(record.played[: len(game.phases)]) == gist(game.phases)


def test_the_orders_of_a_zine_are_read_back_one_by_one() -> None:
    game = game_10713()
    record = read_back(zine_reports.FORMAT, written(game, Style.ZINE, "text").text)
    for told, heard in zip(game.phases, record.played, strict=True):
        given_ = {(each.power, write_order(each.order)) for each in told.orders if each.order}
        read = {(each.power, write_order(each.order)) for each in heard.orders if each.order}

        assert given_ <= read, told.phase
        assert all(order[-2:] in {" H", " D"} for _, order in read - given_), "no order"


@settings(max_examples=40, deadline=None)
@example("Movement results for Fall of 1901.  (lepanto.F1901M)")
@example("France: Army Paris -> Burgundy.")
@example("\r\x0c\x1b[2J\u2028\u202e")
@example(" \n\n ")
@given(st.text(min_size=1, max_size=200))
def test_whatever_the_press_says_the_same_game_is_read_back(said: str) -> None:
    game = replace(two_years(), press=(RecordedPress(SPRING, "FRANCE", (), said),))
    only = replace(game, phases=game.phases[:3])
    record = read_back(zine_reports.FORMAT, written(only, Style.ZINE, "text").text)

    assert gist(record.played[:3]) == gist(only.phases)


def test_nothing_in_a_report_is_obeyed_by_a_terminal() -> None:
    for form in FORMATS:
        assert "\x1b" not in written(two_years(), Style.ZINE, form).text


def test_a_page_shows_press_as_it_was_written() -> None:
    page = written(two_years(), Style.ZINE, "html").text
    shown = [words(each) for each in elements(page, "//blockquote/p")]

    assert [each for each in WORDS if each not in shown] == []
    assert elements(page, "//b[text()='all']") == []


def test_forum_tags_in_press_are_escaped() -> None:
    text = written(two_years(), Style.ZINE, "bbcode").text

    assert "[b]brothers" not in text
    assert "brothers" in text
    for tag in ("b", "u", "code", "quote", "size"):
        opened = len(re.findall(rf"\[{tag}[\]=]", text))
        assert opened == text.count(f"[/{tag}]"), tag


def test_failures_are_underlined_and_described() -> None:
    made = {each: written(two_years(), Style.ZINE, each).text for each in FORMATS}
    items = {words(each) for each in elements(made["html"], "//li[u]")}

    assert {"A Mun-Bur bounce", "F Den-Swe bounce, dislodged"} <= items
    assert "_A Mun-Bur_ [bounce]" in made["text"]
    assert r"__A Mun-Bur__ \[bounce\]" in made["markdown"]
    assert "[u]A Mun-Bur[/u] (bounce)" in made["bbcode"]


def test_a_pdf_is_tagged_and_holds_the_words() -> None:
    made = written(two_years(), Style.ZINE, "pdf", FIRST_YEAR, drawn=True)
    reader = PdfReader(BytesIO(to_pdf(made.text, made.pictures, FONT_FOLDER)))
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split())

    assert "Spring 1901" in text
    assert "A Mun-Bur bounce" in text
    assert "(NOTE: no order)" in text
    root = repr(reader.root_object)
    assert "'/Marked': True" in root
    assert "'/Lang': 'en'" in root
    assert reader.metadata
    assert reader.metadata.title == "10713"
    metadata = reader.root_object.raw_get("/Metadata").get_object()
    assert isinstance(metadata, StreamObject)
    assert b"pdfuaid:part" in metadata.get_data()


def test_the_same_game_is_the_same_file() -> None:
    made = written(two_years(), Style.TABLE, "pdf", FIRST_YEAR)
    page = written(two_years(), Style.ZINE, "docx", FIRST_YEAR)

    assert to_pdf(made.text, {}, FONT_FOLDER) == to_pdf(made.text, {}, FONT_FOLDER)
    assert to_docx(page.text, {}) == to_docx(page.text, {})


@settings(max_examples=25, deadline=None)
@example("#eval($x$) // /* <a> @b [c] {d}")
@example("= - + / 1. ~ -- ... \\ ` _ * ' \"")
@example("https://example.org/a?b#c")
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=60))
def test_typst_prints_any_sign_as_it_is(said: str) -> None:
    source = (
        f'#set document(title: [t])\n#set text(font: "DejaVu Sans Mono")\nA{escape_typst(said)}Z'
    )
    [page] = PdfReader(BytesIO(to_pdf(source, {}, FONT_FOLDER))).pages

    assert "".join(page.extract_text().split()) == f"A{''.join(said.split())}Z"


def test_a_typesetting_error_is_one_line() -> None:
    with pytest.raises(TypesettingError) as raised:
        to_pdf("#nothing-is-called-so", {}, FONT_FOLDER)

    assert "unknown variable" in str(raised.value)


def test_a_document_has_headings_columns_pictures_and_tables() -> None:
    made = written(two_years(), Style.ZINE, "docx", FIRST_YEAR, drawn=True)
    document = Document(BytesIO(to_docx(made.text, made.pictures)))
    styles = {each.text: each.style.name for each in document.paragraphs if each.style}
    [failed] = [each for each in document.paragraphs if each.text == "A Mun-Bur bounce"]

    assert (styles["Game '10713'"], styles["Spring 1901"]) == ("Title", "Heading 1")
    assert [run.text for run in failed.runs if run.underline] == ["A Mun-Bur"]
    assert document.core_properties.title == "10713"
    assert len(document.inline_shapes) == 2
    assert all(document.element.xpath("//wp:docPr/@descr"))
    assert "3" in document.element.xpath("//w:cols/@w:num")
    assert [cell.text for cell in document.tables[0].rows[0].cells][:2] == ["Power", "Centers"]


def test_a_page_carries_its_pictures() -> None:
    made = written(two_years(), Style.ZINE, "html", FIRST_YEAR, drawn=True)
    images = elements(made.text, "//img[@alt]")

    assert [each.get("src", "")[:22] for each in images] == ["data:image/png;base64,"] * 2
    assert (made.pictures, written(two_years(), Style.ZINE, "text", drawn=True).pictures) == (
        {},
        {},
    )


def test_only_the_requested_years_are_printed() -> None:
    for style in Style:
        text = written(two_years(), style, "text", Years(1902, 1902)).text

        assert "1901M" not in text
        assert "Spring 1901" not in text
    with pytest.raises(NothingToReportError):
        written(two_years(), Style.ZINE, "text", Years(1905, None))


def test_a_game_without_positions_is_printed_as_far_as_recorded() -> None:
    [first, *_] = two_years().phases
    blind = replace(two_years(), phases=(replace(first, position=None),))
    made = written(blind, Style.ZINE, "html", drawn=True)

    assert "A Mun-Bur" in made.text
    assert "<img" not in made.text


def test_the_phases_of_some_years_are_counted_from_the_start_of_the_game() -> None:
    text = written(two_years(), Style.JUDGE, "text", Years(1902, 1902)).text

    assert "Status of the Movement phase for Spring of 1902.  (10713.004)" in text
    assert "Movement results for Spring of 1902. (10713.004)" in text


def silent_italy() -> Record:
    """Return a Spring in which Italy sent no orders."""
    first = two_years().phases[0]
    orders = tuple(each for each in first.orders if each.power != "ITALY")
    return replace(two_years(), phases=(replace(first, orders=orders),))


@pytest.mark.parametrize("style", [Style.ZINE, Style.TABLE])
@pytest.mark.parametrize("form", ["text", "markdown", "bbcode"])
def test_reports_list_the_units_of_powers_that_sent_no_orders(style: Style, form: str) -> None:
    text = written(silent_italy(), style, form).text
    units = ("F Nap H", "A Rom H", "A Ven H")

    assert [unit for unit in units if unit in text] == [*units]
    assert "NMR: Italy." in text


def test_the_units_of_powers_that_sent_no_orders_are_read_back_as_holding() -> None:
    record = read_back(zine_reports.FORMAT, written(silent_italy(), Style.ZINE, "text").text)
    holding = {
        write_order(each.order)
        for each in record.phases[0].orders
        if each.order and each.power == "ITALY"
    }

    assert record.doubts == ()
    assert holding == {"F NAP H", "A ROM H", "A VEN H"}


@pytest.mark.parametrize("style", [Style.ZINE, Style.TABLE])
def test_units_without_an_order_of_a_power_that_ordered_others_are_listed_too(
    style: Style,
) -> None:
    first, second = two_years().phases[:2]
    kept = [each for each in first.orders if each.power != "TURKEY"]
    turkish = [each for each in first.orders if each.power == "TURKEY"]
    assert second.position
    stayed = next(
        each
        for each in turkish
        if (name := ordered_unit(each.order))
        and any(unit.province == name.province for unit in second.position.units_of("TURKEY"))
    )
    name = ordered_unit(stayed.order)
    assert name
    others = tuple(each for each in (*kept, *turkish) if each is not stayed)

    text = written(
        replace(two_years(), phases=(replace(first, orders=others), second)), style, "markdown"
    ).text

    place = name.province.title()
    assert f"{name.kind.value if name.kind else ''} {place} H (NOTE: no order)" in text
    assert "NMR" not in text.partition("Fall 1901")[0]


@pytest.mark.parametrize("style", [Style.ZINE, Style.TABLE])
def test_a_phase_without_adjustments_says_so(style: Style) -> None:
    phases = two_years().phases
    [winter, *_] = [each for each in phases if each.phase.kind is PhaseKind.ADJUSTMENTS]
    before = [each for each in phases if each.phase < winter.phase]
    later = [each for each in phases if each.phase > winter.phase]
    empty = replace(winter, orders=(), removed=())

    text = written(
        replace(two_years(), phases=(*before, empty, *later)), style, "text", FIRST_YEAR
    ).text

    assert "No builds or removals." in text


def test_a_phase_without_any_order_names_every_power_if_the_units_held() -> None:
    first = two_years().phases[0]
    assert first.position
    fall = replace(first.position, phase=Phase.parse("F1901M"))
    held = (replace(first, orders=()), RecordedPhase(fall.phase, fall))

    text = written(replace(two_years(), phases=held), Style.ZINE, "text").text

    assert "NMR: Austria, England, France, Germany, Italy, Russia, Turkey." in text


@pytest.mark.parametrize("style", [Style.ZINE, Style.TABLE])
@pytest.mark.parametrize("form", ["text", "markdown", "bbcode"])
def test_with_positions_reports_print_the_board_after_each_phase(style: Style, form: str) -> None:
    text = written(two_years(), style, form, FIRST_YEAR, positions=True).text
    [spring, fall, winter] = [
        each.split("\n\n", 1)[0] if form == "bbcode" else each
        for each in re.split(r"(?:### |\[b\])?Positions(?:\[/b\])?\n\n", text)[1:]
    ]

    after = [each.position for each in two_years().phases[1:4]]
    for listed, position in zip((spring, fall, winter), after, strict=True):
        assert position
        for unit in position.units_of("RUSSIA"):
            assert f"{unit.kind.value} {unit.province.capitalize()}" in listed


def test_a_zine_with_positions_is_read_back_as_the_same_game() -> None:
    game = replace(game_10713(), press=two_years().press)
    text = written(game, Style.ZINE, "text", positions=True).text
    record = read_back(zine_reports.FORMAT, text)

    assert record.doubts == ()
    assert gist(record.played[: len(game.phases)]) == gist(game.phases)


def test_pictures_are_of_phases_of_movements_or_of_the_centers() -> None:
    subject = Subject(BOARD, two_years(), rulebook_named(RULEBOOK), load_art())
    names = {
        style: [
            name for name, _ in report_pictures(subject, ReportOptions(FIRST_YEAR), style, "bw")
        ]
        for style in Style
    }

    assert names == {
        Style.JUDGE: ["S1901M", "F1901M", "W1901A"],
        Style.ZINE: ["S1901M", "F1901M"],
        Style.TABLE: ["centers"],
    }
    assert (
        list(report_pictures(replace(subject, art=None), ReportOptions(), Style.ZINE, "bw")) == []
    )


def test_no_report_names_a_year_before_the_year_0() -> None:
    board = load_map("north-sea-wars")
    unit = board.start.units_of("BRITONS")[0]
    hold = WrittenOrder("BRITONS", "", Hold(UnitName(unit.kind, unit.location)))
    record = Record(
        name="islands",
        source=Source("record", "islands", ""),
        variant=board.name,
        phases=(RecordedPhase(board.start.phase, board.start, (hold,)),),
    )
    art, rulebook = load_art(board.name), rulebook_named(RULEBOOK)
    assert art
    subject, options = Subject(board, record, rulebook), ReportOptions()

    drawn = dict(report_pictures(subject, options, Style.TABLE, "light"))["centers"]
    page = game_replay_page(board, art, record, rulebook, None)
    for made in (drawn, page, write_report(subject, options, Style.TABLE, "text", "bw").text):
        assert "start" in made
        assert not re.search(r"[> ]-1[ <]", made)
