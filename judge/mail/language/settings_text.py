"""House rules as a text, one a line: below CREATE, and in files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import takewhile

from judge.game.choices import LAW
from judge.game.house_rules import HouseRules, wanted
from judge.mail.body import Line
from judge.mail.language.commands import read_command
from judge.mail.language.powers import power_named
from judge.mail.language.press_lines import opening
from judge.mail.language.said import UnknownCommand
from judge.rules.geography import Map

SETTING = re.compile(r"\s*(?:[-*\u2022]\s+)?([A-Za-z_]{2,40})\s*([=:])\s*(.*)")
REMARK = re.compile(r"(?:^|\s)#.*")
KNOWN = frozenset({"template", LAW, *(each.name for each in fields(HouseRules))})


def settings_at_the_top(lines: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Return the settings that *lines* begin with, as `press=none`, and of how many lines.

    Blank lines may stand between them, and remarks behind `#`. `key: value` is a setting if
    there is such a rule, or the key could be no other word.
    """
    pairs: list[str] = []
    length = 0
    for number, line in enumerate(lines, 1):
        told = REMARK.sub("", line).strip()
        pair = _setting(told)
        if pair is None and told:
            break
        if pair:
            pairs.append(pair)
        if pair or line.strip():
            length = number
    return tuple(pairs), length


@dataclass(frozen=True, slots=True)
class Settings:
    """The *pairs* below CREATE; *unread* is what stands among them, and *length* their lines."""

    pairs: tuple[str, ...]
    unread: tuple[UnknownCommand, ...]
    length: int


def settings_below(lines: Sequence[Line], board: Map) -> Settings:
    """Return the settings of *lines* up to a command: none is lost for what stands above it."""
    pairs: list[str] = []
    unread: list[UnknownCommand] = []
    told = [(each, REMARK.sub("", each.text).strip()) for each in lines]
    block = list(takewhile(lambda each: not _is_command(*each, board), told))
    length = max((n for n, (_, text) in enumerate(block, 1) if _key(text, board)), default=0)
    for line, text in block[:length]:
        key, value = _key(text, board), _setting(text)
        if value and key in KNOWN:
            pairs.append(value)
        elif text:
            unread.append(_unknown(line, text))
    return Settings(tuple(pairs), tuple(unread), length)


def _is_command(line: Line, text: str, board: Map) -> bool:
    if _key(text, board) in KNOWN:
        return False
    said = read_command(line, board, first=False)
    command = said is not None and not isinstance(said, UnknownCommand)
    return command or opening(line, board, closed=False) is not None


def _key(text: str, board: Map) -> str | None:
    """Return what stands before the `=` or the colon of *text*, unless it heads orders."""
    found = SETTING.fullmatch(text)
    return found[1].lower() if found and not power_named(found[1], board) else None


def _unknown(line: Line, text: str) -> UnknownCommand:
    """Say of *text* which settings are nearest to it."""
    found = SETTING.fullmatch(text)
    key, value = (found[1].lower(), found[3].strip()) if found else ("", "")
    near = wanted(f"{key}={value}")[1] if key else ()
    nearest = ", ".join(f"{each}={value}" for each in near)
    return UnknownCommand(key, nearest or None, line=line.number, text=line.text)


def _setting(line: str) -> str | None:
    found = SETTING.fullmatch(line)
    if found is None:
        return None
    key, sign, value = found[1].lower(), found[2], found[3].strip()
    return f"{key}={value}" if sign == "=" or key in KNOWN or "_" in key else None
