"""The features of a sentence: its words and their pairs, what they mean, and runs of letters.

Meanings match words of other languages and words that few examples have; runs of letters match
misspelled and inflected ones: `tomorow`, `verlaengern`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import fsum

WORD = re.compile(r"\{[a-z]+\}|[^\W_]+(?:['\u2019][^\W_]+)*|[?]")
APOSTROPHE = re.compile("['\u2019]")
CONTRACTION_MAX = 2  # letters behind an apostrophe that belong to the word: `don't`, `we'll`
RUNS = (3, 4)  # letters
LETTERS_MAX = 20  # of a word are looked at
LONG, QUESTION = "#long", "?"
WORDS_MAX = 25  # A longer text is marked as such.


def plain(text: str) -> str:
    """Return *text* in small letters without accents."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def words_of(text: str) -> list[str]:
    """Return the words of *text*, in small letters without accents; `?` is one."""
    words: list[str] = []
    for written in WORD.findall(plain(text)):
        parts = APOSTROPHE.split(written)
        if len(parts) > 1 and len(parts[-1]) <= CONTRACTION_MAX:
            parts = ["".join(parts)]
        words += parts
    return words


@dataclass(frozen=True, slots=True)
class Features:
    """The features of a sentence: words, meanings and runs of letters, and pairs of the former.

    Each of the *kinds* has a weight in KIND_WEIGHTS, times *scale*.
    """

    kinds: tuple[tuple[str, ...], ...]
    scale: float


KIND_WEIGHTS = (1.0, 2.0, 0.6)
MEANINGS_MAX = 12  # of a sentence
BEGINNING = "*"  # of each word that begins so


def features_of(words: Sequence[str], meanings: Mapping[str, str]) -> Features:
    """Return the features of a sentence of *words*, the weights of which have the length 1.

    *meanings* are those of words, and of beginnings of words: `order*`.
    """
    around = ("^", *words, "$")
    pairs = (" ".join(pair) for pair in pairwise(around))
    whole = tuple(dict.fromkeys((*words, *pairs, *((LONG,) if len(words) > WORDS_MAX else ()))))
    found = dict.fromkeys(each for word in words if (each := _meaning(word, meanings)))
    meant = sorted([*found][:MEANINGS_MAX])
    together = map("&".join, combinations(meant, 2))
    alone = (each for each in meant if each.startswith("#"))
    runs = tuple(dict.fromkeys(run for word in words for run in _runs(word)))
    kinds = (whole, (*alone, *together), runs)
    squares = (
        weight * weight * len(some) for weight, some in zip(KIND_WEIGHTS, kinds, strict=True)
    )
    return Features(kinds, 1.0 / fsum(squares) ** 0.5)


def _meaning(word: str, meanings: Mapping[str, str]) -> str:
    """Return what *word* means; a placeholder means itself."""
    if word == QUESTION or word.startswith("{"):
        return word
    beginnings = (f"{word[:end]}{BEGINNING}" for end in range(min(len(word), LETTERS_MAX), 1, -1))
    keys = (word, *beginnings)
    return next((f"#{meanings[each]}" for each in keys if each in meanings), "")


@lru_cache(maxsize=8192)
def _runs(word: str) -> tuple[str, ...]:
    return tuple(_letters_in(word))


def _letters_in(word: str) -> Iterator[str]:
    if word == QUESTION or word.startswith("{"):
        return
    marked = f"_{word[:LETTERS_MAX]}_"
    for size in RUNS:
        for at in range(len(marked) - size + 1):
            yield f"~{marked[at : at + size]}"
