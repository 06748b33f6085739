"""`judge archive`: its table of commands."""

from __future__ import annotations

import click

from judge.cli.commands import Commands, Entry

HERE = "judge.cli.archive"

COMMANDS = {
    "convert": Entry(f"{HERE}.convert", "convert", "Write recorded games in another format."),
    "index": Entry(f"{HERE}.index", "index", "Keep a catalogue of recorded games."),
    "search": Entry(f"{HERE}.search", "search", "Find games in a catalogue."),
    "show": Entry(f"{HERE}.show", "show", "Show recorded games, or a phase as a picture."),
    "stats": Entry(f"{HERE}.stats", "stats", "Count what happens in recorded games."),
    "verify": Entry(f"{HERE}.verify", "verify", "Adjudicate again, and compare with the record."),
}


@click.group(cls=Commands, table=COMMANDS)
def archive() -> None:
    """Read recorded games of many formats: verify, show, convert, count and find them."""
