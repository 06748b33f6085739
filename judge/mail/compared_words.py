"""The words of text as it is compared: without marks, links, case and what mail programs add."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import normalize

ADDED = re.compile(  # links, their numbers, and what programs write before pictures and items
    r"<(?:https?|mailto|tel|cid):[^<>\n]{1,4000}>"
    r"|[<(\[]?\b(?:https?://|mailto:|tel:|cid:)\S{1,4000}|\[\d{1,3}\]|\[image:|^[> ]*o ",
    re.IGNORECASE,
)
# `<mailto:...` that goes on in the next line: programs wrap long words, too.
OPEN_LINK = re.compile(r"<(?:https?|mailto):[^<>\s]{1,4000}$", re.IGNORECASE)
REST_OF_LINK = re.compile(r"[\s>|]*([^<>\s|][^<>\s]{0,4000})(>|$)")
IN_LINKS = frozenset("%=&?@")
IN_ADDED = ("://", "mailto:", "tel:", "cid:", "[", "\no ", ">o ", " o ")
WORD = re.compile(r"[^\W_]+")
NO_WORD = {code: " " for code in range(128) if not chr(code).isalnum()} | {ord("\n"): "\n"}
JOINED = re.compile(r"[A-Z](?<=[^\W\d_A-Z][A-Z])")  # of two lines as some programs join them


def words_of(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the words of *lines*, and the number of words up to the end of each line.

    They have no marks, links and case, and are in their normal form (NFKC).
    """
    text = "\n".join(_without_added(lines))
    text = JOINED.sub(r" \g<0>", text if text.isascii() else normalize("NFKC", text)).casefold()
    words: list[str] = []
    ends: list[int] = []
    for line in text.split("\n") if lines else ():
        words += line.translate(NO_WORD).split() if line.isascii() else WORD.findall(line)
        ends.append(len(words))
    return words, ends


def _without_added(lines: Sequence[str]) -> Sequence[str]:
    text = "\n" + "\n".join(lines).lower()
    signs = [each for each in IN_ADDED if each in text]
    if not signs:
        return lines
    return [
        ADDED.sub(" ", line) if any(each in f"\n{line.lower()}" for each in signs) else line
        for line in _without_torn_links(lines)
    ]


def _without_torn_links(lines: Sequence[str]) -> Iterator[str]:
    is_open = False
    for line in lines:
        rest = REST_OF_LINK.match(line) if is_open else None
        if rest and not rest[2] and IN_LINKS.isdisjoint(rest[1]):
            rest = None
        is_open = bool(OPEN_LINK.search(line)) or (rest is not None and not rest[2])
        yield line[rest.end() :] if rest else line


def spaced_words(line: str) -> str:
    """Return the words of *line*, with a space around each."""
    return f" {' '.join(words_of([line])[0])} "
