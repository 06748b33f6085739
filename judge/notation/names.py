"""Split text into tokens, and find the provinces and powers that they name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from judge.notation.vocabulary import spellings
from judge.rules.board import Map
from judge.rules.types import Power, Province

ABBREVIATION_LETTERS_MIN = 3  # Rulebook VII.7: the first three letters abbreviate a space.
FOREIGN_LETTERS_MIN = 5  # Fewer are too like other names in two languages more.
LIKENESS_MIN = 0.6  # One letter wrong in three, two in five.
WORD_LETTERS_MAX = 30  # The longest name has 23 letters; a longer word is no misspelt name.
BOARDS_CACHED_MAX = 16  # Boards whose names are kept at hand.

ProvincesByName = Mapping[str, tuple[Province, ...]]


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one board. A word may mean several provinces: `nor` is Norway, and four others.

    *written* are codes, names and aliases; *shortened* are the beginnings of names, read only
    where no written name matches; *foreign* are both in other languages, read only where no
    English name matches. All are keyed by words in lower case, one space between them. *powers*,
    *letters* and *shortened_powers*, their first three letters, name owners.
    """

    written: ProvincesByName
    shortened: ProvincesByName
    foreign: ProvincesByName
    powers: Mapping[str, Power]
    shortened_powers: Mapping[str, Power]
    letters: Mapping[str, Power]
    words_max: int

    def find(self, text: str) -> tuple[Province, ...]:
        """Return the provinces that *text* as a whole may mean, none if it is no name."""
        return self.meaning(" ".join(token.key for token in tokenize(text)))

    def meaning(self, key: str) -> tuple[Province, ...]:
        """Return the provinces that the words of *key* may mean."""
        return self.written.get(key) or self.shortened.get(key) or self.foreign.get(key, ())

    def longest(self, keys: Sequence[str]) -> tuple[int, tuple[Province, ...]]:
        """Return how many of *keys*, from the first, make the longest name, and what it means."""
        for count in range(min(self.words_max, len(keys)), 0, -1):
            if provinces := self.meaning(" ".join(keys[:count])):
                return count, provinces
        return 0, ()

    def nearest(self, word: str) -> tuple[float, tuple[Province, ...]]:
        """Return how like the likest names are to *word*, and the provinces they mean."""
        found = closest_matches(word, self.written)
        provinces = {province: None for _, key in found for province in self.written[key]}
        return (found[0][0] if found else 0.0), tuple(provinces)


def closest_matches(word: str, choices: Collection[str]) -> list[tuple[float, str]]:
    """Return those of *choices* likest to *word*, with their likeness, if they are like enough."""
    if len(word) > WORD_LETTERS_MAX:
        return []
    choices = tuple(choices)  # From a mapping the values would be compared.
    found = process.extract(
        word, choices, scorer=OSA.normalized_similarity, score_cutoff=LIKENESS_MIN, limit=None
    )
    return [(score, choice) for choice, score, _ in found if score == found[0][1]]


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def names_of(board: Map) -> Names:
    """Return the names of *board* as people write them."""
    written = _table((word, code) for code in board.places for word in _all_names(board, code))
    shortened = _table(
        (joined[:length], code)
        for code, place in board.places.items()
        for joined in ["".join(_words(place.name)).replace("-", "")]
        for length in range(ABBREVIATION_LETTERS_MIN, len(joined) + 1)
    )
    shortened = {**_pairs_shortened(board), **shortened}
    foreign = _foreign(board)
    both = {key: (*shortened[key], *foreign[key]) for key in shortened.keys() & foreign.keys()}
    unlike = {key: tuple(dict.fromkeys(codes)) for key, codes in both.items()}
    return _names(board, written, {**shortened, **unlike}, foreign)


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def codes_of(board: Map) -> Names:
    """Return only the codes and full names of *board*, for text that a program wrote.

    There `TYR` is Tyrolia, even for a fleet.
    """
    written = _table(
        (word, code) for code, place in board.places.items() for word in (code, place.name)
    )
    return _names(board, written, {}, {})


def _pairs_shortened(board: Map) -> ProvincesByName:
    """Return the names of two words with both shortened: `nor sea`, `mid atl`, `eng chan`."""
    pairs = (
        (_words(name.replace("-", " ")), code)
        for code in board.places
        for name in _all_names(board, code)
    )
    return _grouped(
        (f"{first} {second}", code)
        for words, code in pairs
        if len(words) == len(("first", "second"))
        for first in _beginnings(words[0])
        for second in _beginnings(words[1])
    )


def _beginnings(word: str) -> list[str]:
    """Return *word* and its abbreviations, down to as many letters as abbreviate a space."""
    return [
        word[:length] for length in range(min(ABBREVIATION_LETTERS_MIN, len(word)), len(word) + 1)
    ]


def _foreign(board: Map) -> ProvincesByName:
    """Return names in other languages, and the beginnings of the first where no name is such."""
    first, also = [
        [
            (spelling, code)
            for tongue in board.tongues.values()
            for code, forms in tongue.places.items()
            for name in (tongue.aliases[code] if others else (forms["name"],))
            for spelling in spellings(" ".join(_words(name)))
        ]
        for others in (False, True)
    ]
    beginnings = (
        (joined[:length], code)
        for name, code in first
        for joined in [name.replace(" ", "").replace("-", "")]
        for length in range(FOREIGN_LETTERS_MIN, len(joined) + 1)
    )
    return {**_grouped(beginnings), **_grouped([*first, *also])}


def _names(
    board: Map, written: ProvincesByName, shortened: ProvincesByName, foreign: ProvincesByName
) -> Names:
    nations = board.nations.values()
    return Names(
        written=written,
        shortened=shortened,
        foreign=foreign,
        powers=_foreign_powers(board)
        | {
            word.casefold(): nation.power
            for nation in nations
            for word in (nation.power, nation.name, nation.adjective)
        },
        shortened_powers={
            nation.name.casefold()[:ABBREVIATION_LETTERS_MIN]: nation.power for nation in nations
        },
        letters={nation.letter.casefold(): nation.power for nation in nations},
        words_max=max(len(key.split()) for key in (*written, *foreign)),
    )


def _foreign_powers(board: Map) -> dict[str, Power]:
    return {
        spelling: power
        for tongue in board.tongues.values()
        for power, forms in tongue.powers.items()
        for word in (forms["name"], forms["adjective"], *tongue.aliases[power])
        for spelling in spellings(word)
    }


def _all_names(board: Map, code: Province) -> tuple[str, ...]:
    place = board.places[code]
    return (code, place.name, *place.aliases)


def _words(name: str) -> list[str]:
    return [token.key for token in tokenize(name)]


def _table(pairs: Iterable[tuple[str, Province]]) -> ProvincesByName:
    return _grouped((" ".join(_words(name)), code) for name, code in pairs)


def _grouped(pairs: Iterable[tuple[str, Province]]) -> ProvincesByName:
    """Return what each key may mean."""
    table: dict[str, dict[Province, None]] = defaultdict(dict)
    for key, code in pairs:
        table[key][code] = None
    return {key: tuple(codes) for key, codes in table.items()}


# Mail programs make one dash of another: hyphens, dashes and minus of Unicode, arrows, and `=>`.
DASH = r"[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
ARROW = r"[>\u2190-\u21ff\u2794-\u27bf\u27f0-\u27ff\u00bb\u203a\u25b6\u25b8\u25ba]"
APOSTROPHE = r"['\u2018\u2019]"
TOKEN = re.compile(
    rf"(?P<word>[^\W_]+(?:{APOSTROPHE}[^\W_]+)*)"
    rf"|(?P<arrow>=*{DASH}*\s?{ARROW}+)"
    rf"|(?P<dash>{DASH}+)"
    r"|(?P<mark>[^\w\s])"
)
# Full stops, quotes, exclamation marks, emphasis and characters without width say nothing.
SILENT = frozenset(
    "._!\"'`\u2018\u2019\u201c\u201d\u2026\u00ab\u200b\u200c\u200d\u2060\ufeff\u00ad"
)


ELIDED = ("l'", "d'", "s'")  # French articles: `l'armée`


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark: *text* as written, *key* in lower case, *column* in its line, from 1."""

    text: str
    key: str
    column: int


def tokenize(line: str, column: int = 1) -> tuple[Token, ...]:
    """Split *line*, whose first character is in *column*, into tokens."""
    return tuple(
        Token(found[0], _token_key(found), column + found.start())
        for found in TOKEN.finditer(line)
        if found[0] not in SILENT
    )


def _token_key(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "arrow":
            return "->"
        case "dash":
            return "-"
        case "word":
            plain = re.sub(APOSTROPHE, "'", found[0].casefold()).removesuffix("'s")
            return plain[2:] if plain.startswith(ELIDED) else plain
        case _:
            return found[0]
