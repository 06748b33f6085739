"""Split text into tokens and terms, and find the provinces, powers and units they name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from judge.rules.board import Map
from judge.rules.types import Power, Province

ABBREVIATION_LETTERS_MIN = 3  # rulebook VII.7
PAIR = 2  # words
FOREIGN_LETTERS_MIN = 5  # shorter names are ambiguous in three languages
LIKENESS_MIN = 0.6  # one wrong letter in three, two in five
POWER_WORDS_MAX = 7  # `EAST-FRANKISH-KINGDOM` with its dashes has five
WORD_LETTERS_MAX = 30  # the longest name has 23
BOARDS_CACHED_MAX = 16
COAST_CODES = frozenset({"nc", "sc", "ec", "wc"})
UMLAUT_SPELLINGS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "œ": "oe"})
WITHOUT_ACCENTS = str.maketrans("äöüàâçéèêëîïôùûœ", "aouaaceeeeiiouuo")

ProvincesByName = Mapping[str, tuple[Province, ...]]


@dataclass(frozen=True, slots=True)
class Names:
    """The names on one board. A word may mean several provinces: `nor` is Norway and four others.

    *written* are codes, names and aliases. *shortened* are beginnings of names, read only if no
    written name matches. *foreign* are both in other languages, read only if no English name
    matches. Keys are in lower case with single spaces. *powers*, *letters* and *shortened_powers*
    (three letters) name owners; neutral units have no letter. *words_behind* gives the length in
    words of the longest name that starts with a word, *power_words_behind* that of powers with
    names of several words, whose words are the *words_of_powers*. *coasts* are those called
    otherwise than `nc`, `sc`, `ec` or `wc`.
    """

    written: ProvincesByName
    shortened: ProvincesByName
    foreign: ProvincesByName
    powers: Mapping[str, Power]
    shortened_powers: Mapping[str, Power]
    letters: Mapping[str, Power]
    words_max: int
    words_behind: Mapping[str, int]
    power_words_behind: Mapping[str, int]
    words_of_powers: frozenset[str]
    coasts: Mapping[Province, Mapping[str, str]]

    def find(self, text: str) -> tuple[Province, ...]:
        """Return the provinces that all of *text* may mean."""
        return self.meaning(" ".join(token.key for token in tokenize(text)))

    def meaning(self, key: str) -> tuple[Province, ...]:
        """Return the provinces that the words in *key* may mean."""
        return self.written.get(key) or self.shortened.get(key) or self.foreign.get(key, ())

    def longest(self, keys: Sequence[str]) -> tuple[int, tuple[Province, ...]]:
        """Return the length and meaning of the longest name at the start of *keys*."""
        most = self.words_behind.get(keys[0], 0) if keys else 0
        for count in range(min(most, len(keys)), 0, -1):
            if provinces := self.meaning(" ".join(keys[:count])):
                return count, provinces
        return 0, ()

    def is_place_in(self, keys: Sequence[str]) -> bool:
        """Return whether *keys* name a place anywhere."""
        return any(self.longest(keys[at : at + self.words_max])[0] for at in range(len(keys)))

    def longest_power(self, keys: Sequence[str]) -> int:
        """Return the length of the longest power of several words at the start of *keys*."""
        most = self.power_words_behind.get(keys[0], 0) if keys else 0
        for count in range(min(most, len(keys)), 1, -1):
            if " ".join(keys[:count]) in self.powers:
                return count
        return 0

    def all_in(self, text: str) -> Iterator[Province]:
        """Yield the provinces that *text* may name anywhere, also behind a kind: `FAnk`."""
        keys = keys_of(text)
        for at, key in enumerate(keys):
            for end in range(at + 1, at + 1 + self.words_behind.get(key, 0)):
                yield from self.meaning(" ".join(keys[at:end]))
            if key.startswith(("a", "f")):
                yield from self.meaning(key[1:])

    def nearest(self, word: str) -> tuple[float, tuple[Province, ...]]:
        """Return the likeness of the names closest to *word*, and their provinces."""
        found = closest_matches(word, self.written)
        provinces = {province: None for _, key in found for province in self.written[key]}
        return (found[0][0] if found else 0.0), tuple(provinces)


def closest_matches(word: str, choices: Collection[str]) -> list[tuple[float, str]]:
    """Return the *choices* closest to *word* with their likeness, none if too different."""
    from rapidfuzz import process  # noqa: PLC0415 - loads slowly, and few emails misspell a name
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - see above

    if len(word) > WORD_LETTERS_MAX:
        return []
    choices = tuple(choices)  # `extract` would compare the values of a mapping
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


def _pairs_shortened(board: Map) -> ProvincesByName:
    """Return two-word names with both words shortened: `nor sea`, `mid-atl`, `eng chan`."""
    return _grouped(
        (f"{first}{between}{second}", code)
        for code in board.places
        for name in _all_names(board, code)
        for words in [_words(name.replace("-", " "))]
        if len(words) == PAIR
        for between in ({" ", " - "} if "-" in name else {" "})
        for first in _beginnings(words[0])
        for second in _beginnings(words[1])
    )


def _beginnings(word: str) -> list[str]:
    return [
        word[:length] for length in range(min(ABBREVIATION_LETTERS_MIN, len(word)), len(word) + 1)
    ]


def _foreign(board: Map) -> ProvincesByName:
    """Return names in other languages, and beginnings that are not full names."""
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
    pairs = (
        (f"{begun} {second}", code)  # `Ion. Meer`
        for name, code in first
        for before, between, second in [name.partition(" ")]
        if between and " " not in second
        for begun in _beginnings(before)
    )
    return {**_grouped(pairs), **_grouped(beginnings), **_grouped([*first, *also])}


def _names(
    board: Map, written: ProvincesByName, shortened: ProvincesByName, foreign: ProvincesByName
) -> Names:
    people = [board.nations[power] for power in board.powers]
    powers = {
        **_foreign_powers(board),
        **_unlike(
            (" ".join(_words(word)), nation.power)
            for nation in board.nations.values()
            for word in (nation.power, nation.name, nation.adjective)
        ),
    }
    power_words_behind: dict[str, int] = {}
    for first, *others in map(str.split, powers):
        if others:
            most = max(power_words_behind.get(first, 0), 1 + len(others))
            power_words_behind[first] = most
    words_max = max(len(key.split()) for key in (*written, *foreign))
    words_behind: dict[str, int] = {}
    for words in map(str.split, (*written, *shortened, *foreign)):
        words_behind[words[0]] = max(words_behind.get(words[0], 0), min(len(words), words_max))
    return Names(
        written=written,
        shortened=shortened,
        foreign=foreign,
        powers=powers,
        shortened_powers=_unlike(
            (nation.name.casefold()[:ABBREVIATION_LETTERS_MIN], nation.power) for nation in people
        ),
        letters={nation.letter.casefold(): nation.power for nation in people},
        words_max=words_max,
        words_behind=words_behind,
        power_words_behind=power_words_behind,
        words_of_powers=frozenset(
            word for key in powers if " " in key for word in key.split() if word != "-"
        ),
        coasts={
            code: coasts
            for code, place in board.places.items()
            if (coasts := {each: each.upper() for each in {*place.coasts} - COAST_CODES})
        },
    )


def _unlike(pairs: Iterable[tuple[str, Power]]) -> dict[str, Power]:
    """Return the words that mean one power only."""
    meant: dict[str, set[Power]] = defaultdict(set)
    for word, power in pairs:
        meant[word].add(power)
    return {word: power for word, (power, *others) in meant.items() if not others}


def _foreign_powers(board: Map) -> dict[str, Power]:
    return {
        key: power
        for tongue in board.tongues.values()
        for power, forms in tongue.powers.items()
        for word in (forms["name"], forms["adjective"], *tongue.aliases[power])
        for spelling in spellings(word)
        for key in (spelling, " ".join(_words(spelling)))
    }


def _all_names(board: Map, code: Province) -> tuple[str, ...]:
    place = board.places[code]
    return (code, place.name, *place.aliases)


def _words(name: str) -> list[str]:
    return [token.key for token in tokenize(name)]


def _table(pairs: Iterable[tuple[str, Province]]) -> ProvincesByName:
    return _grouped((" ".join(_words(name)), code) for name, code in pairs)


def _grouped(pairs: Iterable[tuple[str, Province]]) -> ProvincesByName:
    table: dict[str, dict[Province, None]] = defaultdict(dict)
    for key, code in pairs:
        table[key][code] = None
    return {key: tuple(codes) for key, codes in table.items()}


# Mail programs replace dashes: Unicode hyphens, dashes and minus, arrows, and `=>`.
DASH = r"[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
ARROW = r"[>\u2190-\u21ff\u2794-\u27bf\u27f0-\u27ff\u00bb\u203a\u25b6\u25b8\u25ba]"
APOSTROPHE = r"['\u2018\u2019]"
TOKEN = re.compile(
    rf"(?P<word>[^\W_]+(?:{APOSTROPHE}[^\W_]+)*)"
    rf"|(?P<arrow>(?:=+{DASH}*\s?|{DASH}+\s?)?{ARROW}+)"
    rf"|(?P<dash>{DASH}+)"
    r"|(?P<mark>[^\w\s])"
)
# Ignored: full stops, quotes, exclamation marks, emphasis and zero-width characters.
SILENT = frozenset(
    "._!\"'`\u2018\u2019\u201c\u201d\u2026\u00ab\u200b\u200c\u200d\u2060\ufeff\u00ad"
)


ELIDED = ("l'", "d'", "s'")  # French articles: `l'armée`
MARKS = {"arrow": "->", "dash": "-"}  # the keys of such tokens; other marks are their own


class Token(NamedTuple):
    """A word or mark: *text* as written, *key* in lower case, *column* from 1."""

    text: str
    key: str
    column: int


def tokenize(line: str) -> tuple[Token, ...]:
    """Split *line* into tokens; its first character is in column 1."""
    tokens = []
    for found in TOKEN.finditer(line):
        text = found[0]
        if text not in SILENT:
            kind = found.lastgroup or ""
            key = _key_of_word(text) if kind == "word" else MARKS.get(kind, text)
            tokens.append(Token(text, key, 1 + found.start()))
    return tuple(tokens)


def keys_of(line: str) -> list[str]:
    """Return the keys of the tokens of *line*."""
    return [token.key for token in tokenize(line)]


def _key_of_word(word: str) -> str:
    if word.isalpha():  # most are, and without apostrophes there is no article to leave out
        return word.casefold()
    plain = word.casefold().replace("\u2018", "'").replace("\u2019", "'").removesuffix("'s")
    return plain[2:] if plain.startswith(ELIDED) else plain


def spellings(word: str) -> frozenset[str]:
    """Return the spellings of *word* with and without accents, umlauts also as `ae`.

    A single letter keeps its accent: `a` is not `à`.
    """
    folded = word.casefold()
    plain = (
        {folded.translate(UMLAUT_SPELLINGS), folded.translate(WITHOUT_ACCENTS)}
        if len(folded) > 1
        else set()
    )
    return frozenset({folded, *plain})
