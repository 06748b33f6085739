"""What in a text tells who wrote it is struck out: names, addresses, lines of mail headers.

A program cannot know all that betrays somebody; whoever writes is shown what goes out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judge.rules.geography import Map

STRUCK = "[...]"
LETTERS_MIN = 3  # A shorter word is no name that anybody is known by, and may be any other.
PARTS_MAX = 20
ADDRESS = re.compile(r"[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
FIELD = re.compile(
    r"\s*\*{0,2}(?:(?:from|to|cc|bcc|sender|reply-to|return-path|von|an|de|à)\s?:.*@"
    r"|(?:received|message-id|in-reply-to|references|x-[\w-]{2,30}|delivered-to|return-path):)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def masked(text: str, names: Iterable[str], addresses: Iterable[str], board: Map) -> str:
    """Return *text* without the *names* and *addresses* of its writer, or anybody's address.

    What is called as something on the *board* stays: it is more likely that that is meant.
    """
    whole = {name.strip() for name in names if len(name.strip()) >= LETTERS_MIN}
    locals_ = {address.partition("@")[0] for address in addresses if address}
    known = _on(board)
    parts = {each for each in _parts({*whole, *locals_}) if each.casefold() not in known}
    lines = [line for line in text.splitlines() if not FIELD.match(line)]
    masked_lines = (STRUCK if _signs(line, parts) else line for line in lines)
    text = ADDRESS.sub(STRUCK, "\n".join(masked_lines))
    for name in sorted(whole | locals_, key=len, reverse=True):
        if len(name) >= LETTERS_MIN and name.casefold() not in known:
            text = _as_word(name, re.IGNORECASE).sub(STRUCK, text)
    for part in parts:
        text = _as_word(part.capitalize()).sub(STRUCK, text)
        text = _as_word(part.upper()).sub(STRUCK, text)
    return text.strip()


def _parts(names: Iterable[str]) -> Iterator[str]:
    """Yield the words that *names* are made of."""
    for name in names:
        words = (found[0] for found in WORD.finditer(name))
        yield from (word for word in [*words][:PARTS_MAX] if len(word) >= LETTERS_MIN)


def _signs(line: str, parts: Iterable[str]) -> bool:
    """Say whether *line* is nothing but a name, however it is written."""
    words = [found[0].casefold() for found in WORD.finditer(line)]
    known = {part.casefold() for part in parts}
    return bool(known.intersection(words)) and all(
        word in known or len(word) < LETTERS_MIN for word in words
    )


def _on(board: Map) -> frozenset[str]:
    """Return the words that name something on *board*, and the offices of a game."""
    nations = (name for each in board.nations.values() for name in (each.name, each.adjective))
    places = (name for place in board.places.values() for name in (place.name, *place.aliases))
    words = (found[0] for name in (*nations, *places) for found in WORD.finditer(name))
    return frozenset({"moderator", "master", "observer", "player", *map(str.casefold, words)})


def _as_word(word: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", flags)
