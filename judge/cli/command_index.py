"""The index of commands, `commands.txt`: what groups show of each, and the examples of its help.

A command that is only imported when it is called has its function, and the line on it in the help
of its group.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class CommandEntry(NamedTuple):
    """The module of a command, and its line in the help of its group."""

    module: str
    attribute: str
    summary: str


ENTRIES: dict[str, CommandEntry] = {}
EXAMPLES: dict[str, list[str]] = {}  # which the man page shows, too


def _read(text: str) -> None:
    for part in text.split("\n\n"):
        head, *lines = (line.strip() for line in part.splitlines())
        name, _, function = head.partition(" = ")
        if function:
            module, _, attribute = function.partition(":")
            ENTRIES[name] = CommandEntry(module, attribute, lines.pop(0))
        if lines:
            EXAMPLES[name] = lines


_read(Path(__file__).with_name("commands.txt").read_text("utf-8"))


def commands_of(group: str = "") -> Mapping[str, CommandEntry]:
    """Return by name the commands of *group*, or of `judge` itself."""
    groups = ((name.rpartition(" "), entry) for name, entry in ENTRIES.items())
    return {name: entry for (above, _, name), entry in groups if above == group}
