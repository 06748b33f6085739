"""The commands of other judges, from `foreign_commands.toml`, and the advice on them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from types import MappingProxyType

ADVISED_WORDS_MAX = 3  # of the longest beginning of a command of another judge
ALWAYS = "always"  # advice on what is so in each game here
NEVER = frozenset({"variants", "ratings", "shared"})  # advice on what is so in none
SETTINGS_ADVICE = "settings"  # after an unknown name with SET
WITH_FILES = frozenset({"GET", "SEND"})
QUERY_WORDS_MAX = 8
SHORT_MIN = 3  # letters of a shortened name
NEGATED = re.compile(r"SETNOT?(?=.)")
SET_WORDS_MAX = 12  # of a line that is a setting

_FILE = resources.files("judge.mail.language") / "foreign_commands.toml"
_TABLES = tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _listed(row: str) -> Iterator[str]:
    return (" ".join(each.split()) for each in row.split(","))


ADVICE = MappingProxyType(
    {beginning: advice for advice, row in _TABLES["advice"].items() for beginning in _listed(row)}
)
FOREIGN_SETTINGS = MappingProxyType(dict[str, str](_TABLES["settings"]))
FILES = frozenset(_listed(_TABLES["files"]["names"]))
SENTENCE_WORDS = frozenset(_listed(_TABLES["sentences"]["words"]))
_ADVICE_SQUASHED = MappingProxyType({each.replace(" ", ""): ADVICE[each] for each in ADVICE})


def foreign_command_advice(words: list[str]) -> str | None:
    """Return the advice on the longest beginning of *words* that is a command of another judge."""
    upper = [word.upper().strip("?,;") for word in words[: ADVISED_WORDS_MAX + 1]]
    beginnings = ["".join(upper[:length]) for length in range(len(upper), 0, -1)]
    plain = [NEGATED.sub("SET", each) for each in beginnings if NEGATED.match(each)]
    every = (*beginnings, *plain)
    negated = [_ADVICE_SQUASHED.get(each) for each in plain]
    found = next((_ADVICE_SQUASHED[each] for each in beginnings if each in _ADVICE_SQUASHED), None)
    if not found and (known := [each for each in negated if each and each != ALWAYS]):
        found = ALWAYS if known[0] in NEVER else known[0]
    if not found and upper[:1] == ["SET"]:  # `SET NOSTRICTGRACE`
        keys = [key for key, advice in _ADVICE_SQUASHED.items() if advice != ALWAYS]
        within = [key for key in keys for each in every if _begins_with(each, key)]
        found = _ADVICE_SQUASHED[max(within, key=len)] if within else None
    return found or (SETTINGS_ADVICE if upper[:1] == ["SET"] and len(upper) > 1 else None)


def _begins_with(written: str, setting: str) -> bool:
    return len(setting) > len("SET") + SHORT_MIN and written.startswith(setting)


def is_request(words: list[str]) -> bool:
    """Return whether *words*, which begin like a command of another judge, are no sentence."""
    upper = [word.upper() for word in words]
    sentence = upper[-1].endswith(("?", "!")) or SENTENCE_WORDS & {*upper[1:]}
    if sentence and upper[0] not in ("PROCESS!", "OFFICIAL"):
        return False
    if upper[0] == "SET":
        return 1 < len(words) <= SET_WORDS_MAX and foreign_command_advice(words) != SETTINGS_ADVICE
    if upper[:3] == ["I", "AM", "ALSO"]:
        return True
    if upper[0] in WITH_FILES:
        named = [word for word in upper[1:] if word != "ME"]
        return all(word in FILES or "." in word.strip(".") for word in named)
    return len(words) - 1 <= int(_TABLES["arguments_max"].get(upper[0], -1))


def is_query(words: list[str]) -> bool:
    """Return whether *words* are a query with arguments that cannot be read, and no sentence."""
    upper = [word.upper() for word in words]
    plain = not upper[-1].endswith(("?", "!")) and not SENTENCE_WORDS & {*upper}
    figures = any(not word.isalpha() for word in words[1:])
    return plain and figures and len(words) <= QUERY_WORDS_MAX
