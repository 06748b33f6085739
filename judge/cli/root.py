"""`judge`: the table of the commands."""

from __future__ import annotations

import click

from judge.cli.commands import Commands, Entry

COMMANDS = {
    "adjudicate": Entry(
        "judge.cli.adjudicate",
        "adjudicate",
        "Adjudicate positions, one a line of JSON.",
    ),
    "archive": Entry(
        "judge.cli.archive.command",
        "archive",
        "Verify, show, convert, count and find recorded games.",
    ),
    "backup": Entry("judge.cli.backup", "backup", "Write all that the judge keeps to a file."),
    "check": Entry("judge.cli.check", "check", "Look whether the configuration is sound."),
    "demo": Entry(
        "judge.cli.demo.command",
        "demo",
        "Play the year 1901 by mail, to see how it goes.",
    ),
    "desk": Entry("judge.cli.desk", "desk", "Open a page to look after games, on this machine."),
    "doctor": Entry(
        "judge.cli.doctor",
        "doctor",
        "Look whether the judge and its machine are well, and what to do.",
    ),
    "forget": Entry("judge.cli.forget", "forget", "Erase a person from all that is kept."),
    "game": Entry("judge.cli.game", "game", "Create games, look at them, move deadlines."),
    "inbox": Entry(
        "judge.cli.inbox",
        "inbox",
        "Look after the mails that came in: show, retry, export, discard.",
    ),
    "orders": Entry(
        "judge.cli.orders", "orders", "Read orders as the judge reads them in an email."
    ),
    "player": Entry("judge.cli.player", "player", "Look after a player: addresses, tokens."),
    "report": Entry("judge.cli.report", "report", "Report a game, for a zine, a forum or paper."),
    "templates": Entry(
        "judge.cli.templates", "templates", "Take out the words of the judge, to edit them."
    ),
    "replay": Entry("judge.cli.replay", "replay", "Make a page that replays a game."),
    "receipt": Entry(
        "judge.cli.receipt", "receipt", "Check that the orders judged are those of receipts."
    ),
    "restore": Entry("judge.cli.backup", "restore", "Fill an empty store from a backup."),
    "rulebook": Entry(
        "judge.cli.rulebook",
        "rulebook",
        "Show what each rulebook chooses, and where two differ.",
    ),
    "serve": Entry("judge.cli.serve", "serve", "Run the judge."),
    "status": Entry(
        "judge.cli.status", "status", "Say how the judge is: what waits, what failed."
    ),
    "log": Entry("judge.cli.log", "log", "Show the log of a game, or verify it."),
}


@click.group(
    cls=Commands, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="pbem-judge", message="judge %(version)s")
def root() -> None:
    """Run the board game Diplomacy by e-mail."""
