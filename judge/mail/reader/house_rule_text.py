"""House rules as text, one a line: below CREATE, and in files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import takewhile

from judge.game import house_rules
from judge.game.house_rules import Form
from judge.mail.body import Line
from judge.mail.language.command_syntax import UnknownCommand, power_named
from judge.mail.language.command_table import CommandTable
from judge.mail.reader.press_blocks import press_opening
from judge.rules.board import Map

SETTING = re.compile(r"\s*(?:[-*\u2022]\s+)?([A-Za-z_]{2,40})\s*([=:])\s*(.*)")
SPACED = re.compile(
    r"\s*(?:[-*\u2022]\s+)?([A-Za-z_]{2,20}(?: [A-Za-z]{2,20}){0,2})\s*[=:]\s*(.*)"
)
NUMBER = re.compile(r"\d+")
LENGTH = re.compile(
    r"\d{1,6} ?(?:h(?:ours?)? ?(?:\d{1,6} ?)?)?(?:m(?:in(?:utes?)?)?\b)?", re.IGNORECASE
)
# Several rules set the time that players have, and none has such a name.
LENGTHS = frozenset(("deadline", "deadlines", "turn", "turns", "phase", "phases", "duration"))
OF_LENGTHS = ("movement_hours", "retreat_hours", "adjustment_hours")
REMARK = re.compile(r"(?:^|\s)#.*")
KNOWN = frozenset(
    {"template", house_rules.RULEBOOK_KEY, *(each.name for each in fields(house_rules.HouseRules))}
)

BOARD_KEYS = frozenset({"variant", "board", "map"})  # of a new game, not house rules


def settings_at_top(lines: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Return the settings at the top of *lines*, as `press=none`, and their number of lines.

    Blank lines between them and comments after `#` are allowed. `key: value` is a setting if the
    rule exists, or the key can be no other word.
    """
    pairs: list[str] = []
    length = 0
    for number, line in enumerate(lines, 1):
        text = REMARK.sub("", line).strip()
        pair = _setting_in(text)
        if pair is None and text:
            break
        if pair:
            pairs.append(pair)
        if pair or line.strip():
            length = number
    return tuple(pairs), length


@dataclass(frozen=True, slots=True)
class Settings:
    """The *pairs* below CREATE, with its *unread* lines and its *length* in lines."""

    pairs: tuple[str, ...]
    unread: tuple[UnknownCommand, ...]
    length: int


def settings_below(lines: Sequence[Line], board: Map, commands: CommandTable) -> Settings:
    """Return the settings of *lines* up to a command, skipping unreadable lines."""
    pairs: list[str] = []
    unread: list[UnknownCommand] = []
    uncommented = [(each, REMARK.sub("", each.text).strip()) for each in lines]
    block = list(takewhile(lambda each: not _is_command(*each, board, commands), uncommented))
    length = max((n for n, (_, text) in enumerate(block, 1) if _key(text, board)), default=0)
    for line, text in block[:length]:
        key, value = _key(text, board), _setting_in(text)
        if value and key in KNOWN | BOARD_KEYS:
            pairs.append(value)
        elif text:
            unread.append(_unknown_setting(line, text))
    return Settings(tuple(pairs), tuple(unread), length)


def _is_command(line: Line, text: str, board: Map, commands: CommandTable) -> bool:
    if _key(text, board) in KNOWN | BOARD_KEYS:
        return False
    parsed = commands.read(line, board, first=False)
    command = parsed is not None and not isinstance(parsed, UnknownCommand)
    return command or press_opening(line, board, closed=False) is not None


def _key(text: str, board: Map) -> str | None:
    found = SETTING.fullmatch(text)
    return found[1].lower() if found and not power_named(found[1], board) else None


def _unknown_setting(line: Line, text: str) -> UnknownCommand:
    found = SPACED.fullmatch(text)
    key, value = (found[1].lower(), found[2].strip()) if found else ("", "")
    near = house_rules.nearest_settings(f"{key}={value}")[1] if key else ()
    if key in LENGTHS and NUMBER.search(value):
        near = OF_LENGTHS
    nearest = ", ".join(_rule_with_value(each, value) for each in _rules_that_fit(near, value))
    return UnknownCommand(key, nearest or None, line=line.number, text=line.text)


def _rules_that_fit(names: Sequence[str], value: str) -> Sequence[str]:
    """Return only the numeric rules of *names* if *value* is a number and there are any."""
    numbers = [
        name
        for name in names
        if house_rules.nearest_settings(name)[0] in (Form.NUMBER, Form.DURATION)
    ]
    return numbers if numbers and NUMBER.search(value) else names


def _rule_with_value(name: str, value: str) -> str:
    """Write the rule *name* with *value*, or with the values that it takes."""
    form, words = house_rules.nearest_settings(name)
    number = (LENGTH if form is Form.DURATION else NUMBER).search(value)
    if form is Form.DURATION and number:
        unit = house_rules.unit_of(name)
        length = house_rules.read_duration(number[0], unit)
        return f"{name}={house_rules.write_duration(length, unit)}"
    if form in (Form.NUMBER, Form.DURATION):
        return f"{name}={number[0]}" if number else name
    words = ("yes", "no") if form is Form.YES_OR_NO else words
    if words and value.lower() not in words:
        return f"{name}={'/'.join(words)}"
    return f"{name}={value}"


def _setting_in(line: str) -> str | None:
    found = SETTING.fullmatch(line)
    if found is None:
        return None
    key, sign, value = found[1].lower(), found[2], found[3].strip()
    return f"{key}={value}" if sign == "=" or key in KNOWN or "_" in key else None
