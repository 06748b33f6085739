"""Wishes to join a game, in a sentence: `I would love to join lepanto`."""

from __future__ import annotations

import re
from collections.abc import Collection

LINE_MAX = 300  # characters; more is a paragraph of prose
JOINS = re.compile(
    r"\b(?:join(?:ing)?|enter|sign (?:me )?up|sign on|take part in|play(?:ing)? in"
    r"|a (?:place|seat) in"
    r"|put me (?:in|into)|count me in|mitspielen|mitmachen|teilnehmen|teil(?:zu)?nehmen|beitreten"
    r"|beizutreten|anmelden|einsteigen|spiele? gern\w*|(?:ein|einen) platz in|dabei sein"
    r"|rejoindre|participer|m'inscrire|inscri\w*|jouer (?:dans|\xe0)|une place dans)\b",
    re.IGNORECASE,
)
NOT = re.compile(
    r"\b(?:not|never|don't|cannot|can't|won't|no longer|nicht|nie|kein\w*|pas|jamais|ne)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")


def is_wish(line: str) -> bool:
    """Return whether the writer of *line* wants to join something."""
    told = line.replace("\u2019", "'")
    return len(told) <= LINE_MAX and bool(JOINS.search(told)) and not NOT.search(told)


def game_wished(line: str, games: Collection[str]) -> str | None:
    """Return which of *games* the writer of *line* wants to join, None if that is not plain."""
    if not is_wish(line):
        return None
    told = line.replace("\u2019", "'")
    named = {word.lower() for word in WORD.findall(told)} & set(games)
    return named.pop() if len(named) == 1 else None
