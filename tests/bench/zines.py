"""Time and size of reports of ten years: `python -m tests.bench.zines` prints a table.

The game is 10713 of droidippy, with a map of each season where the format has maps.
"""

from __future__ import annotations

from statistics import median

from judge.app.zine.illustrated_report import Style, WrittenReport
from judge.app.zine.season_report import Years
from judge.pictures.png import FONT_FOLDER
from judge.reports.docx import to_docx
from judge.reports.pdf import to_pdf
from judge.reports.report_formats import FORMATS
from tests.bench.measuring import seconds
from tests.support.recorded_game import game_10713
from tests.support.zines import written

ROUNDS = 3
TEN_YEARS = Years(1901, 1910)


def made(style: Style, form: str) -> bytes:
    """Return a report as a file."""
    report: WrittenReport = written(game_10713(), style, form, TEN_YEARS, drawn=True)
    match form:
        case "pdf":
            return to_pdf(report.text, report.pictures, FONT_FOLDER)
        case "docx":
            return to_docx(report.text, report.pictures)
        case _:
            return report.text.encode()


def table() -> None:
    """Print a line for each style and format."""
    print("style  format        ms     kB")
    for style in Style:
        for form in FORMATS:
            took = median(seconds(made, style, form) for _ in range(ROUNDS))
            size = len(made(style, form)) / 1000
            print(f"{style.value:6} {form:9} {took * 1000:6.0f} {size:6.0f}")


if __name__ == "__main__":
    table()
