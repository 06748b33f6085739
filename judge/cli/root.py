"""`judge` and `judge archive`: tables of commands whose modules are imported when called."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click

from judge.cli.command_group import CommandGroup
from judge.cli.terminal import INTERRUPTED


class CommandEntry(NamedTuple):
    """The module of a command, and its line in the help of its group."""

    module: str
    attribute: str
    summary: str


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


ARCHIVE_PACKAGE = "judge.cli.archive"

ARCHIVE_COMMANDS = {
    "convert": CommandEntry(
        f"{ARCHIVE_PACKAGE}.convert", "convert", "Convert recorded games to another format."
    ),
    "index": CommandEntry(
        f"{ARCHIVE_PACKAGE}.search", "index", "Add recorded games to a catalogue."
    ),
    "search": CommandEntry(f"{ARCHIVE_PACKAGE}.search", "search", "Find games in a catalogue."),
    "show": CommandEntry(
        f"{ARCHIVE_PACKAGE}.show", "show", "Show recorded games, or a phase as a picture."
    ),
    "stats": CommandEntry(
        f"{ARCHIVE_PACKAGE}.stats", "stats", "Count what happens in recorded games."
    ),
    "verify": CommandEntry(
        f"{ARCHIVE_PACKAGE}.verify", "verify", "Adjudicate recorded games again and compare."
    ),
}


@click.group(cls=LazyGroup, table=ARCHIVE_COMMANDS)
def archive() -> None:
    """Verify, show, convert, count and find recorded games of many formats."""


GAMES = "judge.cli.games"

GAME_COMMANDS = {
    "admit": CommandEntry(
        f"{GAMES}.moderation",
        "admit",
        "Admit the player at ADDRESS, who asked to join, and tell them by email.",
    ),
    "begin": CommandEntry(
        f"{GAMES}.moderation", "begin", "Start a game with the players who have joined."
    ),
    "branch": CommandEntry(
        f"{GAMES}.game_import",
        "branch",
        "Create a new game from the position of GAME before a phase, without its orders.",
    ),
    "correct": CommandEntry(f"{GAMES}.moderation", "correct", "Correct the open phase's board."),
    "dummy": CommandEntry(
        f"{GAMES}.moderation",
        "dummy",
        "Make POWER a dummy: it is in civil disorder, and the game does not wait for it.",
    ),
    "eject": CommandEntry(
        f"{GAMES}.moderation",
        "eject",
        "Remove the player of POWER, which others can then take over.",
    ),
    "export": CommandEntry(
        f"{GAMES}.game_import",
        "export",
        "Export the public part of a game in a format of `judge archive`, without its players.",
    ),
    "extend": CommandEntry(
        f"{GAMES}.game_command", "extend", "Move the deadline of the open phase."
    ),
    "import": CommandEntry(
        f"{GAMES}.game_import",
        "import_game",
        "Import the recorded game in FILE, finished or to be continued.",
    ),
    "list": CommandEntry(f"{GAMES}.game_command", "list_games", "List all games."),
    "moderator": CommandEntry(
        f"{GAMES}.moderation", "moderator", "Make the person at ADDRESS the moderator of a game."
    ),
    "new": CommandEntry(f"{GAMES}.game_command", "new", "Create a game."),
    "password": CommandEntry(
        f"{GAMES}.moderation",
        "password",
        "Set the password of a game with entry=password to the first line of FILE.",
    ),
    "pause": CommandEntry(
        f"{GAMES}.moderation",
        "pause",
        "Pause a game: its clock stops, but the judge still takes press and orders.",
    ),
    "players": CommandEntry(
        f"{GAMES}.game_command",
        "players",
        "Show the players of a game with names and addresses, unless its moderator plays.",
    ),
    "press": CommandEntry(
        f"{GAMES}.game_command", "press", "Send press to every player of a game."
    ),
    "process": CommandEntry(
        f"{GAMES}.game_command", "process", "Close the open phase now with the orders received."
    ),
    "refuse": CommandEntry(
        f"{GAMES}.moderation",
        "refuse",
        "Refuse the player at ADDRESS, who asked to join, and tell them by email.",
    ),
    "resume": CommandEntry(
        f"{GAMES}.moderation", "resume", "Resume a paused game with the time that was left."
    ),
    "rollback": CommandEntry(f"{GAMES}.moderation", "rollback", "Reopen an earlier phase."),
    "rollforward": CommandEntry(
        f"{GAMES}.moderation",
        "rollforward",
        "Undo the last rollback, or several in a row, if nothing was played since.",
    ),
    "rules": CommandEntry(
        f"{GAMES}.moderation", "rules", "Show or change the house rules of a game."
    ),
    "seat": CommandEntry(
        f"{GAMES}.game_command",
        "seat",
        "Give a vacant POWER of a game to the player at ADDRESS and tell them by email.",
    ),
    "show": CommandEntry(
        f"{GAMES}.game_command", "show", "Show a game, its position and which powers must order."
    ),
    "terminate": CommandEntry(f"{GAMES}.moderation", "terminate", "End a game without a result."),
    "unstart": CommandEntry(
        f"{GAMES}.moderation",
        "unstart",
        "Reopen the sign-up of a game in its first phase: powers are taken back until it begins.",
    ),
}


@click.group(cls=LazyGroup, table=GAME_COMMANDS)
def game() -> None:
    """Create, show and moderate games."""


VARIANTS = "judge.cli.variant"

VARIANT_COMMANDS = {
    "check": CommandEntry(
        VARIANTS, "check", "Check a variant: that in FOLDER, or else the one of that NAME."
    ),
    "draw": CommandEntry(
        VARIANTS,
        "draw",
        "Draw the board of a variant from its borders, and write board.json in its folder.",
    ),
    "import": CommandEntry(
        VARIANTS,
        "import_variant",
        "Import a board from FILE and write it as the folder of a variant.",
    ),
    "list": CommandEntry(
        VARIANTS,
        "list_variants",
        "List the variants: name, powers, provinces, centers and how many of them win.",
    ),
    "new": CommandEntry(
        VARIANTS, "new", "Start a new variant in FOLDER: a small sound one, to be edited."
    ),
    "show": CommandEntry(
        VARIANTS,
        "show",
        "Show a variant: its powers with what they start with, its calendar, rules and doubts.",
    ),
}


@click.group(cls=LazyGroup, table=VARIANT_COMMANDS)
def variant() -> None:
    """List, show, check, draw, import and start variants: boards other than the standard one."""


COMMANDS = {
    "adjudicate": CommandEntry(
        "judge.cli.adjudicate",
        "adjudicate",
        "Adjudicate positions given as JSON lines.",
    ),
    "archive": CommandEntry(
        "judge.cli.root",
        "archive",
        "Verify, show, convert, count and find recorded games.",
    ),
    "backup": CommandEntry(
        "judge.cli.operator.backup", "backup", "Write a backup of everything the judge keeps."
    ),
    "backup-key": CommandEntry(
        "judge.cli.operator.backup", "backup_key", "Make a key for encrypted backups."
    ),
    "check": CommandEntry("judge.cli.operator.check", "check", "Check the configuration."),
    "demo": CommandEntry(
        "judge.cli.demo",
        "demo",
        "Play the year 1901 by email as a demonstration.",
    ),
    "desk": CommandEntry(
        "judge.cli.operator.serve", "desk", "Open the moderator's web page on this machine."
    ),
    "dkim": CommandEntry(
        "judge.cli.operator.dkim", "dkim", "Make, show and rotate the keys that sign emails."
    ),
    "doctor": CommandEntry(
        "judge.cli.operator.check",
        "doctor",
        "Check the judge and its machine, and suggest fixes.",
    ),
    "forget": CommandEntry("judge.cli.operator.player", "forget", "Erase a person's data."),
    "game": CommandEntry("judge.cli.root", "game", "Create, show and moderate games."),
    "inbox": CommandEntry(
        "judge.cli.operator.inbox_command",
        "inbox",
        "Show, retry, export and discard incoming emails.",
    ),
    "intent": CommandEntry(
        "judge.cli.operator.intent",
        "intent",
        "Try how sentences are read as wishes, and add examples of your own.",
    ),
    "orders": CommandEntry(
        "judge.cli.orders_command", "orders", "Read orders as the judge reads them in an email."
    ),
    "outbox": CommandEntry(
        "judge.cli.operator.outbox_command",
        "outbox",
        "Show, retry and discard outgoing emails.",
    ),
    "player": CommandEntry(
        "judge.cli.operator.player",
        "player",
        "Show a player's addresses; invalidate reply tokens.",
    ),
    "report": CommandEntry(
        "judge.cli.games.report",
        "report",
        "Write a report of a game for a zine, a forum or paper.",
    ),
    "templates": CommandEntry(
        "judge.cli.operator.own_templates",
        "templates",
        "Copy the judge's templates, to edit them.",
    ),
    "replay": CommandEntry(
        "judge.cli.games.report", "replay", "Write an HTML page that replays a game."
    ),
    "receive": CommandEntry(
        "judge.cli.operator.receive",
        "receive",
        "Hand one email from a mail server's pipe to the running judge.",
    ),
    "receipt": CommandEntry(
        "judge.cli.receipt", "receipt", "Check that the judge used the orders in your receipts."
    ),
    "restore": CommandEntry(
        "judge.cli.operator.backup", "restore", "Restore a backup into an empty store."
    ),
    "rulebook": CommandEntry(
        "judge.cli.rulebooks",
        "rulebook",
        "Show the choices of rulebooks and compare them.",
    ),
    "serve": CommandEntry("judge.cli.operator.serve", "serve", "Run the judge."),
    "setup": CommandEntry(
        "judge.cli.operator.setup", "setup", "Ask five questions, and write the settings."
    ),
    "variant": CommandEntry(
        "judge.cli.root", "variant", "List, show, check, draw, import and start variants."
    ),
    "status": CommandEntry(
        "judge.cli.operator.serve", "status", "Show what is waiting and what failed."
    ),
    "log": CommandEntry("judge.cli.operator.log", "log", "Show or verify the log of a game."),
}


@click.group(
    cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="pbem-judge", message="judge %(version)s")
def root() -> None:
    """Run the board game Diplomacy by email."""
