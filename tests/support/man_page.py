"""Write the man page and the shell completions: `python -m tests.support.man_page`.

The page comes from the commands and from the table of exit codes in `docs/operators/running.md`,
the completions from click.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from judge.cli.command_index import EXAMPLES
from judge.cli.root import root

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "deploy/man/judge.1"
EXIT_CODES = ROOT / "docs/operators/running.md"
SHELLS: dict[str, type[ShellComplete]] = {  # the file that each shell looks for
    "judge.bash": BashComplete,
    "_judge": ZshComplete,
    "judge.fish": FishComplete,
}

INTRODUCTION = """\
Players send their orders by email, in their own words, and the judge replies at once with what it
understood. At the deadline it adjudicates and sends everybody the results, a map, and the reason
for every order that failed.

`judge demo` plays a year as a demonstration. `judge serve` runs the judge. The other commands are
for its operator, for gamemasters and editors, and for recorded games."""

ENVIRONMENT = {
    "JUDGE_CONFIG": "A TOML file of settings, as with `--config`.",
    "JUDGE_*": "Any setting in capitals, such as JUDGE_SMTP. It overrides the file.",
}
FILES = {
    "/etc/judge/judge.toml": "The settings, if the Debian package or the quick start was used.",
    "/var/lib/judge": "The database, with all games and emails.",
    "/var/backups/judge": "The nightly backups.",
}


def page() -> str:
    """Return the man page in the roff language."""
    return "\n".join(_lines()) + "\n"


def completions() -> dict[Path, str]:
    """Return the text of each file of completions."""
    folder = ROOT / "deploy/completions"
    return {
        folder / name: shell(root, {}, "judge", "_JUDGE_COMPLETE").source()
        for name, shell in SHELLS.items()
    }


def commands(
    command: click.Command = root, parent: click.Context | None = None
) -> Iterator[tuple[click.Context, click.Command]]:
    """Yield *command* and all below it, in the order of their names."""
    context = command.context_class(
        command,
        info_name=command.name if parent else "judge",
        parent=parent,
        **command.context_settings,
    )
    yield context, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            child.name = name
            if not child.hidden:
                yield from commands(child, context)


def _lines() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield '.\\" Written by `python -m tests.support.man_page`.'
    yield f'.TH JUDGE 1 "" "judge {project["version"]}" "User Commands"'
    yield from (".ad l", ".nh")  # no gaps between words, no hyphens in options
    yield from (".SH NAME", r"judge \- run the board game Diplomacy by email")
    yield from (".SH SYNOPSIS", r"\fBjudge\fR \fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]")
    yield ".SH DESCRIPTION"
    yield from _paragraphs(INTRODUCTION)
    yield ".SH COMMANDS"
    for context, command in commands():
        if not isinstance(command, click.Group):
            yield from _command(context, command)
    yield ".SH EXIT STATUS"
    rows = re.findall(r"^\| ([\d, ]+) \| (.*) \|$", EXIT_CODES.read_text("utf-8"), re.MULTILINE)
    for code, meaning in rows:
        yield from _entry(code, re.sub(r"\[(.*?)\]\(.*?\)", r"\1", meaning))
    for title, entries in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        yield f".SH {title}"
        for name, meaning in entries.items():
            yield from _entry(name, meaning)


def _command(context: click.Context, command: click.Command) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_roff(context.command_path)}"
    yield rf"\fB{_roff(context.command_path)}\fR {_roff(usage)}"
    yield ".PP"
    yield from _paragraphs(click.unstyle(command.help or ""))
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record and record[1] and "--help" not in option.opts:
            yield from _entry(*record)
    yield from (".PP", ".nf")
    for example in EXAMPLES[context.command_path.removeprefix("judge ")]:
        yield _roff(example)
    yield ".fi"


def _entry(name: str, meaning: str) -> Iterator[str]:
    yield from (".TP", rf"\fB{_roff(name)}\fR", _roff(" ".join(meaning.split())))


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        if number:
            yield ".PP"
        yield _roff(" ".join(paragraph.split()))


def _roff(text: str) -> str:
    """Return *text* as roff prints it literally, words in backticks as bold."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    escaped = escaped.replace("~", r"\(ti").replace("^", r"\(ha")
    bold = re.sub(r"`(.+?)`", r"\\fB\1\\fR", escaped)
    return re.sub(r"^(?=[.'])", r"\\&", bold)


if __name__ == "__main__":
    for path, text in {PAGE: page(), **completions()}.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
