"""The features of a sentence: its words, pairs of words, and runs of letters within words.

Runs of letters match misspelled and inflected words: `tomorow`, `verlaengern`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

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
    """The features of a sentence: its *words* and their pairs, and *runs* of letters.

    Each of them has the weight *scale*, a run less.
    """

    words: tuple[str, ...]
    runs: tuple[str, ...]
    scale: float


RUN_WEIGHT = 0.6


def features_of(words: Sequence[str]) -> Features:
    """Return the features of a sentence of *words*, the weights of which have the length 1."""
    around = ("^", *words, "$")
    pairs = (" ".join(pair) for pair in pairwise(around))
    whole = tuple(dict.fromkeys((*words, *pairs, *((LONG,) if len(words) > WORDS_MAX else ()))))
    runs = tuple(dict.fromkeys(run for word in words for run in _runs(word)))
    length = (len(whole) + RUN_WEIGHT * RUN_WEIGHT * len(runs)) ** 0.5
    return Features(whole, runs, 1.0 / length)


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
