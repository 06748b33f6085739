"""Ask the installed judge for the help of every command, and import each of its modules.

`python installed.py [EXTRA]...` names the extras that are installed. It runs in the environment
of a wheel, without test tools and away from the sources.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import click
from click.testing import CliRunner

import judge
from judge.cli.root import root

GUARDED = {  # modules that their users import only if the extra is there
    "judge.adapters.archive.cluster": "cluster",
    "judge.adapters.archive.parquet": "parquet",
    "judge.reports.docx": "docx",
    "judge.reports.pdf": "pdf",
}
INCLUDED = {"cluster": {"cluster", "parquet"}}  # extras with others in them
SCRIPTS = {"judge.__main__", "judge.adapters.migrations.env"}  # run by Python and by Alembic


def commands(group: click.Group, *before: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command below *group*, hidden ones too."""
    yield before
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, *before, name)
        else:
            yield *before, name


def main(extras: set[str]) -> None:
    """Raise if a command has no help, or if a module is there without its extra or not with it."""
    there = set[str]().union(*(INCLUDED.get(each, {each}) for each in extras))
    asked = list(commands(root))
    for words in asked:
        told = CliRunner().invoke(root, [*words, "--help"], catch_exceptions=False)
        assert told.exit_code == 0, (words, told.output)
    packages = walk_packages(judge.__path__, "judge.")
    names = [module.name for module in packages if module.name not in SCRIPTS]
    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError:
            if name not in GUARDED or GUARDED[name] in there:
                raise
        else:
            assert GUARDED.get(name) in {None, *there}, f"{name} needs no extra"
    print(f"{len(asked)} commands have help, and {len(names)} modules can be imported")  # noqa: T201 - its report


if __name__ == "__main__":
    main(set(sys.argv[1:]))
