"""Write a report with pictures in each of its formats."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from judge.app.outbound.maps import map_captions
from judge.app.replay import recorded_phases
from judge.app.zine.season_report import ReportOptions, phases_in_years, zine_report
from judge.archive.records import Record
from judge.pictures.board_art import BoardArt
from judge.pictures.center_chart import draw_center_chart
from judge.pictures.drawing import draw_picture
from judge.pictures.parts import FONT
from judge.pictures.png import to_png
from judge.pictures.svg import element
from judge.pictures.themes import Look, NameStyle, load_theme, scale_for_width
from judge.reports.board_names import year_name
from judge.reports.printed_reports import BoardPicture, chart_title, render_zine
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import PhaseKind

PIXELS = 1000  # width of PNG pictures
PRINTED_PIXELS = 700  # drawn width of a picture within a page, for larger labels
CHART = "centers"
WITH_PICTURES = {"html", "docx", "pdf"}


class Style(Enum):
    """The style of a report."""

    JUDGE = "judge"
    ZINE = "zine"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Subject:
    """The reported game: its *record*, adjudicated under *rulebook*.

    *art* is the drawing of its *board*, None for a report without pictures.
    """

    board: Map
    record: Record
    rulebook: Rulebook
    art: BoardArt | None = None


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A report and its *pictures*, by the names it uses for them."""

    text: str
    pictures: dict[str, bytes]


def write_report(
    subject: Subject, wanted: ReportOptions, style: Style, form: str, colors: str
) -> WrittenReport:
    """Write a report about *subject* in a *form* of `report_formats`, with pictures in *colors*.

    Only zines have pictures, in formats that can hold them. Raises `NothingToReportError`.
    """
    pictures: dict[str, bytes] = {}

    def picture(phase: recorded_phases.PlayedPhase) -> BoardPicture | None:
        if form not in WITH_PICTURES or style is not Style.ZINE:
            return None
        svg = _draw(subject, phase, colors, PRINTED_PIXELS, wanted.language)
        if svg is None:
            return None
        name = f"{phase.recorded.phase}.svg"
        match form:
            case "pdf":
                pictures[name] = svg.encode()
            case "docx":
                pictures[name] = to_png(svg, PIXELS)
            case _:
                encoded = base64.b64encode(to_png(svg, PIXELS)).decode("ascii")
                name = f"data:image/png;base64,{encoded}"
        return BoardPicture(phase.recorded.phase, name)

    zine = zine_report(subject.board, subject.record, subject.rulebook, wanted, picture)
    return WrittenReport(render_zine(zine, style.value, form), pictures)


def report_pictures(
    subject: Subject, wanted: ReportOptions, style: Style, colors: str
) -> Iterator[tuple[str, str]]:
    """Yield the pictures of a report, each a name with its SVG.

    Style `judge` has one of every phase, `zine` of every movement, `table` the chart of centers.
    Raises `NothingToReportError`.
    """
    chosen = phases_in_years(
        recorded_phases.played_phases(subject.board, subject.record, subject.rulebook),
        wanted.years,
    )
    if style is Style.TABLE:
        yield CHART, _chart(subject, wanted, colors)
        return
    for each in chosen:
        if style is Style.JUDGE or each.recorded.phase.kind is PhaseKind.MOVEMENT:
            svg = _draw(subject, each, colors, PIXELS, wanted.language)
            if svg is not None:
                yield each.recorded.phase.code, svg


def _draw(
    subject: Subject, phase: recorded_phases.PlayedPhase, colors: str, pixels: int, language: str
) -> str | None:
    if subject.art is None or phase.before is None:
        return None
    look = Look(load_theme(colors), NameStyle.SHORT, scale_for_width(pixels))
    words = map_captions(subject.board, language)
    return draw_picture(
        subject.board,
        subject.art,
        recorded_phases.scene_of_phase(phase, phase.before),
        look,
        words,
    ).svg()


def _chart(subject: Subject, wanted: ReportOptions, colors: str) -> str:
    phases = recorded_phases.played_phases(subject.board, subject.record, subject.rulebook)
    years = {
        year_name(year, wanted.language): counts
        for year, counts in recorded_phases.centers_by_year(subject.record, phases).items()
        if year in wanted.years
    }
    words = map_captions(subject.board, wanted.language)
    chart = draw_center_chart(
        subject.board, years, load_theme(colors), chart_title(wanted.language), words.powers
    )
    head, _, rest = chart.partition(">")
    paper = element("rect", width="100%", height="100%", fill="white")
    return f'{head} xmlns="http://www.w3.org/2000/svg" font-family="{FONT}">{paper}{rest}'
