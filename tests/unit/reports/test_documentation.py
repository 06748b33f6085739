"""Every documented form of a command is understood, and HELP explains it."""

from __future__ import annotations

import pytest

from judge.app.commands.command import CommandRow
from judge.app.commands.join import Join
from judge.app.commands.moderator import Decide
from judge.app.commands.queries import Help
from judge.app.commands.table import ALL_COMMANDS, COMMANDS
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import OrderText, ParsedLine
from judge.mail.reader.email_text import read_lines
from judge.reports.emails import help_pages
from judge.reports.render import render
from tests.support.commands_page import spellings
from tests.support.selection import in_one
from tests.unit.reports.samples import BOARD

NO_COMMANDS = "LineFailed NamedGame OrdersOfPhase TooMuch UnknownCommand UnopenedPress"
FORMS = [
    (command, form)
    for command in ALL_COMMANDS
    for each in command.forms
    for form in spellings(each.ours)
]


def test_every_command_has_forms_and_a_topic() -> None:
    without = {each.parsed.__name__ for each in ALL_COMMANDS if not (each.forms and each.topic)}

    assert without == set(NO_COMMANDS.split())


@in_one(FORMS)
def test_a_command_is_understood_as_it_is_taught(taught: tuple[CommandRow, str]) -> None:
    command, form = taught
    assert type(read(form)[0]) is command.parsed


@in_one([each for each in ALL_COMMANDS if each.forms])
def test_help_on_a_command_shows_it(command: CommandRow) -> None:
    forms = COMMANDS.forms_on(command.topic)
    text = render(help_pages.help_page(command.topic, forms, judge_code="JUDG")).text

    for form in command.forms:
        name = form.ours.split()[0]
        assert name in text
        assert command.parsed in {OrderText, Decide} or COMMANDS.topic(name)


@pytest.mark.parametrize("asked", ["zone", "timezone", "SET ZONE", "zonne"])
def test_help_is_found_by_topic_alias_name_and_nearly(asked: str) -> None:
    [line] = read(f"HELP {asked}")

    assert isinstance(line, Help)
    assert line.topic
    assert COMMANDS.topic(line.topic) == "zone"


def test_both_forms_of_join_are_understood_as_they_are_taught() -> None:
    for line in ("JOIN dogger France", "JOIN dogger PREFER EFT"):
        assert isinstance(read(line)[0], Join)


def read(text: str) -> tuple[ParsedLine, ...]:
    lines = (Line(i, each) for i, each in enumerate(text.split("\n"), 1))
    return tuple(read_lines(Text(tuple(lines)), BOARD, COMMANDS))
