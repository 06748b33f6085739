"""Words by which the judge tells apart what people write besides orders, from `words.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources


def phrases(table: str) -> tuple[str, ...]:
    """Return the phrases in *table*, of all languages."""
    found = (" ".join(each.split()) for row in _rows(table) for each in row.split(","))
    return tuple(filter(None, found))


def single_words(table: str) -> tuple[str, ...]:
    """Return the single words in *table*, of all languages."""
    return tuple(word for row in _rows(table) for word in row.split())


def templates(table: str) -> tuple[str, ...]:
    """Return the patterns in *table*, one a line, of all languages."""
    return tuple(line for row in _rows(table) for line in row.strip().split("\n"))


def alternatives(table: str) -> str:
    """Return a regular expression for what any one in *table* matches, of all languages."""
    return "|".join(templates(table))


def _rows(table: str) -> Iterable[str]:
    return _tables()[table].values()


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    file = resources.files("judge.mail") / "words.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
