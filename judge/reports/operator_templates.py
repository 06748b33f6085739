"""The templates that an operator uses in place of ours: their faults, and where."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from jinja2 import TemplateError, TemplateSyntaxError, meta, nodes

from judge.errors import ConfigurationError
from judge.reports.languages import catalogue_fault
from judge.reports.render import FRAME_TEMPLATES, HTML, TEXT, template_environment
from judge.reports.report_formats import format_environment
from judge.resources import folder, override_folder

TEMPLATE = ".j2"  # how the name of what is read as a template ends
CATALOGUE = ".po"  # and of what is read as the words of another language
WEIGHTS = "intents/weights.bin"  # `judge intent add` makes them
REPORTS = "zine/"  # how those begin that may use what is for reports only


class BrokenTemplateError(ConfigurationError):
    """A template of the operator cannot be read or used. The message is `FILE:LINE: why`."""


@dataclass(frozen=True, slots=True)
class TemplateFault:
    """A fault of an operator's template; an *error* keeps it from being used."""

    level: Literal["warning", "error"]
    text: str


@contextmanager
def blame_operator_template() -> Iterator[None]:
    """Blame the operator's template for an error in it; an error in ours is a crash.

    Raises `BrokenTemplateError`.
    """
    try:
        yield
    except TemplateSyntaxError as error:
        if not _is_in_front(error.filename or ""):
            raise
        raise _broken(error.filename, error.lineno, error.message) from error
    except Exception as error:
        places = [
            place for place in _traceback_places(error.__traceback__) if _is_in_front(place[0])
        ]
        if not places:
            raise
        file, line = places[-1]
        raise _broken(file, line, str(error) or type(error).__name__) from error


def describe_template_error(error: Exception) -> str:
    """Return where in a template *error* arose, and why: `mail/receipt.txt.j2:12: 'x' is ...`.

    Only errors of templates are repeated: others may have words of a game.
    """
    why = str(error) if isinstance(error, TemplateError) else type(error).__name__
    if isinstance(error, TemplateSyntaxError):
        place: tuple[str, int] | None = (error.filename or error.name or "", error.lineno)
    else:
        places = _traceback_places(error.__traceback__)
        place = next((each for each in reversed([*places]) if each[0].endswith(TEMPLATE)), None)
    if place is None:
        return why
    file, line = Path(place[0]), place[1]
    roots = (override_folder("templates"), folder("templates"))
    name = next((file.relative_to(each) for each in roots if each and each in file.parents), file)
    return f"{name.as_posix()}:{line}: {' '.join(why.split())}"


def template_names(of: Path) -> list[str]:
    """Return the names of all templates in the folder *of*."""
    files = (file for file in of.rglob("*") if file.is_file())
    return sorted(file.relative_to(of).as_posix() for file in files)


def template_faults(of: Path) -> Iterator[TemplateFault]:
    """Yield the faults of the templates in *of* that reading them shows."""
    ours = template_names(folder("templates"))
    for name in template_names(of):
        if name not in ours and name != WEIGHTS:
            near = difflib.get_close_matches(name, ours, 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            yield TemplateFault("warning", f"{of / name}: none of ours has this name{meant}")
        if name.endswith(TEMPLATE):
            yield from _faults_of_template(of / name, name, known=name in ours)
        if name in FRAME_TEMPLATES and not (of / name.replace(TEXT, HTML)).is_file():
            text = f"emails in HTML have a frame of their own, {name.replace(TEXT, HTML)}"
            yield TemplateFault("warning", f"{of / name}: {text}")
        if name.endswith(CATALOGUE) and (why := catalogue_fault(of / name)):
            yield TemplateFault("error", why)


def _faults_of_template(file: Path, name: str, *, known: bool) -> Iterator[TemplateFault]:
    reading = format_environment("text") if name.startswith(REPORTS) else template_environment()

    def tree(of: Path) -> nodes.Template:
        return reading.parse(of.read_text(encoding="utf-8"), name, str(of))

    try:
        edited = tree(file)
        reading.compile(edited, name, str(file))
    except TemplateSyntaxError as error:
        yield TemplateFault("error", f"{file}:{error.lineno}: {error.message}")
    except ValueError as error:  # no UTF-8
        yield TemplateFault("error", f"{file}: {error}")
    else:
        if known:
            ours = meta.find_undeclared_variables(tree(folder("templates") / name))
            strange = meta.find_undeclared_variables(edited) - ours - reading.globals.keys()
            for each in edited.find_all(nodes.Name):
                if each.name in strange:
                    text = f"ours uses nothing called {each.name!r}, so there may be none"
                    yield TemplateFault("warning", f"{file}:{each.lineno}: {text}")


def _broken(file: str | None, line: int, why: str | None) -> BrokenTemplateError:
    return BrokenTemplateError(f"{file}:{line}: {' '.join((why or 'broken').split())}")


def _is_in_front(file: str) -> bool:
    front = override_folder("templates")
    return front is not None and Path(file).is_relative_to(front)


def _traceback_places(trace: TracebackType | None) -> Iterator[tuple[str, int]]:
    """Yield the files and lines of the calls that led to an error, outermost first."""
    while trace:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
