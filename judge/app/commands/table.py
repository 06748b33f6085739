"""The table of everything that can be said by email: add a command to its topic's COMMANDS."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from judge.app.commands import (
    admissions,
    diary,
    email_lines,
    join,
    moderator,
    offers,
    orders,
    press,
    profile,
    queries,
    rules,
    votes,
)
from judge.app.commands.command import Command
from judge.mail.language.command_syntax import ParsedLine
from judge.mail.language.command_table import CommandTable

ALL_COMMANDS: tuple[Command, ...] = (
    *join.COMMANDS,
    *queries.COMMANDS,
    *orders.COMMANDS,
    *email_lines.COMMANDS,
    *offers.COMMANDS,
    *press.COMMANDS,
    *votes.COMMANDS,
    *profile.COMMANDS,
    *diary.COMMANDS,
    *moderator.COMMANDS,
    *rules.COMMANDS,
    *admissions.COMMANDS,
)
COMMAND_OF: Mapping[type[ParsedLine], Command] = MappingProxyType(
    {each.parsed: each for each in ALL_COMMANDS}
)
COMMANDS = CommandTable(ALL_COMMANDS, help_line=queries.Help)
