"""`judge templates`: the operator's own templates, exported and reloaded by the daemon."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from judge.adapters.whole_files import make_folder, replacing_file
from judge.cli.command_group import CommandGroup
from judge.cli.operator.setting_checks import Finding, Setup
from judge.cli.terminal import UNAVAILABLE, FilePath, fail
from judge.errors import ConfigurationError
from judge.reports.operator_templates import BrokenTemplateError
from judge.resources import override_files
from judge.resources import override_folder as folder_in_front
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.archive.records import Record


@click.group(cls=CommandGroup)
def templates() -> None:
    """Copy the templates of emails, pages and reports, to edit them.

    With the setting `templates` the judge uses the edited templates in that folder.
    """


@templates.command()
@click.argument("folder", type=FilePath(), default="templates")
@click.option(
    "--only", default="", metavar="PREFIX", help="Only names that begin like this, such as zine/."
)
def export(folder: Path, only: str) -> None:
    """Copy the templates into FOLDER; existing files are kept.

    Keep only those you change: the judge uses its own, possibly newer, version of the others.
    """
    from judge.reports.operator_templates import template_names
    from judge.resources import folder as own

    ours = own("templates")
    chosen = [name for name in template_names(ours) if name.startswith(only)]
    if not chosen:
        fail(f"no template's name begins with {only!r}", UNAVAILABLE)
    try:
        kept = [name for name in chosen if (folder / name).exists()]
        for name in chosen:
            if name not in kept:
                make_folder((folder / name).parent)
                with replacing_file(folder / name) as file:
                    file.write((ours / name).read_bytes())
    except OSError as error:
        fail(f"{folder} cannot be written to: {error.strerror}", UNAVAILABLE)
    for name in kept:
        click.echo(f"kept     {folder / name}", err=True)
    click.echo(f"{len(chosen) - len(kept)} templates are in {folder}")


class OwnTemplates:
    """Loads a copy of the operator's templates, so edits do not affect a running judge."""

    def __init__(self) -> None:
        self._taken: TemporaryDirectory[str] | None = None

    def take(self, settings: Settings) -> None:
        """Use a copy of the templates instead of ours; if one is broken, change nothing.

        Raises `BrokenTemplateError`, or `ConfigurationError` if they cannot be read.
        """
        copy, before = None, folder_in_front("templates")
        if settings.templates:
            copy = TemporaryDirectory(prefix="judge-templates-")
            there = Path(copy.name)
            try:
                _copy(settings.templates, there)
                override_files("templates", there)
                _try(settings, there)
            except BaseException:
                override_files("templates", before)
                copy.cleanup()
                raise
        else:
            override_files("templates", None)
        self.leave()
        self._taken = copy

    def leave(self) -> None:
        """Remove the copy."""
        if self._taken:
            self._taken.cleanup()


def _copy(templates: Path, there: Path) -> None:
    try:
        shutil.copytree(templates, there, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise ConfigurationError(f"templates: {templates} cannot be read: {error}") from error


def _try(settings: Settings, there: Path) -> None:
    found = check_templates(Setup(settings.model_copy(update={"templates": there})))
    wrong = [each.text for each in found if each.level == "error"]
    if wrong:
        named = "; ".join(wrong).replace(str(there), str(settings.templates))
        raise BrokenTemplateError(named)


FIX = "fix the template, or remove it from the folder"
ORDERS = {"GERMANY": "A MUN - BUR", "FRANCE": "A PAR - BUR", "RUSSIA": "F SEV - BLA"}


def check_templates(setup: Setup) -> Iterator[Finding]:
    """Find broken templates among the operator's own, by writing sample reports, too."""
    folder = setup.settings.templates
    if folder is None:
        return
    from judge.reports.operator_templates import template_faults, template_names

    found = [Finding(each.level, "templates", each.text, FIX) for each in template_faults(folder)]
    if not any(each.level == "error" for each in found):
        found += _sample_reports()
    yield from found
    if not any(each.level == "error" for each in found):
        count = len(template_names(folder))
        text = f"{count} in {folder} replace the judge's own"
        yield Finding("ok", "templates", text)


def _sample_reports() -> Iterator[Finding]:
    from judge.adapters.variant_files import load_map
    from judge.app.zine.illustrated_report import Style, Subject, write_report
    from judge.app.zine.season_report import ReportOptions
    from judge.reports.languages import SOURCE, languages
    from judge.reports.operator_templates import BrokenTemplateError
    from judge.reports.report_formats import FORMATS
    from judge.rules.rulebook import DATC

    subject, seen = Subject(load_map(), _sample_game(), DATC), set[str]()
    tried = [*((form, SOURCE) for form in FORMATS), *(("text", each) for each in languages())]
    for style in Style:
        for form, language in tried:
            try:
                write_report(subject, ReportOptions(language=language), style, form, "light")
            except BrokenTemplateError as error:
                if str(error) not in seen:
                    yield Finding("error", "templates", str(error), FIX)
                seen.add(str(error))


def _sample_game() -> Record:
    from judge.adapters.variant_files import load_map
    from judge.archive.records import Record, RecordedPhase, RecordedPress, Source, WrittenOrder
    from judge.notation.order_text import read_order

    start = load_map().start
    orders = tuple(WrittenOrder(power, text, read_order(text)) for power, text in ORDERS.items())
    return Record(
        name="sample",
        source=Source("record", str(Path("sample")), ""),
        numbers={"boardman": "1901A"},
        phases=(RecordedPhase(start.phase, start, orders),),
        press=(RecordedPress(start.phase, "FRANCE", (), "Peace."),),
    )
