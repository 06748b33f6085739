"""House rules as a text, one a line: below CREATE, and in files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields

from judge.game.choices import LAW
from judge.game.house_rules import HouseRules

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


def _setting(line: str) -> str | None:
    found = SETTING.fullmatch(line)
    if found is None:
        return None
    key, sign, value = found[1].lower(), found[2], found[3].strip()
    return f"{key}={value}" if sign == "=" or key in KNOWN or "_" in key else None
