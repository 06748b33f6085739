"""`judge templates`: the operator's own templates, exported and reloaded by the daemon."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from judge.cli.operator.check import check_templates
from judge.cli.terminal import UNAVAILABLE, fail
from judge.errors import ConfigurationError
from judge.reports.operator_templates import BrokenTemplateError
from judge.resources import in_front as folder_in_front
from judge.resources import put_in_front
from judge.settings import Settings


@click.group()
def templates() -> None:
    """Copy the templates of emails, pages and reports, to edit them.

    With the setting `templates` the judge uses the edited templates in that folder.
    """


@templates.command()
@click.argument("folder", type=click.Path(path_type=Path), default="templates")
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
    kept = [name for name in chosen if (folder / name).exists()]
    try:
        for name in chosen:
            if name not in kept:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes((ours / name).read_bytes())
    except OSError as error:
        fail(f"{folder} cannot be written to: {error.strerror}", UNAVAILABLE)
    for name in kept:
        click.echo(f"kept     {folder / name}", err=True)
    click.echo(f"{len(chosen) - len(kept)} templates are in {folder}")


class OwnTemplates:
    """Keeps what is being edited, or broken, from the emails of a judge that runs."""

    def __init__(self) -> None:
        self._taken: TemporaryDirectory[str] | None = None

    def take(self, settings: Settings) -> None:
        """Put a copy of the templates in front of ours; if one is wrong, leave all as it was.

        Raises `BrokenTemplateError`, or `ConfigurationError` if they cannot be read.
        """
        copy, before = None, folder_in_front("templates")
        if settings.templates:
            copy = TemporaryDirectory(prefix="judge-templates-")
            there = Path(copy.name)
            put_in_front("templates", there)
            try:
                _copy(settings.templates, there)
                _try(settings, there)
            except BaseException:
                put_in_front("templates", before)
                copy.cleanup()
                raise
        else:
            put_in_front("templates", None)
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
    found = check_templates(settings.model_copy(update={"templates": there}))
    wrong = [each.text for each in found if each.level == "error"]
    if wrong:
        named = "; ".join(wrong).replace(str(there), str(settings.templates))
        raise BrokenTemplateError(named)
