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


def commands_in(module: str, **summaries: str) -> dict[str, CommandEntry]:
    """Return the commands of *module* by name, given as its attributes with their summaries.

    An attribute that may not have the name of its command ends in `_command`.
    """
    return {
        attribute.removesuffix("_command").replace("_", "-"): CommandEntry(module, attribute, said)
        for attribute, said in summaries.items()
    }


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


ARCHIVE_COMMANDS = {
    **commands_in(
        "judge.cli.archive.convert", convert="Convert recorded games to another format."
    ),
    **commands_in(
        "judge.cli.archive.search",
        index="Add recorded games to a catalogue.",
        search="Find games in a catalogue.",
    ),
    **commands_in("judge.cli.archive.show", show="Show recorded games, or a phase as a picture."),
    **commands_in("judge.cli.archive.stats", stats="Count what happens in recorded games."),
    **commands_in(
        "judge.cli.archive.verify", verify="Adjudicate recorded games again and compare."
    ),
}


@click.group(cls=LazyGroup, table=ARCHIVE_COMMANDS)
def archive() -> None:
    """Verify, show, convert, count and find recorded games of many formats."""


GAME_COMMANDS = {
    **commands_in(
        "judge.cli.games.moderation",
        admit="Admit the player at ADDRESS, who asked to join, and tell them by email.",
        begin="Start a game with the players who have joined.",
        correct="Correct the open phase's board.",
        dummy="Make POWER a dummy: it is in civil disorder, and the game does not wait for it.",
        eject="Remove the player of POWER, which others can then take over.",
        moderator="Make the person at ADDRESS the moderator of a game.",
        password="Set the password of a game with entry=password to the first line of FILE.",  # noqa: S106 - no password
        pause="Pause a game: its clock stops, but the judge still takes press and orders.",
        refuse="Refuse the player at ADDRESS, who asked to join, and tell them by email.",
        resume="Resume a paused game with the time that was left.",
        rollback="Reopen an earlier phase.",
        rollforward="Undo the last rollback, or several in a row, if nothing was played since.",
        rules="Show or change the house rules of a game.",
        terminate="End a game without a result.",
        unstart=(
            "Reopen the sign-up of a game in its first phase: "
            "powers are taken back until it begins."
        ),
    ),
    **commands_in(
        "judge.cli.games.game_import",
        branch="Create a new game from the position of GAME before a phase, without its orders.",
        export=(
            "Export the public part of a game in a format of `judge archive`, without its players."
        ),
        import_command="Import the recorded game in FILE, finished or to be continued.",
    ),
    **commands_in(
        "judge.cli.games.game_command",
        extend="Move the deadline of the open phase.",
        new="Create a game.",
        players="Show the players of a game with names and addresses, unless its moderator plays.",
        press="Send press to every player of a game.",
        process="Close the open phase now with the orders received.",
        seat="Give a vacant POWER of a game to the player at ADDRESS and tell them by email.",
        show="Show a game, its position and which powers must order.",
        list_command="List all games.",
    ),
}


@click.group(cls=LazyGroup, table=GAME_COMMANDS)
def game() -> None:
    """Create, show and moderate games."""


VARIANT_COMMANDS = commands_in(
    "judge.cli.variant",
    check="Check a variant: that in FOLDER, or else the one of that NAME.",
    draw="Draw the board of a variant from its borders, and write board.json in its folder.",
    new="Start a new variant in FOLDER: a small sound one, to be edited.",
    show="Show a variant: its powers with what they start with, its calendar, rules and doubts.",
    import_command="Import a board from FILE and write it as the folder of a variant.",
    list_command="List the variants: name, powers, provinces, centers and how many of them win.",
)


@click.group(cls=LazyGroup, table=VARIANT_COMMANDS)
def variant() -> None:
    """List, show, check, draw, import and start variants: boards other than the standard one."""


COMMANDS = {
    **commands_in("judge.cli.adjudicate", adjudicate="Adjudicate positions given as JSON lines."),
    **commands_in(
        "judge.cli.root",
        archive="Verify, show, convert, count and find recorded games.",
        game="Create, show and moderate games.",
        variant="List, show, check, draw, import and start variants.",
    ),
    **commands_in(
        "judge.cli.operator.backup",
        backup="Write a backup of everything the judge keeps.",
        backup_key="Make a key for encrypted backups.",
        restore="Restore a backup into an empty store.",
    ),
    **commands_in(
        "judge.cli.operator.check",
        check="Check the configuration.",
        doctor="Check the judge and its machine, and suggest fixes.",
    ),
    **commands_in("judge.cli.demo", demo="Play the year 1901 by email as a demonstration."),
    **commands_in(
        "judge.cli.operator.serve",
        desk="Open the moderator's web page on this machine.",
        serve="Run the judge.",
        status="Show what is waiting and what failed.",
    ),
    **commands_in(
        "judge.cli.operator.dkim", dkim="Make, show and rotate the keys that sign emails."
    ),
    **commands_in(
        "judge.cli.operator.player",
        forget="Erase a person's data.",
        player="Show a player's addresses; invalidate reply tokens.",
    ),
    **commands_in(
        "judge.cli.operator.inbox_command",
        inbox="Show, retry, export and discard incoming emails.",
    ),
    **commands_in(
        "judge.cli.operator.intent",
        intent="Try how sentences are read as wishes, and add examples of your own.",
    ),
    **commands_in(
        "judge.cli.orders_command", orders="Read orders as the judge reads them in an email."
    ),
    **commands_in(
        "judge.cli.operator.outbox_command", outbox="Show, retry and discard outgoing emails."
    ),
    **commands_in(
        "judge.cli.games.report",
        report="Write a report of a game for a zine, a forum or paper.",
        replay="Write an HTML page that replays a game.",
    ),
    **commands_in(
        "judge.cli.operator.own_templates", templates="Copy the judge's templates, to edit them."
    ),
    **commands_in(
        "judge.cli.operator.receive",
        receive="Hand one email from a mail server's pipe to the running judge.",
    ),
    **commands_in(
        "judge.cli.receipt", receipt="Check that the judge used the orders in your receipts."
    ),
    **commands_in(
        "judge.cli.rulebooks", rulebook="Show the choices of rulebooks and compare them."
    ),
    **commands_in("judge.cli.operator.setup", setup="Ask five questions, and write the settings."),
    **commands_in("judge.cli.operator.log", log="Show or verify the log of a game."),
}


@click.group(
    cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="pbem-judge", message="judge %(version)s")
def root() -> None:
    """Run the board game Diplomacy by email."""
