"""What in a text tells who wrote it is struck out: names, addresses, lines of mail headers.

A program cannot know all that betrays somebody; whoever writes is shown what goes out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judge.rules.board import Map

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
    locals_ = (address.partition("@")[0] for address in addresses)
    known = words_on(board)
    whole = {each.strip() for each in (*names, *locals_) if len(each.strip()) >= LETTERS_MIN}
    whole = {each for each in whole if _folded(each) not in known}
    parts = frozenset(map(_folded, _words(whole))) - known
    lines = [line for line in text.splitlines() if not FIELD.match(line)]
    text = "\n".join(STRUCK if _signs(line, parts) else line for line in lines)
    text = ADDRESS.sub(STRUCK, text)
    for name in sorted(whole, key=len, reverse=True):
        as_word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        text = as_word.sub(STRUCK, text)
    return WORD.sub(lambda found: STRUCK if _names(found[0], parts) else found[0], text).strip()


def _names(word: str, parts: frozenset[str]) -> bool:
    """Say whether *word* is part of a name, and written as one: `will` is a verb, `Will` is he."""
    return word[0].isupper() and _folded(word) in parts


def _words(names: Iterable[str]) -> Iterator[str]:
    """Yield the words that *names* are made of."""
    for name in names:
        words = [found[0] for found in WORD.finditer(name)]
        yield from (word for word in words[:PARTS_MAX] if len(word) >= LETTERS_MIN)


def _signs(line: str, parts: frozenset[str]) -> bool:
    """Say whether *line* is nothing but a name, however it is written."""
    words = [_folded(found[0]) for found in WORD.finditer(line)]
    others = [word for word in words if word not in parts]
    return len(others) < len(words) and all(len(word) < LETTERS_MIN for word in others)


def _folded(word: str) -> str:
    """Return *word* without what people leave out in haste: case and accents."""
    return "".join(c for c in normalize("NFKD", word.casefold()) if not combining(c))


def words_on(board: Map) -> frozenset[str]:
    """Return the words that name something on *board*, and the offices of a game."""
    nations = (name for each in board.nations.values() for name in (each.name, each.adjective))
    places = (name for place in board.places.values() for name in (place.name, *place.aliases))
    words = (found[0] for name in (*nations, *places) for found in WORD.finditer(name))
    return frozenset({"moderator", "master", "observer", "player", *map(_folded, words)})
