"""`judge` and `judge archive`: tables of commands whose modules are imported when called."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from importlib import import_module

import click

from judge.cli.command_group import CommandGroup
from judge.cli.command_index import CommandEntry, commands_of
from judge.cli.terminal import INTERRUPTED


def end_loading() -> None:
    """Start the garbage collector if it was stopped, and keep it from the modules loaded so far.

    They are never garbage. To go through them takes a tenth of a start, and again at the end.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


class LazyGroup(CommandGroup):
    """A group with a *table* of commands by name."""

    def __init__(
        self, *args: object, table: Mapping[str, CommandEntry], **settings: object
    ) -> None:
        super().__init__(*args, **settings)  # type: ignore[arg-type]  # what click.group hands on
        self.table = table

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; if Ctrl-C ends it, also at a question, exit as shells expect."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort) as error:
            if not any(isinstance(each, KeyboardInterrupt) for each in (error, error.__context__)):
                raise
            click.echo("\nAborted!", err=True)
            raise SystemExit(INTERRUPTED) from None

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click gives it
        return sorted(self.table)

    def find_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click gives it
        if cmd_name not in self.table:
            return None
        entry = self.table[cmd_name]
        command = getattr(import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        if not isinstance(command, click.Group):
            end_loading()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click gives it
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.table[name].summary) for name in sorted(self.table)])


@click.group(cls=LazyGroup, table=commands_of("archive"))
def archive() -> None:
    """Verify, show, convert, count and find recorded games of many formats."""


@click.group(cls=LazyGroup, table=commands_of("game"))
def game() -> None:
    """Create, show and moderate games."""


@click.group(cls=LazyGroup, table=commands_of("variant"))
def variant() -> None:
    """List, show, check, draw, import and start variants: boards other than the standard one."""


@click.group(
    cls=LazyGroup, table=commands_of(), context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="pbem-judge", message="judge %(version)s")
def root() -> None:
    """Run the board game Diplomacy by email."""
