"""The table of all commands: add a command to the COMMANDS of its topic."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from judge.app.commands import (
    admissions,
    diary,
    email_lines,
    join,
    legend,
    moderator,
    orders,
    press,
    profile,
    queries,
    rollback,
    rules,
    use_these,
    votes,
    yes_and_no,
)
from judge.app.commands.command import CommandRow
from judge.mail.language.command_syntax import ParsedLine
from judge.mail.language.command_table import CommandTable

SECTIONS: Mapping[str, tuple[CommandRow, ...]] = MappingProxyType(
    {  # of docs/commands.md
        "You and your emails": profile.COMMANDS,
        "Joining and leaving": join.COMMANDS,
        "Games": queries.COMMANDS,
        "Orders": (
            *orders.COMMANDS,
            *legend.COMMANDS,
            *email_lines.COMMANDS,
            *yes_and_no.COMMANDS,
            *use_these.COMMANDS,
        ),
        "Press": (*press.COMMANDS, *diary.COMMANDS),
        "Votes and time": votes.COMMANDS,
        "For the moderator": (
            *rollback.COMMANDS,
            *moderator.COMMANDS,
            *rules.COMMANDS,
            *admissions.COMMANDS,
        ),
    }
)
ALL_COMMANDS = tuple(each for commands in SECTIONS.values() for each in commands)
COMMAND_OF: Mapping[type[ParsedLine], CommandRow] = MappingProxyType(
    {each.parsed: each for each in ALL_COMMANDS}
)
# HELP topics that are not commands, with other words for them.
OTHER_TOPICS = MappingProxyType(
    {
        "about": "cost free privacy operator",
        "build": "builds remove removal removals waive adjust adjustment adjustments disband",
        "convoy": "convoys fleets",
        "deadline": "deadlines late nmr grace time",
        "fog": "blind visibility visible hidden",
        "human": "person contact",
        "move": "moves movement hold holds coast coasts",
        "overview": "index info guide",
        "retreat": "retreats dislodged otb",
        "set": "",
        "support": "supports cut",
        "terms": "term glossary words",
        "win": "winning victory aim goal",
    }
)
COMMANDS = CommandTable(ALL_COMMANDS, help_line=queries.Help, other_topics=OTHER_TOPICS)
