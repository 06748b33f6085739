"""What `judge check` finds about the templates that are put in front of ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from judge.adapters.variant_files import load_map
from judge.app.zine.illustrated_report import Style, Subject, write_report
from judge.app.zine.season_report import ReportOptions
from judge.archive.record import Record, RecordedPhase, RecordedPress, Source, WrittenOrder
from judge.cli.finding import Finding
from judge.notation.order_text import read_order
from judge.reports.languages import SOURCE, languages
from judge.reports.operator_templates import BrokenTemplateError, template_faults, template_names
from judge.reports.report_formats import FORMATS
from judge.rules.rulebook import DATC
from judge.settings import Settings

SETTING = "templates"
ORDERS = {"GERMANY": "A MUN - BUR", "FRANCE": "A PAR - BUR", "RUSSIA": "F SEV - BLA"}


def in_front(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about each template that is wrong, or one that all are sound."""
    if settings.templates is None:
        return
    found = [
        Finding(each.level, SETTING, each.told) for each in template_faults(settings.templates)
    ]
    if not any(each.level == "error" for each in found):
        found += _tried()
    yield from found
    if not any(each.level == "error" for each in found):
        count = len(template_names(settings.templates))
        told = f"{count} in {settings.templates} stand in front of ours"
        yield Finding("ok", SETTING, told)


def _tried() -> Iterator[Finding]:
    """Write a report of a small game in every style, with what stands in front."""
    subject, told = Subject(load_map(), _sample(), DATC), set[str]()
    tried = [*((form, SOURCE) for form in FORMATS), *(("text", each) for each in languages())]
    for style in Style:
        for form, language in tried:
            try:
                write_report(subject, ReportOptions(language=language), style, form, "light")
            except BrokenTemplateError as error:
                if str(error) not in told:
                    yield Finding("error", SETTING, str(error))
                told.add(str(error))


def _sample() -> Record:
    """Return a game of one phase, in which something fails and something is said."""
    start = load_map().start
    orders = tuple(WrittenOrder(power, text, read_order(text)) for power, text in ORDERS.items())
    return Record(
        name="sample",
        source=Source("record", str(Path("sample")), ""),
        numbers={"boardman": "1901A"},
        phases=(RecordedPhase(start.phase, start, orders),),
        press=(RecordedPress(start.phase, "FRANCE", (), "Peace."),),
    )
