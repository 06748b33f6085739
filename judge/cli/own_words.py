"""The operator's templates, as a daemon takes them: a copy that was tried, until the next one."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.cli.checking_templates import in_front
from judge.errors import ConfigurationError
from judge.reports.operator_templates import BrokenTemplateError
from judge.resources import in_front as folder_in_front
from judge.resources import put_in_front
from judge.settings import Settings


class OwnWords:
    """Keeps what is being edited, or broken, from the mails of a judge that runs."""

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
    found = in_front(settings.model_copy(update={"templates": there}))
    wrong = [each.text for each in found if each.level == "error"]
    if wrong:
        named = "; ".join(wrong).replace(str(there), str(settings.templates))
        raise BrokenTemplateError(named)
