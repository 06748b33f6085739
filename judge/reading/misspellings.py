"""Read unknown words as misspelled or shortened names and verbs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.notation.terms import BOARDS_CACHED_MAX, WITHOUT_ACCENTS, closest_matches, names_of
from judge.reading.lookups import Lookups, starts_sentence
from judge.reading.tokens import GUESS, SLIP, VERBS, Word
from judge.rules.board import Map
from judge.rules.types import Province

MISSPELT_LETTERS_MIN, MISSPELT_MAX = 4, 24
ACTING = VERBS | {"army", "fleet"}
LAST_LETTER = "\U0010ffff"
LIKENESS_MIN = 0.74
SAME_LETTERS = 0.8
LIKENESS_OF_TWO_MIN = 0.66  # of the second of two names that are a sentence
BEGUN_LETTERS_MIN, BEGUN_BEFORE_DASH_MIN = 3, 2
VERB_LETTERS_MIN, VERB_LIKENESS_MIN = 5, 0.8
WORDS_CACHED_MAX = 4096
LENGTHS_CACHED_MAX = 16 * BOARDS_CACHED_MAX


@dataclass(slots=True)
class Misspellings(Lookups):
    """Takes unknown words for names and verbs that they may be."""

    guesses: int = 0

    def _unknown(self, at: int) -> int:
        """Match the word *at* an index, which is no word of orders; return how many it takes."""
        token = self.tokens[at]
        if places := self._two_misspelt(at):
            self.words.append(Word("name", at, at + 1, places=places, guessed=GUESS))
            return 2
        before = self.words[-1].role if self.words else "break"
        can_stand = before in {
            *("dash", "army", "fleet", "to", "at", "in", "from", "of", "det", "on", "with", "by"),
        } or self._before_dash(at)
        if place := self._shortened(at, before):
            self.words.append(Word("name", at, at, places=place))
            return 1
        named = token.text[0].isupper() and before != "break"
        acts = before in {"break", "and"} and self._phrase_at(at + 1)[1] in ACTING
        can_stand = can_stand or acts or (before == "break" and self._begins_order(at + 1))
        if before == "name" and (role := self._verb_like(token.key)):
            self.words.append(Word(role, at, at, guessed=GUESS))
            return 1
        named = named or before in VERBS
        least = MISSPELT_LETTERS_MIN if can_stand else MISSPELT_LETTERS_MIN + 2
        like = LIKENESS_MIN
        if self._is_second_of_two(at):  # `mar spaa`
            can_stand, least, like = True, MISSPELT_LETTERS_MIN - 1, LIKENESS_OF_TWO_MIN
        if (can_stand or named) and len(token.key) >= least and self.guesses < MISSPELT_MAX:
            self.guesses += 1
            found = _closest_names(self.world.board, token.key)
            freely = self._before_dash(at) or before == "dash" or like < LIKENESS_MIN
            if not freely:
                found = tuple(each for each in found if _is_alike(token.key, *each))
            if found and found[0][0] >= like:
                places = tuple(
                    dict.fromkeys(p for _, key in found for p in self.world.names.meaning(key))
                )
                if not acts or self._is_own(places):
                    guessed = max(_slips(token.key, *each) for each in found)
                    self.words.append(Word("name", at, at, places=places, guessed=guessed))
                    return 1
        would = token.key.endswith(("erait", "eraient", "drait"))  # `inquiéterait`
        self.words.append(Word("doubt" if would else "word", at, at))
        return 1

    def _two_misspelt(self, at: int) -> tuple[Province, ...]:
        """Return the place of two words of which the first is misspelled: `Norht Sea`."""
        last = self.keys[at + 1] if at + 1 < len(self.keys) else ""
        names = _names_ending(self.world.board).get(last)
        if not names or self.guesses >= MISSPELT_MAX:
            return ()
        self.guesses += 1
        found = closest_matches(f"{self.keys[at]} {last}", names)
        alike = [names[name] for likeness, name in found if likeness >= SAME_LETTERS]
        return tuple(dict.fromkeys(place for places in alike for place in places))

    def _shortened(self, at: int, before: str) -> tuple[Province, ...]:
        """Return the one place whose name begins with the word *at* an index, where it may."""
        key = self.keys[at]
        if before in {"army", "fleet"} and (place := self._begun(key, before)):
            return place
        goes = before == "dash" or (before == "to" and len(key) >= BEGUN_LETTERS_MIN)
        if goes and (place := self._begun_in_reach(key)):
            return place
        plain = self.world.names.meaning(key.translate(WITHOUT_ACCENTS))  # `Sév`
        return plain or self._begun_in_notation(at)

    def _begun(self, key: str, kind: str) -> tuple[Province, ...]:
        """Return where the one own unit of *kind* is whose place's name begins with *key*."""
        own = {place for place, unit in self.world.own.items() if unit.kind.name.lower() == kind}
        found = self._begin_with(key) & own
        return tuple(found) if len(found) == 1 else ()

    def _begun_in_notation(self, at: int) -> tuple[Province, ...]:
        """Return the one place of an own unit that begins so, before a verb: `Var S Rou`."""
        key, dash = self.keys[at], self._before_dash(at)
        if len(key) < (BEGUN_BEFORE_DASH_MIN if dash else BEGUN_LETTERS_MIN):
            return ()
        if not (starts_sentence(self.words) and self._acts(at + 1)):
            return ()
        found = self._begin_with(key) & self.world.own.keys()
        return tuple(found) if len(found) == 1 else ()

    def _begun_in_reach(self, key: str) -> tuple[Province, ...]:
        """Return the one place beginning with *key* that the unit named before can reach."""
        units = [
            unit
            for word in self.words[-2:-1]
            for place in word.places
            if (unit := self.world.own.get(place))
        ]
        if len(units) != 1 or len(key) < BEGUN_BEFORE_DASH_MIN:
            return ()
        found = {p for p in self._begin_with(key) if self.world.reach(units[0], p) == 0}
        return tuple(found) if len(found) == 1 else ()

    def _begin_with(self, key: str) -> set[Province]:
        names = _names_in_order(self.world.board)
        first, end = bisect_left(names, (key,)), bisect_left(names, (key + LAST_LETTER,))
        return {place for _, places in names[first:end] for place in places}

    def _is_second_of_two(self, at: int) -> bool:
        """Return whether a sentence is the name of an own unit and the word *at* an index."""
        if not self.words or self.words[-1].role != "name" or not self._ends(at + 1):
            return False
        return self._is_own(self.words[-1].places) and starts_sentence(self.words[-2:-1])

    def _begins_order(self, at: int) -> bool:
        """Return whether what is *at* an index stands behind a unit in an order: `to`, `holds`."""
        return self._phrase_at(at)[1] in {"to", "hold", "support"}

    def _verb_like(self, key: str) -> str:
        """Return what a misspelled verb behind a place is for: `hällt`, `suporting`."""
        if len(key) < VERB_LETTERS_MIN or self.guesses >= MISSPELT_MAX:
            return ""
        self.guesses += 1
        verbs = self.spoken.verbs
        found = closest_matches(key, verbs)
        return verbs[found[0][1]] if found and found[0][0] >= VERB_LIKENESS_MIN else ""

    def _before_dash(self, at: int) -> bool:
        return at + 1 < len(self.tokens) and self.tokens[at + 1].sort == "dash"

    def _is_misspelt(self, at: int) -> bool:
        """Return whether the word *at* an index is like the name of a place: `A Marseiles`."""
        if len(self.keys[at]) < MISSPELT_LETTERS_MIN + 2 or self.guesses >= MISSPELT_MAX:
            return False
        self.guesses += 1
        written, _ = _names_as_long(self.world.board, len(self.keys[at]))
        found = closest_matches(self.keys[at], written)
        return bool(found) and found[0][0] >= VERB_LIKENESS_MIN


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def _names_in_order(board: Map) -> Sequence[tuple[str, tuple[Province, ...]]]:
    names = names_of(board)
    return sorted((*names.written.items(), *names.foreign.items()))


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def _names_ending(board: Map) -> Mapping[str, Mapping[str, tuple[Province, ...]]]:
    """Return the names of two words by the second: `sea` has `north sea` and `black sea`."""
    found: dict[str, dict[str, tuple[Province, ...]]] = {}
    for name, places in _names_in_order(board):
        first, _, last = name.partition(" ")
        if last and " " not in last and len(first) >= MISSPELT_LETTERS_MIN:
            found.setdefault(last, {})[name] = places
    return found


@lru_cache(maxsize=LENGTHS_CACHED_MAX)
def _names_as_long(board: Map, letters: int) -> tuple[tuple[str, ...], ...]:
    """Return the names, English and foreign, that a word of so many *letters* may stand for."""
    names = names_of(board)
    return tuple(
        tuple(
            name
            for name in each
            if min(len(name), letters) >= LIKENESS_OF_TWO_MIN * max(len(name), letters)
        )
        for each in (names.written, names.foreign)
    )


@lru_cache(maxsize=WORDS_CACHED_MAX)
def _closest_names(board: Map, word: str) -> tuple[tuple[float, str], ...]:
    """Return the names of *board* that are most like *word*, foreign ones if no English one is."""
    written, foreign = _names_as_long(board, len(word))
    found = closest_matches(word, written)
    if not found or found[0][0] < LIKENESS_MIN:
        found = closest_matches(word, foreign) or found
    return tuple(found)


def _slips(word: str, likeness: float, name: str) -> int:
    """Return how *word* differs from *name*: 0 if it is in a language not used otherwise."""
    if likeness == 1.0:
        return 0
    one = round((1 - likeness) * max(len(word), len(name))) == 1
    sure = len(name) > MISSPELT_LETTERS_MIN or sorted(word) == sorted(name)  # `Rhur`
    return SLIP if one and sure and word[0] == name[0] else GUESS


def _is_alike(word: str, likeness: float, name: str) -> bool:
    """Return whether *word* may be typed for *name*: `rhur`, but neither `work` nor `trip`."""
    short = len(word) == MISSPELT_LETTERS_MIN
    return not short or (
        len(name) >= len(word) and (word[0] == name[0] or likeness >= SAME_LETTERS)
    )
