"""Compile ABNF grammars (RFC 5234) without recursion to regular expressions.

Literals match in either case, as the RFC has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

COMMENT = re.compile(r'("[^"\n]*")|;[^\n]*')
RULE = re.compile(r"^([A-Za-z][\w-]*)\s*=\s*", re.MULTILINE)
TOKEN = re.compile(r'"[^"]*"|%x[0-9A-F-]+|[A-Za-z][\w-]*|\d*\*\d*|\d+|[][()/]|(?P<other>\S)')
CORE = {"ALPHA": "[A-Za-z]", "DIGIT": "[0-9]", "LF": r"\n"}


def pattern(grammar: Path) -> re.Pattern[str]:
    """Return what matches a whole text of the first rule of *grammar*."""
    text = COMMENT.sub(lambda found: found[1] or "", grammar.read_text(encoding="utf-8"))
    _, *parts = RULE.split(text)
    rules = dict(zip(parts[::2], parts[1::2], strict=True))
    assert len(rules) == len(parts) / 2, "a rule is defined twice"
    first, *others = rules
    translation = _Translation(rules)
    whole = translation.of_rule(first)
    assert translation.used == set(others), translation.used ^ set(others)
    return re.compile(whole, re.IGNORECASE)


class _Translation:
    """Translates *rules*, each put in where it is *used*."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        self._rules = rules
        self.used: set[str] = set()

    def of_rule(self, name: str) -> str:
        tokens = [*TOKEN.finditer(self._rules[name])]
        assert not any(each["other"] for each in tokens), name
        return self._alternatives([each[0] for each in reversed(tokens)])

    def _alternatives(self, tokens: list[str]) -> str:
        found = ""
        while tokens and tokens[-1] not in {")", "]"}:
            found += "|" if tokens[-1] == "/" and tokens.pop() else self._repeated(tokens)
        return f"(?:{found})"

    def _repeated(self, tokens: list[str]) -> str:
        count = ""
        if tokens[-1][0].isdigit() or tokens[-1][0] == "*":
            least, star, most = tokens.pop().partition("*")
            count = f"{{{least or 0},{most}}}" if star else f"{{{least}}}"
        return f"(?:{self._element(tokens)}){count}"

    def _element(self, tokens: list[str]) -> str:
        token = tokens.pop()
        if token in {"(", "["}:
            found = self._alternatives(tokens)
            return found + ("?" if tokens.pop() == "]" else "")
        if token.startswith('"'):
            return re.escape(token[1:-1])
        if token.startswith("%x"):
            low, _, high = token[2:].partition("-")
            return f"[\\U{low:>08}-\\U{high or low:>08}]"
        if token in CORE:
            return CORE[token]
        self.used.add(token)
        return self.of_rule(token)
