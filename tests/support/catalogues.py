"""Compare the templates with their catalogues; as a program, update the catalogues.

`python -m tests.support.catalogues` puts new messages into every catalogue, without a translation,
takes those out that nothing says any more, and lists what is to be translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from jinja2 import nodes
from jinja2.ext import babel_extract

from judge.app.commands.table import ALL_COMMANDS
from judge.reports.emails.help_pages import FORMS, TOPICS, as_sentence
from judge.reports.languages import CATALOGUE, SOURCE, languages, paragraphs
from judge.reports.operator_templates import REPORTS
from judge.reports.render import template_environment
from judge.reports.report_formats import format_environment
from judge.resources import folder

TEMPLATES = folder("templates")
ROOT = TEMPLATES.parent
FUNCTIONS = ("_", "pgettext", "ngettext")
SPOKEN = {"translate": (2,)}  # in Python, the second is the message
COLUMNS = 98
IN_WORDS = re.compile(r"\b[a-z]{2,}\b|^[A-Z][a-z]+:$")  # commands alone are in English
MARKUP = re.compile(r"<(style|script).*?</\1>|<[^<>]*>|&#?\w+;", re.DOTALL)
SHOWN = re.compile(r'\b(?:aria-label|alt|title|placeholder)="([^"]*)"')  # of attributes
SENTENCE = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")  # in a value; one word may be a key
WORD = re.compile(r"[A-Za-z]*[a-z][A-Za-z]+")  # what is all in capitals is a command


def messages() -> Catalog:
    """Return all that templates say, and the pages of help, a message each paragraph."""
    catalogue = Catalog()
    for file, words, context in _found():
        name = file.relative_to(ROOT).as_posix()
        catalogue.add(words, locations=[(name, 0)], context=context)
    return catalogue


def catalogue_of(language: str) -> Catalog:
    with file_of(language).open("rb") as opened:
        return read_po(opened, locale=language)


def file_of(language: str) -> Path:
    return TEMPLATES / CATALOGUE.format(language)


def forms_of(message: Message) -> tuple[str, ...]:
    """Return the words of *message*, those for one and those for several apart."""
    said = message.string or ""  # of a new one there is none
    return (said,) if isinstance(said, str) else tuple(map(str, said))


def untranslated(catalogue: Catalog) -> list[Message]:
    """Return the messages of *catalogue* that have no words, or unapproved ones."""
    return [each for each in catalogue if each.id and (each.fuzzy or not all(forms_of(each)))]


def unsaid(template: Path) -> list[str]:
    """Return the words that *template* writes without a message, so untranslatable."""
    name = template.relative_to(TEMPLATES).as_posix()
    reading = format_environment("text") if name.startswith(REPORTS) else template_environment()
    tree = reading.parse(template.read_text(encoding="utf-8"), name)
    written = "\0".join(each.data for each in tree.find_all(nodes.TemplateData))
    shown = " ".join([MARKUP.sub(" ", written), *SHOWN.findall(written)])
    messages = {
        id(words)
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name in FUNCTIONS
        for words in call.find_all(nodes.Const)
    }
    built = (
        each.value
        for each in tree.find_all(nodes.Const)
        if id(each) not in messages and isinstance(each.value, str)
    )
    return [*WORD.findall(shown), *filter(SENTENCE.search, built)]


def _found() -> Iterator[tuple[Path, str | tuple[str, ...], str | None]]:
    for file in sorted(TEMPLATES.rglob("*.j2")):
        with file.open("rb") as opened:
            for _, function, found, _ in babel_extract(opened, FUNCTIONS, [], {}):
                told = (found,) if isinstance(found, str) else found or ()
                words = [each for each in told if each]
                context = words.pop(0) if function == "pgettext" else None
                yield file, tuple(words) if function == "ngettext" else words[0], context
    yield from ((file, each, None) for file, each in _help() if IN_WORDS.search(each))
    for file in sorted((ROOT / "judge" / "reports").rglob("*.py")):
        with file.open("rb") as opened:
            for _, said, _, _ in extract("python", opened, SPOKEN):
                assert isinstance(said, str), file
                yield file, said, None


def _help() -> Iterator[tuple[Path, str]]:
    """Yield the messages of HELP: of its texts, and of the forms of commands that it lists."""
    with_forms = set()
    for file in sorted((TEMPLATES / "help").glob("*.txt")):
        for message in chain.from_iterable(paragraphs(file.read_text(encoding="utf-8"))):
            if message == FORMS:
                with_forms.add(file.stem)
            else:
                yield file, message
    for command in ALL_COMMANDS:
        module = ROOT / "judge" / "app" / "commands" / "table.py"
        for form in command.forms:
            if command.topic in with_forms or command.topic not in TOPICS:
                yield module, form.shown
            if command.topic not in TOPICS:
                yield module, as_sentence(form.does)


def update(language: str) -> list[Message]:
    """Bring the catalogue of *language* up to date; return what is to be translated."""
    catalogue = catalogue_of(language)
    catalogue.update(messages(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    with file_of(language).open("wb") as opened:
        write_po(opened, catalogue, width=COLUMNS, sort_output=True, include_lineno=False)
    return untranslated(catalogue)


if __name__ == "__main__":
    for language in languages():
        if language != SOURCE:
            for message in update(language):
                print(f"{language}: {message.id}")  # noqa: T201 - a program for its reader
