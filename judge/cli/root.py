"""`judge` and `judge archive`: tables of commands whose modules are imported when called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click

from judge.overriding import override


class CommandEntry(NamedTuple):
    """Where a command is to be found, and what the help of its group says of it."""

    module: str
    attribute: str
    summary: str


class LazyGroup(click.Group):
    """A group with a *table* of commands by name."""

    def __init__(
        self, *args: object, table: Mapping[str, CommandEntry], **settings: object
    ) -> None:
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


ARCHIVE_PACKAGE = "judge.cli.archive"

ARCHIVE_COMMANDS = {
    "convert": CommandEntry(
        f"{ARCHIVE_PACKAGE}.convert", "convert", "Write recorded games in another format."
    ),
    "index": CommandEntry(
        f"{ARCHIVE_PACKAGE}.index", "index", "Keep a catalogue of recorded games."
    ),
    "search": CommandEntry(f"{ARCHIVE_PACKAGE}.search", "search", "Find games in a catalogue."),
    "show": CommandEntry(
        f"{ARCHIVE_PACKAGE}.show", "show", "Show recorded games, or a phase as a picture."
    ),
    "stats": CommandEntry(
        f"{ARCHIVE_PACKAGE}.stats", "stats", "Count what happens in recorded games."
    ),
    "verify": CommandEntry(
        f"{ARCHIVE_PACKAGE}.verify", "verify", "Adjudicate again, and compare with the record."
    ),
}


@click.group(cls=LazyGroup, table=ARCHIVE_COMMANDS)
def archive() -> None:
    """Read recorded games of many formats: verify, show, convert, count and find them."""


COMMANDS = {
    "adjudicate": CommandEntry(
        "judge.cli.adjudicate",
        "adjudicate",
        "Adjudicate positions, one a line of JSON.",
    ),
    "archive": CommandEntry(
        "judge.cli.root",
        "archive",
        "Verify, show, convert, count and find recorded games.",
    ),
    "backup": CommandEntry(
        "judge.cli.operator.backup", "backup", "Write all that the judge keeps to a file."
    ),
    "check": CommandEntry(
        "judge.cli.operator.check", "check", "Look whether the configuration is sound."
    ),
    "demo": CommandEntry(
        "judge.cli.demo.play",
        "demo",
        "Play the year 1901 by mail, to see how it goes.",
    ),
    "desk": CommandEntry(
        "judge.cli.operator.serve", "desk", "Open a page to look after games, on this machine."
    ),
    "doctor": CommandEntry(
        "judge.cli.operator.doctor",
        "doctor",
        "Look whether the judge and its machine are well, and what to do.",
    ),
    "forget": CommandEntry(
        "judge.cli.operator.player", "forget", "Erase a person from all that is kept."
    ),
    "game": CommandEntry(
        "judge.cli.games.game_command", "game", "Create games, look at them, move deadlines."
    ),
    "inbox": CommandEntry(
        "judge.cli.operator.inbox_command",
        "inbox",
        "Look after the mails that came in: show, retry, export, discard.",
    ),
    "orders": CommandEntry(
        "judge.cli.orders_command", "orders", "Read orders as the judge reads them in an email."
    ),
    "player": CommandEntry(
        "judge.cli.operator.player", "player", "Look after a player: addresses, tokens."
    ),
    "report": CommandEntry(
        "judge.cli.games.report", "report", "Report a game, for a zine, a forum or paper."
    ),
    "templates": CommandEntry(
        "judge.cli.operator.own_templates",
        "templates",
        "Take out the words of the judge, to edit them.",
    ),
    "replay": CommandEntry("judge.cli.games.report", "replay", "Make a page that replays a game."),
    "receipt": CommandEntry(
        "judge.cli.receipt", "receipt", "Check that the orders judged are those of receipts."
    ),
    "restore": CommandEntry(
        "judge.cli.operator.backup", "restore", "Fill an empty store from a backup."
    ),
    "rulebook": CommandEntry(
        "judge.cli.rulebooks",
        "rulebook",
        "Show what each rulebook chooses, and where two differ.",
    ),
    "serve": CommandEntry("judge.cli.operator.serve", "serve", "Run the judge."),
    "status": CommandEntry(
        "judge.cli.operator.serve", "status", "Say how the judge is: what waits, what failed."
    ),
    "log": CommandEntry("judge.cli.operator.log", "log", "Show the log of a game, or verify it."),
}


@click.group(
    cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="pbem-judge", message="judge %(version)s")
def root() -> None:
    """Run the board game Diplomacy by e-mail."""
