"""A group whose commands are imported on call: start-up is what a caller waits for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click

from judge.overriding import override


class Entry(NamedTuple):
    """Where a command is to be found, and what the help of its group says of it."""

    module: str
    attribute: str
    summary: str


class Commands(click.Group):
    """A group with a *table* of commands by name."""

    def __init__(self, *args: object, table: Mapping[str, Entry], **settings: object) -> None:
        super().__init__(*args, **settings)  # type: ignore[arg-type]  # what click.group hands on
        self.table = table

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.table)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        entry = self.table[cmd_name]
        command = getattr(import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.table[name].summary) for name in sorted(self.table)])
