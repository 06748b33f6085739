"""`judge`: its help and its entry point."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from shlex import split

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from judge.cli.command_index import EXAMPLES, CommandEntry, commands_of
from judge.cli.root import root
from judge.cli.terminal import USAGE

HEAVY = ("pydantic", "sqlalchemy", "rich", "jinja2", "apscheduler", "rapidfuzz")


def loaded_by(*arguments: str) -> set[str]:
    """Return the top-level modules that `judge` with *arguments* has loaded when it ends."""
    program = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    run = subprocess.run(
        [sys.executable, "-c", f"{program}; from judge.__main__ import main; main()", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return {module.partition(".")[0] for module in run.stderr.split()}


def test_a_command_runs_with_the_garbage_collector_which_skips_its_modules() -> None:
    tell = "lambda: print(gc.isenabled(), gc.get_freeze_count())"
    program = f"import atexit, gc; atexit.register({tell})"
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{program}; from judge.__main__ import main; main()",
            "adjudicate",
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    enabled, frozen = run.stdout.split()
    assert (enabled, int(frozen) > 10_000) == ("True", True)


def test_help_names_every_command() -> None:
    told = CliRunner().invoke(root, ["--help"]).stdout

    assert all(f"\n  {name} " in told for name in commands_of())


@pytest.mark.parametrize("name", commands_of())
def test_every_command_can_be_asked_for_help(name: str) -> None:
    assert CliRunner().invoke(root, [name, "--help"]).exit_code == 0


@pytest.mark.parametrize("arguments", [("conquer",), ("--conquer",), ("game", "conquer")])
def test_an_unknown_command_is_a_wrong_usage(arguments: tuple[str, ...]) -> None:
    run = subprocess.run(  # alone, without importing the other commands
        [sys.executable, "-m", "judge", *arguments], capture_output=True, check=False
    )

    assert run.returncode == USAGE


def test_help_and_adjudicate_start_without_what_only_a_daemon_needs() -> None:
    assert not loaded_by("--help") & set(HEAVY)
    assert not loaded_by("adjudicate") & set(HEAVY)
    assert not loaded_by("archive", "--help") & set(HEAVY)
    assert not loaded_by("game", "--help") & set(HEAVY)


@pytest.mark.parametrize(
    "entry", [*commands_of("game").values(), *commands_of("variant").values()]
)
def test_the_help_of_a_group_has_the_first_sentence_of_each_command(entry: CommandEntry) -> None:
    command = getattr(import_module(entry.module), entry.attribute)

    assert entry.summary == command.get_short_help_str(limit=200)


def test_an_interruption_gives_an_exit_code_instead_of_a_signal(
    tmp_path: Path,
) -> None:
    (tmp_path / "interrupted.py").write_text("""\
import sys
from judge import __main__
from judge.cli import root

def aborted(**_):
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        sys.exit(1)

root.root = aborted
__main__.main()
""")

    run = subprocess.run([sys.executable, "-m", "interrupted"], cwd=tmp_path, check=False)

    assert run.returncode == 1


READS_OF_GAMES = frozenset({"list", "players", "rules", "show"})
WRITES = frozenset(  # commands that write or run need no JSON
    {
        *("archive convert", "demo", "desk", "setup", "serve", "replay", "report"),
        *(f"game {name}" for name in commands_of("game").keys() - READS_OF_GAMES),
        *("inbox discard", "inbox export", "inbox retry", "outbox discard", "outbox retry"),
        *("log accept", "log export", "log import", "player new-tokens", "templates export"),
        *(
            "variant draw",
            "variant import",
            "variant new",
            "dkim new",
            "dkim rotate",
            "backup-key",
        ),
        *("log publish", "log rebuild", "receive", "intent add"),
    }
)
ALWAYS_JSON = frozenset({"adjudicate", "orders read"})


def leaves(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield the name and command of each command that is not a group."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for each in command.list_commands(context):
        found = command.get_command(context, each)
        assert found
        yield from leaves(found, f"{name} {each}".strip())


def test_every_command_that_reads_has_json() -> None:
    commands = dict(leaves(root))
    with_json = {
        name
        for name, command in commands.items()
        if any("--json" in each.opts for each in command.params)
    }

    assert commands.keys() >= WRITES | ALWAYS_JSON
    assert commands.keys() - with_json - WRITES == ALWAYS_JSON


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("adjudicat x", "adjudicate"),
        ("game lst", "list"),
        ("inbox shwo 1", "show"),
        ("verify games", "archive verify or log verify or receipt verify"),
    ],
)
def test_a_mistyped_command_is_suggested(line: str, meant: str) -> None:
    said = CliRunner().invoke(root, line.split())

    assert said.exit_code == USAGE
    assert f"Did you mean {meant}?" in said.stderr


def test_nothing_is_suggested_that_is_not_like_it() -> None:
    assert "Did you mean" not in CliRunner().invoke(root, ["xyzzy"]).stderr


COMMANDS_BY_NAME = dict(leaves(root))


@pytest.mark.parametrize("name", [name for name in COMMANDS_BY_NAME if name in EXAMPLES])
def test_the_examples_in_the_help_of_a_command_are_command_lines(name: str) -> None:
    said = CliRunner().invoke(root, [*name.split(), "--help"])
    command = COMMANDS_BY_NAME[name]

    for example in EXAMPLES[name]:
        assert f"  {example}" in said.output
        words = split(re.split(r" [<|] ", example)[0])
        assert words[: 1 + len(name.split())] == ["judge", *name.split()]
        given = words[1 + len(name.split()) :]
        context = command.context_class(command, info_name=name)
        values, rest, _ = command.make_parser(context).parse_args(list(given))
        assert rest == []
        required = [each for each in command.params if each.required]
        assert [each.name for each in required if values.get(each.name or "") in {None, ()}] == []


def test_every_command_has_an_example() -> None:
    hidden = {name for name, command in COMMANDS_BY_NAME.items() if command.hidden}

    assert COMMANDS_BY_NAME.keys() - hidden - EXAMPLES.keys() == set()
    assert EXAMPLES.keys() - COMMANDS_BY_NAME.keys() <= {"receive"}


def completed(*words: str) -> list[str]:
    """Return what a shell offers for the last of *words*."""
    offered = ShellComplete(root, {}, "judge", "_JUDGE_COMPLETE")
    return [each.value for each in offered.get_completions([*words[:-1]], words[-1])]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("game", "new", "x", "--variant", "you"), ["youngstown", "youngstown-redux"]),
        (("variant", "show", "fva"), ["fva"]),
        (("archive", "verify", "--variant", "fva"), ["fva"]),
        (("rulebook", "show", "197"), ["1971", "1976"]),
        (("game", "new", "x", "--rulebook", "datc"), ["datc"]),
        (("rulebook", "diff", "datc", "1982,convoy_para"), ["1982,convoy_paradoxes="]),
    ],
)
def test_names_of_variants_and_rulebooks_are_completed(
    words: tuple[str, ...], offered: list[str]
) -> None:
    assert completed(*words) == offered
