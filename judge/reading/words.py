"""The words of orders by what they do, from one file for each language: `words/en.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import chain, product

from judge.notation.terms import spellings
from judge.rules.board import DEFAULT_VARIANT

LANGUAGES = ("en", "de", "fr", "nl")
STRICT = "strict"
SPOKEN_SHARE = 0.34  # of the hits of the language most used, from which another counts
NAME_LETTERS_MIN = 3
ENDINGS = ("", "n", "s", "r")  # of adjectives: `ägyptische`, `ägyptischen`
SPELLINGS_MAX = 16  # of a phrase with several accents
VERB_ENDINGS = {  # of the present and the future; `attaquera` for `attaque`
    "en": ("", "s", "es", "ing"),
    "de": ("", "e", "t", "et", "en", "st", "end"),
    "fr": (
        *("", "e", "es", "t", "ent", "ons", "ez", "ant", "ra", "ront", "rai", "dra", "dront"),
        *("era", "eront", "erai"),
    ),
    "nl": ("", "e", "t", "en"),
}
STEM_LETTERS_MIN = 4
INFLECTED = frozenset({"move", "hold", "support", "convoy", "retreat", "disband", "build"})
MISSPELT_VERBS = frozenset({"hold", "support"})
ALWAYS = (
    *("if", "else", "doubt", "draft", "report", "not", "past"),
)  # roles that count in all languages

Phrase = tuple[tuple[str, ...], str]
"""The words of a phrase, and its role."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases with their roles: of *single* words, and *longer* ones.

    The longer ones are kept by their first word and then by their second, the longest first.
    """

    single: Mapping[str, str]
    longer: Mapping[str, Mapping[str, Sequence[Phrase]]]

    def all(self) -> Iterator[Phrase]:
        """Yield all phrases."""
        yield from (((word,), role) for word, role in self.single.items())
        for by_second in self.longer.values():
            yield from chain.from_iterable(by_second.values())

    def longest(self, keys: Sequence[str], at: int) -> tuple[int, str]:
        """Return the length and role of the longest phrase *at* an index of *keys*."""
        if at >= len(keys):
            return 0, ""
        key = keys[at]
        if key in self.longer and at + 1 < len(keys):
            for phrase, role in self.longer[key].get(keys[at + 1], ()):
                if tuple(keys[at : at + len(phrase)]) == phrase:
                    return len(phrase), role
        role = self.single.get(key, "")
        return (1, role) if role else (0, "")


@dataclass(frozen=True)
class Words:
    """The words of a language: *phrases*, *strict* short words, and the names behind adjectives.

    *known* are all single words, *verbs* those that say what a unit does.
    """

    phrases: Phrases
    places: Mapping[str, str]
    known: frozenset[str]
    stems: Mapping[str, str]
    endings: frozenset[str]

    def inflected(self, word: str) -> str:
        """Return what a verb is for of which *word* is another form, or nothing."""
        for letters in range(STEM_LETTERS_MIN, len(word)):
            if word[letters:] in self.endings and word[:letters] in self.stems:
                return self.stems[word[:letters]]
        return ""

    @cached_property
    def verbs(self) -> Mapping[str, str]:
        single = self.phrases.single.items()
        return {word: role for word, role in single if role in MISSPELT_VERBS}


def roles_in(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the phrases of *language* by their roles, as they are in its file."""
    return {
        role: tuple(" ".join(each.split()) for each in row.split(",") if each.strip())
        for role, row in _source(language).items()
        if isinstance(row, str)
    }


@cache
def _source(language: str) -> Mapping[str, str | Mapping[str, str]]:
    file = resources.files("judge.reading") / "words" / f"{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def words_of(language: str) -> Words:
    """Return the words of one *language*."""
    pairs = [
        (spelled, role)
        for role, phrases in roles_in(language).items()
        for phrase in phrases
        for spelled in _spellings(phrase)
    ]
    places = _source(language).get("places", {})
    assert not isinstance(places, str)
    return Words(
        _grouped(pairs),
        {spelled: name for word, name in places.items() for spelled in spellings(word)},
        frozenset(phrase[0] for phrase, _ in pairs if len(phrase) == 1),
        dict(_stems(pairs, VERB_ENDINGS.get(language, ()))),
        frozenset(VERB_ENDINGS.get(language, ())),
    )


def _stems(pairs: Iterable[Phrase], endings: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the stems of single verbs, with what they are for."""
    for (word, *others), role in pairs:
        for ending in endings if role in INFLECTED and not others else ():
            stem = word.removesuffix(ending)
            if word.endswith(ending) and len(stem) >= STEM_LETTERS_MIN:
                yield stem, role


@cache
def words_for(*roles: str) -> frozenset[str]:
    """Return the single words with one of *roles* in any language, and the short ones."""
    every = (words_of(each).phrases.single for each in (*LANGUAGES, STRICT))
    return frozenset(word for each in every for word, role in each.items() if role in roles)


@cache
def names_in(language: str) -> tuple[tuple[str, str], ...]:
    """Return the spellings of the names of places in *language*, each with an English name.

    They are those of the standard board, and those of its file for places on other boards.
    """
    standard = resources.files("judge.variants") / DEFAULT_VARIANT
    rows = (standard / "provinces.csv").read_text(encoding="utf-8").splitlines()
    english = dict(row.split(",")[:2] for row in rows)
    named = _source(language).get("names", {})
    assert not isinstance(named, str)
    pairs = [(name, place) for place, row in named.items() for name in _with_endings(row)]
    file = standard / f"names.{language}.toml"
    if file.is_file():
        forms = tomllib.loads(file.read_text(encoding="utf-8"))["places"]
        for code, form in forms.items():
            pairs += [(name, english[code]) for name in (form["name"], *form.get("also", ()))]
    return tuple(
        (spelled, place)
        for name, place in pairs
        if len(name) >= NAME_LETTERS_MIN
        for spelled in spellings(name)
    )


def _with_endings(row: str) -> Iterator[str]:
    """Yield the names in *row*, those with `~` once for each ending of adjectives."""
    for name in map(str.strip, row.split(",")):
        endings = ENDINGS if "~" in name else ("",)
        yield from dict.fromkeys(name.replace("~", ending) for ending in endings)


@cache
def together(languages: tuple[str, ...]) -> Words:
    """Return the words of several *languages*, and the doubts of all others.

    A word of several means what it does in the first.
    """
    spoken = [words_of(each) for each in languages]
    known = frozenset(word for each in spoken for word in each.known)
    pairs = [pair for each in spoken for pair in each.phrases.all()]
    pairs += [
        (phrase, role)
        for other in LANGUAGES
        if other not in languages
        for phrase, role in words_of(other).phrases.all()
        if role in ALWAYS and not (len(phrase) == 1 and phrase[0] in known)
    ]
    return Words(
        _grouped(pairs),
        {word: name for each in reversed(spoken) for word, name in each.places.items()},
        known,
        {stem: role for each in reversed(spoken) for stem, role in each.stems.items()},
        frozenset(ending for each in spoken for ending in each.endings),
    )


def languages_of(keys: AbstractSet[str], names: AbstractSet[str] = frozenset()) -> tuple[str, ...]:
    """Return the languages in which *keys* may be written, the one most used first.

    *names* that are words, too, count if no other word is known.
    """
    hits = {each: len(words_of(each).known & keys) for each in LANGUAGES}
    most = max(hits.values())
    if not most:
        return languages_of(names) if names else LANGUAGES[:1]
    spoken = [each for each in LANGUAGES if hits[each] >= most * SPOKEN_SHARE]
    return tuple(sorted(spoken, key=lambda each: -hits[each]))


def _grouped(pairs: Iterable[Phrase]) -> Phrases:
    found: dict[tuple[str, ...], str] = {}
    for phrase, role in pairs:
        found.setdefault(phrase, role)
    longer: dict[str, dict[str, list[Phrase]]] = {}
    for phrase, role in sorted(found.items(), key=lambda each: -len(each[0])):
        if len(phrase) > 1:
            longer.setdefault(phrase[0], {}).setdefault(phrase[1], []).append((phrase, role))
    return Phrases({words[0]: role for words, role in found.items() if len(words) == 1}, longer)


def _spellings(phrase: str) -> Iterable[tuple[str, ...]]:
    """Yield the words of *phrase* with and without accents, and `n't` without its apostrophe."""
    if "n't" in phrase:
        yield from _spellings(phrase.replace("n't", "nt"))
    forms = [sorted(spellings(word)) for word in split_elisions(phrase).split()]
    for count, spelled in enumerate(product(*forms)):
        if count == SPELLINGS_MAX:
            break
        yield spelled


ELIDED = frozenset(f"{each}'" for each in ("l", "d", "j", "n", "s", "c", "m", "t", "qu", "jusqu"))


def split_elisions(phrase: str) -> str:
    """Return *phrase* with elided words apart: `l' armée`."""
    words = []
    for word in phrase.split():
        head, mark, rest = word.partition("'")
        words.append(f"{head}' {rest}".strip() if mark and head + mark in ELIDED else word)
    return " ".join(words)
