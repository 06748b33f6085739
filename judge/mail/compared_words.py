"""The words of text as it is compared: without marks, links, case and what mail programs add."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from unicodedata import normalize

ADDED = re.compile(  # links, their numbers, and what programs write before pictures and items
    r"<(?:https?|mailto|tel|cid):[^<>\n]{1,4000}>"
    r"|[<(\[]?\b(?:https?://|mailto:|tel:|cid:)\S{1,4000}|\[\d{1,3}\]|\[(?:image|cid)\b:?|^[> ]*o "
    r"|\[[^\s\[]{1,200}\?subject=\S{1,4000}",
    re.IGNORECASE,
)
BOUNDARY = "--=_"  # between the parts of an email of ours
PICTURE = re.compile(  # as programs without MIME show it
    r"^(?:[> ]*[A-Za-z0-9+/]{50,}=*\n)+(?:[> ]*[A-Za-z0-9+/]+=*$)?", re.MULTILINE
)
# `<mailto:...` that goes on in the next line: programs wrap long words, too.
OPEN_LINK = re.compile(r"<(?:https?|mailto):[^<>\s]{1,4000}$", re.IGNORECASE)
REST_OF_LINK = re.compile(r"[\s>|]*([^<>\s|][^<>\s]{0,4000})(>|$)")
LINKED = re.compile(r":(?://|(?<=mailto:)|(?<=tel:)|(?<=cid:))", re.IGNORECASE)
ITEM = re.compile(r"(?:\A|\n)[> ]*[oO] ")
IN_LINKS = frozenset("%=&?@")
WORD = re.compile(r"[^\W_]+")
NO_WORD = {code: " " for code in range(128) if not chr(code).isalnum()} | {ord("\n"): "\n"}
# Of two lines as some programs join them; a letter before it that is a capital joins nothing.
JOINED = re.compile(r"[A-Z](?<=[^\W\d_A-Z\u00c0-\u00de\u0391-\u03a9\u0400-\u042f][A-Z])")


def words_of(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the words of *lines*, and the number of words up to the end of each line.

    They have no marks, links and case, and are in their normal form (NFKC).
    """
    if not lines:
        return [], []
    text = "\n".join(lines)
    if "[" in text or LINKED.search(text) or ITEM.search(text):
        text = "\n".join(_without_added(lines))
    if BOUNDARY in text:
        text = PICTURE.sub(lambda found: "\n" * found[0].count("\n"), text)
    text = JOINED.sub(r" \g<0>", text if text.isascii() else normalize("NFKC", text)).casefold()
    if text.isascii():
        rows = [line.split() for line in text.translate(NO_WORD).split("\n")]
    else:
        rows = [
            line.translate(NO_WORD).split() if line.isascii() else WORD.findall(line)
            for line in text.split("\n")
        ]
    return [*chain.from_iterable(rows)], [*accumulate(map(len, rows))]


def _without_added(lines: Sequence[str]) -> Iterator[str]:
    is_open = False
    for line in lines:
        if is_open or (":" in line and LINKED.search(line)):
            rest = REST_OF_LINK.match(line) if is_open else None
            if rest and not rest[2] and IN_LINKS.isdisjoint(rest[1]):
                rest = None
            is_open = bool(OPEN_LINK.search(line)) or (rest is not None and not rest[2])
            yield ADDED.sub(" ", line[rest.end() :] if rest else line)
        elif "[" in line or line.lstrip("> ")[:2] in ("o ", "O "):
            yield ADDED.sub(" ", line)
        else:
            yield line


def spaced_words(line: str) -> str:
    """Return the words of *line*, with a space around each."""
    return f" {' '.join(words_of([line])[0])} "
