"""`judge`: the table of the commands.

None is imported before it is called, because start-up is what a caller waits for.
"""

from __future__ import annotations

from importlib import import_module

import click

from judge.overriding import override

# name: (module, attribute, what `judge --help` says)
COMMANDS = {
    "adjudicate": (
        "judge.cli.adjudicate",
        "adjudicate",
        "Adjudicate positions, one a line of JSON.",
    ),
    "archive": (
        "judge.cli.archive.command",
        "archive",
        "Verify, show, convert, count and find recorded games.",
    ),
    "check": ("judge.cli.check", "check", "Look whether the configuration is sound."),
    "demo": (
        "judge.cli.demo.command",
        "demo",
        "Play the year 1901 by mail, to see how it goes.",
    ),
    "game": ("judge.cli.game", "game", "Create games, look at them, move deadlines."),
    "rulebook": (
        "judge.cli.rulebook",
        "rulebook",
        "Show what each rulebook chooses, and where two differ.",
    ),
    "serve": ("judge.cli.serve", "serve", "Run the judge."),
    "log": ("judge.cli.log", "log", "Show the log of a game, or verify it."),
}


class Commands(click.Group):
    """A group whose commands are imported on call."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][2]) for name in self.list_commands(ctx)])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem-judge", message="judge %(version)s")
def root() -> None:
    """Run the board game Diplomacy by e-mail."""
