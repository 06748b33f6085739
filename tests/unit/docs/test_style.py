"""Everything people read is plain English: documentation, templates, command line.

Words a person writes in code (`like this`) and generated tables are left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from babel.messages.catalog import Message

from judge.cli.root import root
from tests.support.catalogues import messages

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "deploy/*.md", "events/*.md", ".github/**/*.md")
    for path in ROOT.glob(pattern)
)
MODULES = [
    *sorted((ROOT / "judge/cli").rglob("*.py")),
    *sorted((ROOT / "judge/adapters/web").rglob("*.py")),
    ROOT / "judge/settings.py",
]
TEMPLATES = ("desk", "help", "mail", "reports", "replay", "zine")
FORBIDDEN = {
    "a statement that begins with Who, Whose, What or Whoever": re.compile(
        r"(?:^|[.!:] |- |\| )(?:Who|Whose|What|Whoever) [^?\n|]*[.|]", re.MULTILINE
    ),
    "he or his for a person": re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
    "a mail, mails: write email": re.compile(
        r"\b[Aa] mail\b(?! server| client| program| catcher| command)|\b(?<!/)[Mm]ails\b|\be-mail"
    ),
    "a word of another century": re.compile(
        r"\b(?:wont|slips? of the pen|in his turn|falls? into|asked back|hangs on|so that"
        r"|do(?:es)? without)\b"
    ),
    "another word for a province, a goal, a path or a strength": re.compile(
        r"\b(?:regions?|territor(?:y|ies)|voyages?|goals?|muster\w*|stranded|clash\w*|overcomes?)\b"
    ),
    "another word for a moderator, a player, entering or leaving": re.compile(
        r"\b(?:master|holders?|let in|takes? off|leaves? the table|unheard)\b"
    ),
    "another word for quarantine or an auto-reply": re.compile(
        r"\b(?:set aside|machine-written)\b"
    ),
}
CODE = re.compile(r"^```.*?^```|<!-- generated.*?<!-- end -->|`[^`\n]*`", re.DOTALL | re.MULTILINE)
RIDDLE = re.compile(
    r"(?:Let|Tell|Say|See|What|Who|Whose|Whoever|Where|How|When|Which|Whether|If)\b"
)
each_forbidden = pytest.mark.parametrize("forbidden", FORBIDDEN)


def found(forbidden: str, words: str) -> list[str]:
    return [each.group() for each in FORBIDDEN[forbidden].finditer(CODE.sub("", words))]


@cache
def all_messages() -> tuple[Message, ...]:
    return tuple(messages())


def found_in_templates(forbidden: str, folder: str) -> list[str]:
    return [
        one
        for message in all_messages()
        if message.id and folder in folders_of(message)
        for words in ((message.id,) if isinstance(message.id, str) else message.id)
        for one in found(forbidden, words)
    ]


def folders_of(message: Message) -> set[str]:
    """Return the folders of *message*: those below `templates`, or `reports` for code."""
    return {Path(name).parts[1] for name, _ in message.locations}


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the path and the help of *command* and of all below it."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, click.Context(inner, info_name=name, parent=context))


HELP = dict(commands(root, click.Context(root, info_name="judge")))


@cache
def spoken(module: Path) -> str:
    """Return the strings of *module* but its docstrings, which the help of commands covers."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        ast.get_docstring(each, clean=False)
        for each in ast.walk(tree)
        if isinstance(each, documented)
    }
    strings = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
    return "\n".join(each for each in strings if isinstance(each, str) and each not in docstrings)


@each_forbidden
def test_the_documentation_is_plain(forbidden: str) -> None:
    wrong = {page: found(forbidden, page.read_text(encoding="utf-8")) for page in PAGES}

    assert {page: each for page, each in wrong.items() if each} == {}


@each_forbidden
def test_templates_are_plain(forbidden: str) -> None:
    wrong = {folder: found_in_templates(forbidden, folder) for folder in TEMPLATES}

    assert {folder: each for folder, each in wrong.items() if each} == {}


@each_forbidden
def test_the_help_of_the_command_line_is_plain(forbidden: str) -> None:
    wrong = {path: found(forbidden, text) for path, text in HELP.items()}

    assert {path: each for path, each in wrong.items() if each} == {}


@each_forbidden
def test_errors_and_findings_are_plain(forbidden: str) -> None:
    wrong = {module: found(forbidden, spoken(module)) for module in MODULES}

    assert {module: each for module, each in wrong.items() if each} == {}


def docstrings(module: Path) -> list[str]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(each) for each in ast.walk(tree) if isinstance(each, documented))
    return [each for each in found if each]


@pytest.mark.parametrize("part", ["judge", pytest.param("tests", marks=pytest.mark.gate)])
def test_docstrings_are_plain(part: str) -> None:
    wrong = {
        f"{module.relative_to(ROOT)}: {each}"
        for module in sorted((ROOT / part).rglob("*.py"))
        for each in docstrings(module)
        if RIDDLE.match(each) or found("he or his for a person", each)
    }

    assert wrong == set()
